"""Compiled: everything that can be seen of NPCs that make no errors, and the states of knowing it.

A sight is what has been seen of one NPC, as one of `Tree`'s nodes that some hypothesis leads to.
A state is a sight of each NPC. `reference.ideal` is the plain version.
"""

from __future__ import annotations

import numpy as np

from onlooker.inference.kernels.histories import imagine_step
from onlooker.inference.kernels.tree import Tree
from onlooker.planning.compiling import compiled, inlined
from onlooker.planning.packing import Packed
from onlooker.planning.structures import (
    Floats1,
    Floats2,
    Ints1,
    Ints2,
    borrow,
    structure,
)
from onlooker.planning.world import NONE, World

CACHED = 4096  # costs of searches that are remembered


@structure
class Prospect:
    """What can be seen of all NPCs, and what it is worth to know it."""

    # the sights; those of the NPCs' starts come first
    sights: int
    node: Ints1  # (sights): in the tree
    goals: Ints2  # (sights, holders): how many goals lead to it
    eldest: Ints1  # (sights): the first of the sights that can follow, or NONE
    sibling: Ints1  # (sights): another one that can follow the same sight, or NONE
    sight_of: Ints1  # (nodes): or NONE
    lane_sight: Ints1  # (lanes): how far a hypothesis has been followed

    # the states; what can follow a state comes after it
    states: int
    slot: Ints1  # (slots): hash table of states, or NONE
    sight: Ints2  # (states, npcs)
    weight: Floats1  # (states): how many hypotheses lead to it
    act: Floats1  # (states): E
    value: Floats1  # (states): the least expected cost

    # the state at hand
    at: Ints1  # (npcs): its sights
    holder_weight: Floats1  # (holders)
    watch: Floats1  # (npcs): what watching each NPC costs, nan if that cannot be

    # what searches cost
    cached: Floats1  # (cached): E, negative if there is none
    cached_share: Floats2  # (cached, rows): of these shares


@compiled
def new_prospect(packed: Packed, nodes: int, states: int) -> Prospect:
    """Room for so many nodes and states in any of some packed trials."""
    kept = Prospect()
    prospect = borrow(kept)
    holders, npcs = packed.holders, packed.npc.shape[1]
    prospect.node, prospect.goals = np.empty(nodes, np.int64), np.empty((nodes, holders), np.int64)
    prospect.eldest, prospect.sibling = np.empty(nodes, np.int64), np.empty(nodes, np.int64)
    prospect.sight_of = np.empty(nodes, np.int64)
    prospect.lane_sight = np.empty(packed.lanes, np.int64)
    prospect.slot = np.empty(2 * states, np.int64)
    prospect.sight = np.empty((states, npcs), np.int64)
    prospect.weight, prospect.act = np.empty(states), np.empty(states)
    prospect.value = np.empty(states)
    prospect.at, prospect.watch = np.empty(npcs, np.int64), np.empty(npcs)
    prospect.holder_weight = np.empty(holders)
    prospect.cached, prospect.cached_share = np.empty(CACHED), np.empty((CACHED, holders))
    return kept


@inlined
def look_ahead(world: World, tree: Tree, prospect: Prospect) -> None:
    """Follow every hypothesis about every NPC to its arrival, if there is something to learn."""
    prospect.sights = 0
    for node in range(len(prospect.sight_of)):
        prospect.sight_of[node] = NONE
    for npc in range(world.npcs):
        new_sight(world, prospect, npc)
    for npc in range(world.npcs):
        for lane in range(world.lanes):
            prospect.lane_sight[lane] = npc
            prospect.goals[npc, lane % world.holders] += 1
        following = world.open != 0
        while following:
            following = False
            for lane in range(world.lanes):
                if prospect.lane_sight[lane] != NONE:
                    prospect.lane_sight[lane] = next_sight(world, tree, prospect, lane)
                    following = True
            if tree.error:
                return


@inlined
def next_sight(world: World, tree: Tree, prospect: Prospect, lane: int) -> int:
    """The sight after one more step of a hypothesis, NONE if it has arrived."""
    before = prospect.lane_sight[lane]
    node = imagine_step(world, tree, prospect.node[before], lane)
    if node == NONE:
        return NONE
    sight = prospect.sight_of[node]
    if sight == NONE:
        sight = new_sight(world, prospect, node)
        prospect.sibling[sight] = prospect.eldest[before]
        prospect.eldest[before] = sight
    prospect.goals[sight, lane % world.holders] += 1
    return sight


@compiled
def new_sight(world: World, prospect: Prospect, node: int) -> int:
    """One more sight, of a node; nothing leads to it yet."""
    sight = prospect.sights
    prospect.sights, prospect.sight_of[node] = sight + 1, sight
    prospect.node[sight] = node
    prospect.eldest[sight] = prospect.sibling[sight] = NONE
    for h in range(world.holders):
        prospect.goals[sight, h] = 0
    return sight


@inlined
def list_states(world: World, prospect: Prospect) -> bool:
    """List every state that can be reached, the start first; whether there was room."""
    prospect.states = 0
    for slot in range(len(prospect.slot)):
        prospect.slot[slot] = NONE
    for npc in range(world.npcs):
        prospect.at[npc] = npc
    add_state(world, prospect)
    state = 0
    while state < prospect.states:
        for npc in range(world.npcs):
            stand_at(world, prospect, state)
            following = prospect.eldest[prospect.at[npc]]
            while following != NONE:
                prospect.at[npc] = following
                if not add_state(world, prospect):
                    return False
                following = prospect.sibling[following]
        state += 1
    return True


@compiled
def stand_at(world: World, prospect: Prospect, state: int) -> None:
    """Make a state the one at hand."""
    for npc in range(world.npcs):
        prospect.at[npc] = prospect.sight[state, npc]


@compiled
def add_state(world: World, prospect: Prospect) -> bool:
    """List the state at hand, if something leads to it and it is not listed; False: no room."""
    slot = slot_of(world, prospect)
    if prospect.slot[slot] != NONE:
        return True
    weight = weigh_state(world, prospect)
    if weight == 0:
        return True
    state = prospect.states
    if state == len(prospect.weight):
        return False
    prospect.states, prospect.slot[slot], prospect.weight[state] = state + 1, state, weight
    for npc in range(world.npcs):
        prospect.sight[state, npc] = prospect.at[npc]
    return True


@compiled
def weigh_state(world: World, prospect: Prospect) -> float:
    """How many hypotheses lead to the state at hand, by holders in `holder_weight`."""
    total = 0.0
    for h in range(world.holders):
        weight = 1.0
        for npc in range(world.npcs):
            weight *= prospect.goals[prospect.at[npc], h]
        prospect.holder_weight[h] = weight
        total += weight
    return total


@compiled
def slot_of(world: World, prospect: Prospect) -> int:
    """Where the state at hand is in the hash table, or would be."""
    slots, mixed = len(prospect.slot), 0
    for npc in range(world.npcs):
        mixed = (mixed * 1_000_003 + prospect.at[npc]) % 2_147_483_647
    slot = mixed % slots
    while prospect.slot[slot] != NONE:
        state, same = prospect.slot[slot], True
        for npc in range(world.npcs):
            same &= prospect.sight[state, npc] == prospect.at[npc]
        if same:
            break
        slot = (slot + 1) % slots
    return int(slot)


@compiled
def state_at(world: World, prospect: Prospect) -> int:
    """The number of the state at hand, NONE if nothing leads to it."""
    return int(prospect.slot[slot_of(world, prospect)])
