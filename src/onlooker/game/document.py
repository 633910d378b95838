"""Reading the trial document, a trial as JSON, and reporting everything that is wrong with it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, lru_cache
from operator import countOf
from string import ascii_uppercase
from types import MappingProxyType
from typing import Any

from onlooker.game.document_writer import to_document
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
from onlooker.game.trial import Expertise, Holders, MainAgent, Npc, Trial
from onlooker.support.problems import Problem

Locate = Callable[[DocumentPath], str]  # where a part of the document stands, in words
Key = str | int  # of a part in the object or list around it

WORD = re.compile(r"\w[\w.-]{0,99}")  # ids and colours
LETTERS = frozenset(ascii_uppercase)
RESERVED_IDS = ("main", "act")  # what the player itself is called, in files and in choices
MAX_TEXT = 200  # characters in a name


def read_document(document: object, locate: Locate = dotted) -> Trial:
    """The trial that a document describes, or TrialError with all that is wrong with it."""
    wrong: Iterable[Misfit]
    try:
        trial: Trial = _TRIAL(document, _grid_of(document))
        wrong = [*misfits(trial, document)] or [*playability(trial)]
    except _ReadError as error:
        wrong = error.misfits
    if wrong:
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


# -- readers: each returns what a value of the document stands for, or raises _ReadError -----------

Grid = tuple[tuple[Cell, ...], ...]  # all cells where something may stand, by x and y
Read = Callable[[Any, Grid], Any]


class _ReadError(Exception):
    """What is wrong with a value and its parts, each with its path from the value.

    Paths and messages are only made for problems: most documents have none.
    """

    def __init__(self, misfits: Iterable[Misfit]) -> None:
        self.misfits = tuple(misfits)

    def below(self, key: Key) -> Iterator[Misfit]:
        """The same, with paths from what the value is part of."""
        return (((key, *path), reason) for path, reason in self.misfits)


def _because(reason: str) -> _ReadError:
    return _ReadError([((), reason)])


def _unexpected(expected: str, value: object) -> _ReadError:
    return _because(f"expected {expected}, not {shown(value)}")


def _side(value: Any, _: Grid) -> int:
    if type(value) is not int or value < 1:  # not bool, which is a kind of int
        raise _unexpected("a whole number from 1 up", value)
    if value > MAX_SIDE:
        raise _because(f"{value} cells; a side has at most {MAX_SIDE}")
    return value


def _cell(value: Any, grid: Grid) -> Cell:
    if isinstance(value, list) and len(value) == 2:
        x, y = value
        if type(x) is int and type(y) is int:
            if 0 <= x < len(grid) and 0 <= y < len(grid[0]):
                return grid[x][y]
            size = f"{len(grid)} columns by {len(grid[0])} rows"
            raise _because(f"{shown(value)} lies off the grid of {size}")
    raise _unexpected("a cell [x, y]", value)


def _walls(value: Any, grid: Grid) -> Any:
    """The walls; what `_cell` asks of one is asked of all together, as there are many."""
    if isinstance(value, list) and countOf(map(type, value), list) == len(value):
        try:
            walls = [
                grid[x][y]
                for x, y in value
                if type(x) is int and type(y) is int and x >= 0 and y >= 0
            ]
        except (ValueError, IndexError):  # one is not a pair, or is off the grid
            walls = []
        if len(walls) == len(value):
            return walls
    return _CELLS(value, grid)


def _flag(value: Any, _: Grid) -> bool:
    if isinstance(value, bool):
        return value
    raise _unexpected("true or false", value)


def _text(value: Any, _: Grid) -> str:
    if isinstance(value, str) and _is_plain(value):
        return value
    what = f"one line of 1 to {MAX_TEXT} printable characters without blanks around it"
    raise _unexpected(what, value)


def _is_plain(value: str) -> bool:
    return 0 < len(value) <= MAX_TEXT and value.isprintable() and value == value.strip()


def _label(value: Any, grid: Grid) -> int | str:
    return value if type(value) is int and 0 <= value < 10**9 else _text(value, grid)


def _care(value: Any, _: Grid) -> float:
    """How many points of its own a teacher gives for one of the learner's."""
    if type(value) in (int, float) and 0 <= value <= MAX_CARE:
        return float(value)
    raise _unexpected(f"a number from 0 to {MAX_CARE:,}", value)


def _npc_id(value: Any, grid: Grid) -> str:
    if value in RESERVED_IDS:
        raise _because(f"{value!r} is reserved: give the NPC another id")
    return str(_ID(value, grid))


def _word(what: str) -> Read:
    """What reads an id or a colour."""

    def read(value: Any, _: Grid) -> str:
        if isinstance(value, str) and _is_word(value):
            return value
        raise _unexpected(f"{what} of at most 100 letters, digits, '_', '-' or '.'", value)

    return read


@lru_cache(maxsize=1024)  # the same few ids and colours come again and again
def _is_word(value: str) -> bool:
    return WORD.fullmatch(value) is not None


def _one_of(words: Iterable[str], expected: str) -> Read:
    """What reads one of some words, such as the members of an enumeration."""
    members = {str(word): word for word in words}

    def read(value: Any, _: Grid) -> str:
        if isinstance(value, str) and value in members:
            return members[value]
        raise _unexpected(expected, value)

    return read


def _each(parts: Iterable[tuple[Key, Any]], read: Read, grid: Grid) -> list[Any]:
    """What parts of the same kind stand for; they are given with their keys."""
    found = []
    wrong: list[Misfit] = []
    for key, value in parts:
        try:
            found.append(read(value, grid))
        except _ReadError as error:
            wrong += error.below(key)
    if wrong:
        raise _ReadError(wrong)
    return found


def _list_of(read: Read) -> Read:
    """What reads a list of parts of the same kind."""

    def read_list(value: Any, grid: Grid) -> tuple[Any, ...]:
        if not isinstance(value, list):
            raise _unexpected("a list", value)
        return tuple(_each(enumerate(value), read, grid))

    return read_list


def _chests(value: Any, grid: Grid) -> tuple[Chest, ...]:
    if not isinstance(value, dict) or not value:
        raise _unexpected("an object of letters and cells", value)
    if not LETTERS.issuperset(value):
        named = "a chest is named by a letter A to Z, not"
        raise _ReadError([((), f"{named} {shown(key)}") for key in value if key not in LETTERS])
    return tuple(map(Chest, value, _each(value.items(), _cell, grid)))


def _holders(value: Any, grid: Grid) -> Holders:
    if not isinstance(value, dict):
        raise _unexpected("an object of colours and ids", value)
    return dict(zip(value, _each(value.items(), _HOLDER, grid), strict=True))


class _Object:
    """Reads an object: which fields it must and may have, how each is read and what they make.

    They are in the order in which the value is made of them, None for those that are not there.
    """

    def __init__(
        self,
        make: Callable[..., Any],
        required: dict[str, Read],
        optional: Mapping[str, Read] = MappingProxyType({}),
    ) -> None:
        self.make, self.required = make, frozenset(required)
        self.readers = {**required, **optional}  # in the order of the documentation
        self.known = frozenset(self.readers)

    def __call__(self, value: Any, grid: Grid) -> Any:
        if not isinstance(value, dict):
            raise _unexpected("an object", value)
        found = []
        wrong: list[Misfit] = []
        keys = value.keys()
        if keys != self.known and not self.required <= keys <= self.known:
            wrong += self._wrong_fields(value)
        for key, read in self.readers.items():
            try:
                found.append(read(value[key], grid) if key in value else None)
            except _ReadError as error:
                wrong += error.below(key)
        if wrong:
            raise _ReadError(wrong)
        return self.make(*found)

    def _wrong_fields(self, value: dict[str, Any]) -> Iterator[Misfit]:
        for key in self.readers:
            if key in self.required and key not in value:
                yield (), f"the field {key!r} is missing"
        for key in value:
            if key not in self.known:
                names = ", ".join(self.readers)
                yield (), f"unknown field {shown(key)}; the fields are {names}"


def _npc(*fields: Any) -> Npc:
    npc = Npc(*fields)
    if npc.care is not None and npc.expertise is not Expertise.TEACHER:
        reason = f"only a teacher has one, and this NPC is of expertise {npc.expertise}"
        raise _ReadError([(("care",), reason)])
    return npc


def _trial(*fields: Any) -> Trial:
    *values, tutorial = fields
    values.append(tutorial is True)
    return Trial(Map(*values[:6]), *values[6:])  # width to chests are those of the map


_CELLS = _list_of(_cell)
_ID, _HOLDER, _COLOUR = _word("an id"), _word("a wizard's id"), _word("a colour")
_GOAL = _one_of(ascii_uppercase, "a chest's letter")
_ACTION = _one_of(Action, "up, down, left or right")
_EXPERTISE = _one_of(Expertise, "expert, novice or teacher")

_BARRIER = _Object(Barrier, {"at": _cell, "colour": _COLOUR})
_WIZARD = _Object(Wizard, {"id": _ID, "at": _cell, "colour": _COLOUR})
_MAIN = _Object(MainAgent, {"at": _cell, "goal": _GOAL})
_NPC = _Object(
    _npc,
    {"id": _npc_id, "at": _cell, "goal": _GOAL, "expertise": _EXPERTISE},
    {"actions": _list_of(_ACTION), "care": _care, "told": _EXPERTISE},
)
REQUIRED: dict[str, Read] = {
    "width": _side,
    "height": _side,
    "walls": _walls,
    "barriers": _list_of(_BARRIER),
    "wizards": _list_of(_WIZARD),
    "chests": _chests,
    "holders": _holders,
    "main": _MAIN,
    "npcs": _list_of(_NPC),
    "reveals_outcomes": _flag,
}
_OPTIONAL = {"name": _text, "experiment": _label, "scenario": _label, "tutorial": _flag}
_TRIAL = _Object(_trial, REQUIRED, _OPTIONAL)


def _grid_of(document: Any) -> Grid:
    """The cells of the document's grid, or all that maps may have if its sides cannot be read."""
    try:
        return _cells(_side(document["width"], ()), _side(document["height"], ()))
    except (LookupError, TypeError, _ReadError):
        return _every_cell()


@lru_cache(maxsize=64)
def _cells(width: int, height: int) -> Grid:
    """All cells of a grid."""
    return tuple(column[:height] for column in _every_cell()[:width])


@cache
def _every_cell() -> Grid:
    """All cells that maps may have.

    Maps have them in common: new ones for each map would give the garbage collector much to do.
    """
    return tuple(tuple((x, y) for y in range(MAX_SIDE)) for x in range(MAX_SIDE))
