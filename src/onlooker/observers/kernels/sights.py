"""Compiled: everything that can be seen of NPCs that make no errors, and the states of knowing it.

A sight is what has been seen of one NPC, as one of `Tree`'s nodes that some hypothesis leads to.
A state is a sight of each NPC. `reference.ideal` is the plain version.
"""

from __future__ import annotations

from onlooker.inference.kernels.histories import imagine_step
from onlooker.inference.kernels.tree import Tree
from onlooker.observers.kernels.containers import SLOTS, slot_of
from onlooker.planning.compiling import compiled, inlined
from onlooker.planning.structures import Floats1, Floats2, Ints1, Ints2, axes, structure
from onlooker.planning.world import NONE, World

CACHED = 4096  # costs of searches that are remembered


@structure
class StateSpace:
    """What can be seen of all NPCs, and what it is worth to know it."""

    # the sights; those of the NPCs' starts come first
    sights: int
    node: Ints1 = axes("nodes")  # in the tree
    goals: Ints2 = axes("nodes", "assignments")  # how many goals lead to it
    eldest: Ints1 = axes("nodes")  # the first of the sights that can follow, or NONE
    sibling: Ints1 = axes("nodes")  # another one that can follow the same sight, or NONE
    sight_of: Ints1 = axes("nodes")  # or NONE
    lane_sight: Ints1 = axes("lanes")  # how far a hypothesis has been followed

    # the states; what can follow a state comes after it
    states: int
    slot: Ints2 = axes("states", SLOTS)  # hash table of states, or NONE
    sight: Ints2 = axes("states", "npcs")
    weight: Floats1 = axes("states")  # how many hypotheses lead to it
    act: Floats1 = axes("states")  # E
    value: Floats1 = axes("states")  # the least expected cost

    # the state at hand
    at: Ints1 = axes("npcs")  # its sights
    holder_weight: Floats1 = axes("assignments")
    watch: Floats1 = axes("npcs")  # what watching each NPC costs, nan if that cannot be

    # what searches cost
    cached: Floats1 = axes(CACHED)  # E, negative if there is none
    cached_share: Floats2 = axes(CACHED, "assignments")  # of these shares


@inlined
def expand_sights(world: World, tree: Tree, space: StateSpace) -> None:
    """Follow every hypothesis about every NPC to its arrival, if there is something to learn."""
    space.sights = 0
    for node in range(len(space.sight_of)):
        space.sight_of[node] = NONE
    for npc in range(world.npcs):
        new_sight(world, space, npc)
    for npc in range(world.npcs):
        for lane in range(world.lanes):
            space.lane_sight[lane] = npc
            space.goals[npc, lane % world.assignments] += 1
        following = world.open != 0
        while following:
            following = False
            for lane in range(world.lanes):
                if space.lane_sight[lane] != NONE:
                    space.lane_sight[lane] = next_sight(world, tree, space, lane)
                    following = True
            if tree.error:
                return


@inlined
def next_sight(world: World, tree: Tree, space: StateSpace, lane: int) -> int:
    """The sight after one more step of a hypothesis, NONE if it has arrived."""
    before = space.lane_sight[lane]
    node = imagine_step(world, tree, space.node[before], lane)
    if node == NONE:
        return NONE
    sight = space.sight_of[node]
    if sight == NONE:
        sight = new_sight(world, space, node)
        space.sibling[sight] = space.eldest[before]
        space.eldest[before] = sight
    space.goals[sight, lane % world.assignments] += 1
    return sight


@compiled
def new_sight(world: World, space: StateSpace, node: int) -> int:
    """One more sight, of a node; nothing leads to it yet."""
    sight = space.sights
    space.sights, space.sight_of[node] = sight + 1, sight
    space.node[sight] = node
    space.eldest[sight] = space.sibling[sight] = NONE
    for h in range(world.assignments):
        space.goals[sight, h] = 0
    return sight


@inlined
def list_states(world: World, space: StateSpace) -> None:
    """List every state that can be reached, the start first; there is room for them."""
    space.states = 0
    for row in range(len(space.slot)):
        for slot in range(SLOTS):
            space.slot[row, slot] = NONE
    for npc in range(world.npcs):
        space.at[npc] = npc
    add_state(world, space)
    state = 0
    while state < space.states:
        for npc in range(world.npcs):
            stand_at(world, space, state)
            following = space.eldest[space.at[npc]]
            while following != NONE:
                space.at[npc] = following
                add_state(world, space)
                following = space.sibling[following]
        state += 1


@compiled
def stand_at(world: World, space: StateSpace, state: int) -> None:
    """Make a state the one at hand."""
    for npc in range(world.npcs):
        space.at[npc] = space.sight[state, npc]


@compiled
def add_state(world: World, space: StateSpace) -> None:
    """List the state at hand, if something leads to it and it is not listed."""
    slots = space.slot.reshape(-1)
    slot = slot_of(space.sight, slots, space.at)
    if slots[slot] != NONE:
        return
    weight = weigh_state(world, space)
    if weight == 0:
        return
    state = space.states
    space.states, slots[slot], space.weight[state] = state + 1, state, weight
    for npc in range(len(space.at)):
        space.sight[state, npc] = space.at[npc]


@compiled
def weigh_state(world: World, space: StateSpace) -> float:
    """How many hypotheses lead to the state at hand, by holders in `holder_weight`."""
    total = 0.0
    for h in range(world.assignments):
        weight = 1.0
        for npc in range(world.npcs):
            weight *= space.goals[space.at[npc], h]
        space.holder_weight[h] = weight
        total += weight
    return total


@compiled
def state_at(space: StateSpace) -> int:
    """The number of the state at hand, NONE if nothing leads to it."""
    slots = space.slot.reshape(-1)
    return int(slots[slot_of(space.sight, slots, space.at)])
