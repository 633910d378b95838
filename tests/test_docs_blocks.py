"""Every command and code block of the documentation runs, and prints what the page shows."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from doc_blocks import (
    RUN,
    WITH_FIGURES,
    blocks_of,
    figures_of,
    look_over,
    run_block,
    shown_pattern,
)
from onlooker.game import parse_trial
from running import ROOT

GENERATED = ("commands.md",)  # its usage lines are no commands
PAGES = [
    ROOT / "README.md",
    ROOT / "ARCHITECTURE.md",
    ROOT / "CONTRIBUTING.md",
    *(page for page in sorted((ROOT / "docs").glob("*.md")) if page.name not in GENERATED),
]
# The pages that take longest.
SLOW = ("archive.md", "cookbook.md", "figures.md", "fitting.md", "own-observer.md", "players.md")
LANGUAGES = {"", "sh", "console", "python", "text", "json", "toml", "html", "diff"}

# Whoever adds a block that is not run must say so here.
NOT_RUN = {
    ("README.md", "make reproduce"),
    ("CONTRIBUTING.md", "make quick"),
    ("index.md", "python -m venv .venv"),
    ("analysis.md", "onlooker reproduce -o out"),
    (
        "analysis.md",
        "chromium --headless --no-pdf-header-footer --print-to-pdf=report.pdf out/report.html",
    ),
    (
        "own-observer.md",
        "$ onlooker run examples/near-wizards.map --observer rational_mentalizing --observer bold:Bold",
    ),
    (
        "cookbook.md",
        "onlooker stimuli design --experiment 3 --seed 7 --against graded_mentalizing --trials 12 -o mine",
    ),
    ("players.md", "export ONLOOKER_API_KEY=…"),
    ("players.md", "from onlooker import load_trial, stage"),
    ("players.md", "$ python examples/learner.py examples/early-turn.map -o learner.png"),
    (
        "players.md",
        "$ python examples/maskable_ppo.py examples/early-turn.map examples/near-wizards.map --steps 400000",
    ),
    ("readings.md", "onlooker reproduce -o out/ours"),
    (
        "readings.md",
        "onlooker predict trials -o both.csv --observer rational_mentalizing --observer graded_mentalizing",
    ),
    ("replay.md", "onlooker serve --data replayed-people"),
    ("run-a-study.md", "onlooker serve --experiment 1"),
    ("run-a-study.md", "onlooker bots --url http://127.0.0.1:8000 --experiment 1 --n 8 --rate 0"),
    (
        "run-a-study.md",
        "onlooker links ids.txt --settings study.toml --url https://study.example.org --study pilot",
    ),
    ("run-a-study.md", "onlooker settings --password"),
    ("run-a-study.md", "onlooker preflight --settings study.toml --database study.sqlite3"),
    (
        "run-a-study.md",
        "onlooker bots --url https://study.example.org --settings study.toml --n 200 --rate 1 --drop-out 0.3",
    ),
    ("run-a-study.md", "onlooker backup study.sqlite3 backups/study-$(date +%F-%H%M).sqlite3"),
    ("run-a-study.md", "python -m zipfile -e data.zip data"),
    ("run-a-study.md", "onlooker erase study.sqlite3 5f1e0c0ffee0000000000001"),
    ("stimuli.md", "onlooker stimuli design --experiment 2 --seed 1 -o mine"),
    ("stimuli.md", "onlooker stimuli design --experiment 5 --seed 1 -o mine"),
    ("stimuli.md", "onlooker stimuli orderings pilot-maps"),
    (
        "teachers.md",
        "onlooker simulate maps -o people --label expert --label teacher --label untold",
    ),
    (
        "stimuli.md",
        "onlooker stimuli design --experiment 3 --seed 7 --against graded_mentalizing --trials 12 -o mine",
    ),
    (
        "stimuli.md",
        "onlooker stimuli design --experiment 3 --seed 7 --against graded_mentalizing --trials 40 -o pool",
    ),
    (
        "sweeps.md",
        "onlooker sweep --grid beta=0.1:2:log20 --grid converge=0.8,0.9,0.95,0.99 -o sweep",
    ),
    ("sweeps.md", "dask scheduler"),
}


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(page, id=page.name, marks=[pytest.mark.slow] * (page.name in SLOW))
        for page in PAGES
    ],
)
def test_every_block_runs(
    page: Path,
    tmp_path: Path,
    own_archive: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(os.fspath(tmp_path))
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("PATH", os.environ["PATH"])  # which blocks may change
    names: dict[str, object] = {"__name__": "__main__"}
    (tmp_path / "e93kh").symlink_to(own_archive)
    for block in blocks_of(page):
        if block.title:
            file = tmp_path / block.title
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(block.text, "utf-8")
        elif block.skipped:
            look_over(block)
        elif block.language in RUN:
            run_block(block, names)
        elif block.language == "json":
            json.loads(block.text)
    if page.stem in WITH_FIGURES:  # docs/images/make.py makes the pictures in the same way
        for figure in figures_of(page):
            [made] = tmp_path.rglob(figure)
            assert made.stat().st_size > 0, figure


def test_recipes_are_short() -> None:
    page = ROOT / "docs" / "cookbook.md"
    assert len(re.findall(r"^## ", page.read_text("utf-8"), re.MULTILINE)) == 12
    for block in blocks_of(page):
        assert sum(bool(line.strip()) for line in block.text.splitlines()) <= 15, block.where


def test_no_block_is_left_out_silently() -> None:
    blocks = [block for page in PAGES for block in blocks_of(page)]
    skipped = {(block.page, block.opening) for block in blocks if block.skipped}
    assert skipped == NOT_RUN


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_block_says_what_it_is(page: Path) -> None:
    text = page.read_text("utf-8")
    blocks = blocks_of(page)
    assert 2 * len(blocks) == sum(line.lstrip().startswith("```") for line in text.splitlines())
    for block in blocks:
        assert block.language in LANGUAGES, block.where
        known = not block.mark or block.skipped or block.status
        assert known, f"{block.where}: {block.mark}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_map_text_in_the_docs_is_valid(page: Path) -> None:
    for block in blocks_of(page):
        is_map = block.language in ("", "text") and "\nmap:\n" in f"\n{block.text}"
        if is_map and not block.title.startswith("wrong"):
            parse_trial(block.text)


def test_shown_output_is_compared_line_by_line() -> None:
    shown = shown_pattern("a (b)\n…\nlast … line\n")
    assert shown.fullmatch("a (b)\nx\ny\nlast and only line\n")
    assert shown.fullmatch("a (b)\nlast  line\n")
    assert not shown.fullmatch("a b\nx\nlast  line\n")
    assert not shown.fullmatch("a (b)\nx\nlast\n")


def test_the_own_observer_is_short_and_found_where_the_user_is(tmp_path: Path) -> None:
    text = (ROOT / "examples" / "own_observer.py").read_text("utf-8")
    assert len(text.splitlines()) < 70
    shown = [block.text for block in blocks_of(ROOT / "docs" / "own-observer.md")]
    assert text in shown, "the page shows another text than the file has"
    shutil.copy(ROOT / "examples" / "own_observer.py", tmp_path / "mine.py")
    trial = ROOT / "examples" / "early-turn.map"
    done = subprocess.run(
        [Path(sys.executable).parent / "onlooker", "run", trial, "--observer", "mine:Satisficer"],
        capture_output=True,
        encoding="utf-8",
        check=True,
        cwd=tmp_path,
    )
    assert "Satisficer" in done.stdout
