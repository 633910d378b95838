"""The states of an agent as numbers: cells in reading order, sets of amulets as bit masks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from onlooker.game import ACTIONS, Cell, Effect, Map, effect
from onlooker.support.arrays import BoolArray, IntArray


@dataclass(frozen=True)
class States:
    """Every (amulets, cell) of a map, numbered.

    >>> from onlooker.game import Wizard
    >>> states = States(Map(3, 2, wizards=(Wizard("w1", (0, 1), "red"),)))
    >>> states.cell((2, 1)), states.mask({"red"})
    (5, 1)
    """

    map: Map

    @property
    def cells(self) -> int:
        """How many cells there are."""
        return self.map.width * self.map.height

    @property
    def masks(self) -> int:
        """How many sets of amulets there are."""
        return int(2 ** len(self.map.colours))

    def cell(self, cell: Cell) -> int:
        """The number of a cell."""
        return cell[1] * self.map.width + cell[0]

    def mask(self, amulets: Iterable[str]) -> int:
        """The number of a set of amulets."""
        return sum(1 << self.map.colours.index(colour) for colour in set(amulets))

    def amulets(self, mask: int) -> frozenset[str]:
        """The set of amulets of that number."""
        return frozenset(c for bit, c in enumerate(self.map.colours) if mask >> bit & 1)

    @cached_property
    def walkable(self) -> BoolArray:
        """Whether a cell can be stood on with a set of amulets, as (masks, cells)."""
        return np.array(
            [
                [effect(self.map, cell, amulets) is Effect.MOVE for cell in self.map.cells()]
                for amulets in map(self.amulets, range(self.masks))
            ],
            dtype=np.bool_,
        ).reshape(self.masks, self.cells)

    @cached_property
    def ahead(self) -> IntArray:
        """The cell that each action heads for, as (cells, actions); `cells` stands for off grid."""
        return np.array(
            [
                [
                    self.cell(there) if self.map.contains(there) else self.cells
                    for there in (action.from_cell(cell) for action in ACTIONS)
                ]
                for cell in self.map.cells()
            ],
            dtype=np.int64,
        )

    def beside(self, cell: Cell) -> list[int]:
        """The numbers of the cells next to a cell."""
        around = (action.from_cell(cell) for action in ACTIONS)
        return [self.cell(near) for near in around if self.map.contains(near)]
