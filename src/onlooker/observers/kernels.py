"""Compiled: acting alone, what watching would be worth, and the four observers.

`reference`, `reference_tour` and `reference_watching` are the plain version. `planning.memory` says
what the arguments are.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from onlooker.inference.kernels import (
    MAIN_STUCK,
    TOO_LONG,
    arrived,
    assess,
    candidates,
    follow,
    gather,
    imagined,
    keep_particles,
    observe,
    plant,
    restart,
    settled,
    weigh,
)
from onlooker.planning.compiling import Entry, compiled
from onlooker.planning.kernels import ahead, begin, fill, walk
from onlooker.planning.memory import EMPTY, FAR, NONE, Floats, Ints, Points, Record, Records

MARGIN = 1e-9  # points by which watching must be cheaper
# What a run leaves, in this order
ERROR, ERROR_NPC, ERROR_STEP, WATCHED, CANDIDATES, TAKEN, INTERACTIONS, OBSERVED = range(8)
RATIONAL_MENTALIZING, MENTALIZING_OBSERVER, RATIONAL_OBSERVER, NAIVE_OBSERVER = range(4)


# -- acting alone ------------------------------------------------------------------------------


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


# -- what watching would bring -----------------------------------------------------------------


@compiled
def residual(s: Record, i: Ints, f: Floats, c: Points, node: int) -> float:
    """What acting alone would cost with the belief at a node."""
    if not i[s.node_known + node]:
        i[s.node_known + node] = 1
        belief = s.belief + node * s.wizards
        wizards = candidates(s, i, f[belief : belief + s.wizards])
        f[s.residual + node] = c_self(s, i, f, c, wizards, belief)
    return f[s.residual + node]


@compiled
def imagine(s: Record, i: Ints, f: Floats, c: Points, node: int, lane: int) -> tuple[int, int]:
    """Where imagining an NPC in a lane ends, and after how many steps."""
    steps = 0
    while True:
        assess(s, i, f, node)
        if i[s.node_stop + node]:
            return node, steps
        following = imagined(s, i, f, c, node, lane)
        if following == NONE:
            return node, steps
        node = following
        steps += 1


@compiled
def worth(s: Record, i: Ints, f: Floats, c: Points, npc: int) -> float:
    """What watching an NPC and then acting would cost."""
    node = i[s.history + npc]
    gather(s, i, f, npc)
    weigh(s, i, f, node)
    keep_particles(s, f)
    total = 0.0
    for lane in range(s.lanes):
        p = f[s.particle_p + lane]
        if p > 0:
            end, steps = imagine(s, i, f, c, node, lane)
            left = residual(s, i, f, c, end)
            i[s.particle_steps + lane], f[s.particle_residual + lane] = steps, left
            total += p * (s.observe * steps + left)
    return total


@compiled
def moved(s: Record, i: Ints, f: Floats, here: int, there: int) -> float:
    """How far the belief over the open colours at a node lies from that at another one."""
    total = 0.0
    for wizard in range(s.wizards):
        if (s.open & ~s.amulets) >> i[s.wizard_colour + wizard] & 1:
            p = f[s.belief + here * s.wizards + wizard]
            total += (p - f[s.belief + there * s.wizards + wizard]) ** 2
    return math.sqrt(total)


@compiled
def distance(s: Record, i: Ints, f: Floats, c: Points, npc: int, enough: float) -> float:
    """How far watching an NPC to its arrival could move the belief; to the first beyond enough."""
    start = i[s.history + npc]
    gather(s, i, f, npc)
    assess(s, i, f, start)
    weigh(s, i, f, start)
    keep_particles(s, f)
    farthest = 0.0
    for lane in range(s.lanes):
        if f[s.particle_p + lane] <= 0:
            continue
        node = imagined(s, i, f, c, start, lane)
        while node != NONE:
            assess(s, i, f, node)
            farthest = max(farthest, moved(s, i, f, start, node))
            if farthest > enough:
                return farthest
            node = imagined(s, i, f, c, node, lane)
    return farthest


# -- the observers -----------------------------------------------------------------------------


@compiled
def present(s: Record, i: Ints, f: Floats) -> int:
    """Where the present belief lies; it is the same whichever NPC it is read from."""
    gather(s, i, f, EMPTY)
    assess(s, i, f, i[s.history])
    return s.belief + i[s.history] * s.wizards


@compiled
def rational_mentalizing(s: Record, i: Ints, f: Floats, c: Points) -> int:
    """The NPC of the least Q_obs if that is below C_self, the first among equals; else NONE."""
    present(s, i, f)
    least = now = residual(s, i, f, c, i[s.history])
    for npc in range(s.npcs):
        f[s.q_obs + npc] = np.inf if arrived(s, i, npc) else worth(s, i, f, c, npc)
        least = min(least, f[s.q_obs + npc])
    if least < now - MARGIN:
        for npc in range(s.npcs):
            if f[s.q_obs + npc] <= least + MARGIN:
                return npc
    return NONE


@compiled
def mentalizing_observer(s: Record, i: Ints, f: Floats, c: Points, last: int) -> int:
    """The next NPC in turn whose future could move the belief, NONE if that is settled."""
    belief = present(s, i, f)
    if settled(s, i, f[belief : belief + s.wizards]):
        return NONE
    for turn in range(1, s.npcs + 1):
        npc = (last + turn) % s.npcs
        if not arrived(s, i, npc) and distance(s, i, f, c, npc, s.epsilon) > s.epsilon:
            return npc
    return NONE


@compiled
def meet(s: Record, i: Ints, npc: int, amulets: int) -> bool:
    """Wait for an NPC until it first asks a wizard of some colours; whether it ever does."""
    for step in range(i[s.path_length + npc]):
        wizard = i[s.met + npc * s.steps + step]
        if wizard != NONE and amulets >> i[s.wizard_colour + wizard] & 1:
            i[s.until + npc], i[s.trusted + npc] = step + 1, wizard
            return True
    return False


@compiled
def rational_observer(s: Record, i: Ints, f: Floats, c: Points) -> None:
    """Decide whom to watch to its first interaction: the experts worth it, or else the novices."""
    every, holders = EMPTY, EMPTY
    for wizard in range(s.wizards):
        colour = i[s.wizard_colour + wizard]
        if s.needed >> colour & 1:
            every |= 1 << wizard
            if i[s.holder_of + s.truth * s.colours + colour] == wizard:
                holders |= 1 << wizard
    informed, alone = c_self(s, i, f, c, holders, NONE), c_self(s, i, f, c, every, NONE)
    for expert in range(1, -1, -1):
        found = False
        for npc in range(s.npcs):
            if i[s.npc_expert + npc] == expert and meet(s, i, npc, s.masks - 1):
                if s.observe * i[s.until + npc] + informed < alone - MARGIN:
                    found = True
                else:
                    i[s.until + npc], i[s.trusted + npc] = 0, NONE
        if found:
            break


@compiled
def naive_observer(s: Record, i: Ints) -> None:
    """Decide to watch every expert to its first relevant interaction, or to its arrival."""
    for npc in range(s.npcs):
        if not (s.anyone or i[s.npc_expert + npc]):
            continue
        if not meet(s, i, npc, s.masks - 1 if s.anyone else s.open):
            i[s.until + npc] = i[s.path_length + npc]


@compiled
def trust(s: Record, i: Ints) -> int:
    """The candidates of a trusting observer: of each needed colour the trusted ones, or all."""
    trusted = EMPTY
    for npc in range(s.npcs):
        if i[s.trusted + npc] != NONE:
            trusted |= 1 << i[s.trusted + npc]
    colours = colours_of(s, i, trusted)
    wizards = 0
    for wizard in range(s.wizards):
        bit = 1 << i[s.wizard_colour + wizard]
        if s.needed & bit and (trusted >> wizard & 1 or not colours & bit):
            wizards |= 1 << wizard
    return wizards


@compiled
def watch(s: Record, i: Ints, f: Floats, c: Points, observer: int) -> tuple[int, int]:
    """Observe as long as an observer does; how many steps, and the candidates it then acts on."""
    restart(s, i)
    fill(i, s.until, s.npcs, 0)
    fill(i, s.trusted, s.npcs, NONE)
    if s.open and observer == RATIONAL_OBSERVER:
        rational_observer(s, i, f, c)
    if s.open and observer == NAIVE_OBSERVER:
        naive_observer(s, i)
    count, npc = 0, NONE
    while s.open and not s.error:
        if observer == RATIONAL_MENTALIZING:
            npc = rational_mentalizing(s, i, f, c)
        elif observer == MENTALIZING_OBSERVER:
            npc = mentalizing_observer(s, i, f, c, npc)
        else:
            npc = next_in_turn(s, i, npc)
        if npc == NONE or s.error:
            break
        if count >= s.moves:
            s.error = TOO_LONG
            break
        i[s.choices + count] = npc
        count += 1
        observe(s, i, f, npc)
    if observer in (RATIONAL_OBSERVER, NAIVE_OBSERVER):
        return count, trust(s, i)
    belief = present(s, i, f)
    return count, candidates(s, i, f[belief : belief + s.wizards])


@compiled
def next_in_turn(s: Record, i: Ints, last: int) -> int:
    """The next NPC in turn that a trusting observer has not watched long enough, or NONE."""
    for turn in range(1, s.npcs + 1):
        npc = (last + turn) % s.npcs
        if i[s.node_steps + i[s.history + npc]] < i[s.until + npc]:
            return npc
    return NONE


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


def _run_all(
    records: Records,
    packed: Ints,
    i: Ints,
    f: Floats,
    c: Points,
    observers: Ints,
    outcomes: Any,
    choices: Any,
    routes: Any,
) -> None:
    """Run observers on trials, one after the other in the same memory."""
    for trial in range(len(records)):
        s = records[trial]
        s.error = 0
        begin(s, packed, i)
        plant(s, i, f)
        s.tour_count = 0
        follow(s, i, f, c)
        for index in range(len(observers)):
            out = outcomes[trial, index]
            s.cell, s.amulets = s.main_cell, EMPTY
            if not s.error:
                chosen, route = choices[trial, index], routes[trial, index]
                run_one(s, i, f, c, observers[index], out, chosen, route)
            out[ERROR], out[ERROR_NPC], out[ERROR_STEP] = s.error, s.error_npc, s.error_step


@compiled
def run_one(
    s: Record, i: Ints, f: Floats, c: Points, observer: int, out: Any, choices: Any, route: Any
) -> None:
    """Run one observer on the trial that is laid out, and write down what it did."""
    watched, wizards = watch(s, i, f, c, observer)
    if s.error:
        return
    count, interactions = act(s, i, c, wizards)
    out[WATCHED], out[CANDIDATES] = watched, wizards
    out[TAKEN], out[INTERACTIONS] = count, interactions
    for npc in range(s.npcs):
        out[OBSERVED + npc] = i[s.node_steps + i[s.history + npc]]
    for index in range(watched):
        choices[index] = i[s.choices + index]
    for index in range(count):
        route[index] = i[s.route + index]


# -- from Python -------------------------------------------------------------------------------

WORTH, DISTANCE, COST, TOUR, LEG, ACT = range(6)


def _decide(
    records: Records, packed: Ints, i: Ints, f: Floats, c: Points, what: int, a: int, b: int, d: int
) -> float:
    """What Python asks of these functions; results that are no number are left in the memory."""
    s = records[0]
    result = 0.0
    if what == WORTH:
        result = worth(s, i, f, c, a)
    elif what == DISTANCE:
        result = distance(s, i, f, c, a, np.inf)
    elif what == COST:
        result = c_self(s, i, f, c, a, b)
    elif what == TOUR:
        result = float(tour(s, i, c, a, b, d))
    elif what == LEG:
        cell, s.count = leg_end(s, i, c, a, b, d, s.route, EMPTY)
        result = float(cell)
    elif what == ACT:
        s.count, interactions = act(s, i, c, a)
        result = float(interactions)
    return result


decide = Entry(_decide)
run_all = Entry(_run_all)
