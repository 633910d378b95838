"""The client's files: their types hold, and they are content with the strictest policy."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from playwright.sync_api import Page

import programs
from onlooker.web import STATIC
from onlooker.web.researcher.routes import ASSETS

SHEETS = sorted([*STATIC.rglob("*.css"), *ASSETS.glob("*.css")])
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


def test_the_browser_knows_every_line_of_the_style_sheets(tab: Page) -> None:
    declared = [
        (path.name, name, value)
        for path in SHEETS
        for name, value in re.findall(
            r"^ +([a-z-]+):\s+([^;{}]+);",
            re.sub(r"/\*.*?\*/", "", path.read_text("utf-8"), flags=re.DOTALL),
            re.MULTILINE,
        )
        if not name.startswith("--")
    ]
    assert len(declared) > 500
    unknown = "(lines) => lines.filter(([, name, value]) => !CSS.supports(name, value))"
    plain = [(*line[:2], line[2].replace("!important", "")) for line in declared]
    assert tab.evaluate(unknown, plain) == []
