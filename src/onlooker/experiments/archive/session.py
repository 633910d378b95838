"""Reading one person's log in the authors' format: who it is, and the rows of each level.

A log is read line by line, so a quote that is never closed spoils one line and not the rest.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from typing import NamedTuple

from onlooker.experiments.archive.map import level_name
from onlooker.game import ACTIONS, Action, Cell

MOST_BYTES = 50 << 20  # of a log
LONGEST_LINE = 20_000  # characters
LARGEST = 10**6  # of a position or of points
SESSION = "Session ID"
NO_LEVELS = ("comprehension_check", "experiment")
TUTORIALS = ("s111", "s112", "sm111", "sm112")

_LEVEL = "Level:"
_ID = re.compile(r"u\S*")
_NPCS = {"agent2": "NPC 2", "agent3": "NPC 1"}  # with two NPCs: whose columns are which
_AGENTS = {2: "agent2", 3: "agent3"}


class Kind(StrEnum):
    """What a row is."""

    START = "LEVEL_START"
    LOOK = "AGENT_OBSERVE"
    KEY = "GAME_ACTION"
    INTERACTION = "INTERACTION"
    COMPLETE = "LEVEL_COMPLETE"
    END = "EXPERIMENT_COMPLETE"


class Row(NamedTuple):
    """A row of a level; what it does not have is None."""

    line: int
    time: float | None  # seconds since 1970
    kind: Kind
    player: Cell | None = None
    action: Action | None = None  # of a key
    agent: str | None = None  # of a look: whom
    npc: Cell | None = None  # of a look: where it then is
    interaction: str = ""
    points: int | None = None  # Steps Remaining


@dataclass
class Block:
    """One time that a level was begun."""

    name: str  # as the authors have it
    line: int
    rows: list[Row] = field(default_factory=list)

    @property
    def begin(self) -> float | None:
        """The first time in it."""
        return next((row.time for row in self.rows if row.time is not None), None)

    @property
    def finished(self) -> bool:
        """Whether the level was completed."""
        return any(row.kind is Kind.COMPLETE for row in self.rows)

    @property
    def points_left(self) -> int | None:
        """The points that were left when the level was completed."""
        points = [row.points for row in self.rows if row.kind is Kind.COMPLETE]
        return next((value for value in reversed(points) if value is not None), None)


class Trouble(NamedTuple):
    """Something in a log that is not as it should be."""

    kind: str  # what happened, for counting
    line: int
    reason: str


@dataclass
class Session:
    """One person's log."""

    id: str = ""
    prolific_id: str = ""
    age: int | None = None
    gender: str | None = None
    completed: bool = False  # it was taken to its end
    blocks: list[Block] = field(default_factory=list)  # of levels, tutorials among them
    troubles: list[Trouble] = field(default_factory=list)

    def note(self, kind: str, line: int, reason: str) -> None:
        """Remember something that is not as it should be."""
        self.troubles.append(Trouble(kind, line, reason))


class NoSessionError(ValueError):
    """A file is not the log of a session."""


def session_id(content: bytes) -> str:
    """The id that a log begins with; NoSessionError if it is not a log."""
    first = content[:200].decode("utf-8-sig", errors="replace").splitlines()[:1]
    cells = [cell.strip().strip('"') for cell in first[0].split(",")] if first else []
    if len(cells) < 2 or cells[0] != SESSION or not _ID.fullmatch(cells[1]):
        shown = first[0][:40] if first else "nothing"
        raise NoSessionError(f"expected a first line such as '{SESSION},u123', not {shown!r}")
    return cells[1]


def is_tutorial(name: str) -> bool:
    """Whether a level of the authors' is practice.

    >>> is_tutorial("mod_s112"), is_tutorial("sm111_1"), is_tutorial("s211")
    (True, True, False)
    """
    return name.removeprefix("mod_").startswith(TUTORIALS)


def our_level(experiment: int, name: str) -> str | None:
    """Our name of a level of the authors', None if it cannot be one of the experiment.

    >>> our_level(1, "mod_s442"), our_level(2, "s221_2"), our_level(3, "sm221_1")
    ('s442_1', 's221_2', 'sm221_scenario1')
    """
    pattern = r"(?:mod_)?(s\d+)(?:_(1))?" if experiment == 1 else r"(?:mod_)?(s\d+)_([12])"
    if experiment > 2:
        pattern = r"(?:mod_)?(sm\d+)_(?:scenario)?([12])"
    match = re.fullmatch(pattern, name)
    return level_name(experiment, match[1], int(match[2] or 1)) if match else None


def read_session(content: bytes, experiment: int) -> Session:
    """The log of a session; NoSessionError if it is none."""
    found = Session(session_id(content))
    if len(content) > MOST_BYTES:
        raise NoSessionError(f"more than {MOST_BYTES:,} bytes")
    _Reader(experiment, found).read(content.decode("utf-8-sig", errors="replace"))
    return found


class _Reader:
    """Reads the lines of a log one after the other."""

    def __init__(self, experiment: int, session: Session) -> None:
        self.two = experiment > 2
        self.session = session
        self.block: Block | None = None
        self.columns: dict[str, int] | None = None  # of the block's header
        self.latest = 0.0  # time in the block
        self.known: set[str] = set()  # names of the user's data that were read

    def read(self, text: str) -> None:
        """Read all lines."""
        for line, cells in _lines(text, self.session):
            first = cells[0].strip()
            if first.startswith(_LEVEL):
                self.begin(line, first.removeprefix(_LEVEL).strip())
            elif self.block is None:
                self.about(line, first, cells[1].strip() if len(cells) > 1 else "")
            elif self.columns is None:
                self.header(line, cells)
            else:
                self.row(line, cells)

    def begin(self, line: int, name: str) -> None:
        """A level begins."""
        self.block, self.columns, self.latest = Block(name, line), None, 0.0
        if name not in NO_LEVELS:
            self.session.blocks.append(self.block)

    def about(self, line: int, name: str, value: str) -> None:
        """What is said of the person before the first level."""
        if name in self.known:  # a line of the feedback may look like one of these
            return
        self.known.add(name)
        if name == "Completed At":
            self.session.completed = bool(value)
        elif name == "prolificId":
            self.session.prolific_id = value
        elif name == "gender":
            self.session.gender = value or None
        elif name == "age" and value:
            age = _whole(value, 150)
            if age is None or age < 0:
                self.session.note("age left out", line, "expected an age in years")
            else:
                self.session.age = age

    def header(self, line: int, cells: Sequence[str]) -> None:
        """The names of a level's columns."""
        columns = {name.strip(): index for index, name in enumerate(cells)}
        if "Type" not in columns:
            reason = "expected the names of the columns, Type among them"
            self.session.note("rows that cannot be read", line, reason)
            columns = {"Type": len(cells) + 1}  # so all its rows are broken
        self.columns = columns

    def row(self, line: int, cells: Sequence[str]) -> None:
        """One row of a level."""
        assert self.block is not None
        try:
            row = self.parsed(line, cells)
        except ValueError as error:
            self.session.note("rows that cannot be read", line, str(error))
            return
        if row.kind is Kind.END:
            self.session.completed = True
        if row.time is not None and row.time < self.latest:
            reason = f"{self.latest - row.time:.3f} s before the row above it"
            self.session.note("times that run backwards", line, reason)
            row = row._replace(time=None)
        self.latest = row.time if row.time is not None else self.latest
        self.block.rows.append(row)

    def parsed(self, line: int, cells: Sequence[str]) -> Row:
        """A row from its cells; ValueError says what is wrong with it."""
        kind = self.kind(cells)
        time = self.time(line, cells)
        player = self.place(cells, "Player")
        points = None
        if kind is Kind.COMPLETE and (text := self.cell(cells, "Steps Remaining")):
            points = _whole(text, LARGEST)
            if points is None:
                raise ValueError(f"Steps Remaining: expected a whole number, not {text[:20]!r}")
        if kind is Kind.KEY:
            text = self.cell(cells, "Player Action").lower()
            if text not in ACTIONS:
                raise ValueError(f"Player Action: expected {', '.join(ACTIONS)}, not {text[:20]!r}")
            return Row(line, time, kind, player, Action(text))
        if kind is Kind.LOOK:
            agent = self.agent(cells)
            npc = self.place(cells, _NPCS[agent] if self.two else "NPC")
            return Row(line, time, kind, player, agent=agent, npc=npc)
        interaction = self.cell(cells, "Interaction Type") if kind is Kind.INTERACTION else ""
        return Row(line, time, kind, player, interaction=interaction, points=points)

    def time(self, line: int, cells: Sequence[str]) -> float | None:
        """When a row was written; a row whose time cannot be read is a row all the same."""
        text = self.cell(cells, "Timestamp")
        if not text:
            return None
        try:
            moment = datetime.fromisoformat(text)
            return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
        except (ValueError, OverflowError):
            self.session.note("times that cannot be read", line, f"{text[:30]!r}")
            return None

    def kind(self, cells: Sequence[str]) -> Kind:
        """What a row is."""
        columns = self.columns or {}
        if len(cells) > len(columns) and any(cell.strip() for cell in cells[len(columns) :]):
            raise ValueError(f"{len(cells)} values; the header has {len(columns)}")
        text = self.cell(cells, "Type")
        try:
            return Kind(text)
        except ValueError:
            raise ValueError(f"Type: expected {', '.join(Kind)}, not {text[:20]!r}") from None

    def agent(self, cells: Sequence[str]) -> str:
        """Whom a look is at."""
        if not self.two:
            return "agent2"
        text = self.cell(cells, "Observed Agent ID")
        agent = _AGENTS.get(_whole(text.removeprefix("agent"), 9) or 0)
        if agent is None:
            raise ValueError(f"Observed Agent ID: expected 2.0 or 3.0, not {text[:20]!r}")
        return agent

    def place(self, cells: Sequence[str], whose: str) -> Cell | None:
        """Where somebody is, if the row says so."""
        texts = self.cell(cells, f"{whose} X"), self.cell(cells, f"{whose} Y")
        if texts == ("", ""):
            return None
        x, y = _whole(texts[0], LARGEST), _whole(texts[1], LARGEST)
        if x is None or y is None:
            shown = f"{texts[0][:20]!r} and {texts[1][:20]!r}"
            raise ValueError(f"{whose} X and Y: expected two whole numbers, not {shown}")
        return x, y

    def cell(self, cells: Sequence[str], column: str) -> str:
        """What a row has in a column, nothing if it has no such column."""
        index = (self.columns or {}).get(column, len(cells))
        return cells[index].strip() if index < len(cells) else ""


def _lines(text: str, session: Session) -> Iterator[tuple[int, list[str]]]:
    """The number and the cells of each line that has anything in it."""
    for number, line in enumerate(re.split(r"\r\n?|\n", text), start=1):
        if not line.strip(", \t"):
            continue
        if len(line) > LONGEST_LINE:
            reason = f"a line of {len(line):,} characters"
            session.note("rows that cannot be read", number, reason)
        elif '"' in line:
            yield number, next(csv.reader([line]))
        else:
            yield number, line.split(",")


def _whole(text: str, largest: int) -> int | None:
    """A number such as `5.0` as a whole one, None if it is none or too large."""
    try:
        value = float(text)
    except ValueError:
        return None
    return int(value) if value.is_integer() and abs(value) <= largest else None
