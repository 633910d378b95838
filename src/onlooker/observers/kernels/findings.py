"""Compiled: what a search for amulets remembers.

A finding is what the search has found out so far: which wizards gave their amulets, and which of
the colours still lacking were asked in vain. A place is where it stands: the cell where it starts,
or a source, which is a cell beside a wizard.
"""

from __future__ import annotations

from onlooker.planning.compiling import compiled, inlined
from onlooker.planning.structures import Floats1, Floats2, Ints1, Ints2, Ints3, axes, structure
from onlooker.planning.world import NONE, World, wizards_of

SLOTS = 3  # of the hash table, for each finding that there is room for


@structure
class Search:
    """A search for amulets: where it starts, what is likely, and what it costs from anywhere."""

    # where it starts
    started: bool
    cell: int
    amulets: int  # held

    # the holders of the lacking colours: a row is an assignment of these
    rows: int
    row_of: Ints1 = axes("holders")
    row_wizards: Ints1 = axes("holders")  # these holders
    share: Floats1 = axes("holders")  # how likely they are
    rivals: Ints1 = axes("wizards")  # all wizards of its colour
    beside: Ints2 = axes("wizards", 4)  # the sources beside it, in reading order

    # the findings
    findings: int
    slot: Ints2 = axes("findings", SLOTS)  # hash table of findings, or NONE
    gave: Ints1 = axes("findings")  # wizards
    refused: Ints1 = axes("findings")  # wizards asked in vain, of colours still lacking
    held: Ints1 = axes("findings")  # amulets
    after: Ints3 = axes("findings", "wizards", 2)  # after a wizard refused or gave, or NONE

    # what is known under a version of the shares
    version: int
    weighed: Ints1 = axes("findings")  # that version
    weight: Floats1 = axes("findings")  # of the rows that it leaves
    known: Ints2 = axes("findings", "places")  # that version
    cost: Floats2 = axes("findings", "places")  # the least expected cost from there

    # the search carried out
    route: Ints1 = axes("steps")  # actions
    actions: int  # how many these are
    asked: Ints1 = axes("wizards")  # one after the other
    interactions: int  # how many these are
    end: int  # the cell before the last walk, or where it got stuck
    end_held: int  # amulets held there


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
    slot, slots = slot_of(search, gave, refused), search.slot.reshape(-1)
    if slots[slot] != NONE:
        return int(slots[slot])
    new = search.findings
    search.findings, slots[slot] = new + 1, new
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
    slots = search.slot.reshape(-1)
    slot = (gave % 1_000_003 * 7_919 + refused % 1_000_003 * 104_729) % len(slots)
    while slots[slot] != NONE:
        finding = slots[slot]
        if search.gave[finding] == gave and search.refused[finding] == refused:
            break
        slot = (slot + 1) % len(slots)
    return int(slot)
