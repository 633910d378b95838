"""A* with the Manhattan heuristic: one least-cost path without making a whole table."""

from __future__ import annotations

import heapq
from collections.abc import Callable

from onlooker.game import (
    ACTIONS,
    Chest,
    Costs,
    Event,
    Holders,
    Interaction,
    Map,
    Move,
    State,
    Step,
    step,
)
from onlooker.planning.policies import Path
from onlooker.planning.tables import Target


def walk_path(
    map: Map, start: State, target: Target, holders: Holders, costs: Costs
) -> Path | None:
    """The best walk to a chest, or to asking a wizard, that asks nobody else; None if none is.

    >>> from onlooker.game import Wizard
    >>> hall = Map(4, 1, wizards=(Wizard("w1", (3, 0), "blue"),), chests=(Chest("A", (0, 0)),))
    >>> path = walk_path(hall, State((1, 0)), hall.wizard("w1"), {"blue": "w1"}, Costs())
    >>> [str(taken.action) for taken in path]
    ['right', 'right']
    """
    if isinstance(target, Chest):
        return _search(map, start, target, holders, costs, lambda event: isinstance(event, Move))
    asked = target.id
    return _search(
        map,
        start,
        target,
        holders,
        costs,
        lambda event: isinstance(event, Move) or event.wizard == asked,
    )


def expert_plan(map: Map, start: State, goal: str, holders: Holders, costs: Costs) -> Path | None:
    """The best path to a chest for an agent that knows the holders; None if there is none."""
    return _search(map, start, map.chest(goal), holders, costs, lambda event: True)


def _search(
    map: Map,
    start: State,
    target: Target,
    holders: Holders,
    costs: Costs,
    allowed: Callable[[Event], bool],
) -> Path | None:
    """The first path, in the order of its actions, among those that cost least.

    Paths of equal estimate leave the queue in the order of their actions, so the first that
    arrives is the one that the tables' tie order gives. This needs a consistent heuristic and no
    free actions, and both hold.
    """
    goal = target.letter if isinstance(target, Chest) else ""
    x, y = target.at

    def estimate(state: State) -> int:
        distance = abs(state.cell[0] - x) + abs(state.cell[1] - y)
        if isinstance(target, Chest):
            return costs.move * distance
        return costs.move * max(distance - 1, 0) + costs.interact

    if isinstance(target, Chest) and start.cell == target.at:
        return ()
    queue: list[tuple[int, tuple[int, ...], int, State, Path]]
    queue = [(estimate(start), (), 0, start, ())]
    done: set[tuple[object, ...]] = set()
    while queue:
        _, order, spent, state, path = heapq.heappop(queue)
        if path and _ends(path[-1].event, target):
            return path
        key = (state.cell, state.amulets)
        if key in done:
            continue
        done.add(key)
        for number, action in enumerate(ACTIONS):
            result = step(map, state, action, goal, holders, costs)
            if not isinstance(result, Step) or not allowed(result.event):
                continue
            cost = spent + result.event.cost
            left = 0 if _ends(result.event, target) else estimate(result.state)
            heapq.heappush(
                queue, (cost + left, (*order, number), cost, result.state, (*path, result))
            )
    return None


def _ends(event: Event, target: Target) -> bool:
    if isinstance(target, Chest):
        return isinstance(event, Move) and event.arrived
    return isinstance(event, Interaction) and event.wizard == target.id
