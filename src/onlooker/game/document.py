"""Reading the trial document, a trial as JSON, and reporting everything that is wrong with it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from operator import countOf
from string import ascii_uppercase
from typing import Any, TypeVar, cast

from onlooker.game.document_writer import OPTIONAL, to_document
from onlooker.game.grid import ACTIONS, Action, Barrier, Cell, Chest, Map, Wizard
from onlooker.game.problems import (
    MAX_CARE,
    MAX_SIDE,
    DocumentPath,
    TrialError,
    dotted,
    misfits,
    playability,
    shown,
)
from onlooker.game.trial import Expertise, MainAgent, Npc, Trial
from onlooker.support.problems import Problem

T = TypeVar("T")
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

_ACTIONS = {str(action): action for action in ACTIONS}
_EXPERTISE = {str(expertise): expertise for expertise in Expertise}


class _Fields:
    """The fields that an object must and may have."""

    def __init__(self, *required: str, optional: tuple[str, ...] = ()) -> None:
        self.required = frozenset(required)
        self.known = frozenset((*required, *optional))
        self.names = (*required, *optional)  # in the order of the documentation


_TRIAL = _Fields(*REQUIRED, optional=OPTIONAL)
_BARRIER = _Fields("at", "colour")
_WIZARD = _Fields("id", "at", "colour")
_MAIN = _Fields("at", "goal")
_NPC = _Fields("id", "at", "goal", "expertise", optional=("actions", "care", "told"))


def read_document(document: object, locate: Locate = dotted) -> Trial:
    """The trial that a document describes, or TrialError with all that is wrong with it."""
    reader = _Reader(locate)
    trial = reader.trial(document)
    if trial is not None and not reader.problems:
        reader.problems += [Problem(locate(path), why) for path, why in playability(trial)]
    if trial is None or reader.problems:
        raise TrialError(reader.problems)
    return trial


def validate(trial: Trial) -> None:
    """Check a trial made in Python as if it had been read; TrialError if it is not valid."""
    read_document(to_document(trial))


def load_json(text: str) -> Any:
    """Parse JSON; TrialError, with line and column, if that is not what it is."""
    try:
        return _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise TrialError([_json_problem(error)]) from None
    except RecursionError:
        raise TrialError([Problem("", "not a trial document: nested too deeply")]) from None
    except _RepeatedKeyError as error:
        reason = f"the field {error.args[0]!r} is given twice in one object"
        raise TrialError([Problem("", reason)]) from None
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


class _RepeatedKeyError(Exception):
    pass


def _no_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        raise _RepeatedKeyError(next(key for at, key in enumerate(keys) if key in keys[:at]))
    return found


_DECODER = json.JSONDecoder(object_pairs_hook=_no_repeats)


class _Reader:
    """Reads the parts of a document and collects what is wrong with them.

    A method that reads a part gets its value, the path of what is around it and its key there.
    It returns None after noting a problem, so that reading goes on and everything wrong is
    reported. Paths and messages are only made for problems: most documents have none.
    """

    def __init__(self, locate: Locate) -> None:
        self.locate = locate
        self.problems: list[Problem] = []
        self.width = self.height = 0
        self.cells = _cells()

    def note(self, path: DocumentPath, reason: str) -> None:
        self.problems.append(Problem(self.locate(path), reason))

    # -- the whole and its parts ---------------------------------------------------------------

    def trial(self, document: object) -> Trial | None:
        fields = self.fields(document, (), _TRIAL)
        if fields is None or not self.size(fields):
            return None
        walls = self.walls(fields["walls"])
        barriers = self.each(fields["barriers"], (), "barriers", self.barrier)
        wizards = self.each(fields["wizards"], (), "wizards", self.wizard)
        chests = self.chests(fields["chests"])
        holders = self.holders(fields["holders"])
        main = self.main(fields["main"])
        npcs = self.each(fields["npcs"], (), "npcs", self.npc)
        reveals = self.flag(fields["reveals_outcomes"], "reveals_outcomes")
        tutorial = self.flag(fields.get("tutorial", False), "tutorial")
        name = self.text(fields, "name")
        experiment, scenario = self.label(fields, "experiment"), self.label(fields, "scenario")
        if self.problems:
            return None
        assert main is not None
        map = Map(
            self.width,
            self.height,
            frozenset(walls),
            tuple(barriers),
            tuple(wizards),
            tuple(chests),
        )
        for path, why in misfits(map, walls, barriers, wizards, chests, holders, main, npcs):
            self.note(path, why)
        return Trial(map, holders, main, tuple(npcs), reveals, name, experiment, scenario, tutorial)

    def size(self, fields: dict[str, Any]) -> bool:
        for key in ("width", "height"):
            value = fields[key]
            if not _is_whole(value) or value < 1:
                self.note((key,), f"expected a whole number from 1 up, not {shown(value)}")
            elif value > MAX_SIDE:
                self.note((key,), f"{value} cells; a side has at most {MAX_SIDE}")
            else:
                setattr(self, key, value)
        return bool(self.width and self.height)

    def walls(self, values: object) -> list[Cell]:
        """The walls; what `cell` asks of one is asked of all together, as there are many."""
        if isinstance(values, list) and countOf(map(type, values), list) == len(values):
            width, height, cells = self.width, self.height, self.cells
            try:
                walls = [
                    cells[x][y]
                    for x, y in values
                    if type(x) is int and type(y) is int and 0 <= x < width and 0 <= y < height
                ]
            except ValueError:  # one is not a pair
                walls = []
            if len(walls) == len(values):
                return walls
        return self.each(values, (), "walls", self.cell)

    def barrier(self, value: object, path: DocumentPath, key: Key) -> Barrier | None:
        path = (*path, key)
        fields = self.fields(value, path, _BARRIER)
        if fields is None:
            return None
        at = self.cell(fields["at"], path, "at")
        colour = self.word(fields["colour"], path, "colour", "a colour")
        return Barrier(at, colour) if at and colour else None

    def wizard(self, value: object, path: DocumentPath, key: Key) -> Wizard | None:
        path = (*path, key)
        fields = self.fields(value, path, _WIZARD)
        if fields is None:
            return None
        wizard_id = self.word(fields["id"], path, "id", "an id")
        at = self.cell(fields["at"], path, "at")
        colour = self.word(fields["colour"], path, "colour", "a colour")
        return Wizard(wizard_id, at, colour) if wizard_id and at and colour else None

    def chests(self, value: object) -> list[Chest]:
        if not isinstance(value, dict) or not value:
            self.note(("chests",), f"expected an object of letters and cells, not {shown(value)}")
            return []
        found = []
        for letter, at in value.items():
            if letter not in LETTERS:
                self.note(("chests",), f"a chest is named by a letter A to Z, not {shown(letter)}")
            elif cell := self.cell(at, ("chests",), letter):
                found.append(Chest(letter, cell))
        return found

    def holders(self, value: object) -> dict[str, str]:
        if not isinstance(value, dict):
            self.note(("holders",), f"expected an object of colours and ids, not {shown(value)}")
            return {}
        words = {}
        for colour, holder in value.items():
            if word := self.word(holder, ("holders",), colour, "a wizard's id"):
                words[colour] = word
        return words

    def main(self, value: object) -> MainAgent | None:
        path = ("main",)
        fields = self.fields(value, path, _MAIN)
        if fields is None:
            return None
        at = self.cell(fields["at"], path, "at")
        goal = self.goal(fields["goal"], path)
        return MainAgent(at, goal) if at and goal else None

    def npc(self, value: object, path: DocumentPath, key: Key) -> Npc | None:
        path = (*path, key)
        fields = self.fields(value, path, _NPC)
        if fields is None:
            return None
        npc_id = self.word(fields["id"], path, "id", "an id")
        if npc_id in RESERVED_IDS:
            self.note((*path, "id"), f"{npc_id!r} is reserved: give the NPC another id")
        at = self.cell(fields["at"], path, "at")
        goal = self.goal(fields["goal"], path)
        expertise = self.one_of(_EXPERTISE, fields["expertise"], path, "expertise")
        actions = None
        if "actions" in fields:
            actions = tuple(self.each(fields["actions"], path, "actions", self.action))
        care, told = self.care(fields, path, expertise), None
        if "told" in fields:
            told = self.one_of(_EXPERTISE, fields["told"], path, "told")
        if not (npc_id and at and goal and expertise):
            return None
        return Npc(npc_id, at, goal, expertise, actions, care, told)

    def care(
        self, fields: dict[str, Any], path: DocumentPath, expertise: Expertise | None
    ) -> float | None:
        """How many points of its own a teacher gives for one of the learner's."""
        if "care" not in fields:
            return None
        value, path = fields["care"], (*path, "care")
        if expertise not in (None, Expertise.TEACHER):
            self.note(path, f"only a teacher has one, and this NPC is of expertise {expertise}")
        elif type(value) not in (int, float) or not 0 <= value <= MAX_CARE:
            self.note(path, f"expected a number from 0 to {MAX_CARE:,}, not {shown(value)}")
        else:
            return float(value)
        return None

    # -- small pieces --------------------------------------------------------------------------

    def fields(self, value: object, path: DocumentPath, known: _Fields) -> dict[str, Any] | None:
        if not isinstance(value, dict):
            self.note(path, f"expected an object, not {shown(value)}")
            return None
        if value.keys() == known.known or known.required <= value.keys() <= known.known:
            return value
        for key in known.names:
            if key in known.required and key not in value:
                self.note(path, f"the field {key!r} is missing")
        for key in value:
            if key not in known.known:
                names = ", ".join(known.names)
                self.note(path, f"unknown field {shown(key)}; the fields are {names}")
        return value if known.required <= value.keys() else None

    def each(
        self,
        values: object,
        path: DocumentPath,
        key: Key,
        read: Callable[[object, DocumentPath, Key], T | None],
    ) -> list[T]:
        path = (*path, key)
        if not isinstance(values, list):
            self.note(path, f"expected a list, not {shown(values)}")
            return []
        items = [read(value, path, index) for index, value in enumerate(values)]
        return [item for item in items if item is not None]

    def cell(self, value: object, path: DocumentPath, key: Key) -> Cell | None:
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

    def word(self, value: object, path: DocumentPath, key: Key, what: str) -> str | None:
        if isinstance(value, str) and _is_word(value):
            return value
        self.note(
            (*path, key),
            f"expected {what} of at most 100 letters, digits, '_', '-' or '.', not {shown(value)}",
        )
        return None

    def goal(self, value: object, path: DocumentPath) -> str | None:
        if isinstance(value, str) and value in LETTERS:
            return value
        self.note((*path, "goal"), f"expected a chest's letter, not {shown(value)}")
        return None

    def action(self, value: object, path: DocumentPath, key: Key) -> Action | None:
        return self.one_of(_ACTIONS, value, path, key)

    def one_of(
        self, words: Mapping[str, T], value: object, path: DocumentPath, key: Key
    ) -> T | None:
        if isinstance(value, str) and value in words:
            return words[value]
        *others, last = words
        self.note((*path, key), f"expected {', '.join(others)} or {last}, not {shown(value)}")
        return None

    def flag(self, value: object, key: str) -> bool:
        if not isinstance(value, bool):
            self.note((key,), f"expected true or false, not {shown(value)}")
        return value is True

    def text(self, fields: dict[str, Any], key: str) -> str | None:
        if key not in fields:
            return None
        value = fields[key]
        if isinstance(value, str) and _is_plain(value):
            return value
        self.note(
            (key,),
            f"expected one line of 1 to {MAX_TEXT} printable characters without blanks"
            f" around it, not {shown(value)}",
        )
        return None

    def label(self, fields: dict[str, Any], key: str) -> int | str | None:
        value: Any = fields.get(key)
        if _is_whole(value) and 0 <= value < 10**9:
            return cast(int, value)
        return self.text(fields, key)


@cache
def _cells() -> tuple[tuple[Cell, ...], ...]:
    """All cells that maps may have, by x and y.

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
