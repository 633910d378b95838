"""The costs of the compiled planner as tables, to be held against the plain ones."""

from __future__ import annotations

from typing import Any

import numpy as np

from onlooker.game import Chest, Costs, Trial, Wizard
from onlooker.inference.hypotheses import Hypotheses
from onlooker.planning.compiling import Entry, compiled
from onlooker.planning.costs import asking, distance, plan_expert
from onlooker.planning.packing import pack
from onlooker.planning.states import States
from onlooker.planning.structures import borrow
from onlooker.planning.world import EMPTY, FAR, World, lay_out, new_world
from onlooker.support.arrays import FloatArray


@compiled
def _tables(kept: World) -> Any:
    world = borrow(kept)
    walks = np.empty((world.goals + world.wizards, world.masks, world.cells), np.int32)
    for mask in range(world.masks):
        for cell in range(world.cells):
            plan_expert(world, mask, cell)
            for goal in range(world.goals):
                walks[goal, mask, cell] = distance(world, goal, mask, cell)
            for wizard in range(world.wizards):
                walks[world.goals + wizard, mask, cell] = asking(world, wizard, mask, cell)
    return kept.square[: world.cells], walks, kept.expert[:, : world.cells]


def _all_costs(packed: Any, move: int, interact: int) -> Any:
    world = new_world(packed, move, interact, 1)
    lay_out(borrow(world), packed, EMPTY)
    return _tables(world)


all_costs = Entry(_all_costs)


class CompiledTables:
    """What `Tables` offers, from the compiled planner."""

    def __init__(self, trial: Trial, costs: Costs | None = None) -> None:
        costs = costs or Costs()
        self.trial, self.states = trial, States(trial.map)
        found = all_costs(pack([trial]), costs.move, costs.interact)
        self.square, self.walks, self.experts = found

    def walk(self, target: Chest | Wizard) -> FloatArray:
        world = self.trial.map
        number = (
            world.chests.index(target)
            if isinstance(target, Chest)
            else len(world.chests) + world.wizards.index(target)
        )
        return self._table(self.walks[number])

    def expert(self, goal: str, holders: dict[str, str]) -> FloatArray:
        hypotheses = Hypotheses(self.trial.map)
        h = hypotheses.holders.index(dict(holders))
        lane = hypotheses.goals.index(goal) * len(hypotheses.holders) + h
        return self._table(self.experts[:, :, lane])

    def _table(self, costs: Any) -> FloatArray:
        table = np.full((self.states.masks, self.states.cells), np.inf)
        table[:, self.square] = np.where(costs >= FAR, np.inf, costs)
        return table
