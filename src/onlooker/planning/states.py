"""The states of an agent as numbers: cells in reading order, sets of amulets as bit masks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from onlooker.game import Cell, Map


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
