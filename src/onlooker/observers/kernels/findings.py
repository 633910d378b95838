"""Compiled: what a search for amulets remembers.

A finding is what the search has found out so far: which wizards gave their amulets, and which of
the colours still lacking were asked in vain. A place is where it stands: the cell where it starts,
or a source, which is a cell beside a wizard.
"""

from __future__ import annotations

from onlooker.observers.kernels.listing import SLOTS, intern_row
from onlooker.planning.compiling import compiled, inlined
from onlooker.planning.structures import (
    Floats1,
    Floats2,
    Ints1,
    Ints2,
    Ints3,
    axes,
    span,
    structure,
)
from onlooker.planning.world import NONE, World, wizards_of

REFUSED, GAVE = range(2)  # what a wizard said


@structure
class Search:
    """A search for amulets: where it starts, what is likely, and what it costs from anywhere."""

    # where it starts
    started: bool
    cell: int
    amulets: int  # held

    # the holders of the lacking colours: a row is an assignment of these
    rows: int
    row_of: Ints1 = axes("assignments")
    row_wizards: Ints1 = axes("assignments")  # these holders
    share: Floats1 = axes("assignments")  # how likely they are

    # the findings
    findings: int
    slot: Ints2 = axes("findings", SLOTS)  # hash table of findings, or NONE
    slots: Ints1 = span("slot", "slot")  # the same as one row
    said: Ints2 = axes("findings", 2)  # who REFUSED, of colours still lacking, and who GAVE
    new: Ints1 = axes(2)  # the same of one that may be new
    held: Ints1 = axes("findings")  # amulets
    after: Ints3 = axes("findings", "wizards", 2)  # a wizard REFUSED or GAVE, or NONE

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
def start_place(search: Search) -> int:
    """The place that is the cell where the search starts; the other places are sources."""
    return search.cost.shape[1] - 1


@compiled
def add_finding(search: Search, gave: int, refused: int, held: int) -> int:
    """The number of a finding, a new one if it has none."""
    search.new[GAVE], search.new[REFUSED] = gave, refused
    finding = intern_row(search.said, search.slots, search.findings, search.new)
    if finding == search.findings:
        search.findings += 1
        search.held[finding], search.weighed[finding] = held, 0
        for wizard in range(search.after.shape[1]):
            search.after[finding, wizard, GAVE] = search.after[finding, wizard, REFUSED] = NONE
        for place in range(search.known.shape[1]):
            search.known[finding, place] = 0
    return finding
