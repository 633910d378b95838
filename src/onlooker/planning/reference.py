"""The plain version of the tables: Dijkstra over single states, each action asked of the rules."""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Callable

import numpy as np

from onlooker.game import (
    ACTIONS,
    Chest,
    Costs,
    Effect,
    Event,
    Holders,
    Interaction,
    Map,
    Move,
    State,
    Step,
    effect,
    step,
)
from onlooker.planning.states import States
from onlooker.planning.tables import Target
from onlooker.support.arrays import FloatArray

Ends = Callable[[Event], bool]


class ReferenceTables:
    """The same tables as `Tables`, slow and obvious.

    >>> from onlooker.game import Wizard
    >>> hall = Map(3, 1, wizards=(Wizard("w1", (1, 0), "blue"),), chests=(Chest("A", (2, 0)),))
    >>> ReferenceTables(hall).expert("A", {"blue": "w1"}).tolist()
    [[11.0, inf, 0.0], [6.0, 3.0, 0.0]]
    """

    def __init__(self, map: Map, costs: Costs | None = None) -> None:
        self.map = map
        self.costs = costs or Costs()
        self.states = States(map)

    def expert(self, goal: str, holders: Holders) -> FloatArray:
        """The least points to a chest for an agent that knows the holders."""
        chest = self.map.chest(goal)
        table = self._table(goal, holders, lambda event: isinstance(event, Move) and event.arrived)
        table[:, self.states.cell(chest.at)] = 0.0
        return table

    def walk(self, target: Target) -> FloatArray:
        """The least points to a chest, or to asking a wizard, on a walk that asks nobody else."""
        nobody = dict.fromkeys(self.map.colours, "")
        if isinstance(target, Chest):
            table = self._table(
                target.letter,
                nobody,
                lambda event: isinstance(event, Move) and event.arrived,
                lambda event: isinstance(event, Move),
            )
            table[:, self.states.cell(target.at)] = 0.0
            return table
        return self._table(
            "",
            nobody,
            lambda event: isinstance(event, Interaction) and event.wizard == target.id,
            lambda event: isinstance(event, Move),
        )

    def _table(
        self, goal: str, holders: Holders, ends: Ends, goes_on: Ends = lambda event: True
    ) -> FloatArray:
        """The least points from each state to an event that ends, by events that go on."""
        came_from: dict[State, list[tuple[State, int]]] = defaultdict(list)
        best: dict[State, int] = {}
        for mask in range(self.states.masks):
            amulets = self.states.amulets(mask)
            for cell in self.map.cells():
                if effect(self.map, cell, amulets) is not Effect.MOVE:
                    continue
                state = State(cell, amulets)
                for action in ACTIONS:
                    result = step(self.map, state, action, goal, holders, self.costs)
                    if not isinstance(result, Step):
                        continue
                    cost = result.event.cost
                    if ends(result.event):
                        best[state] = min(cost, best.get(state, cost))
                    elif goes_on(result.event):
                        after = State(result.state.cell, result.state.amulets)
                        came_from[after].append((state, cost))
        return self._dijkstra(best, came_from)

    def _dijkstra(
        self, best: dict[State, int], came_from: dict[State, list[tuple[State, int]]]
    ) -> FloatArray:
        table = np.full((self.states.masks, self.states.cells), np.inf)
        number = 0  # so that the heap never compares states
        heap = []
        for state, cost in best.items():
            heap.append((cost, number, state))
            number += 1
        heapq.heapify(heap)
        while heap:
            cost, _, state = heapq.heappop(heap)
            if cost > best[state]:
                continue
            table[self.states.mask(state.amulets), self.states.cell(state.cell)] = cost
            for before, price in came_from[state]:
                if cost + price < best.get(before, cost + price + 1):
                    best[before] = cost + price
                    heapq.heappush(heap, (cost + price, number, before))
                    number += 1
        return table
