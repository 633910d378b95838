"""Compiled: how likely an NPC's actions are under every hypothesis.

Which wizards an NPC has asked is seen, so under a hypothesis it holds the amulets of exactly those
holders that are among them. `reference` is the plain version. `planning.memory` says what the
arguments are.
"""

from __future__ import annotations

import math

import numpy as np

from onlooker.inference.kernels.codes import UNKNOWN
from onlooker.planning.compiling import compiled
from onlooker.planning.kernels import ahead, experts, fill, walk, walkable
from onlooker.planning.memory import EMPTY, FAR, NONE, Floats, Ints, Points, Record

CLIPPED = (1 << 15) - 1  # points behind the best action that are too many for a key


@compiled
def hold(s: Record, i: Ints, asked: int) -> None:
    """Note the amulets held under each assignment of holders when some wizards were asked."""
    for h in range(s.holders):
        amulets = EMPTY
        for colour in range(s.colours):
            amulets |= (asked >> i[s.holder_of + h * s.colours + colour] & 1) << colour
        i[s.mask_of + h] = amulets


@compiled
def novice_value(
    s: Record, i: Ints, c: Points, npc: int, goal: int, amulets: int, asked: int, cell: int
) -> int:
    """Least points to asking a wizard for what it lacks or, lacking nothing, to its chest."""
    lacking = max(i[s.need + npc * s.goals + goal], 0) & ~amulets
    if not lacking:
        return int(c[walk(s, i, c, goal, amulets) + cell])
    least = FAR
    for wizard in range(s.wizards):
        if lacking >> i[s.wizard_colour + wizard] & 1 and not asked >> wizard & 1:
            least = min(least, int(c[walk(s, i, c, s.goals + wizard, amulets) + cell]))
    return least


@compiled
def expert_costs(s: Record, i: Ints, c: Points, node: int, action: int) -> None:
    """Q of an action in every lane, for an agent that knows the holders."""
    cell = i[s.node_cell + node]
    there = ahead(s, cell, action)
    wizard = i[s.wizard_at + there]
    q = c[s.q + action * s.lanes : s.q + (action + 1) * s.lanes]
    for h in range(s.holders):
        amulets = i[s.mask_of + h]
        place, cost = there, s.move
        if not walkable(s, i, there, amulets):
            if wizard == NONE:
                for goal in range(s.goals):
                    q[goal * s.holders + h] = FAR
                continue
            place, cost = cell, s.interact
            colour = i[s.wizard_colour + wizard]
            if i[s.holder_of + h * s.colours + colour] == wizard:
                amulets |= 1 << colour
        table = s.expert + (amulets * s.cells + place) * s.lanes + h
        for goal in range(s.goals):
            q[goal * s.holders + h] = c[table + goal * s.holders] + cost


@compiled
def novice_costs(s: Record, i: Ints, c: Points, node: int, action: int) -> None:
    """Q of an action in every lane, for an agent that does not know the holders.

    Asking a wizard that it has no use for is an action like any other but never its choice.
    """
    npc, cell, asked = i[s.node_npc + node], i[s.node_cell + node], i[s.node_asked + node]
    there = ahead(s, cell, action)
    wizard = i[s.wizard_at + there]
    bit = 0 if wizard == NONE else 1 << i[s.wizard_colour + wizard]
    for goal in range(s.goals):
        needed = max(i[s.need + npc * s.goals + goal], 0)
        before, q, wanted = NONE, FAR, False
        for h in range(s.holders):
            amulets = i[s.mask_of + h]
            moves = walkable(s, i, there, amulets)
            after = amulets
            if (
                bit
                and not moves
                and i[s.holder_of + h * s.colours + i[s.wizard_colour + wizard]] == wizard
            ):
                after |= bit
            if before != (amulets << 32 | after):  # else as under the assignment before
                before = amulets << 32 | after
                wanted = bool(needed & ~amulets & bit) and not asked >> wizard & 1
                if moves:
                    q = s.move + novice_value(s, i, c, npc, goal, amulets, asked, there)
                elif not bit:
                    q = FAR
                elif wanted:
                    q = s.interact
                else:
                    now = asked | 1 << wizard
                    q = s.interact + novice_value(s, i, c, npc, goal, after, now, cell)
            lane = action * s.lanes + goal * s.holders + h
            c[s.q + lane] = q
            c[s.chosen + lane] = q if moves or wanted else FAR


@compiled
def expand(s: Record, i: Ints, f: Floats, c: Points, node: int) -> None:
    """Work out what the NPC would do at a node: log P of each action, and its best one."""
    if i[s.node_ready + node]:
        return
    i[s.node_ready + node] = 1
    hold(s, i, i[s.node_asked + node])
    expert = i[s.npc_expert + i[s.node_npc + node]]
    if expert and not s.has_experts:
        experts(s, i, c)
        s.has_experts = 1
    for action in range(4):
        if expert:
            expert_costs(s, i, c, node, action)
        else:
            novice_costs(s, i, c, node, action)
    lanes = s.lanes
    chosen = s.q if expert else s.chosen
    fill(i, s.imagined + node * lanes, lanes, UNKNOWN)
    for lane in range(lanes):
        least, best = FAR, NONE
        for action in range(4):
            cost = c[chosen + action * lanes + lane]
            if cost < least:
                least, best = cost, action
        i[s.best + node * lanes + lane] = best
        boltzmann(s, i, f, c, node, lane)


@compiled
def boltzmann(s: Record, i: Ints, f: Floats, c: Points, node: int, lane: int) -> None:
    """log P of each action at a node in one lane: ∝ −β Q, over the actions of finite Q."""
    q = s.q + lane
    least = min(min(c[q], c[q + s.lanes]), min(c[q + 2 * s.lanes], c[q + 3 * s.lanes]))
    log_p = s.log_p + node * 4 * s.lanes + lane
    if least >= FAR:
        for action in range(4):
            f[log_p + action * s.lanes] = -np.inf
        return
    key, slot, remembered = 0, 0, True
    for action in range(4):
        behind = CLIPPED
        if c[q + action * s.lanes] < FAR:
            behind = c[q + action * s.lanes] - least
            remembered &= behind < CLIPPED
        key = key << 16 | behind
        slot = slot * 7 + behind
    slot &= s.logs - 1
    if not remembered or i[s.log_key + slot] != key:
        total = 0.0
        for action in range(4):
            cost = c[q + action * s.lanes]
            if cost < FAR:
                total += math.exp(-s.beta * (cost - least))
        i[s.log_key + slot] = key if remembered else NONE
        f[s.log_value + slot] = math.log(total)
    log_total = f[s.log_value + slot]
    for action in range(4):
        cost = c[q + action * s.lanes]
        if cost < FAR:
            f[log_p + action * s.lanes] = -s.beta * (cost - least) - log_total
        else:
            f[log_p + action * s.lanes] = -np.inf
