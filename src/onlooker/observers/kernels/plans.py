"""Compiled: all searches for amulets that can be the best one, and what each costs.

A plan says whom to ask after every finding. What it costs on average is a sum over the assignments
of holders, each as likely as it is, so the least expected cost of a search (`search`) is that of
the best plan. A plan that costs no less than another whoever the holders are is left out, and then
few remain: they are worked out once, and every belief is weighed against them.
"""

from __future__ import annotations

import numpy as np

from onlooker.inference.kernels.tree import FULL, PLANS, Tree
from onlooker.observers.kernels.findings import Search, start_place
from onlooker.observers.kernels.search import cell_of, expected_cost, may_give, start_search
from onlooker.planning.compiling import compiled, inlined
from onlooker.planning.costs import distance
from onlooker.planning.structures import Bools1, Floats1, Floats2, Ints2, axes, structure
from onlooker.planning.world import EMPTY, FAR, NONE, World

MOST_PLANS = 1 << 14  # from all places together; where there are more, each search is explored


@structure
class Plans:
    """What plans cost from the start of a search and from every place that it can come to."""

    # the start that they are for
    laid: bool
    cell: int
    amulets: int

    crowded: bool  # there are too many of them
    outgrown: bool  # there is no room for all of them
    count: int
    starting: int  # how many there are from the start
    cost: Floats2 = axes("plans", "holders")  # if the holders are those of a row
    first: Ints2 = axes("findings", "places")  # the first one from a place, or NONE
    last: Ints2 = axes("findings", "places")  # the one after the last
    start: Floats2 = axes("holders", "plans")  # what those from the start cost
    sums: Floats1 = axes("plans")  # the same on average
    new: Floats1 = axes("holders")  # the costs of a plan that may be added
    fits: Bools1 = axes("holders")  # whether a row is possible after the finding at hand


@inlined
def lay_plans(
    world: World, tree: Tree, search: Search, plans: Plans, cell: int, amulets: int
) -> None:
    """Work out the plans of a search from a cell with some amulets, if others are laid."""
    start_search(world, tree, search, cell, amulets)
    if tree.error or (plans.laid and plans.cell == cell and plans.amulets == amulets):
        return
    plans.crowded, plans.outgrown, plans.count = False, False, 0
    for finding in range(len(plans.first)):
        for place in range(plans.first.shape[1]):
            plans.first[finding, place] = plans.last[finding, place] = NONE
    for row in range(search.rows):
        search.share[row] = 1.0
    place = start_place(search)
    plan(world, search, plans, EMPTY, place)
    if plans.outgrown:
        tree.error, tree.full = FULL, PLANS
        return
    plans.laid, plans.cell, plans.amulets = True, cell, amulets
    first, last = plans.first[0, place], plans.last[0, place]
    plans.starting = last - first
    for row in range(search.rows):
        for index in range(first, last):
            plans.start[row, index - first] = plans.cost[index, row]


@compiled
def plan(world: World, search: Search, plans: Plans, finding: int, place: int) -> None:
    """Work out the plans from a place after a finding."""
    if plans.crowded or plans.outgrown or plans.first[finding, place] != NONE:
        return
    held, cell = search.held[finding], cell_of(world, search, place)
    if not world.needed & ~held:
        plans.first[finding, place] = plans.count
        for row in range(search.rows):
            walk = distance(world, world.main_goal, held, cell)
            plans.new[row] = np.inf if walk >= FAR else float(walk)
        append(plans)
        plans.last[finding, place] = plans.count
        return
    # The plans from a place lie side by side, so those that they go on with come first.
    for wizard in range(world.wizards):
        if may_give(world, search, finding, wizard):
            for side in range(world.sides[wizard]):
                source = search.beside[wizard, side]
                if distance(world, source, held, cell) < FAR:
                    plan(world, search, plans, search.after[finding, wizard, 1], source)
                    if search.after[finding, wizard, 0] != NONE:
                        plan(world, search, plans, search.after[finding, wizard, 0], source)
    plans.first[finding, place] = plans.count
    gave, refused = search.gave[finding], search.refused[finding]
    for row in range(search.rows):
        wizards = search.row_wizards[row]
        plans.fits[row] = not gave & ~wizards and not refused & wizards
    for wizard in range(world.wizards):
        if may_give(world, search, finding, wizard):
            for side in range(world.sides[wizard]):
                source = search.beside[wizard, side]
                walk = distance(world, source, held, cell)
                if walk < FAR:
                    step = float(walk + world.interact)
                    add_plans_asking(search, plans, finding, place, wizard, source, step)
    plans.last[finding, place] = plans.count


@inlined
def add_plans_asking(
    search: Search,
    plans: Plans,
    finding: int,
    place: int,
    wizard: int,
    source: int,
    step: float,
) -> None:
    """Add the plans that begin with asking a wizard from a source, for so many points."""
    gave, refused = search.after[finding, wizard, 1], search.after[finding, wizard, 0]
    begin, end = NONE, EMPTY  # one plan if it must be the holder, or if there is no way on
    if refused != NONE and plans.last[refused, source] > plans.first[refused, source]:
        begin, end = plans.first[refused, source], plans.last[refused, source]
    for lucky in range(plans.first[gave, source], plans.last[gave, source]):
        for unlucky in range(begin, end):
            for row in range(search.rows):
                cost = 0.0
                if plans.fits[row]:
                    if search.row_wizards[row] >> wizard & 1:
                        cost = step + plans.cost[lucky, row]
                    else:
                        cost = np.inf if unlucky == NONE else step + plans.cost[unlucky, row]
                plans.new[row] = cost
            if is_undominated(search, plans, plans.first[finding, place]):
                append(plans)


@compiled
def is_undominated(search: Search, plans: Plans, first: int) -> bool:
    """Whether no plan from one on is as good as the new one; those that it undercuts are gone."""
    other = first
    while other < plans.count:
        as_good, no_better = True, True
        for row in range(search.rows):
            as_good &= plans.cost[other, row] <= plans.new[row]
            no_better &= plans.cost[other, row] >= plans.new[row]
        if as_good:
            return False
        if no_better:
            plans.count -= 1
            for row in range(search.rows):
                plans.cost[other, row] = plans.cost[plans.count, row]
        else:
            other += 1
    return True


@compiled
def append(plans: Plans) -> None:
    """Add the new plan, as long as there are not too many."""
    if plans.count == MOST_PLANS:
        plans.crowded = True
        return
    if plans.count == len(plans.cost):
        plans.outgrown = True
        return
    for row in range(len(plans.new)):
        plans.cost[plans.count, row] = plans.new[row]
    plans.count += 1


@compiled
def search_cost(world: World, search: Search, plans: Plans) -> float:
    """E, as `search.expected_cost` gives it: what the best plan costs on average."""
    if plans.crowded:
        return expected_cost(world, search)
    sums, count, total, least = plans.sums, plans.starting, 0.0, np.inf
    for index in range(count):
        sums[index] = 0.0
    for row in range(search.rows):
        share, costs = search.share[row], plans.start[row]
        if share > 0:
            total += share
            for index in range(count):
                sums[index] += share * costs[index]
    for index in range(count):
        least = min(least, sums[index])
    return least / total
