"""Reading the trial document, a trial as JSON, and telling everything that is wrong with it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from typing import Any, TypeVar, cast

from onlooker.game.document_writer import OPTIONAL, to_document
from onlooker.game.grid import ACTIONS, Action, Barrier, Cell, Chest, Map, Wizard
from onlooker.game.limits import MAX_COLOURS, MAX_SIDE, MAX_TABLE, MAX_WIZARDS, table_size
from onlooker.game.problems import DocumentPath, TrialError, dotted
from onlooker.game.trial import Expertise, MainAgent, Npc, Trial
from onlooker.game.validation import playability
from onlooker.support.problems import Problem

T = TypeVar("T")
Locate = Callable[[DocumentPath], str]  # where a part of the document stands, in words

WORD = re.compile(r"\w[\w.-]{0,99}")  # ids and colours
LETTER = re.compile(r"[A-Z]")
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
        return json.loads(text, object_pairs_hook=_no_repeats)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise TrialError([Problem(place, f"not JSON: {error.msg}")]) from None
    except RecursionError:
        raise TrialError([Problem("", "not a trial document: nested too deeply")]) from None
    except _RepeatedKeyError as error:
        reason = f"the field {error.args[0]!r} is given twice in one object"
        raise TrialError([Problem("", reason)]) from None
    except ValueError as error:  # a number with thousands of digits
        raise TrialError([Problem("", f"not JSON: {error}")]) from None


class _RepeatedKeyError(Exception):
    pass


def _no_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise _RepeatedKeyError(key)
        found[key] = value
    return found


class _Reader:
    """Reads the parts of a document and collects what is wrong with them.

    A method that reads a part returns None after noting a problem in it, so that reading goes on
    and everything wrong is told at once.
    """

    def __init__(self, locate: Locate) -> None:
        self.locate = locate
        self.problems: list[Problem] = []
        self.width = self.height = 0

    def note(self, path: DocumentPath, reason: str) -> None:
        self.problems.append(Problem(self.locate(path), reason))

    # -- the whole and its parts ---------------------------------------------------------------

    def trial(self, document: object) -> Trial | None:
        fields = self.fields(document, (), REQUIRED, OPTIONAL)
        if fields is None or not self.size(fields):
            return None
        walls = self.each(fields, "walls", self.cell)
        barriers = self.each(fields, "barriers", self.barrier)
        wizards = self.each(fields, "wizards", self.wizard)
        chests = self.chests(fields.get("chests"))
        holders = self.holders(fields.get("holders"))
        main = self.main(fields.get("main"))
        npcs = self.each(fields, "npcs", self.npc)
        reveals = self.flag(fields.get("reveals_outcomes"), "reveals_outcomes")
        tutorial = self.flag(fields.get("tutorial", False), "tutorial")
        name = self.text(fields, "name")
        experiment, scenario = (self.label(fields, key) for key in ("experiment", "scenario"))
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
        trial = Trial(
            map, holders, main, tuple(npcs), reveals, name, experiment, scenario, tutorial
        )
        self.ids(wizards, npcs)
        self.occupied(walls, barriers, wizards, chests, main, npcs)
        self.who_holds(map, holders)
        self.goals(map, main, npcs)
        self.limits(map)
        return trial

    def size(self, fields: dict[str, Any]) -> bool:
        for key in ("width", "height"):
            value = fields[key]
            if not _is_whole(value) or value < 1:
                self.note((key,), f"expected a whole number from 1 up, not {_shown(value)}")
            elif value > MAX_SIDE:
                self.note((key,), f"{value} cells; a side has at most {MAX_SIDE}")
            else:
                setattr(self, key, value)
        return bool(self.width and self.height)

    def barrier(self, value: object, path: DocumentPath) -> Barrier | None:
        fields = self.fields(value, path, ("at", "colour"))
        if fields is None:
            return None
        at = self.cell(fields["at"], (*path, "at"))
        colour = self.word(fields["colour"], (*path, "colour"), "a colour")
        return Barrier(at, colour) if at and colour else None

    def wizard(self, value: object, path: DocumentPath) -> Wizard | None:
        fields = self.fields(value, path, ("id", "at", "colour"))
        if fields is None:
            return None
        wizard_id = self.word(fields["id"], (*path, "id"), "an id")
        at = self.cell(fields["at"], (*path, "at"))
        colour = self.word(fields["colour"], (*path, "colour"), "a colour")
        return Wizard(wizard_id, at, colour) if wizard_id and at and colour else None

    def chests(self, value: object) -> list[Chest]:
        if not isinstance(value, dict) or not value:
            self.note(("chests",), f"expected an object of letters and cells, not {_shown(value)}")
            return []
        found = []
        for letter, at in value.items():
            if not LETTER.fullmatch(letter):
                self.note(("chests",), f"a chest is named by a letter A to Z, not {_shown(letter)}")
            elif cell := self.cell(at, ("chests", letter)):
                found.append(Chest(letter, cell))
        return found

    def holders(self, value: object) -> dict[str, str]:
        if not isinstance(value, dict):
            self.note(("holders",), f"expected an object of colours and ids, not {_shown(value)}")
            return {}
        words = {}
        for colour, holder in value.items():
            if word := self.word(holder, ("holders", colour), "a wizard's id"):
                words[colour] = word
        return words

    def main(self, value: object) -> MainAgent | None:
        fields = self.fields(value, ("main",), ("at", "goal"))
        if fields is None:
            return None
        at = self.cell(fields["at"], ("main", "at"))
        goal = self.goal(fields["goal"], ("main", "goal"))
        return MainAgent(at, goal) if at and goal else None

    def npc(self, value: object, path: DocumentPath) -> Npc | None:
        fields = self.fields(value, path, ("id", "at", "goal", "expertise"), ("actions",))
        if fields is None:
            return None
        npc_id = self.word(fields["id"], (*path, "id"), "an id")
        if npc_id in RESERVED_IDS:
            self.note((*path, "id"), f"{npc_id!r} is reserved: give the NPC another id")
        at = self.cell(fields["at"], (*path, "at"))
        goal = self.goal(fields["goal"], (*path, "goal"))
        expertise = self.one_of(fields["expertise"], (*path, "expertise"), list(Expertise))
        actions = None
        if "actions" in fields:
            words = self.each(
                fields, "actions", lambda v, p: self.one_of(v, p, list(ACTIONS)), path
            )
            actions = tuple(Action(word) for word in words)
        if not (npc_id and at and goal and expertise):
            return None
        return Npc(npc_id, at, goal, Expertise(expertise), actions)

    # -- small pieces --------------------------------------------------------------------------

    def fields(
        self,
        value: object,
        path: DocumentPath,
        required: Iterable[str],
        optional: Iterable[str] = (),
    ) -> dict[str, Any] | None:
        if not isinstance(value, dict):
            self.note(path, f"expected an object, not {_shown(value)}")
            return None
        required = tuple(required)
        allowed = (*required, *optional)
        missing = [key for key in required if key not in value]
        for key in missing:
            self.note(path, f"the field {key!r} is missing")
        for key in value:
            if key not in allowed:
                known = ", ".join(allowed)
                self.note(path, f"unknown field {_shown(key)}; the fields are {known}")
        return None if missing else value

    def each(
        self,
        fields: dict[str, Any],
        key: str,
        read: Callable[[object, DocumentPath], T | None],
        path: DocumentPath = (),
    ) -> list[T]:
        values = fields.get(key)
        if not isinstance(values, list):
            self.note((*path, key), f"expected a list, not {_shown(values)}")
            return []
        items = (read(value, (*path, key, index)) for index, value in enumerate(values))
        return [item for item in items if item is not None]

    def cell(self, value: object, path: DocumentPath) -> Cell | None:
        if not (isinstance(value, list) and len(value) == 2):
            self.note(path, f"expected a cell [x, y], not {_shown(value)}")
            return None
        x, y = value
        if not (_is_whole(x) and _is_whole(y)):
            self.note(path, f"expected a cell [x, y], not {_shown(value)}")
            return None
        if not (0 <= x < self.width and 0 <= y < self.height):
            size = f"{self.width} columns by {self.height} rows"
            self.note(path, f"{_shown(value)} lies off the grid of {size}")
            return None
        return x, y

    def word(self, value: object, path: DocumentPath, what: str) -> str | None:
        if isinstance(value, str) and WORD.fullmatch(value):
            return value
        self.note(
            path,
            f"expected {what} of at most 100 letters, digits, '_', '-' or '.', not {_shown(value)}",
        )
        return None

    def goal(self, value: object, path: DocumentPath) -> str | None:
        if isinstance(value, str) and LETTER.fullmatch(value):
            return value
        self.note(path, f"expected a chest's letter, not {_shown(value)}")
        return None

    def one_of(self, value: object, path: DocumentPath, words: list[Any]) -> str | None:
        if isinstance(value, str) and value in words:
            return value
        self.note(path, f"expected {_either(words)}, not {_shown(value)}")
        return None

    def flag(self, value: object, key: str) -> bool:
        if not isinstance(value, bool):
            self.note((key,), f"expected true or false, not {_shown(value)}")
        return value is True

    def text(self, fields: dict[str, Any], key: str) -> str | None:
        value = fields.get(key)
        if value is None and key not in fields:
            return None
        if isinstance(value, str) and _is_plain(value):
            return value
        self.note(
            (key,),
            f"expected one line of 1 to {MAX_TEXT} printable characters without blanks"
            f" around it, not {_shown(value)}",
        )
        return None

    def label(self, fields: dict[str, Any], key: str) -> int | str | None:
        value: Any = fields.get(key)
        if _is_whole(value) and 0 <= value < 10**9:
            return cast(int, value)
        return self.text(fields, key)

    # -- what must fit together ----------------------------------------------------------------

    def ids(self, wizards: list[Wizard], npcs: list[Npc]) -> None:
        owners: tuple[tuple[str, list[Any]], ...] = (("wizards", wizards), ("npcs", npcs))
        for key, things in owners:
            seen: set[str] = set()
            for index, thing in enumerate(things):
                if thing.id in seen:
                    self.note((key, index), f"the id {thing.id!r} is used twice")
                seen.add(thing.id)

    def occupied(
        self,
        walls: list[Cell],
        barriers: list[Barrier],
        wizards: list[Wizard],
        chests: list[Chest],
        main: MainAgent,
        npcs: list[Npc],
    ) -> None:
        places: list[tuple[DocumentPath, str, Cell]] = [
            *((("walls", i), "a wall", cell) for i, cell in enumerate(walls)),
            *((("barriers", i), f"a {b.colour} barrier", b.at) for i, b in enumerate(barriers)),
            *((("wizards", i), f"wizard {w.id}", w.at) for i, w in enumerate(wizards)),
            *((("chests", c.letter), f"chest {c.letter}", c.at) for c in chests),
            (("main",), "the main agent", main.at),
            *((("npcs", i), npc.id, npc.at) for i, npc in enumerate(npcs)),
        ]
        taken: dict[Cell, str] = {}
        for path, what, cell in places:
            if cell in taken:
                self.note(path, f"two things in cell {cell}: {taken[cell]} and {what}")
            else:
                taken[cell] = what

    def who_holds(self, map: Map, holders: dict[str, str]) -> None:
        for colour, wizards in map.wizards_of.items():
            ids = [wizard.id for wizard in wizards]
            if colour not in holders:
                self.note(
                    ("holders",), f"no holder of the {colour} amulet; one of {_list(ids)} must be"
                )
            elif holders[colour] not in ids:
                self.note(
                    ("holders", colour),
                    f"{holders[colour]!r} is not a {colour} wizard; those are {_list(ids)}",
                )
        for colour in holders:
            if colour not in map.colours:
                self.note(("holders",), f"there is no {_shown(colour)} wizard to hold its amulet")

    def goals(self, map: Map, main: MainAgent, npcs: list[Npc]) -> None:
        agents: list[tuple[DocumentPath, MainAgent | Npc]] = [(("main",), main)]
        agents += [(("npcs", index), npc) for index, npc in enumerate(npcs)]
        for path, agent in agents:
            if agent.goal not in map.letters:
                chests = _list(list(map.letters))
                self.note(
                    (*path, "goal"), f"there is no chest {agent.goal}; the chests are {chests}"
                )

    def limits(self, map: Map) -> None:
        if len(map.colours) > MAX_COLOURS:
            self.note(
                ("wizards",), f"wizards of {len(map.colours)} colours; at most {MAX_COLOURS} go"
            )
        elif len(map.wizards) > MAX_WIZARDS:
            self.note(("wizards",), f"{len(map.wizards)} wizards; at most {MAX_WIZARDS} go")
        elif table_size(map) > MAX_TABLE:
            self.note(
                (),
                f"too large: hypotheses × states is {table_size(map):,}, at most {MAX_TABLE:,} go"
                " (fewer wizards, chests, colours or cells)",
            )


def _is_whole(value: Any) -> bool:
    return type(value) is int  # not bool, which is a kind of int


def _is_plain(value: str) -> bool:
    return 0 < len(value) <= MAX_TEXT and value.isprintable() and value == value.strip()


def _list(words: list[str]) -> str:
    return ", ".join(words)


def _either(words: list[Any]) -> str:
    return f"{_list(words[:-1])} or {words[-1]}"


def _shown(value: object) -> str:
    """A value in a message, cut when it is long."""
    try:
        text = json.dumps(value)
    except (TypeError, ValueError, RecursionError):
        text = repr(type(value).__name__)
    return text if len(text) <= 60 else text[:57] + "..."
