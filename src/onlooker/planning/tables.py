"""The plain planner: Dijkstra over single states, each action asked of the rules."""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Callable
from functools import cached_property
from itertools import combinations, count
from math import inf

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

Place = tuple[Cell, frozenset[str]]  # where an agent stands, and the amulets that it holds


class Table(dict[Place, float]):
    """The least points from each place, +inf where there is no way."""

    def __missing__(self, place: Place) -> float:
        return inf


Target = Chest | Wizard
NOBODY = ""  # holds an amulet, or is a goal, where that does not matter


class Tables:
    """The costs-to-go on one map, each table made when first asked for and then kept.

    >>> hall = Map(3, 1, wizards=(Wizard("w1", (1, 0), "blue"),), chests=(Chest("A", (2, 0)),))
    >>> table = Tables(hall).expert("A", {"blue": "w1"})
    >>> table[(0, 0), frozenset()], table[(0, 0), frozenset({"blue"})], table[(1, 0), frozenset()]
    (11.0, 6.0, inf)
    """

    def __init__(self, map: Map, costs: Costs | None = None) -> None:
        self.map = map
        self.costs = costs or Costs()
        self._tables: dict[object, Table] = {}

    def expert(self, goal: str, holders: Holders) -> Table:
        """The least points to a chest for an agent that knows the holders."""
        key = (goal, *(holders[colour] for colour in self.map.colours))
        if key not in self._tables:
            self._tables[key] = self._to_chest(self.map.chest(goal), holders)
        return self._tables[key]

    def walk(self, target: Target) -> Table:
        """The least points to a chest, or to asking a wizard, on a walk that asks nobody else."""
        if target not in self._tables:
            self._tables[target] = (
                self._to_chest(target)
                if isinstance(target, Chest)
                else self._table(lambda e: isinstance(e, Interaction) and e.wizard == target.id)
            )
        return self._tables[target]

    @cached_property
    def _amulets(self) -> list[frozenset[str]]:
        """Every set of amulets."""
        colours = self.map.colours
        sets = (combinations(colours, size) for size in range(len(colours) + 1))
        return [frozenset(each) for of_size in sets for each in of_size]

    @cached_property
    def _steps(self) -> list[tuple[Place, list[Step]]]:
        """Every place with what each action leads to there, as if nobody held an amulet."""
        nobody = dict.fromkeys(self.map.colours, NOBODY)
        found = []
        for amulets in self._amulets:
            for cell in self.map.cells():
                if effect(self.map, cell, amulets) is Effect.MOVE:
                    results = (
                        step(self.map, State(cell, amulets), action, NOBODY, nobody, self.costs)
                        for action in ACTIONS
                    )
                    steps = [result for result in results if isinstance(result, Step)]
                    found.append(((cell, amulets), steps))
        return found

    def _to_chest(self, chest: Chest, holders: Holders | None = None) -> Table:
        """The least points to a chest, where one need not go any further."""
        table = self._table(lambda e: isinstance(e, Move) and e.to == chest.at, holders)
        return Table(table | {(chest.at, amulets): 0.0 for amulets in self._amulets})

    def _table(self, ends: Callable[[Event], bool], holders: Holders | None = None) -> Table:
        """The least points from each place to an event that ends, asking only holders before."""
        came_from: dict[Place, list[tuple[Place, int]]] = defaultdict(list)
        best = Table()
        for place, steps in self._steps:
            cell, amulets = place
            for taken in steps:
                event = taken.event
                if ends(event):
                    best[place] = min(float(event.cost), best[place])
                elif isinstance(event, Move):
                    came_from[event.to, amulets].append((place, event.cost))
                elif holders is not None and holders[event.colour] == event.wizard:
                    came_from[cell, amulets | {event.colour}].append((place, event.cost))
        number = count()  # so that the heap never compares places
        heap = [(cost, next(number), place) for place, cost in best.items()]
        heapq.heapify(heap)
        while heap:
            cost, _, place = heapq.heappop(heap)
            if cost > best[place]:
                continue
            for before, price in came_from[place]:
                if cost + price < best[before]:
                    best[before] = cost + price
                    heapq.heappush(heap, (cost + price, next(number), before))
        return best
