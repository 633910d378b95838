"""Compiled: what has been seen of an NPC, what would be, and what it really does.

A node is what has been seen of an NPC so far. Nodes form a tree for each NPC that grows as it is
asked for, and real steps, imagined ones and all observers share it: a future that was imagined is
there when it comes true. `reference` is the plain version. `planning.memory` says what the
arguments are.
"""

from __future__ import annotations

import numpy as np

from onlooker.inference.kernels.codes import (
    ARRIVED,
    ASKED,
    FULL,
    GAVE,
    MOVED,
    OUTCOMES,
    REFUSED,
    UNKNOWN,
)
from onlooker.inference.kernels.likelihood import expand, hold
from onlooker.planning.compiling import compiled
from onlooker.planning.kernels import ahead, fill, walkable
from onlooker.planning.memory import EMPTY, NONE, Floats, Ints, Points, Record


@compiled
def plant(s: Record, i: Ints, f: Floats) -> None:
    """The tree of each NPC before anything was seen of it."""
    s.node_count = 0
    fill(i, s.log_key, s.logs, NONE)
    fill(f, s.own, s.holders, 0.0)
    for npc in range(max(s.npcs, 1)):  # a belief needs a node even where there is no NPC
        node = new_node(s, i, npc, i[s.npc_cell + npc], EMPTY)
        fill(f, s.log_w + node * s.lanes, s.lanes, 0.0)
        i[s.history + npc] = node
    fill(i, s.assessed, s.agents * s.agents, NONE)
    s.version_count = 0
    fill(i, s.version, s.agents, 0)


@compiled
def new_node(s: Record, i: Ints, npc: int, cell: int, asked: int) -> int:
    """Room for one more node, NONE if there is none."""
    node = s.node_count
    if node >= s.nodes:
        s.error = FULL
        return NONE
    s.node_count = node + 1
    i[s.node_npc + node], i[s.node_cell + node], i[s.node_asked + node] = npc, cell, asked
    i[s.node_steps + node] = i[s.node_arrived + node] = 0
    i[s.node_ready + node] = i[s.node_version + node] = 0
    fill(i, s.child + node * s.seen, s.seen, NONE)
    return node


@compiled
def after(s: Record, i: Ints, f: Floats, c: Points, node: int, seen: int) -> int:
    """The node after something was seen; it may leave no hypothesis (see `explained`)."""
    slot = s.child + node * s.seen + seen
    if i[slot] == NONE:
        i[slot] = grow(s, i, f, c, node, seen)
    return i[slot]


@compiled
def grow(s: Record, i: Ints, f: Floats, c: Points, node: int, seen: int) -> int:
    """Weigh every hypothesis by the probability of what was seen, 0 where it cannot have been."""
    expand(s, i, f, c, node)
    action, outcome = seen // OUTCOMES, seen % OUTCOMES
    npc, cell, asked = i[s.node_npc + node], i[s.node_cell + node], i[s.node_asked + node]
    there = ahead(s, cell, action)
    wizard = i[s.wizard_at + there]
    moved = outcome in (MOVED, ARRIVED)
    if moved:
        new = new_node(s, i, npc, there, asked)
    else:
        new = new_node(s, i, npc, cell, asked | 1 << wizard)
    if new == NONE:
        return NONE
    i[s.node_steps + new] = i[s.node_steps + node] + 1
    i[s.node_seen + new] = seen
    i[s.node_arrived + new] = outcome == ARRIVED
    hold(s, i, asked)
    lanes = s.lanes
    for h in range(s.holders):
        possible = walkable(s, i, there, i[s.mask_of + h]) == moved
        if not moved and outcome != ASKED and possible:
            gives = i[s.holder_of + h * s.colours + i[s.wizard_colour + wizard]] == wizard
            possible = gives == (outcome == GAVE)
        for goal in range(s.goals):
            lane = goal * s.holders + h
            takes_chest = i[s.chest_cell + goal] == there
            if possible and (not moved or takes_chest == (outcome == ARRIVED)):
                log_p = f[s.log_p + (node * 4 + action) * lanes + lane]
                f[s.log_w + new * lanes + lane] = f[s.log_w + node * lanes + lane] + log_p
            else:
                f[s.log_w + new * lanes + lane] = -np.inf
    return new


@compiled
def imagined(s: Record, i: Ints, f: Floats, c: Points, node: int, lane: int) -> int:
    """The node after the NPC's best action in a lane, NONE if it has none."""
    if i[s.node_arrived + node]:
        return NONE
    expand(s, i, f, c, node)
    slot = s.imagined + node * s.lanes + lane
    if i[slot] == UNKNOWN:
        action = i[s.best + node * s.lanes + lane]
        following = NONE
        if action != NONE:
            following = after(s, i, f, c, node, would_see(s, i, node, lane, action))
            if following == NONE:  # there was no room for it
                return NONE
        i[slot] = following
    return i[slot]


@compiled
def would_see(s: Record, i: Ints, node: int, lane: int, action: int) -> int:
    """What would be seen of an available action if a lane were the truth."""
    goal, h = lane // s.holders, lane % s.holders
    there = ahead(s, i[s.node_cell + node], action)
    wizard = i[s.wizard_at + there]
    if wizard != NONE:
        colour = i[s.wizard_colour + wizard]
        holder = i[s.holder_of + h * s.colours + colour]
        if not i[s.node_asked + node] >> holder & 1:
            if not s.reveals:
                return action * OUTCOMES + ASKED
            return action * OUTCOMES + (GAVE if holder == wizard else REFUSED)
    return action * OUTCOMES + (ARRIVED if there == i[s.chest_cell + goal] else MOVED)


@compiled
def explained(s: Record, f: Floats, node: int) -> bool:
    """Whether some hypothesis explains everything seen of an NPC."""
    for lane in range(s.lanes):
        if f[s.log_w + node * s.lanes + lane] > -np.inf:
            return True
    return False


@compiled
def together(s: Record, i: Ints, f: Floats) -> bool:
    """Whether some assignment of holders explains everything seen of all NPCs."""
    for h in range(s.holders):
        possible = f[s.own + h] > -np.inf
        for npc in range(s.npcs):
            some = False
            for goal in range(s.goals):
                some |= f[s.log_w + i[s.history + npc] * s.lanes + goal * s.holders + h] > -np.inf
            possible &= some
        if possible:
            return True
    return False
