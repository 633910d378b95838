"""Compiled: rows of whole numbers that are listed once, and nodes that wait in a search."""

from __future__ import annotations

from onlooker.planning.compiling import compiled, inlined
from onlooker.planning.structures import Floats1, Ints1, Ints2, axes, structure
from onlooker.planning.world import NONE

SLOTS = 3  # of the hash table, for each row that there is room for
LOW = (1 << 31) - 1  # these bits of a key are kept, so that no product is too large


@compiled
def slot_of(rows: Ints2, slots: Ints1, row: Ints1) -> int:
    """The slot of the hash table with the place of a row, or the empty one where it would be."""
    width, key = rows.shape[1], 0
    for index in range(width):
        key = (key * 1_000_003 + row[index]) & LOW
    # The low bits of the product with 2**31 / 1.618… are spread evenly, even for keys in a row.
    slot = (key * 1_327_217_885 & LOW) * len(slots) >> 31
    while slots[slot] != NONE:
        same = True
        for index in range(width):
            same &= rows[slots[slot], index] == row[index]
        if same:
            break
        slot = slot + 1 if slot + 1 < len(slots) else 0
    return int(slot)


@compiled
def intern_row(rows: Ints2, slots: Ints1, count: int, row: Ints1) -> int:
    """The place of a row in a list of so many rows; a new one becomes the last."""
    slot = slot_of(rows, slots, row)
    if slots[slot] == NONE:
        slots[slot] = count
        for index in range(rows.shape[1]):
            rows[count, index] = row[index]
    return int(slots[slot])


@structure
class Queue:
    """The nodes that wait in a search, as a heap: the least cost first, then the most steps."""

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
