"""The documentation does not lag behind the code."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import onlooker
from onlooker.game import document, limits, parse_trial

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


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


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_map_text_in_the_docs_is_valid(page: Path) -> None:
    for block in re.findall(r"^```\n(.*?)^```", page.read_text(), re.MULTILINE | re.DOTALL):
        if "map:" in block:
            parse_trial(block)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_python_example_in_the_docs_runs(page: Path) -> None:
    for block in re.findall(r"^```python\n(.*?)^```", page.read_text(), re.MULTILINE | re.DOTALL):
        expected = [line.partition("  # ")[2] for line in block.splitlines() if "print(" in line]
        done = subprocess.run(
            [sys.executable, "-c", block],
            capture_output=True,
            encoding="utf-8",
            check=True,
            cwd=ROOT,
        )
        assert done.stdout.splitlines() == expected


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
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
