"""What values show in a notebook, and that showing is all that needs matplotlib."""

from __future__ import annotations

import subprocess
import sys
from xml.etree import ElementTree

import onlooker

TRIAL = onlooker.load_trial("examples/two-experts.map")


def test_a_trial_shows_its_map_and_not_its_holders() -> None:
    drawn = TRIAL._repr_svg_()
    assert drawn is not None
    root = ElementTree.fromstring(drawn)
    assert root.tag.endswith("svg")
    gids = {each.get("id") or "" for each in root.iter()}
    assert any(gid.startswith("wizard") for gid in gids)
    assert drawn == TRIAL._repr_svg_()


def test_a_result_shows_its_timeline() -> None:
    result = onlooker.run(TRIAL)
    root = ElementTree.fromstring(result._repr_html_())
    rows = [[cell.text for cell in row] for row in root.iter("tr")]
    assert root.findtext("caption") == (
        "rational_mentalizing: 0, 2 steps watched, 58 points;"
        " it acts: it has learnt enough; the holder is settled"
    )
    assert rows[0] == ["step", "choice", "C_self", "Q_obs 1", "Q_obs 2", "P(w1)", "P(w2)"]
    assert rows[1] == ["0", "agent3", "85.0", "77.67", "76.67", "0.500", "0.500"]
    assert [row[1] for row in rows[1:]] == [each.choice for each in result.trace]


def test_every_observer_has_a_timeline() -> None:
    for name in (*onlooker.OBSERVERS, "ideal_observer", "graded_mentalizing"):
        result = onlooker.run(TRIAL, name)
        rows = list(ElementTree.fromstring(result._repr_html_()).iter("tr"))
        assert len({len(row) for row in rows}) == 1
        assert len(rows) == 1 + len(result.trace)


def test_names_can_be_completed() -> None:
    assert set(dir(onlooker)) == set(onlooker.__all__)
    assert all(hasattr(onlooker, name) for name in dir(onlooker))


def test_without_matplotlib_a_notebook_falls_back_to_text() -> None:
    code = (
        "import sys; sys.modules['matplotlib'] = None; import onlooker;"
        "trial = onlooker.load_trial('examples/early-turn.map'); print(trial._repr_svg_())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "None\n"


def test_a_trial_alone_imports_no_matplotlib() -> None:
    code = (
        "import sys, onlooker; onlooker.load_trial('examples/early-turn.map');"
        "print('matplotlib' in sys.modules, 'numpy' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "False False\n"
