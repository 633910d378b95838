"""Reading the trial document, a trial as JSON, and reporting everything that is wrong with it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from functools import cache, lru_cache
from operator import countOf
from string import ascii_uppercase
from types import MappingProxyType
from typing import Any

from onlooker.game.document_writer import OPTIONAL, to_document
from onlooker.game.grid import Action, Barrier, Cell, Chest, Map, Wizard
from onlooker.game.problems import (
    MAX_CARE,
    MAX_SIDE,
    DocumentPath,
    Misfit,
    TrialError,
    dotted,
    misfits,
    playability,
    shown,
)
from onlooker.game.trial import Expertise, MainAgent, Npc, Trial
from onlooker.support.problems import Problem

Locate = Callable[[DocumentPath], str]  # where a part of the document stands, in words
Key = str | int  # of a part in the object or list around it

WORD = re.compile(r"\w[\w.-]{0,99}")  # ids and colours
LETTERS = frozenset(ascii_uppercase)
RESERVED_IDS = ("main", "act")  # what the player itself is called, in files and in choices
MAX_TEXT = 200  # characters in a name

REQUIRED = (
    "width",
    "height",
    "walls",
    "barriers",
    "wizards",
    "chests",
    "holders",
    "main",
    "npcs",
    "reveals_outcomes",
)


def read_document(document: object, locate: Locate = dotted) -> Trial:
    """The trial that a document describes, or TrialError with all that is wrong with it."""
    reader = _Reader()
    trial, wrong = reader.trial(document), reader.wrong
    if trial is not None:
        wrong = [*misfits(trial, document)] or [*playability(trial)]
    if trial is None or wrong:
        raise TrialError([Problem(locate(path), why) for path, why in wrong])
    return trial


def validate(trial: Trial) -> None:
    """Check a trial made in Python as if it had been read; TrialError if it is not valid."""
    read_document(to_document(trial))


def load_json(text: str) -> Any:
    """Parse JSON; TrialError, with line and column, if that is not what it is."""
    try:
        return _DECODER.decode(text)
    except TrialError:  # of `_no_repeats`
        raise
    except json.JSONDecodeError as error:
        raise TrialError([_json_problem(error)]) from None
    except RecursionError:
        raise TrialError([Problem("", "not a trial document: nested too deeply")]) from None
    except ValueError as error:  # a number with thousands of digits
        raise TrialError([Problem("", f"not JSON: {error}")]) from None


def _json_problem(error: json.JSONDecodeError) -> Problem:
    """What is wrong with a JSON text; of a comma too many, Pythons say different things."""
    before, after = error.doc[: error.pos].rstrip(), error.doc[error.pos :].lstrip()
    at, reason = error.pos, error.msg
    if before.endswith(",") and after[:1] in ("}", "]"):
        at, after = len(before) - 1, "," + after
    if after[:1] == "," and after[1:].lstrip()[:1] in ("}", "]"):
        reason = "a comma with nothing behind it"
    line, column = error.doc.count("\n", 0, at) + 1, at - error.doc.rfind("\n", 0, at)
    return Problem(f"line {line}, column {column}", f"not JSON: {reason}")


def _no_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for at, key in enumerate(keys) if key in keys[:at])
        raise TrialError([Problem("", f"the field {twice!r} is given twice in one object")])
    return found


_DECODER = json.JSONDecoder(object_pairs_hook=_no_repeats)


class _Fields:
    """The fields that an object must and may have."""

    def __init__(self, required: Iterable[str], optional: Iterable[str] = ()) -> None:
        self.names = (*required, *optional)  # in the order of the documentation
        self.required, self.known = frozenset(required), frozenset(self.names)


class _Reader:
    """Reads the parts of a document and collects what is wrong with them.

    A method that reads a part gets the object or list around it, its key there and the path of
    what is around it. It returns None after noting a problem, so that reading goes on and
    everything wrong is reported; then no trial is made. Paths and messages are only made for
    problems: most documents have none.
    """

    def __init__(self) -> None:
        self.wrong: list[Misfit] = []
        self.width = self.height = 0
        self.cells = _cells(0, 0)

    def note(self, path: DocumentPath, reason: str) -> None:
        self.wrong.append((path, reason))

    # -- the whole and its parts ---------------------------------------------------------------

    def trial(self, document: Any) -> Trial | None:
        if not self.has_fields(document, (), _TRIAL) or not self.size(document):
            return None
        walls = self.walls(document)
        barriers = self.each(document, "barriers", (), _BARRIER)
        wizards = self.each(document, "wizards", (), _WIZARD)
        chests = self.chests(document["chests"])
        holders = self.holders(document["holders"])
        main = _MAIN(self, document, "main", ())
        npcs = self.each(document, "npcs", (), _NPC)
        reveals = self.flag(document, "reveals_outcomes")
        tutorial = self.flag(document, "tutorial")
        name = self.text(document, "name")
        experiment, scenario = self.label(document, "experiment"), self.label(document, "scenario")
        if self.wrong:
            return None
        map = Map(self.width, self.height, frozenset(walls), barriers, wizards, chests)
        return Trial(map, holders, main, npcs, reveals, name, experiment, scenario, tutorial)

    def size(self, document: dict[str, Any]) -> bool:
        for key in ("width", "height"):
            value = document[key]
            if not _is_whole(value) or value < 1:
                self.note((key,), f"expected a whole number from 1 up, not {shown(value)}")
            elif value > MAX_SIDE:
                self.note((key,), f"{value} cells; a side has at most {MAX_SIDE}")
            else:
                setattr(self, key, value)
        self.cells = _cells(self.width, self.height)
        return bool(self.width and self.height)

    def walls(self, document: dict[str, Any]) -> Iterable[Cell]:
        """The walls; what `cell` asks of one is asked of all together, as there are many."""
        values = document["walls"]
        if isinstance(values, list) and countOf(map(type, values), list) == len(values):
            cells = self.cells
            try:
                walls = [
                    cells[x][y]
                    for x, y in values
                    if type(x) is int and type(y) is int and x >= 0 and y >= 0
                ]
            except (ValueError, IndexError):  # one is not a pair, or is off the grid
                walls = []
            if len(walls) == len(values):
                return walls
        return self.each(document, "walls", (), _Reader.cell)

    def chests(self, value: object) -> tuple[Chest, ...]:
        if not isinstance(value, dict) or not value:
            self.note(("chests",), f"expected an object of letters and cells, not {shown(value)}")
            return ()
        found = []
        for letter in value:
            if letter not in LETTERS:
                self.note(("chests",), f"a chest is named by a letter A to Z, not {shown(letter)}")
            elif cell := self.cell(value, letter, ("chests",)):
                found.append(Chest(letter, cell))
        return tuple(found)

    def holders(self, value: object) -> dict[str, Any]:
        if not isinstance(value, dict):
            self.note(("holders",), f"expected an object of colours and ids, not {shown(value)}")
            return {}
        return {colour: _HOLDER(self, value, colour, ("holders",)) for colour in value}

    def npc_id(self, npc: dict[str, Any], key: Key, path: DocumentPath) -> str | None:
        word: str | None = _ID(self, npc, key, path)
        if word in RESERVED_IDS:
            self.note((*path, key), f"{word!r} is reserved: give the NPC another id")
        return word

    def actions(self, npc: dict[str, Any], key: Key, path: DocumentPath) -> tuple[Any, ...]:
        return self.each(npc, key, path, _ACTION)

    def care(self, npc: dict[str, Any], key: Key, path: DocumentPath) -> float | None:
        """How many points of its own a teacher gives for one of the learner's."""
        value, expertise = npc["care"], npc["expertise"]
        if expertise in (Expertise.EXPERT, Expertise.NOVICE):
            reason = f"only a teacher has one, and this NPC is of expertise {expertise}"
        elif type(value) not in (int, float) or not 0 <= value <= MAX_CARE:
            reason = f"expected a number from 0 to {MAX_CARE:,}, not {shown(value)}"
        else:
            return float(value)
        self.note((*path, key), reason)
        return None

    # -- small pieces --------------------------------------------------------------------------

    def has_fields(self, value: object, path: DocumentPath, fields: _Fields) -> bool:
        """Whether a value is an object with the fields it must have; unknown ones are noted."""
        if not isinstance(value, dict):
            self.note(path, f"expected an object, not {shown(value)}")
            return False
        keys = value.keys()
        if keys == fields.known or fields.required <= keys <= fields.known:
            return True
        for key in fields.names:
            if key in fields.required and key not in value:
                self.note(path, f"the field {key!r} is missing")
        for key in value:
            if key not in fields.known:
                names = ", ".join(fields.names)
                self.note(path, f"unknown field {shown(key)}; the fields are {names}")
        return fields.required <= keys

    def each(self, around: Any, key: Key, path: DocumentPath, read: Read) -> tuple[Any, ...]:
        """The parts in a list."""
        values, path = around[key], (*path, key)
        if not isinstance(values, list):
            self.note(path, f"expected a list, not {shown(values)}")
            return ()
        return tuple([read(self, values, index, path) for index in range(len(values))])

    def cell(self, around: Any, key: Key, path: DocumentPath) -> Cell | None:
        value = around[key]
        if isinstance(value, list) and len(value) == 2:
            x, y = value
            if type(x) is int and type(y) is int:  # not bool, which is a kind of int
                if 0 <= x < self.width and 0 <= y < self.height:
                    return self.cells[x][y]
                size = f"{self.width} columns by {self.height} rows"
                self.note((*path, key), f"{shown(value)} lies off the grid of {size}")
                return None
        self.note((*path, key), f"expected a cell [x, y], not {shown(value)}")
        return None

    def goal(self, around: Any, key: Key, path: DocumentPath) -> str | None:
        value = around[key]
        if isinstance(value, str) and value in LETTERS:
            return value
        self.note((*path, key), f"expected a chest's letter, not {shown(value)}")
        return None

    def flag(self, document: dict[str, Any], key: str) -> bool:
        value = document.get(key, False)
        if not isinstance(value, bool):
            self.note((key,), f"expected true or false, not {shown(value)}")
        return value is True

    def text(self, document: dict[str, Any], key: str) -> str | None:
        if key not in document:
            return None
        value = document[key]
        if isinstance(value, str) and _is_plain(value):
            return value
        self.note(
            (key,),
            f"expected one line of 1 to {MAX_TEXT} printable characters without blanks"
            f" around it, not {shown(value)}",
        )
        return None

    def label(self, document: dict[str, Any], key: str) -> int | str | None:
        value: Any = document.get(key)
        if _is_whole(value) and 0 <= value < 10**9:
            return int(value)
        return self.text(document, key)


Read = Callable[[_Reader, Any, Key, DocumentPath], Any]


def _word(what: str) -> Read:
    """What reads an id or a colour."""

    def read(reader: _Reader, around: Any, key: Key, path: DocumentPath) -> str | None:
        value = around[key]
        if isinstance(value, str) and _is_word(value):
            return value
        expected = f"{what} of at most 100 letters, digits, '_', '-' or '.'"
        reader.note((*path, key), f"expected {expected}, not {shown(value)}")
        return None

    return read


def _one_of(members: Iterable[StrEnum]) -> Read:
    """What reads one of some words."""
    words = {str(member): member for member in members}

    def read(reader: _Reader, around: Any, key: Key, path: DocumentPath) -> StrEnum | None:
        value = around[key]
        if isinstance(value, str) and value in words:
            return words[value]
        *others, last = words
        reader.note((*path, key), f"expected {', '.join(others)} or {last}, not {shown(value)}")
        return None

    return read


class _Part(_Fields):
    """An object that becomes a value: what makes that of its fields, and how each is read.

    They are in the order in which the value is made of them, None for those that are not there.
    """

    def __init__(
        self,
        make: Callable[..., Any],
        required: dict[str, Read],
        optional: Mapping[str, Read] = MappingProxyType({}),
    ) -> None:
        super().__init__(required, optional)
        self.make, self.readers = make, [*required.items(), *optional.items()]

    def __call__(self, reader: _Reader, around: Any, key: Key, path: DocumentPath) -> Any:
        value, path = around[key], (*path, key)
        if not reader.has_fields(value, path, self):
            return None
        found = []
        for name, read in self.readers:
            found.append(read(reader, value, name, path) if name in value else None)
        return self.make(*found)


_ID, _HOLDER, _COLOUR = _word("an id"), _word("a wizard's id"), _word("a colour")
_ACTION, _EXPERTISE = _one_of(Action), _one_of(Expertise)

_TRIAL = _Fields(REQUIRED, OPTIONAL)
_BARRIER = _Part(Barrier, {"at": _Reader.cell, "colour": _COLOUR})
_WIZARD = _Part(Wizard, {"id": _ID, "at": _Reader.cell, "colour": _COLOUR})
_MAIN = _Part(MainAgent, {"at": _Reader.cell, "goal": _Reader.goal})
_NPC = _Part(
    Npc,
    {
        "id": _Reader.npc_id,
        "at": _Reader.cell,
        "goal": _Reader.goal,
        "expertise": _EXPERTISE,
    },
    {"actions": _Reader.actions, "care": _Reader.care, "told": _EXPERTISE},
)


@lru_cache(maxsize=64)
def _cells(width: int, height: int) -> tuple[tuple[Cell, ...], ...]:
    """All cells of a grid, by x and y."""
    return tuple(column[:height] for column in _every_cell()[:width])


@cache
def _every_cell() -> tuple[tuple[Cell, ...], ...]:
    """All cells that maps may have.

    Maps have them in common: new ones for each map would give the garbage collector much to do.
    """
    return tuple(tuple((x, y) for y in range(MAX_SIDE)) for x in range(MAX_SIDE))


def _is_whole(value: Any) -> bool:
    return type(value) is int  # not bool, which is a kind of int


def _is_plain(value: str) -> bool:
    return 0 < len(value) <= MAX_TEXT and value.isprintable() and value == value.strip()


@lru_cache(maxsize=1024)  # the same few ids and colours come again and again
def _is_word(value: str) -> bool:
    return WORD.fullmatch(value) is not None
