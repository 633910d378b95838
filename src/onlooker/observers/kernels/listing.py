"""Compiled: rows of whole numbers, each listed once."""

from __future__ import annotations

import numpy as np

from onlooker.inference.kernels.tree import longer
from onlooker.planning.compiling import compiled
from onlooker.planning.structures import Ints1, Ints2, borrow, structure
from onlooker.planning.world import NONE

ROOM = 256  # at first
SLOTS = 4  # of the hash table, for each row that there is room for; a power of 2, as is the room


@structure
class Listing:
    """Some rows, in the order in which they came."""

    count: int
    row: Ints2  # (rows, numbers)
    slot: Ints1  # (slots): hash table of rows, or NONE


@compiled
def new_listing(width: int) -> Listing:
    """An empty list of rows of so many numbers."""
    kept = Listing()
    listing = borrow(kept)
    listing.row = np.empty((ROOM, width), np.int64)
    listing.slot = np.full(SLOTS * ROOM, NONE)
    return kept


@compiled
def clear(listing: Listing) -> None:
    """Make a list empty."""
    listing.count = 0
    for slot in range(len(listing.slot)):
        listing.slot[slot] = NONE


@compiled
def number_of(listing: Listing, row: Ints1) -> int:
    """The place of a row in the list, to which it is added if it is new."""
    slot = slot_of(listing, row)
    if listing.slot[slot] != NONE:
        return int(listing.slot[slot])
    if listing.count == len(listing.row):
        listing.row = longer(listing.row, 2 * listing.count)
        listing.slot = np.full(SLOTS * len(listing.row), NONE)
        for number in range(listing.count):
            listing.slot[slot_of(listing, listing.row[number])] = number
        slot = slot_of(listing, row)
    listing.slot[slot] = listing.count
    for index in range(listing.row.shape[1]):
        listing.row[listing.count, index] = row[index]
    listing.count += 1
    return listing.count - 1


@compiled
def slot_of(listing: Listing, row: Ints1) -> int:
    """Where a row is in the hash table, or would be."""
    last, width, key = len(listing.slot) - 1, listing.row.shape[1], 0
    for index in range(width):
        key = (key * 1_000_003 + row[index] % 2_147_483_647) % 2_147_483_647
    slot = key & last
    while listing.slot[slot] != NONE:
        same = True
        for index in range(width):
            same &= listing.row[listing.slot[slot], index] == row[index]
        if same:
            break
        slot = slot + 1 & last
    return int(slot)
