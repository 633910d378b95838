"""Hypotheses about an NPC: which chest it wants, and who holds each amulet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np

from onlooker.game import Expertise, Holders, Map, possible_holders
from onlooker.support.arrays import IntArray

Kinds = tuple[Expertise | None, ...]


@dataclass(frozen=True)
class Hypotheses:
    """Every goal with every assignment of holders; arrays over them are (goals, holders).

    Where it is not told of which kind an NPC is, each chest is a goal of each kind.

    >>> from onlooker.game import Chest, Wizard
    >>> wizards = (Wizard("w1", (0, 0), "blue"), Wizard("w2", (1, 0), "blue"))
    >>> hypotheses = Hypotheses(Map(3, 1, wizards=wizards, chests=(Chest("A", (2, 0)),)))
    >>> hypotheses.goals, hypotheses.holders
    (('A',), ({'blue': 'w1'}, {'blue': 'w2'}))
    >>> hypotheses.lane("A", {"blue": "w2"}), hypotheses.shape
    (1, (1, 2))
    """

    map: Map
    kinds: Kinds = (None,)

    @property
    def goals(self) -> tuple[str, ...]:
        """The chests in letter order."""
        return self.map.letters

    @cached_property
    def holders(self) -> tuple[Holders, ...]:
        """Every assignment of holders, the last colour's changing fastest."""
        return tuple(possible_holders(self.map))

    @property
    def shape(self) -> tuple[int, int]:
        """How many goals there are, of each kind, and how many assignments of holders."""
        return len(self.goals) * len(self.kinds), len(self.holders)

    @cached_property
    def lanes(self) -> list[tuple[str, Expertise | None, Holders]]:
        """All hypotheses, in the order in which kernels number them: goal, kind and holders."""
        return list(product(self.goals, self.kinds, self.holders))

    def goal_number(self, goal: str, kind: Expertise | None = None) -> int:
        """The number of a goal, of a kind if there are several."""
        of_kind = self.kinds.index(kind) if kind in self.kinds else 0
        return self.goals.index(goal) * len(self.kinds) + of_kind

    def lane(self, goal: str, holders: Mapping[str, str], kind: Expertise | None = None) -> int:
        """The number of a hypothesis."""
        assignment = self.holders.index(dict(holders))
        return self.goal_number(goal, kind) * len(self.holders) + assignment

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
