"""Compiled: everything that can be seen of NPCs that make no errors, and the states of knowing it.

A sight is what has been seen of one NPC, as one of `Tree`'s nodes that some hypothesis leads to.
A state is a sight of each NPC. `tests/observers/ideal_reference.py` is the plain version.
"""

from __future__ import annotations

from onlooker.inference.kernels.histories import imagine_step
from onlooker.inference.kernels.tree import Tree
from onlooker.observers.kernels.listing import SLOTS, slot_of
from onlooker.planning.compiling import compiled, inlined
from onlooker.planning.structures import Floats1, Floats2, Ints1, Ints2, axes, span, structure
from onlooker.planning.world import NONE, World

CACHED = 4096  # costs of searches that are remembered


@structure
class Sights:
    """What can be seen of each NPC; the sights of the NPCs' starts come first."""

    count: int
    node: Ints1 = axes("nodes")  # in the tree
    goals: Ints2 = axes("nodes", "assignments")  # how many goals lead to it
    eldest: Ints1 = axes("nodes")  # the first of the sights that can follow, or NONE
    sibling: Ints1 = axes("nodes")  # another one that can follow the same sight, or NONE
    sight_of: Ints1 = axes("nodes")  # or NONE
    lane_sight: Ints1 = axes("lanes")  # how far a hypothesis has been followed

    # the state at hand
    at: Ints1 = axes("npcs")  # its sights
    holder_weight: Floats1 = axes("assignments")


@structure
class States:
    """What can be seen of all NPCs, and what it is worth to know it.

    What can follow a state comes after it.
    """

    expected_cost: float  # the least there is at the start

    # the states; the start is the first one
    count: int
    slot: Ints2 = axes("states", SLOTS)  # hash table of states, or NONE
    slots: Ints1 = span("slot", "slot")  # the same as one row
    sight: Ints2 = axes("states", "npcs")
    before: Ints2 = axes("states", "npcs")  # the state before the last step of an NPC, or NONE
    weight: Floats1 = axes("states")  # how many hypotheses lead to it
    act: Floats1 = axes("states")  # E
    weight_after: Floats2 = axes("states", "npcs")  # of the states after a step of an NPC
    cost_after: Floats2 = axes("states", "npcs")  # their least expected costs, times their weights

    # at the state at hand
    watch: Floats1 = axes("npcs")  # what watching each NPC costs, nan if that cannot be

    # what searches cost
    cached: Floats1 = axes(CACHED)  # E, negative if there is none
    cached_share: Floats2 = axes(CACHED, "assignments")  # of these shares


@inlined
def expand_sights(world: World, tree: Tree, sights: Sights) -> None:
    """Follow every hypothesis about every NPC to its arrival, if there is something to learn."""
    sights.count = 0
    for node in range(len(sights.sight_of)):
        sights.sight_of[node] = NONE
    for npc in range(world.npcs):
        new_sight(world, sights, npc)
    for npc in range(world.npcs):
        for lane in range(world.lanes):
            sights.lane_sight[lane] = npc
            sights.goals[npc, lane % world.assignments] += 1
        following = world.open != 0
        while following:
            following = False
            for lane in range(world.lanes):
                if sights.lane_sight[lane] != NONE:
                    sights.lane_sight[lane] = next_sight(world, tree, sights, lane)
                    following = True
            if tree.error:
                return


@inlined
def next_sight(world: World, tree: Tree, sights: Sights, lane: int) -> int:
    """The sight after one more step of a hypothesis, NONE if it has arrived."""
    before = sights.lane_sight[lane]
    node = imagine_step(world, tree, sights.node[before], lane)
    if node == NONE:
        return NONE
    sight = sights.sight_of[node]
    if sight == NONE:
        sight = new_sight(world, sights, node)
        sights.sibling[sight] = sights.eldest[before]
        sights.eldest[before] = sight
    sights.goals[sight, lane % world.assignments] += 1
    return sight


@compiled
def new_sight(world: World, sights: Sights, node: int) -> int:
    """One more sight, of a node; nothing leads to it yet."""
    sight = sights.count
    sights.count, sights.sight_of[node] = sight + 1, sight
    sights.node[sight] = node
    sights.eldest[sight] = sights.sibling[sight] = NONE
    for h in range(world.assignments):
        sights.goals[sight, h] = 0
    return sight


@inlined
def list_states(world: World, sights: Sights, states: States) -> None:
    """List every state that can be reached, the start first; there is room for them."""
    states.count = 0
    for slot in range(len(states.slots)):
        states.slots[slot] = NONE
    for npc in range(world.npcs):
        sights.at[npc] = npc
    add_state(world, sights, states)
    state = 0
    while state < states.count:
        stand_at(sights, states, state)
        for npc in range(world.npcs):
            here = sights.at[npc]
            following = sights.eldest[here]
            while following != NONE:
                sights.at[npc] = following
                after = add_state(world, sights, states)
                if after != NONE:
                    states.before[after, npc] = state
                following = sights.sibling[following]
            sights.at[npc] = here
        state += 1


@compiled
def stand_at(sights: Sights, states: States, state: int) -> None:
    """Make a state the one at hand."""
    for npc in range(len(sights.at)):
        sights.at[npc] = states.sight[state, npc]


@compiled
def add_state(world: World, sights: Sights, states: States) -> int:
    """The number of the state at hand, a new one if it has none; NONE if nothing leads to it."""
    slot = slot_of(states.sight, states.slots, sights.at)
    if states.slots[slot] == NONE:
        weight, state = weigh_state(world, sights), states.count
        if weight == 0:
            return NONE
        states.count, states.slots[slot], states.weight[state] = state + 1, state, weight
        for npc in range(len(sights.at)):
            states.sight[state, npc], states.before[state, npc] = sights.at[npc], NONE
            states.weight_after[state, npc] = states.cost_after[state, npc] = 0.0
    return int(states.slots[slot])


@compiled
def weigh_state(world: World, sights: Sights) -> float:
    """How many hypotheses lead to the state at hand, by holders in `holder_weight`."""
    total = 0.0
    for h in range(world.assignments):
        weight = 1.0
        for npc in range(world.npcs):
            weight *= sights.goals[sights.at[npc], h]
        sights.holder_weight[h] = weight
        total += weight
    return total
