"""The part that the page on own observers adds, in a copy of the package.

It runs without compilation, which gives the same (tests/observers/test_compilation.py) and is much
faster here.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from doc_blocks import Block, blocks_of, commands_of, shown_pattern, trimmed
from running import ROOT

BLOCKS = blocks_of(ROOT / "docs" / "own-observer.md")


def only(blocks: list[Block]) -> Block:
    [found] = blocks
    return found


def test_a_part_is_added_as_the_page_says(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    change = only([block for block in BLOCKS if block.language == "diff"])
    subprocess.run(
        ["git", "apply", "-"],
        input=change.text,
        cwd=tmp_path,
        text=True,
        check=True,
        env=os.environ | {"GIT_CEILING_DIRECTORIES": str(tmp_path.parent)},
    )
    observer = only([block for block in BLOCKS if block.title == "bold.py"])
    (tmp_path / "bold.py").write_text(observer.text, "utf-8")
    [(command, shown)] = commands_of(only([block for block in BLOCKS if block.skipped]))
    here = {"PYTHONPATH": str(tmp_path / "src"), "COLUMNS": "80", "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(
        [sys.executable, "-m", *command.split()],
        cwd=tmp_path,
        env=os.environ | here,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert shown_pattern(shown or "").fullmatch(trimmed(done.stdout)), done.stdout
