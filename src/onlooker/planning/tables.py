"""The plain planner: Dijkstra over single states, each action asked of the rules."""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from onlooker.game import (
    ACTIONS,
    Cell,
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
    Wizard,
    effect,
    step,
)
from onlooker.support.arrays import FloatArray


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


Target = Chest | Wizard
NOBODY = ""  # holds an amulet, or is a goal, where that does not matter


class Tables:
    """The costs-to-go on one map, each table made when first asked for and then kept.

    A table is an array (masks, cells): the least points from every set of amulets and cell, +inf
    where there is no way.

    >>> hall = Map(3, 1, wizards=(Wizard("w1", (1, 0), "blue"),), chests=(Chest("A", (2, 0)),))
    >>> Tables(hall).expert("A", {"blue": "w1"}).tolist()
    [[11.0, inf, 0.0], [6.0, 3.0, 0.0]]
    """

    def __init__(self, map: Map, costs: Costs | None = None) -> None:
        self.map = map
        self.costs = costs or Costs()
        self.states = States(map)
        self._tables: dict[object, FloatArray] = {}

    def expert(self, goal: str, holders: Holders) -> FloatArray:
        """The least points to a chest for an agent that knows the holders."""
        key = (goal, *(holders[colour] for colour in self.map.colours))
        if key not in self._tables:
            chest = self.map.chest(goal).at
            self._tables[key] = self._table(lambda event: _enters(event, chest), holders)
            self._tables[key][:, self.states.cell(chest)] = 0.0
        return self._tables[key]

    def walk(self, target: Target) -> FloatArray:
        """The least points to a chest, or to asking a wizard, on a walk that asks nobody else."""
        if target not in self._tables:
            if isinstance(target, Chest):
                table = self._table(lambda event: _enters(event, target.at))
                table[:, self.states.cell(target.at)] = 0.0
            else:
                table = self._table(
                    lambda event: isinstance(event, Interaction) and event.wizard == target.id
                )
            self._tables[target] = table
        return self._tables[target]

    @cached_property
    def _steps(self) -> list[tuple[State, list[Step]]]:
        """Every state with what each action leads to there, as if nobody held an amulet."""
        nobody = dict.fromkeys(self.map.colours, NOBODY)
        found = []
        for mask in range(self.states.masks):
            amulets = self.states.amulets(mask)
            for cell in self.map.cells():
                if effect(self.map, cell, amulets) is Effect.MOVE:
                    state = State(cell, amulets)
                    results = (
                        step(self.map, state, action, NOBODY, nobody, self.costs)
                        for action in ACTIONS
                    )
                    found.append((state, [r for r in results if isinstance(r, Step)]))
        return found

    def _table(
        self,
        ends: Callable[
            [
                Event,
            ],
            bool,
        ],
        holders: Mapping[str, str] | None = None,
    ) -> FloatArray:
        """The least points from each state to an event that ends, asking only holders before."""
        came_from: dict[State, list[tuple[State, int]]] = defaultdict(list)
        best: dict[State, int] = {}
        for state, steps in self._steps:
            for taken in steps:
                event = taken.event
                if ends(event):
                    best[state] = min(event.cost, best.get(state, event.cost))
                elif isinstance(event, Move):
                    came_from[State(event.to, state.amulets)].append((state, event.cost))
                elif holders is not None and holders[event.colour] == event.wizard:
                    after = State(state.cell, state.amulets | {event.colour})
                    came_from[after].append((state, event.cost))
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


def _enters(event: Event, cell: tuple[int, int]) -> bool:
    return isinstance(event, Move) and event.to == cell
