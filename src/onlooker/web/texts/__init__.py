"""What participants read: one file for each language, all with the same keys."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
LANGUAGES = tuple(sorted(path.stem for path in FOLDER.glob("*.toml")))


@dataclass(frozen=True)
class Texts:
    """The texts of a language, by keys such as "tutorial.welcome.title".

    >>> load_texts("de").line("client.start")
    'Los'
    """

    language: str
    tables: Mapping[str, Any]

    def line(self, key: str, **values: object) -> str:
        """A text with its values filled in; KeyError if there is none."""
        found = self._find(key)
        assert isinstance(found, str), key
        return found.format(**values)

    def lines(self, key: str, **values: object) -> list[str]:
        """A list of texts with their values filled in."""
        return [text.format(**values) for text in self._find(key)]

    def has(self, key: str) -> bool:
        """Whether there is such a text."""
        try:
            self._find(key)
        except KeyError:
            return False
        return True

    def table(self, name: str) -> dict[str, str]:
        """All texts of a table; the browser fills in their values."""
        return dict(self.tables[name])

    def colour(self, name: str) -> str:
        """The name of a colour; one that the language does not know stays as it is."""
        return str(self.tables["colours"].get(name, name))

    def agent(self, name: str) -> str:
        """What an NPC is called, whose name in the game is "Agent 2" and the like."""
        word, _, number = name.partition(" ")
        if word == "Agent" and number.isdecimal():
            return self.line("names.agent", number=number)
        return name

    def _find(self, key: str) -> Any:
        found: Any = self.tables
        for part in key.split("."):
            found = found[part]
        return found


@cache
def load_texts(language: str) -> Texts:
    """The texts of a language, one of LANGUAGES."""
    text = (FOLDER / f"{language}.toml").read_text("utf-8")
    return Texts(language, tomllib.loads(text))
