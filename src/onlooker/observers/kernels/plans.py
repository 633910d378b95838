"""Compiled: all searches for amulets that can be the best one, and what each costs.

A plan says whom to ask after every finding. What it costs on average is a sum over the assignments
of holders, each as likely as it is, so the least expected cost of a search (`search`) is that of
the best plan. A plan that costs no less than another whoever the holders are is left out, and then
few remain: they are worked out once, and every belief is weighed against them.
"""

from __future__ import annotations

import numpy as np

from onlooker.inference.kernels.tree import PLANS, Tree, has_room
from onlooker.observers.kernels.findings import GAVE, REFUSED, Search, start_place
from onlooker.observers.kernels.search import cell_of, expected_cost, may_give, start_search
from onlooker.planning.compiling import compiled, inlined
from onlooker.planning.costs import distance
from onlooker.planning.structures import Bools1, Floats1, Floats2, Ints1, Ints2, axes, structure
from onlooker.planning.world import EMPTY, FAR, NONE, World

MOST_PLANS = 1 << 14  # from all places together; where there are more, each search is explored


@structure
class Lookahead:
    """What is remembered to look ahead: the plans of acting, and what could be seen of an NPC."""

    caution: float  # between the expected cost (0) and the worst case (1)

    # the plans, from one start of a search and from every place that it can come to
    laid: bool  # from where the search starts
    crowded: bool  # there are too many of them
    plans: int
    starting: int  # how many there are from the start
    plan_cost: Floats2 = axes("plans", "assignments")  # if the holders are those of a row
    first: Ints2 = axes("findings", "places")  # the first one from a place, or NONE
    last: Ints2 = axes("findings", "places")  # the one after the last
    start: Floats2 = axes("assignments", "plans")  # what those from the start cost
    sums: Floats1 = axes("plans")  # the same on average
    new: Floats1 = axes("assignments")  # the costs of a plan that may be added
    fits: Bools1 = axes("assignments")  # whether a row is possible after the finding at hand

    # what acting would cost with the belief at a node
    cost: Floats1 = axes("nodes")
    cost_version: Ints1 = axes("nodes")  # of the evidence

    # the tree of what could be seen of the NPC at hand
    trees: int  # how many there were
    in_tree: Ints1 = axes("nodes")  # the last one that it was in
    order: Ints1 = axes("nodes")  # those in it, each after the one that it follows
    before: Ints1 = axes("nodes")  # the one that it follows
    mass: Floats1 = axes("nodes")  # the chance of coming through it
    mass_after: Floats1 = axes("nodes")  # of coming through one that follows it
    cost_after: Floats1 = axes("nodes")  # that chance times the cost from there
    place: Ints1 = axes("lanes")  # the node that a hypothesis has come to, NONE if it ends
    weight: Floats1 = axes("lanes")  # its present probability


@inlined
def lay_plans(world: World, tree: Tree, search: Search, ahead: Lookahead) -> None:
    """Work out the plans from where the main agent stands, if these are needed and not laid."""
    cell, amulets = tree.cell_now, tree.amulets_now
    if ahead.caution == 1 or (ahead.laid and search.cell == cell and search.amulets == amulets):
        return
    ahead.laid, ahead.crowded, ahead.plans = False, False, 0
    start_search(world, tree, search, cell, amulets)
    for finding in range(len(ahead.first)):
        for place in range(ahead.first.shape[1]):
            ahead.first[finding, place] = ahead.last[finding, place] = NONE
    for row in range(search.rows):
        search.share[row] = 1.0
    place = start_place(search)
    plan(world, tree, search, ahead, EMPTY, place)
    if tree.error:
        return
    first, last = ahead.first[0, place], ahead.last[0, place]
    ahead.laid, ahead.starting = True, last - first
    for row in range(search.rows):
        for index in range(first, last):
            ahead.start[row, index - first] = ahead.plan_cost[index, row]


@compiled
def plan(
    world: World, tree: Tree, search: Search, ahead: Lookahead, finding: int, place: int
) -> None:
    """Work out the plans from a place after a finding."""
    if ahead.crowded or tree.error or ahead.first[finding, place] != NONE:
        return
    held, cell = search.held[finding], cell_of(world, search, place)
    if not world.needed & ~held:
        ahead.first[finding, place] = ahead.plans
        for row in range(search.rows):
            walk = distance(world, world.main_goal, held, cell)
            ahead.new[row] = np.inf if walk >= FAR else float(walk)
        append(tree, ahead)
        ahead.last[finding, place] = ahead.plans
        return
    # The plans from a place lie side by side, so those that they go on with come first.
    for wizard in range(world.wizards):
        if may_give(world, search, finding, wizard):
            for side in range(world.sides[wizard]):
                source = world.beside[wizard, side]
                if distance(world, source, held, cell) < FAR:
                    for said in (GAVE, REFUSED):
                        after = search.after[finding, wizard, said]
                        if after != NONE:
                            plan(world, tree, search, ahead, after, source)
    ahead.first[finding, place] = ahead.plans
    gave, refused = search.said[finding, GAVE], search.said[finding, REFUSED]
    for row in range(search.rows):
        wizards = search.row_wizards[row]
        ahead.fits[row] = not gave & ~wizards and not refused & wizards
    for wizard in range(world.wizards):
        if may_give(world, search, finding, wizard):
            for side in range(world.sides[wizard]):
                source = world.beside[wizard, side]
                walk = distance(world, source, held, cell)
                if walk < FAR:
                    step = float(walk + world.interact)
                    add_plans_asking(tree, search, ahead, finding, place, wizard, source, step)
    ahead.last[finding, place] = ahead.plans


@inlined
def add_plans_asking(
    tree: Tree,
    search: Search,
    ahead: Lookahead,
    finding: int,
    place: int,
    wizard: int,
    source: int,
    step: float,
) -> None:
    """Add the plans that begin with asking a wizard from a source, for so many points."""
    gave, refused = search.after[finding, wizard, GAVE], search.after[finding, wizard, REFUSED]
    begin, end = NONE, EMPTY  # one plan if it must be the holder, or if there is no way on
    if refused != NONE and ahead.last[refused, source] > ahead.first[refused, source]:
        begin, end = ahead.first[refused, source], ahead.last[refused, source]
    for lucky in range(ahead.first[gave, source], ahead.last[gave, source]):
        for unlucky in range(begin, end):
            for row in range(search.rows):
                cost = 0.0
                if ahead.fits[row]:
                    if search.row_wizards[row] >> wizard & 1:
                        cost = step + ahead.plan_cost[lucky, row]
                    else:
                        cost = np.inf if unlucky == NONE else step + ahead.plan_cost[unlucky, row]
                ahead.new[row] = cost
            if is_undominated(search, ahead, ahead.first[finding, place]):
                append(tree, ahead)


@compiled
def is_undominated(search: Search, ahead: Lookahead, first: int) -> bool:
    """Whether no plan from one on is as good as the new one; those that it undercuts are gone."""
    other = first
    while other < ahead.plans:
        as_good, no_better = True, True
        for row in range(search.rows):
            as_good &= ahead.plan_cost[other, row] <= ahead.new[row]
            no_better &= ahead.plan_cost[other, row] >= ahead.new[row]
        if as_good:
            return False
        if no_better:
            ahead.plans -= 1
            for row in range(search.rows):
                ahead.plan_cost[other, row] = ahead.plan_cost[ahead.plans, row]
        else:
            other += 1
    return True


@compiled
def append(tree: Tree, ahead: Lookahead) -> None:
    """Add the new plan, as long as there are not too many."""
    ahead.crowded |= ahead.plans == MOST_PLANS
    if not ahead.crowded and has_room(tree, PLANS, ahead.plans + 1, len(ahead.plan_cost)):
        for row in range(len(ahead.new)):
            ahead.plan_cost[ahead.plans, row] = ahead.new[row]
        ahead.plans += 1


@compiled
def search_cost(world: World, search: Search, ahead: Lookahead) -> float:
    """E, as `search.expected_cost` gives it: what the best plan costs on average."""
    if ahead.crowded:
        return expected_cost(world, search)
    sums, count, total, least = ahead.sums, ahead.starting, 0.0, np.inf
    for index in range(count):
        sums[index] = 0.0
    for row in range(search.rows):
        share, costs = search.share[row], ahead.start[row]
        if share > 0:
            total += share
            for index in range(count):
                sums[index] += share * costs[index]
    for index in range(count):
        least = min(least, sums[index])
    return least / total
