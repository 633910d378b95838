"""The documentation does not lag behind the code."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import onlooker
from onlooker import find_observer, load_trial
from onlooker.analysis.data.human import read_human
from onlooker.analysis.tables.comparison import compare, predictions_frame
from onlooker.experiments.predictions import predict
from onlooker.game import document, document_writer, problems, rules

ROOT = Path(__file__).parents[1]
MEANS_COLUMNS = ("experiment", "level", "agent", "human_mean_observed", "n_participants")
AT_THE_ROOT = [ROOT / name for name in ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md")]


@pytest.mark.parametrize("page", ["commands.md", "data-dictionary.md"])
def test_the_reference_pages_are_current(page: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "docs")
    from make_reference import PAGES

    assert PAGES[page]() == (ROOT / "docs" / page).read_text("utf-8"), "run `make docs`"


def test_the_readme_opens_with_the_two_commands() -> None:
    opening = (ROOT / "README.md").read_text()[:200]
    assert "make reproduce" in opening
    assert "make test" in opening


@pytest.mark.parametrize("page", AT_THE_ROOT, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
        assert (page.parent / target).exists(), target


def test_the_limits_are_documented() -> None:
    text = (ROOT / "docs" / "game.md").read_text()
    for name, limit in (vars(problems) | vars(rules)).items():
        if name.startswith("MAX_"):
            assert f"| {limit:,} |" in text, name


def test_every_field_of_the_document_is_documented() -> None:
    text = (ROOT / "docs" / "formats.md").read_text()
    for field in (*document.REQUIRED, *document_writer.OPTIONAL):
        assert f"`{field}`" in text


@pytest.mark.parametrize("name", [name for name in onlooker.__all__ if name != "__version__"])
def test_every_public_name_has_an_example(name: str) -> None:
    thing = getattr(onlooker, name)
    if isinstance(thing, dict):
        return  # OBSERVERS, whose values have their own
    assert ">>>" in (thing.__doc__ or ""), name


def test_every_observer_has_an_example() -> None:
    for observer in onlooker.OBSERVERS.values():
        assert ">>>" in (observer.__doc__ or "")


def test_every_number_of_a_comparison_is_defined(tmp_path: Path) -> None:
    text = (ROOT / "docs" / "analysis.md").read_text()
    trial = load_trial(ROOT / "examples" / "two-experts.map")
    predictions = predictions_frame(predict([trial], [find_observer("naive_observer")]))
    means = tmp_path / "means.csv"
    rows = [f"3,two experts,{npc.id},1.5,20" for npc in trial.npcs]
    means.write_text("\n".join([",".join(MEANS_COLUMNS), *rows]))
    found = compare(predictions, read_human(means, predictions), seed=1).to_dict()
    tables = {name: rows for name, rows in found.items() if isinstance(rows, list)}
    columns = {column for rows in tables.values() for row in rows for column in row}
    for name in (*found, *columns):
        assert f"`{name}`" in text or name.startswith("paper_"), name
