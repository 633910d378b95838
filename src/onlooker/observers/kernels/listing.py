"""Compiled: rows of whole numbers that are listed once."""

from __future__ import annotations

from onlooker.planning.compiling import compiled
from onlooker.planning.structures import Ints1, Ints2
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
