"""Hypotheses about an NPC: which chest it wants, and who holds each amulet."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from onlooker.game import Holders, Map, possible_holders
from onlooker.support.arrays import IntArray


@dataclass(frozen=True)
class Hypotheses:
    """Every goal with every assignment of holders; arrays over them are (goals, holders).

    >>> from onlooker.game import Chest, Wizard
    >>> wizards = (Wizard("w1", (0, 0), "blue"), Wizard("w2", (1, 0), "blue"))
    >>> hypotheses = Hypotheses(Map(3, 1, wizards=wizards, chests=(Chest("A", (2, 0)),)))
    >>> hypotheses.goals, hypotheses.holders
    (('A',), ({'blue': 'w1'}, {'blue': 'w2'}))
    """

    map: Map

    @property
    def goals(self) -> tuple[str, ...]:
        """The chests in letter order."""
        return self.map.letters

    @cached_property
    def holders(self) -> tuple[Holders, ...]:
        """Every assignment of holders, the last colour's changing fastest."""
        return tuple(possible_holders(self.map))

    @cached_property
    def wizard_index(self) -> dict[str, int]:
        """The number of each wizard in reading order."""
        return {wizard.id: index for index, wizard in enumerate(self.map.wizards)}

    @cached_property
    def holds(self) -> IntArray:
        """Whether a wizard is a holder, as (holders, wizards) of 0 and 1."""
        table = np.zeros((len(self.holders), len(self.map.wizards)), dtype=np.int64)
        for row, holders in enumerate(self.holders):
            table[row, [self.wizard_index[wizard] for wizard in holders.values()]] = 1
        return table
