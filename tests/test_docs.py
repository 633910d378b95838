"""The documentation does not lag behind the code."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import onlooker
from onlooker import find_observer, load_trial
from onlooker.analysis.data.human import read_human
from onlooker.analysis.tables.comparison import compare, predictions_frame
from onlooker.experiments.predictions import predict
from onlooker.game import document, limits
from onlooker.web.export.tables import ALL_TABLES

ROOT = Path(__file__).parents[1]
MEANS_COLUMNS = ("experiment", "level", "agent", "human_mean_observed", "n_participants")
AT_THE_ROOT = [ROOT / name for name in ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md")]


def test_the_command_reference_is_current() -> None:
    printed = subprocess.run(
        [sys.executable, "-m", "typer", "onlooker.cli.main", "utils", "docs", "--name", "onlooker"],
        capture_output=True,
        encoding="utf-8",
        check=True,
    ).stdout
    written = (ROOT / "docs" / "commands.md").read_text()
    assert printed.strip() == written.strip(), "run `make docs`"


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
    for name, limit in vars(limits).items():
        if name.startswith("MAX_"):
            assert f"| {limit:,} |" in text, name


def test_every_field_of_the_document_is_documented() -> None:
    text = (ROOT / "docs" / "formats.md").read_text()
    for field in (*document.REQUIRED, *document.OPTIONAL):
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


def test_every_table_of_an_online_study_is_documented() -> None:
    text = (ROOT / "docs" / "analysis.md").read_text()
    for schema in ALL_TABLES.values():
        _, _, section = text.partition(f"\n### {schema.name}\n")
        section = section.partition("\n## ")[0].partition("\n### ")[0]
        assert f"A row is {schema.row}; the key is " in section
        for column in schema.columns:
            assert f"| `{column.name}` | {column.expected()}" in section, column.name
            assert f"| {column.meaning} |" in section, column.name


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
