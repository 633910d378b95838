"""Compiled: acting alone, the tours through candidates and what they cost.

A target is a chest or, after the chests, a wizard. `reference.tour` is the plain version.
"""

from __future__ import annotations

import numpy as np

from onlooker.inference.kernels.tree import MAIN_STUCK, Tree
from onlooker.observers.kernels.thoughts import TOURS, Thoughts
from onlooker.planning.compiling import compiled, inlined
from onlooker.planning.costs import asking, distance
from onlooker.planning.structures import Floats1
from onlooker.planning.world import EMPTY, FAR, NONE, World


@compiled
def leg_cost(world: World, target: int, amulets: int, cell: int) -> int:
    """The least points of a walk from a cell to a target, asking nobody else; from nowhere FAR."""
    if cell == NONE:
        return FAR
    if target < world.goals:
        return distance(world, target, amulets, cell)
    return asking(world, target - world.goals, amulets, cell)


@compiled
def next_action(world: World, target: int, amulets: int, cell: int) -> tuple[int, bool]:
    """The first action of the best walk to a target, and whether it asks the wizard there."""
    left = leg_cost(world, target, amulets, cell)
    wizard_cell = NONE if target < world.goals else world.wizard_cell[target - world.goals]
    for action in range(4):
        there = world.ahead[cell, action]
        if there == NONE:
            continue
        if there == wizard_cell and left == world.interact:
            return action, True
        if leg_cost(world, target, amulets, there) + world.move == left:
            return action, False
    return NONE, False


@compiled
def leg_end(world: World, target: int, amulets: int, cell: int) -> int:
    """The cell where the best walk to a target ends, NONE if there is no way."""
    if leg_cost(world, target, amulets, cell) >= FAR:
        return NONE
    if target < world.goals:
        return int(world.chest_cell[target])
    end, ends = NONE, 0
    for side in range(world.sides[target - world.goals]):
        source = world.beside[target - world.goals, side]
        if distance(world, source, amulets, cell) < FAR:
            end, ends = world.source_cell[source], ends + 1
    if ends == 1:
        return int(end)
    asks = False
    while not asks:
        action, asks = next_action(world, target, amulets, cell)
        if not asks:
            cell = world.ahead[cell, action]
    return cell


@compiled
def take_leg(world: World, thoughts: Thoughts, target: int, amulets: int, cell: int) -> int:
    """Walk to a target that is in reach, adding to the route; the cell where that ends."""
    asks = False
    while leg_cost(world, target, amulets, cell) and not asks:
        action, asks = next_action(world, target, amulets, cell)
        thoughts.route[thoughts.actions] = action
        thoughts.actions += 1
        if not asks:
            cell = world.ahead[cell, action]
    return cell


@compiled
def go(world: World, thoughts: Thoughts, target: int, amulets: int, cell: int, routed: bool) -> int:
    """The same as `take_leg`, but actions are only counted if no route is wanted."""
    if routed:
        return take_leg(world, thoughts, target, amulets, cell)
    cost, asks = leg_cost(world, target, amulets, cell), target >= world.goals
    moves = (cost - world.interact if asks else cost) // world.move
    thoughts.actions += moves + asks
    return leg_end(world, target, amulets, cell)


@compiled
def colours_of(world: World, wizards: int) -> int:
    """The amulets of some wizards."""
    amulets = EMPTY
    for wizard in range(world.wizards):
        if wizards >> wizard & 1:
            amulets |= 1 << world.wizard_colour[wizard]
    return amulets


@compiled
def tour(world: World, thoughts: Thoughts, amulets: int, cell: int, wizards: int) -> int:
    """Write into `order` how wizards are visited, nearest first; how many they are.

    The nearest is looked for from each stop or, with order="fixed", from the first cell alone. An
    amulet is counted as held when all wizards of its colour have been visited.
    """
    count, left, colours = 0, wizards, colours_of(world, wizards)
    while left:
        held = amulets if thoughts.fixed else amulets | colours & ~colours_of(world, left)
        nearest, least = NONE, FAR
        for wizard in range(world.wizards):
            if left >> wizard & 1:
                cost = leg_cost(world, world.goals + wizard, held, cell)
                if nearest == NONE or cost < least:
                    nearest, least = wizard, cost
        if not thoughts.fixed:
            cell = leg_end(world, world.goals + nearest, held, cell)
        left &= ~(1 << nearest)
        thoughts.order[count] = nearest
        count += 1
    return count


@inlined
def worst_cost(world: World, tree: Tree, thoughts: Thoughts, wizards: int) -> float:
    """What the tour through all wizards and on to the chest costs, as if the last one gave."""
    cell, amulets, total, left = tree.cell_now, tree.amulets_now, 0, wizards
    colours = colours_of(world, wizards)
    for index in range(tour(world, thoughts, amulets, cell, wizards)):
        wizard = thoughts.order[index]
        held = amulets | colours & ~colours_of(world, left)
        total += leg_cost(world, world.goals + wizard, held, cell)
        cell = leg_end(world, world.goals + wizard, held, cell)
        left &= ~(1 << wizard)
    total += leg_cost(world, world.main_goal, amulets | world.needed, cell)
    return np.inf if total >= FAR else float(total)


@inlined
def lucky_cost(world: World, tree: Tree, thoughts: Thoughts, count: int, holders: int) -> float:
    """What the tour in `order` costs when some wizards are the holders: others are skipped."""
    cell, amulets, total = tree.cell_now, tree.amulets_now, 0
    for index in range(count):
        wizard = thoughts.order[index]
        amulet = 1 << world.wizard_colour[wizard]
        if amulets & amulet:
            continue
        total += leg_cost(world, world.goals + wizard, amulets, cell)
        cell = leg_end(world, world.goals + wizard, amulets, cell)
        if holders >> wizard & 1:
            amulets |= amulet
    total += leg_cost(world, world.main_goal, amulets | world.needed, cell)
    return np.inf if total >= FAR else float(total)


@inlined
def expected_cost(
    world: World, tree: Tree, thoughts: Thoughts, wizards: int, chances: Floats1
) -> float:
    """What the tour costs on average, when wizards are holders in proportion to their chances."""
    count = tour(world, thoughts, tree.amulets_now, tree.cell_now, wizards)
    digit = thoughts.digit  # which of the candidates of each colour gives
    for colour in range(world.colours):
        digit[colour] = 0
    average = 0.0
    while True:
        holders, weight, carry = EMPTY, 1.0, True
        for colour in range(world.colours):
            rank, total, chance = 0, 0.0, 0.0
            for wizard in range(world.wizards):
                if wizards >> wizard & 1 and world.wizard_colour[wizard] == colour:
                    total += chances[wizard]
                    if rank == digit[colour]:
                        holders |= 1 << wizard
                        chance = chances[wizard]
                    rank += 1
            if rank:
                weight *= chance / total
            if carry and rank:
                digit[colour] += 1
                carry = digit[colour] == rank
                if carry:
                    digit[colour] = 0
        if weight > 0:
            average += weight * lucky_cost(world, tree, thoughts, count, holders)
        if carry:
            return average


@compiled
def c_self(world: World, tree: Tree, thoughts: Thoughts, wizards: int, chances: Floats1) -> float:
    """What acting now costs, going for some candidates of which each has a chance."""
    if thoughts.expected:
        return expected_cost(world, tree, thoughts, wizards, chances)
    for index in range(thoughts.tours):
        if (
            thoughts.tour_wizards[index] == wizards
            and thoughts.tour_cell[index] == tree.cell_now
            and thoughts.tour_amulets[index] == tree.amulets_now
        ):
            return thoughts.tour_cost[index]
    cost = worst_cost(world, tree, thoughts, wizards)
    if thoughts.tours == TOURS:
        thoughts.tours = 0
    thoughts.tour_wizards[thoughts.tours], thoughts.tour_cost[thoughts.tours] = wizards, cost
    thoughts.tour_cell[thoughts.tours] = tree.cell_now
    thoughts.tour_amulets[thoughts.tours] = tree.amulets_now
    thoughts.tours += 1
    return cost


@compiled
def act(world: World, tree: Tree, thoughts: Thoughts, wizards: int, routed: bool) -> None:
    """Go for the candidates in the tour's order, then for other wizards if need be, to the chest.

    A colour is skipped once its amulet is held, and a wizard that cannot be reached when its turn
    comes is left for later. The actions are left in `route`, if that is wanted.
    """
    cell, amulets, asked, wanted = world.main_cell, EMPTY, EMPTY, wizards
    thoughts.actions, thoughts.interactions = 0, 0
    while world.needed & ~amulets:
        before = asked
        stops = tour(world, thoughts, amulets, cell, wanted)
        index = 0
        while index < stops:
            wizard = thoughts.order[index]
            index += 1
            colour, target = world.wizard_colour[wizard], world.goals + wizard
            if asked >> wizard & 1 or not (world.needed & ~amulets) >> colour & 1:
                continue
            if leg_cost(world, target, amulets, cell) >= FAR:
                continue
            cell = go(world, thoughts, target, amulets, cell, routed)
            asked |= 1 << wizard
            thoughts.interactions += 1
            if world.holder_of[world.truth, colour] == wizard:
                amulets |= 1 << colour
                index = 0  # what was out of reach may be in reach now
        untried = EMPTY
        for wizard in range(world.wizards):
            if (world.needed & ~amulets) >> world.wizard_colour[wizard] & 1:
                untried |= 1 << wizard & ~asked
        if asked == before and not untried & ~wanted:
            stuck(tree, cell, amulets)
            return
        wanted = untried
    if leg_cost(world, world.main_goal, amulets, cell) >= FAR:
        stuck(tree, cell, amulets)
        return
    go(world, thoughts, world.main_goal, amulets, cell, routed)


@inlined
def stuck(tree: Tree, cell: int, amulets: int) -> None:
    """Say that the main agent cannot go on from a cell."""
    tree.error, tree.error_cell, tree.error_amulets = MAIN_STUCK, cell, amulets
