"""The map: a grid of walls and floor with wizards, barriers and lettered chests on it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from enum import StrEnum
from functools import cached_property
from math import prod
from typing import Any

Cell = tuple[int, int]  # (x, y): x to the right, y down, (0, 0) top left


class Action(StrEnum):
    """The four things an agent can do; their order breaks ties between equally good ones.

    >>> [str(action) for action in Action]
    ['up', 'down', 'left', 'right']
    >>> Action.LEFT.from_cell((3, 2))
    (2, 2)
    """

    UP = "up"
    DOWN = "down"
    LEFT = "left"
    RIGHT = "right"

    @property
    def delta(self) -> tuple[int, int]:
        """How far it goes along x and y."""
        return _DELTAS[self]

    def from_cell(self, cell: Cell) -> Cell:
        """The cell it heads for, which may lie off the grid."""
        dx, dy = _DELTAS[self]
        return cell[0] + dx, cell[1] + dy


_DELTAS = {Action.UP: (0, -1), Action.DOWN: (0, 1), Action.LEFT: (-1, 0), Action.RIGHT: (1, 0)}

ACTIONS: tuple[Action, ...] = tuple(Action)


def reading_order(cell: Cell) -> tuple[int, int]:
    """Sort key that puts cells row by row, each row from the left."""
    return cell[1], cell[0]


@dataclass(frozen=True, slots=True)
class Wizard:
    """A wizard; exactly one of each colour holds that colour's amulet."""

    id: str
    at: Cell
    colour: str


@dataclass(frozen=True, slots=True)
class Barrier:
    """A cell that only an agent with the amulet of its colour can enter."""

    at: Cell
    colour: str


@dataclass(frozen=True, slots=True)
class Chest:
    """A treasure chest, named by its letter."""

    letter: str
    at: Cell


Thing = Wizard | Barrier | Chest


class Remembering:
    """A dataclass that keeps what it was once asked for, as a `cached_property`.

    Other processes get its fields alone: it may be asked for more in one thread while another packs
    it.
    """

    def __getstate__(self) -> dict[str, Any]:
        """The fields."""
        return {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]


@dataclass(frozen=True)
class Map(Remembering):
    """Everything that stays where it is.

    >>> room = Map(3, 1, wizards=(Wizard("w1", (1, 0), "blue"),), chests=(Chest("A", (2, 0)),))
    >>> room.thing((1, 0))
    Wizard(id='w1', at=(1, 0), colour='blue')
    >>> room.colours
    ('blue',)
    """

    width: int
    height: int
    walls: frozenset[Cell] = frozenset()
    barriers: tuple[Barrier, ...] = ()  # reading order
    wizards: tuple[Wizard, ...] = ()  # reading order
    chests: tuple[Chest, ...] = ()  # letter order
    # What follows from these, as everybody asks for it. Colours are those that have a wizard, and
    # so an amulet, in alphabetical order; letters are those of the chests.
    wizards_of: dict[str, tuple[Wizard, ...]] = field(init=False, repr=False, compare=False)
    colours: tuple[str, ...] = field(init=False, repr=False, compare=False)
    letters: tuple[str, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Put everything in its order, so that equal maps are equal values."""
        put = object.__setattr__
        put(self, "walls", frozenset(self.walls))
        put(self, "barriers", tuple(sorted(self.barriers, key=lambda b: b.at[::-1])))
        put(self, "wizards", tuple(sorted(self.wizards, key=lambda w: w.at[::-1])))
        put(self, "chests", tuple(sorted(self.chests, key=lambda c: c.letter)))
        found: dict[str, list[Wizard]] = {}
        for wizard in self.wizards:
            found.setdefault(wizard.colour, []).append(wizard)
        put(self, "wizards_of", {colour: tuple(found[colour]) for colour in sorted(found)})
        put(self, "colours", tuple(self.wizards_of))
        put(self, "letters", tuple([chest.letter for chest in self.chests]))

    def cells(self) -> Iterator[Cell]:
        """Every cell in reading order."""
        return ((x, y) for y in range(self.height) for x in range(self.width))

    def contains(self, cell: Cell) -> bool:
        """Whether the cell lies on the grid."""
        return 0 <= cell[0] < self.width and 0 <= cell[1] < self.height

    def thing(self, cell: Cell) -> Thing | None:
        """The wizard, barrier or chest on a cell, if there is one."""
        return self._things.get(cell)

    def wizard(self, wizard_id: str) -> Wizard:
        """The wizard of that id."""
        return self._wizards[wizard_id]

    def chest(self, letter: str) -> Chest:
        """The chest of that letter."""
        return self._chests[letter]

    @property
    def assignments(self) -> int:
        """How many ways there are to hold the amulets."""
        return prod(map(len, self.wizards_of.values()))

    @cached_property
    def _things(self) -> dict[Cell, Thing]:
        things: tuple[Thing, ...] = (*self.wizards, *self.barriers, *self.chests)
        return {thing.at: thing for thing in things}

    @cached_property
    def _wizards(self) -> dict[str, Wizard]:
        return {wizard.id: wizard for wizard in self.wizards}

    @cached_property
    def _chests(self) -> dict[str, Chest]:
        return {chest.letter: chest for chest in self.chests}
