"""The costs of the compiled planner as tables, to be held against the plain ones."""

from __future__ import annotations

from typing import Any

import numpy as np

from onlooker.game import Chest, Costs, Trial, Wizard
from onlooker.inference.hypotheses import Hypotheses
from onlooker.planning.compiling import Entry
from onlooker.planning.costs import asking, distance, plan_expert
from onlooker.planning.packing import lengths_of, pack
from onlooker.planning.structures import make
from onlooker.planning.tables import Table
from onlooker.planning.world import EMPTY, FAR, World, lay_out


def _all_costs(world: World, packed: Any, walks: Any) -> None:
    lay_out(world, packed, EMPTY)
    for mask in range(world.masks):
        for cell in range(world.cells):
            plan_expert(world, mask, cell)
            for goal in range(world.goals):
                walks[goal, mask, cell] = distance(world, goal, mask, cell)
            for wizard in range(world.wizards):
                walks[world.goals + wizard, mask, cell] = asking(world, wizard, mask, cell)


all_costs = Entry(_all_costs).plain  # to compile it takes longer


class CompiledTables:
    """What `Tables` offers, from the compiled planner."""

    def __init__(self, trial: Trial, costs: Costs | None = None) -> None:
        costs = costs or Costs()
        self.trial = trial
        packed = pack([trial])
        lengths = lengths_of(packed)
        world = make((World,), lengths, compiled=False)[World]
        world.move, world.interact, world.observe = costs.move, costs.interact, 1
        targets = lengths["goals"] + lengths["wizards"]
        walks = np.empty((targets, lengths["masks"], lengths["cells"]), np.int32)
        all_costs(world, packed, walks)
        self.square, self.walks = world.square[: world.cells], walks[:, :, : world.cells]
        self.experts = world.expert[:, : world.cells]
        self.needs = world.need[:, : world.goals]  # amulets as bits; the main agent's are last

    def walk(self, target: Chest | Wizard) -> Table:
        world = self.trial.map
        number = (
            world.chests.index(target)
            if isinstance(target, Chest)
            else len(world.chests) + world.wizards.index(target)
        )
        return self._table(self.walks[number])

    def expert(self, goal: str, holders: dict[str, str]) -> Table:
        lane = Hypotheses(self.trial.map).lane(goal, holders)
        return self._table(self.experts[:, :, lane])

    def _table(self, costs: Any) -> Table:
        world, table = self.trial.map, Table()
        for mask, row in enumerate(costs.tolist()):
            amulets = frozenset(c for bit, c in enumerate(world.colours) if mask >> bit & 1)
            for square, points in zip(self.square.tolist(), row, strict=True):
                if points < FAR:
                    table[(square % world.width, square // world.width), amulets] = points
        return table
