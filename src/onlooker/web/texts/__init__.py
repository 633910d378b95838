"""What participants read: one file for each language, all with the same keys."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent


def languages() -> list[str]:
    """The languages that there are; a new one is a file of texts in this folder.

    >>> languages()
    ['de', 'en']
    """
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


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

    def money(self, amount: Decimal, currency: str) -> str:
        """An amount of money as the language writes it.

        >>> load_texts("de").money(Decimal(4), "€"), load_texts("en").money(Decimal(4), "CHF")
        ('4,00\xa0€', 'CHF\xa04.00')
        """
        written = f"{amount:.2f}".replace(".", self.line("language.decimal"))
        key = "money_word" if currency.isalpha() else "money"
        return self.line(f"language.{key}", currency=currency, amount=written)

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
def changed_texts(language: str, changes: str) -> Texts:
    """The texts of a language with others in their place; `changes` are tables of them as JSON.

    ValueError names an unknown key, or a text that lacks a {name} or has one too many.

    >>> changed_texts("en", '{"client": {"start": "Go"}}').line("client.start")
    'Go'
    """
    known = load_texts(language)
    return Texts(language, _changed(known.tables, json.loads(changes), "texts"))


def _changed(tables: Mapping[str, Any], changes: Mapping[str, Any], place: str) -> dict[str, Any]:
    changed = dict(tables)
    for key, new in changes.items():
        here, old = f"{place}.{key}", tables.get(key)
        if old is None:
            raise ValueError(f"{here}: there is no such text")
        if isinstance(old, Mapping):
            if not isinstance(new, Mapping):
                raise ValueError(f"{here}: expected a table of texts")
            changed[key] = _changed(old, new, here)
            continue
        if type(new) is not type(old):
            expected = "a list of texts" if isinstance(old, list) else "a text"
            raise ValueError(f"{here}: expected {expected}")
        if _names(new) - _names(old):
            extra = ", ".join(sorted(_names(new) - _names(old)))
            raise ValueError(f"{here}: nothing fills in {{{extra}}}")
        changed[key] = new
    return changed


def _names(text: str | list[str]) -> set[str]:
    """What is filled in, in braces."""
    return set(re.findall(r"\{(\w+)\}", "".join(text)))


@cache
def load_texts(language: str) -> Texts:
    """The texts of a language, one of `languages`."""
    text = (FOLDER / f"{language}.toml").read_text("utf-8")
    return Texts(language, tomllib.loads(text))
