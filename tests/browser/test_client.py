"""The client's files: their types hold, and they are content with the strictest policy."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

import programs
from onlooker.web import STATIC

FILES = sorted(path for path in STATIC.rglob("*") if path.suffix in (".js", ".html", ".css"))


def test_types_hold() -> None:
    config = Path(__file__).with_name("jsconfig.json")
    command = [*programs.need("TypeScript checker"), "-p", config]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(STATIC)))
def test_nothing_is_inline_or_from_elsewhere(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    elsewhere = set(re.findall(r"https?://[^\"'\s]+", text)) - {"http://www.w3.org/2000/svg"}
    assert elsewhere == set()
    assert not re.search(r"<style|\sstyle=|<script>|\son\w+=\"|innerHTML|eval\(|new Function", text)
