"""Turns of phrase that readers stumbled over stay out of the docs, the code and what is on screen."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from running import ROOT

# A pattern, and what to write instead.
BANNED = {
    r"\bdear(?:er|est|ly)?\b": "expensive",
    r"\bone's own\b|\bby oneself\b": "your own, alone",
    r"\bgives? back\b": "return",
    r"\bslip of the pen\b": "typo",
    r"\bwarts?\b": "irregularities",
    r"\bstops? to pay\b": "stop paying off",
    r"\b(?:that|which|what) (?:is|are) no (?!longer|more|higher|less)": "that is not a …",
    r"\b(?:choices?|options?|values|taken|play|numbered|counts?) alike\b": "the same, equally likely",
    r"\b(?:look|maps|too) alike\b": "look the same, similar",
    r"\bcom(?:es?|ing) along\b": "bundled",
    r"\b(?:same|others) (?:command|call)? ?go(?:es)? on\b": "continues",
    r"\b(?:file|folder|table|figure|transcript|module|picture|database)s? lies?\b": "is in, is beside",
    r"\bthe legend must say\b": "add it to the legend",
}
# In sentences of the docs: "Who did not finish is out" is "Participants who did not finish are …".
WHO = re.compile(r"(?:(?<=[.;!] )|^(?:- )?)Who [^.?!;]*[.;!]", re.MULTILINE)

PAGES = [
    *(ROOT / name for name in ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md")),
    *sorted((ROOT / "docs").glob("*.md")),
]
ENDINGS = {".py", ".toml", ".html", ".js"}
SOURCES = [
    *PAGES,
    *sorted(path for path in (ROOT / "src").rglob("*") if path.suffix in ENDINGS),
]


@pytest.mark.parametrize("pattern", BANNED)
def test_no_banned_phrase(pattern: str) -> None:
    places = [
        f"{place}: {found}"
        for path in SOURCES
        for place, found in found_in(path, re.compile(pattern, re.IGNORECASE))
    ]
    assert places == [], f"write instead: {BANNED[pattern]}"


def test_no_sentence_of_the_docs_has_who_as_its_subject() -> None:
    assert [place for path in PAGES for place in found_in(path, WHO)] == []


def found_in(path: Path, pattern: re.Pattern[str]) -> Iterator[tuple[str, str]]:
    text = path.read_text("utf-8")
    for match in pattern.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        yield f"{path.relative_to(ROOT)}, line {line}", match[0]


@pytest.mark.parametrize(
    ("sentence", "is_found"),
    [
        ("It stops. Who did not finish is out.", True),
        ("Who comes late waits; others do not.", True),
        ("Who is a mentalizer?", False),
        ("Those who finish are paid.", False),
    ],
)
def test_who_as_a_subject_is_found(sentence: str, is_found: bool) -> None:
    assert bool(WHO.search(sentence)) == is_found
