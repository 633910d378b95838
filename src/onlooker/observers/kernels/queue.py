"""Compiled: nodes that wait in a search, as a heap: the least cost first, then the most steps."""

from __future__ import annotations

from onlooker.planning.compiling import compiled, inlined
from onlooker.planning.structures import Floats1, Ints1, axes, structure


@structure
class Queue:
    """The nodes that wait in a search."""

    waiting: int  # how many
    cost: Floats1 = axes("heap")  # f
    steps: Ints1 = axes("heap")
    node: Ints1 = axes("heap")
    came: Ints1 = axes("heap")  # the node that it was reached from
    so_far: Floats1 = axes("heap")  # points up to it


@compiled
def put(queue: Queue, cost: float, steps: int, node: int, came: int, so_far: float) -> bool:
    """Let a node wait; False if there is no room."""
    place = queue.waiting
    if place == len(queue.cost):
        return False
    queue.waiting += 1
    while place:
        above = (place - 1) // 2
        if queue.cost[above] < cost or (queue.cost[above] == cost and queue.steps[above] >= steps):
            break
        move(queue, above, place)
        place = above
    queue.cost[place], queue.steps[place], queue.node[place] = cost, steps, node
    queue.came[place], queue.so_far[place] = came, so_far
    return True


@compiled
def take(queue: Queue) -> None:
    """Remove the first."""
    queue.waiting -= 1
    last, place = queue.waiting, 0
    while True:
        below = 2 * place + 1
        if below >= last:
            break
        if below + 1 < last and first(queue, below + 1, below):
            below += 1
        if not first(queue, below, last):
            break
        move(queue, below, place)
        place = below
    move(queue, last, place)


@inlined
def first(queue: Queue, one: int, other: int) -> bool:
    """Whether one comes before another."""
    if queue.cost[one] != queue.cost[other]:
        return bool(queue.cost[one] < queue.cost[other])
    return bool(queue.steps[one] > queue.steps[other])


@inlined
def move(queue: Queue, source: int, place: int) -> None:
    """Copy one to another place."""
    queue.cost[place], queue.steps[place] = queue.cost[source], queue.steps[source]
    queue.node[place], queue.came[place] = queue.node[source], queue.came[source]
    queue.so_far[place] = queue.so_far[source]
