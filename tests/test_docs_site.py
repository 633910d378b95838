"""The site that the documentation becomes: its links, its formulas, and that it needs no other host."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from running import ROOT

FETCHED = {"script": "src", "img": "src", "iframe": "src", "link": "href", "source": "src"}
HOST = re.compile(r"^(?:https?:)?//")


class Page(HTMLParser):
    """What a page refers to, and the places in it that can be referred to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.fetched: list[str] = []
        self.ids: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        self.ids |= {values[name] for name in ("id", "name") if name in values}
        if tag == "a" and "href" in values:
            self.links.append(values["href"])
        elif tag in FETCHED and FETCHED[tag] in values and values.get("rel") != "canonical":
            self.fetched.append(values[FETCHED[tag]])


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built as `make docs` does; any warning fails it."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", "--site-dir", folder]
    done = subprocess.run(
        command,
        capture_output=True,
        encoding="utf-8",
        check=False,
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "true"},
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return folder


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Page]:
    return {path: Page(path.read_text("utf-8")) for path in sorted(site.rglob("*.html"))}


def test_every_page_is_in_the_navigation(site: Path) -> None:
    opening = (site / "index.html").read_text("utf-8")
    for page in (ROOT / "docs").glob("*.md"):
        assert f'href="{page.stem}.html"' in opening, page.name
    assert 'href="architecture.html"' in opening


def test_lines_of_commands_are_wrapped(site: Path) -> None:
    style = (site / "assets" / "extra.css").read_text("utf-8")
    assert ".language-console pre code" in style
    page = (site / "cookbook.html").read_text("utf-8")
    assert '<div class="language-console highlight">' in page
    assert '<code><span class="option">--png</span> why.png</code>' in page
    assert '<span class="option">--observer</span><span class="w"> </span>hasty:Hasty' in page


def test_links_and_pictures_lead_somewhere(pages: dict[Path, Page]) -> None:
    for path, page in pages.items():
        if path.name == "404.html":
            continue  # its links are from the root of a server
        for link in (*page.links, *page.fetched):
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = path if not parts.path else (path.parent / unquote(parts.path)).resolve()
            assert target.exists(), f"{path.name}: {link}"
            if parts.fragment and target in pages and not parts.fragment.startswith("__"):
                assert unquote(parts.fragment) in pages[target].ids, f"{path.name}: {link}"


def test_nothing_is_fetched_from_elsewhere(site: Path, pages: dict[Path, Page]) -> None:
    for path, page in pages.items():
        assert not [link for link in page.fetched if HOST.match(link)], path.name
    for sheet in site.rglob("*.css"):
        for address in re.findall(r"url\(['\"]?([^)'\"]+)", sheet.read_text("utf-8")):
            assert not HOST.match(address), f"{sheet.name}: {address}"
            if not address.startswith("data:"):
                assert (sheet.parent / urlsplit(address).path).exists(), f"{sheet.name}: {address}"


def test_formulas_are_mathml(site: Path) -> None:
    model = (site / "model.html").read_text("utf-8")
    assert "<math" in model
    for path in site.glob("*.html"):
        assert 'class="arithmatex"' not in path.read_text("utf-8"), path.name


def test_pictures_are_small() -> None:
    for picture in (ROOT / "docs" / "images").iterdir():
        if picture.suffix in (".png", ".svg"):
            assert picture.stat().st_size <= 60_000, picture.name


def test_a_formula_that_cannot_be_read_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "docs")
    import hooks

    assert "<mi>β</mi>" in hooks.formula(r"\beta", display=False).replace("&#x003B2;", "β")
    assert 'display="block"' in hooks.formula("a", display=True)
    for wrong in (r"\nosuchcommand x", r"\operatorname*{max}"):
        with pytest.raises(ValueError, match="does not know"):
            hooks.formula(wrong, display=False)


def test_examples_in_docstrings_become_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "docs")
    import doctests

    text = "Adds.\n\n>>> add(1,\n...     2)\n3\n\nAnd so on."
    assert doctests.fenced(text) == (
        "Adds.\n\n```pycon\n>>> add(1,\n...     2)\n3\n```\n\nAnd so on."
    )
