"""Compiled: the ideal observer's values at every state of knowing, and acting from one of them.

`reference.ideal` is the plain version.
"""

from __future__ import annotations

import numpy as np

from onlooker.inference.kernels.histories import follow
from onlooker.inference.kernels.tree import MAIN_STUCK, UNEXPLAINED, Tree, plant
from onlooker.inference.parameters import MARGIN
from onlooker.observers.kernels.findings import Search, forget
from onlooker.observers.kernels.search import (
    carry_out,
    expected_cost,
    set_holder_weights,
    start_search,
)
from onlooker.observers.kernels.sights import (
    CACHED,
    StateSpace,
    expand_sights,
    list_states,
    stand_at,
    state_at,
    weigh_state,
)
from onlooker.planning.compiling import Entry, compiled, inlined
from onlooker.planning.packing import Packed
from onlooker.planning.structures import Ints1
from onlooker.planning.world import EMPTY, NONE, World, lay_out


@inlined
def value_states(world: World, search: Search, space: StateSpace) -> None:
    """Give every state its value, the last ones first."""
    for entry in range(CACHED):
        space.cached[entry] = -1.0
    for state in range(space.states - 1, -1, -1):
        stand_at(world, space, state)
        space.act[state] = search_at(world, search, space)
        space.value[state] = space.act[state]
        weigh_watching(world, space, state)
        for npc in range(world.npcs):
            if space.watch[npc] < space.value[state]:
                space.value[state] = space.watch[npc]


@compiled
def search_at(world: World, search: Search, space: StateSpace) -> float:
    """E at the state at hand; it is remembered for others with the same shares."""
    total = weigh_state(world, space)
    set_holder_weights(world, search, space.holder_weight)
    entry = 0
    for row in range(search.rows):
        # Weights are whole numbers, so that equal shares are equal to the last digit.
        search.share[row] /= total
        entry = (entry * 1_000_003 + int(search.share[row] * (1 << 30))) % 2_147_483_647
    entry %= CACHED
    same = space.cached[entry] >= 0
    for row in range(search.rows):
        same &= space.cached_share[entry, row] == search.share[row]
    if not same:
        space.cached[entry] = expected_cost(world, search)
        for row in range(search.rows):
            space.cached_share[entry, row] = search.share[row]
    return float(space.cached[entry])


@compiled
def weigh_watching(world: World, space: StateSpace, state: int) -> None:
    """What watching each NPC costs at a state, nan for one of which nothing more can be seen."""
    for npc in range(world.npcs):
        stand_at(world, space, state)
        total, mean = 0.0, 0.0
        following = space.eldest[space.at[npc]]
        while following != NONE:
            space.at[npc] = following
            after = state_at(space)
            if after != NONE:
                total += space.weight[after]
                mean += space.weight[after] * space.value[after]
            following = space.sibling[following]
        space.watch[npc] = world.observe + mean / total if total > 0 else np.nan


def _find_sights(
    world: World, tree: Tree, search: Search, space: StateSpace, packed: Packed
) -> None:
    """Find all that can be seen of each NPC of the first trial."""
    forget(search)
    lay_out(world, packed, EMPTY)
    plant(world, tree)
    start_search(world, tree, search, world.main_cell, EMPTY)
    if not tree.error:
        follow(world, tree)
    if not tree.error:
        expand_sights(world, tree, space)


def _weigh_states(world: World, tree: Tree, search: Search, space: StateSpace) -> None:
    """List the states of these sights, for which there is room, and give each its value."""
    tree.error = 0
    list_states(world, space)
    value_states(world, search, space)


def _consult(
    world: World, tree: Tree, search: Search, space: StateSpace, steps: Ints1
) -> tuple[int, float, bool]:
    """What the ideal observer thinks after so many real steps of each NPC, and how it acts.

    Returns the NPC that it would watch (NONE to act), what acting costs, and whether there is a way
    if it acts. Its route and whom it would ask are left in `search`, the rest in `space`.
    """
    tree.error = 0
    choice, cost, done = NONE, np.nan, False
    search.actions = search.interactions = 0
    state = recognise(world, tree, space, steps)
    if state != NONE:
        choice, cost = choose_at(world, tree, space, state, steps), space.act[state]
        stand_at(world, space, state)
        search_at(world, search, space)
        done = carry_out(world, search)
        if not done:
            search.actions = search.interactions = 0
            if choice == NONE:
                tree.error, tree.error_cell = MAIN_STUCK, search.end
                tree.error_amulets = search.end_held
    return choice, cost, done


@compiled
def recognise(world: World, tree: Tree, space: StateSpace, steps: Ints1) -> int:
    """The state after so many real steps of each NPC, NONE if no hypothesis leads to it."""
    last = 0
    for npc in range(world.npcs):
        space.at[npc] = npc
        for step in range(1, steps[npc] + 1 if world.open else 1):
            space.at[npc] = space.sight_of[tree.path[npc, step]]
            if space.at[npc] == NONE:
                tree.error, tree.error_npc, tree.error_step = UNEXPLAINED, npc, step
                return NONE
        if steps[npc]:
            last = npc
    state = state_at(space)
    if state == NONE:
        tree.error, tree.error_npc, tree.error_step = UNEXPLAINED, last, steps[last]
    return state


@inlined
def choose_at(world: World, tree: Tree, space: StateSpace, state: int, steps: Ints1) -> int:
    """The NPC that it watches at a state, NONE to act; what watching costs is left in `watch`."""
    weigh_watching(world, space, state)
    least = np.inf
    for npc in range(world.npcs):
        if steps[npc] >= tree.path_length[npc]:
            space.watch[npc] = np.nan
        if space.watch[npc] < least:
            least = space.watch[npc]
    if least < space.act[state] - MARGIN:
        for npc in range(world.npcs):
            if space.watch[npc] <= least + MARGIN:
                return npc
    return NONE


find_sights, weigh_states, consult = Entry(_find_sights), Entry(_weigh_states), Entry(_consult)
