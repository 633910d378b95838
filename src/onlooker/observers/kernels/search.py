"""Compiled: the least expected cost of searching for amulets, and the search behind it.

`start_search` says where a search starts, `set_holder_weights` how likely the holders are; then
`expected_cost` is E and `carry_out` follows the search in the trial's own world. `findings` has
what is remembered. `tests/observers/search_reference.py` is the plain version.
"""

from __future__ import annotations

import numpy as np

from onlooker.inference.kernels.tree import FINDINGS, Tree, has_room
from onlooker.inference.parameters import MARGIN
from onlooker.observers.kernels.findings import (
    GAVE,
    REFUSED,
    Search,
    add_finding,
    most_findings,
    start_place,
)
from onlooker.planning.compiling import compiled, inlined
from onlooker.planning.costs import distance
from onlooker.planning.structures import Floats1
from onlooker.planning.world import EMPTY, FAR, NONE, World

MOST_WIZARDS = 12  # of the needed colours, for an exact answer


@compiled
def start_search(world: World, tree: Tree, search: Search, cell: int, amulets: int) -> None:
    """Start from a cell, with some amulets held; the error says if there is no room."""
    search.cell = cell
    search.version += 1
    if search.started and search.amulets == amulets:
        return
    lacking = world.needed & ~amulets
    needed = most_findings(world, lacking)
    search.started = has_room(tree, FINDINGS, needed, len(search.said))
    if not search.started:
        return
    search.amulets, search.findings = amulets, 0
    for slot in range(len(search.slots)):
        search.slots[slot] = NONE
    lay_rows(world, search, lacking)
    add_finding(search, EMPTY, EMPTY, amulets)


@inlined
def lay_rows(world: World, search: Search, lacking: int) -> None:
    """Number the assignments of the holders of some colours."""
    search.rows = 1
    for h in range(world.assignments):
        row, rows, wizards = 0, 1, EMPTY
        for colour in range(world.colours):
            if lacking >> colour & 1:
                holder = world.holder_of[h, colour]
                count, rank = 0, 0
                for wizard in range(world.wizards):
                    if world.wizard_colour[wizard] == colour:
                        count += 1
                        rank += 1 if wizard < holder else 0
                row, rows, wizards = row * count + rank, rows * count, wizards | 1 << holder
        search.row_of[h], search.row_wizards[row], search.rows = row, wizards, rows


@compiled
def set_holder_weights(world: World, search: Search, weights: Floats1) -> None:
    """Let the holders be as likely as some weights say, in any unit."""
    search.version += 1
    for row in range(search.rows):
        search.share[row] = 0.0
    for h in range(world.assignments):
        search.share[search.row_of[h]] += weights[h]


@compiled
def expected_cost(world: World, search: Search) -> float:
    """E: what the best search costs on average, from where it starts to the chest."""
    explore(world, search, EMPTY, start_place(search))
    return float(search.cost[0, start_place(search)])


@compiled
def explore(world: World, search: Search, finding: int, place: int) -> None:
    """Work out the least expected cost from a place after a finding."""
    if search.known[finding, place] == search.version:
        return
    search.known[finding, place] = search.version
    held = search.held[finding]
    cell = cell_of(world, search, place)
    least = np.inf
    if not world.needed & ~held:
        walk = distance(world, world.main_goal, held, cell)
        search.cost[finding, place] = np.inf if walk >= FAR else float(walk)
        return
    for wizard in range(world.wizards):
        if not may_give(world, search, finding, wizard):
            continue
        gave, refused = search.after[finding, wizard, GAVE], search.after[finding, wizard, REFUSED]
        for side in range(world.sides[wizard]):
            source = world.beside[wizard, side]
            if distance(world, source, held, cell) < FAR:
                explore(world, search, gave, source)
                if weight_of(search, refused) > 0:
                    explore(world, search, refused, source)
                least = min(least, stop_cost(world, search, finding, cell, wizard, source))
    search.cost[finding, place] = least


@inlined
def cell_of(world: World, search: Search, place: int) -> int:
    """The cell of a place."""
    return search.cell if place == start_place(search) else world.source_cell[place]


@compiled
def may_give(world: World, search: Search, finding: int, wizard: int) -> bool:
    """Whether a wizard is of a lacking colour and can be its holder; what would be found then."""
    held, lacking = search.held[finding], world.needed & ~search.held[finding]
    gave, refused = search.said[finding, GAVE], search.said[finding, REFUSED]
    if not lacking >> world.wizard_colour[wizard] & 1 or refused >> wizard & 1:
        return False
    if search.after[finding, wizard, GAVE] == NONE:
        bit, rivals = 1 << wizard, EMPTY  # all wizards of its colour
        for other in range(world.wizards):
            if world.wizard_colour[other] == world.wizard_colour[wizard]:
                rivals |= 1 << other
        # What was asked in vain before does not matter once the holder is known.
        after_gave = add_finding(
            search, gave | bit, refused & ~rivals, held | 1 << world.wizard_colour[wizard]
        )
        search.after[finding, wizard, GAVE] = after_gave
        if rivals & ~refused != bit:  # else it must be the holder
            search.after[finding, wizard, REFUSED] = add_finding(search, gave, refused | bit, held)
    return weight_of(search, search.after[finding, wizard, GAVE]) > 0


@compiled
def weight_of(search: Search, finding: int) -> float:
    """How likely a finding is; NONE is what cannot be."""
    if finding == NONE:
        return 0.0
    if search.weighed[finding] != search.version:
        gave, refused, weight = search.said[finding, GAVE], search.said[finding, REFUSED], 0.0
        for row in range(search.rows):
            wizards = search.row_wizards[row]
            if not gave & ~wizards and not refused & wizards:
                weight += search.share[row]
        search.weight[finding], search.weighed[finding] = weight, search.version
    return float(search.weight[finding])


@compiled
def stop_cost(
    world: World, search: Search, finding: int, cell: int, wizard: int, source: int
) -> float:
    """The expected cost of walking from a cell to a source, asking a wizard, and going on."""
    gave, refused = search.after[finding, wizard, GAVE], search.after[finding, wizard, REFUSED]
    walk = distance(world, source, search.held[finding], cell)
    if walk >= FAR:
        return np.inf
    lucky, unlucky = weight_of(search, gave), weight_of(search, refused)
    on = lucky * search.cost[gave, source]
    if unlucky > 0:
        on += unlucky * search.cost[refused, source]
    return walk + world.interact + on / (lucky + unlucky)


@compiled
def next_stop(world: World, search: Search, finding: int, place: int) -> tuple[int, int]:
    """The wizard to ask next and the source to ask it from; NONE twice if there is no way."""
    explore(world, search, finding, place)
    cell, least = cell_of(world, search, place), search.cost[finding, place]
    if least < np.inf:
        for wizard in range(world.wizards):
            if may_give(world, search, finding, wizard):
                for side in range(world.sides[wizard]):
                    source = world.beside[wizard, side]
                    cost = stop_cost(world, search, finding, cell, wizard, source)
                    if cost <= least + MARGIN:
                        return wizard, source
    return NONE, NONE


@compiled
def carry_out(world: World, search: Search) -> bool:
    """Search for the true holders and walk to the chest; whether there is a way.

    Someone who believed what is not true and has nothing left to believe goes on as if every
    assignment that its own search leaves were equally likely.
    """
    finding, place, cell = EMPTY, start_place(search), search.cell
    search.actions, search.interactions = 0, 0
    while world.needed & ~search.held[finding]:
        if not weight_of(search, finding) > 0:
            search.version += 1
            for row in range(search.rows):
                search.share[row] = 1.0
        wizard, place = next_stop(world, search, finding, place)
        if wizard == NONE:
            break
        walk_to(world, search, place, search.held[finding], cell)
        cell = world.source_cell[place]
        for action in range(4):
            if world.ahead[cell, action] == world.wizard_cell[wizard]:
                search.route[search.actions] = action
        search.actions += 1
        search.asked[search.interactions] = wizard
        search.interactions += 1
        gives = world.holder_of[world.truth, world.wizard_colour[wizard]] == wizard
        finding = search.after[finding, wizard, GAVE if gives else REFUSED]
    search.end, search.end_held = cell, search.held[finding]
    if world.needed & ~search.end_held:
        return False
    if distance(world, world.main_goal, search.end_held, cell) >= FAR:
        return False
    walk_to(world, search, world.main_goal, search.end_held, cell)
    return True


@compiled
def walk_to(world: World, search: Search, source: int, held: int, cell: int) -> None:
    """Add the walk to a source that is in reach to the route; ties up, down, left, right."""
    left = distance(world, source, held, cell)
    while left:
        for action in range(4):
            there = world.ahead[cell, action]
            if there != NONE and distance(world, source, held, there) + world.move == left:
                search.route[search.actions] = action
                search.actions += 1
                cell, left = there, left - world.move
                break
