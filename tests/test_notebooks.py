"""The notebooks run from start to end, print their tables and leave their figures."""

from __future__ import annotations

import runpy
from pathlib import Path

import matplotlib.pyplot as plt
import pytest

NOTEBOOKS = Path(__file__).parents[1] / "notebooks"
FIGURES = {
    "explore_one_trial": {"explore-map", "explore-posterior", "explore-why", "explore-beta"},
    "compare_observers": {"compare-correlation", "compare-scatter", "compare-diagnostic"},
    "how_many_participants": {"participants-power"},
}
LONGEST = "how_many_participants"
PRINTS = {
    "explore_one_trial": "Q_obs agent3",
    "compare_observers": "Trials that tell all observers apart: ",
    "how_many_participants": "Participants from which on it is right in 95% of the studies",
}


def test_every_notebook_is_tried() -> None:
    assert {path.stem for path in NOTEBOOKS.glob("*.py")} == set(FIGURES)


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.slow] * (name == LONGEST)) for name in FIGURES],
)
def test_a_notebook_runs(
    name: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "Agg")
    plt.switch_backend("Agg")
    with plt.rc_context():
        runpy.run_path(str(NOTEBOOKS / f"{name}.py"), run_name="__main__")
    plt.close("all")
    assert PRINTS[name] in capsys.readouterr().out
    assert {path.stem for path in (tmp_path / "figures").iterdir()} == FIGURES[name]


@pytest.mark.parametrize("name", FIGURES)
def test_a_notebook_opens_as_cells(name: str) -> None:
    text = (NOTEBOOKS / f"{name}.py").read_text(encoding="utf-8")
    assert "Jupytext" in text.splitlines()[0]
    assert text.count("\n# %%") > 6
    assert text.count("\n# %% [markdown]\n# #") > 2
