"""Compiled: acting alone, the tours through candidates and what they cost.

`reference_tour` is the plain version. `planning.memory` says what the arguments are.
"""

from __future__ import annotations

import numpy as np

from onlooker.inference.kernels.codes import MAIN_STUCK, TOO_LONG
from onlooker.planning.compiling import compiled
from onlooker.planning.kernels import ahead, fill, walk
from onlooker.planning.memory import EMPTY, FAR, NONE, Floats, Ints, Points, Record


@compiled
def leg_cost(s: Record, i: Ints, c: Points, target: int, amulets: int, cell: int) -> int:
    """The least points of a walk from a cell to a target, from nowhere FAR."""
    return FAR if cell == NONE else int(c[walk(s, i, c, target, amulets) + cell])


@compiled
def leg_end(
    s: Record, i: Ints, c: Points, target: int, amulets: int, cell: int, route: int, count: int
) -> tuple[int, int]:
    """Where a walk to a target ends, up before down before left before right.

    The actions are written behind the first `count` of a route, unless that is NONE.
    """
    if leg_cost(s, i, c, target, amulets, cell) >= FAR:
        return NONE, count
    table = walk(s, i, c, target, amulets)
    wizard = i[s.wizard_cell + target - s.goals] if target >= s.goals else NONE
    while c[table + cell]:
        for action in range(4):
            there = ahead(s, cell, action)
            asks = there == wizard and c[table + cell] == s.interact
            if asks or c[table + there] + s.move == c[table + cell]:
                if route != NONE:
                    if count >= s.moves:
                        s.error = TOO_LONG
                        return NONE, count
                    i[route + count] = action
                count += 1
                break
        if asks:
            break
        cell = there
    return cell, count


@compiled
def colours_of(s: Record, i: Ints, wizards: int) -> int:
    """The amulets of some wizards."""
    amulets = EMPTY
    for wizard in range(s.wizards):
        if wizards >> wizard & 1:
            amulets |= 1 << i[s.wizard_colour + wizard]
    return amulets


@compiled
def tour(s: Record, i: Ints, c: Points, amulets: int, cell: int, wizards: int) -> int:
    """Put into `order` how wizards are visited, nearest first; how many they are.

    The nearest is looked for from each stop or, with order="fixed", from the first cell alone. An
    amulet is counted as held when all wizards of its colour have been visited.
    """
    count, left, colours = 0, wizards, colours_of(s, i, wizards)
    while left:
        held = amulets if s.fixed else amulets | colours & ~colours_of(s, i, left)
        nearest, least = NONE, FAR
        for wizard in range(s.wizards):
            if left >> wizard & 1:
                cost = leg_cost(s, i, c, s.goals + wizard, held, cell)
                if nearest == NONE or cost < least:
                    nearest, least = wizard, cost
        if not s.fixed:
            cell, _ = leg_end(s, i, c, s.goals + nearest, held, cell, NONE, EMPTY)
        left &= ~(1 << nearest)
        i[s.order + count] = nearest
        count += 1
    return count


@compiled
def worst_cost(s: Record, i: Ints, c: Points, wizards: int) -> float:
    """What the tour through all wizards and on to the chest costs, as if the last one gave."""
    cell, total, left = s.cell, 0, wizards
    colours = colours_of(s, i, wizards)
    for index in range(tour(s, i, c, s.amulets, cell, wizards)):
        wizard = i[s.order + index]
        held = s.amulets | colours & ~colours_of(s, i, left)
        total += leg_cost(s, i, c, s.goals + wizard, held, cell)
        cell, _ = leg_end(s, i, c, s.goals + wizard, held, cell, NONE, EMPTY)
        left &= ~(1 << wizard)
    total += leg_cost(s, i, c, s.main_goal, s.amulets | s.needed, cell)
    return np.inf if total >= FAR else float(total)


@compiled
def lucky_cost(s: Record, i: Ints, c: Points, count: int, holders: int) -> float:
    """What the tour in `order` costs when some wizards are the holders: others are skipped."""
    cell, amulets, total = s.cell, s.amulets, 0
    for index in range(count):
        wizard = i[s.order + index]
        bit = 1 << i[s.wizard_colour + wizard]
        if amulets & bit:
            continue
        total += leg_cost(s, i, c, s.goals + wizard, amulets, cell)
        cell, _ = leg_end(s, i, c, s.goals + wizard, amulets, cell, NONE, EMPTY)
        if holders >> wizard & 1:
            amulets |= bit
    total += leg_cost(s, i, c, s.main_goal, amulets | s.needed, cell)
    return np.inf if total >= FAR else float(total)


@compiled
def expected_cost(s: Record, i: Ints, f: Floats, c: Points, wizards: int, belief: int) -> float:
    """What the tour costs on average; without a belief every wizard is as likely as another."""
    count = tour(s, i, c, s.amulets, s.cell, wizards)
    fill(i, s.digit, s.colours, 0)  # which of the candidates of each colour gives
    average = 0.0
    while True:
        holders, weight, carry = EMPTY, 1.0, True
        for colour in range(s.colours):
            rank, total, chance = 0, 0.0, 0.0
            for wizard in range(s.wizards):
                if wizards >> wizard & 1 and i[s.wizard_colour + wizard] == colour:
                    p = f[belief + wizard] if belief != NONE else 1.0
                    total += p
                    if rank == i[s.digit + colour]:
                        holders |= 1 << wizard
                        chance = p
                    rank += 1
            if rank:
                weight *= chance / total
            if carry and rank:
                i[s.digit + colour] += 1
                carry = i[s.digit + colour] == rank
                if carry:
                    i[s.digit + colour] = 0
        if weight > 0:
            average += weight * lucky_cost(s, i, c, count, holders)
        if carry:
            return average


@compiled
def c_self(s: Record, i: Ints, f: Floats, c: Points, wizards: int, belief: int) -> float:
    """What acting now costs, going for some candidates; `belief` is a place in f or NONE."""
    if s.expected:
        return expected_cost(s, i, f, c, wizards, belief)
    for index in range(s.tour_count):
        if i[s.tour_key + index] == wizards:
            return f[s.tour_cost + index]
    cost = worst_cost(s, i, c, wizards)
    if s.tour_count < s.tours:
        i[s.tour_key + s.tour_count] = wizards
        f[s.tour_cost + s.tour_count] = cost
        s.tour_count += 1
    return cost


@compiled
def act(s: Record, i: Ints, c: Points, wizards: int) -> tuple[int, int]:
    """Go for the candidates in the tour's order, then for other wizards if need be, to the chest.

    A colour is skipped once its amulet is held, and a wizard that cannot be reached when its turn
    comes is left for later. Returns the number of actions and how many of them were interactions.
    """
    cell, amulets, asked, count, interactions = s.main_cell, EMPTY, EMPTY, EMPTY, 0
    wanted = wizards
    while s.needed & ~amulets:
        before = asked
        stops = tour(s, i, c, amulets, cell, wanted)
        index = 0
        while index < stops:
            wizard = i[s.order + index]
            index += 1
            colour = i[s.wizard_colour + wizard]
            target = s.goals + wizard
            if asked >> wizard & 1 or not (s.needed & ~amulets) >> colour & 1:
                continue
            if leg_cost(s, i, c, target, amulets, cell) >= FAR:
                continue
            cell, count = leg_end(s, i, c, target, amulets, cell, s.route, count)
            if s.error:
                return count, interactions
            asked |= 1 << wizard
            interactions += 1
            if i[s.holder_of + s.truth * s.colours + colour] == wizard:
                amulets |= 1 << colour
                index = 0  # what was out of reach may be in reach now
        untried = EMPTY
        for wizard in range(s.wizards):
            if (s.needed & ~amulets) >> i[s.wizard_colour + wizard] & 1:
                untried |= 1 << wizard & ~asked
        if asked == before and not untried & ~wanted:
            s.error, s.cell, s.amulets = MAIN_STUCK, cell, amulets
            return count, interactions
        wanted = untried
    end, count = leg_end(s, i, c, s.main_goal, amulets, cell, s.route, count)
    if end == NONE and not s.error:
        s.error, s.cell, s.amulets = MAIN_STUCK, cell, amulets
    return count, interactions
