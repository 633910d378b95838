"""Rows of whole numbers, each listed once: a list of rows and a hash table of their places."""

from __future__ import annotations

from onlooker.planning.compiling import compiled
from onlooker.planning.structures import Ints1, Ints2
from onlooker.planning.world import NONE

SLOTS = 3  # of the hash table, for each row that there is room for


@compiled
def slot_of(rows: Ints2, slots: Ints1, row: Ints1) -> int:
    """The slot with the place of a row, or the empty one where it would be."""
    width, key = rows.shape[1], 0
    for index in range(width):
        key = (key * 1_000_003 + row[index] % 2_147_483_647) % 2_147_483_647
    slot = key % len(slots)
    while slots[slot] != NONE:
        same = True
        for index in range(width):
            same &= rows[slots[slot], index] == row[index]
        if same:
            break
        slot = (slot + 1) % len(slots)
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
