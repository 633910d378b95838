"""Compiled: what a search for amulets remembers.

A finding is what the search has found out so far: which wizards gave their amulets, and which of
the colours still lacking were asked in vain. A place is where it stands: the cell where it starts,
or a source, which is a cell beside a wizard.
"""

from __future__ import annotations

import numpy as np

from onlooker.inference.kernels.tree import longest_path
from onlooker.planning.compiling import compiled, inlined
from onlooker.planning.packing import Packed
from onlooker.planning.structures import (
    Floats1,
    Floats2,
    Ints1,
    Ints2,
    Ints3,
    borrow,
    structure,
)
from onlooker.planning.world import NONE, World, wizards_of

SLOTS = 3  # of the hash table, for each finding that there is room for


@structure
class Search:
    """A search for amulets: where it starts, what is likely, and what it costs from anywhere."""

    # where it starts
    started: bool
    cell: int
    amulets: int  # held
    vain: int  # wizards asked in vain

    # the holders of the lacking colours: a row is an assignment of these
    rows: int
    row_of: Ints1  # (holders)
    row_wizards: Ints1  # (rows): these holders
    share: Floats1  # (rows): how likely they are
    rivals: Ints1  # (wizards): all wizards of its colour
    beside: Ints2  # (wizards, sides): the sources beside it, in reading order

    # the findings
    findings: int
    slot: Ints1  # (slots): hash table of findings, or NONE
    gave: Ints1  # (findings): wizards
    refused: Ints1  # (findings): wizards asked in vain, of colours still lacking
    held: Ints1  # (findings): amulets
    after: Ints3  # (findings, wizards, 2): the finding after a wizard refused or gave, or NONE

    # what is known under a version of the shares
    version: int
    weighed: Ints1  # (findings): that version
    weight: Floats1  # (findings): of the rows that it leaves
    known: Ints2  # (findings, places): that version
    cost: Floats2  # (findings, places): the least expected cost from there

    # the search carried out
    route: Ints1  # (steps): actions
    actions: int  # how many these are
    asked: Ints1  # (wizards): one after the other
    interactions: int  # how many these are
    end: int  # the cell before the last walk, or where it got stuck
    end_held: int  # amulets held there


@compiled
def new_search(packed: Packed) -> Search:
    """Room for searches in any of some packed trials."""
    kept = Search()
    search = borrow(kept)
    wizards, goals = packed.wizard.shape[1], packed.chest.shape[1]
    search.row_of = np.empty(packed.holders, np.int64)
    search.row_wizards, search.share = np.empty(packed.holders, np.int64), np.empty(packed.holders)
    search.rivals, search.beside = np.empty(wizards, np.int64), np.empty((wizards, 4), np.int64)
    search.route = np.empty(longest_path(packed), np.int64)
    search.asked = np.empty(wizards, np.int64)
    make_room(search, 1, wizards, goals + 4 * wizards + 1)
    return kept


@compiled
def make_room(search: Search, room: int, wizards: int, places: int) -> None:
    """Room for so many findings; what was found before is lost."""
    search.slot = np.empty(SLOTS * room, np.int64)
    search.gave, search.refused = np.empty(room, np.int64), np.empty(room, np.int64)
    search.held, search.after = np.empty(room, np.int64), np.empty((room, wizards, 2), np.int64)
    search.weighed, search.weight = np.empty(room, np.int64), np.empty(room)
    search.known, search.cost = np.empty((room, places), np.int64), np.empty((room, places))


@inlined
def most_findings(world: World, lacking: int) -> int:
    """How many findings there can be: of each lacking colour, who gave or who else refused."""
    count = 1
    for colour in range(world.colours):
        if lacking >> colour & 1:
            wizards = wizards_of(world, colour)
            count *= (1 << wizards) - 1 + wizards
    return count


@inlined
def forget(search: Search) -> None:
    """Forget everything, for another trial."""
    search.started = False


@inlined
def start_place(search: Search) -> int:
    """The place that is the cell where the search starts; the other places are sources."""
    return search.cost.shape[1] - 1


@compiled
def add_finding(search: Search, gave: int, refused: int, held: int) -> int:
    """The number of a finding, a new one if it has none."""
    slot = slot_of(search, gave, refused)
    if search.slot[slot] != NONE:
        return int(search.slot[slot])
    new = search.findings
    search.findings, search.slot[slot] = new + 1, new
    search.gave[new], search.refused[new], search.held[new] = gave, refused, held
    search.weighed[new] = 0
    for wizard in range(search.after.shape[1]):
        search.after[new, wizard, 0] = search.after[new, wizard, 1] = NONE
    for place in range(search.known.shape[1]):
        search.known[new, place] = 0
    return new


@compiled
def slot_of(search: Search, gave: int, refused: int) -> int:
    """Where a finding is in the hash table, or would be."""
    slots = len(search.slot)
    slot = (gave % 1_000_003 * 7_919 + refused % 1_000_003 * 104_729) % slots
    while search.slot[slot] != NONE:
        finding = search.slot[slot]
        if search.gave[finding] == gave and search.refused[finding] == refused:
            break
        slot = (slot + 1) % slots
    return int(slot)
