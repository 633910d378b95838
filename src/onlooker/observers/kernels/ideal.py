"""Compiled: the ideal observer's values at every state of knowing, and acting from one of them.

`tests/observers/ideal_reference.py` is the plain version.
"""

from __future__ import annotations

import numpy as np

from onlooker.inference.kernels.histories import follow
from onlooker.inference.kernels.tree import MAIN_STUCK, UNEXPLAINED, Tree, plant
from onlooker.inference.parameters import MARGIN
from onlooker.observers.kernels.findings import Search
from onlooker.observers.kernels.listing import slot_of
from onlooker.observers.kernels.search import (
    carry_out,
    expected_cost,
    set_holder_weights,
    start_search,
)
from onlooker.observers.kernels.sights import (
    CACHED,
    Sights,
    States,
    expand_sights,
    list_states,
    stand_at,
    weigh_state,
)
from onlooker.planning.compiling import Entry, compiled, inlined
from onlooker.planning.packing import Packed
from onlooker.planning.structures import Ints1
from onlooker.planning.world import EMPTY, NONE, World, lay_out


@inlined
def value_states(world: World, search: Search, sights: Sights, states: States) -> None:
    """Work out what acting and watching cost at every state, the last ones first."""
    for entry in range(CACHED):
        states.cached[entry] = -1.0
    for state in range(states.count - 1, -1, -1):
        stand_at(sights, states, state)
        least = states.act[state] = search_at(world, search, sights, states)
        for npc in range(world.npcs):
            if states.weight_after[state, npc] > 0:
                least = min(least, watching_cost(world, states, state, npc))
        for npc in range(world.npcs):
            before, weight = states.before[state, npc], states.weight[state]
            if before != NONE:
                states.weight_after[before, npc] += weight
                states.cost_after[before, npc] += weight * least
        states.expected_cost = least


@compiled
def search_at(world: World, search: Search, sights: Sights, states: States) -> float:
    """E at the state at hand; it is remembered for others with the same shares."""
    total = weigh_state(world, sights)
    set_holder_weights(world, search, sights.holder_weight)
    entry = 0
    for row in range(search.rows):
        # Weights are whole numbers, so that equal shares are equal to the last digit.
        search.share[row] /= total
        entry = (entry * 1_000_003 + int(search.share[row] * (1 << 30))) % 2_147_483_647
    entry %= CACHED
    same = states.cached[entry] >= 0
    for row in range(search.rows):
        same &= states.cached_share[entry, row] == search.share[row]
    if not same:
        states.cached[entry] = expected_cost(world, search)
        for row in range(search.rows):
            states.cached_share[entry, row] = search.share[row]
    return float(states.cached[entry])


@inlined
def watching_cost(world: World, states: States, state: int, npc: int) -> float:
    """What it costs to see one more step of an NPC, and then to do what is best."""
    return float(world.observe + states.cost_after[state, npc] / states.weight_after[state, npc])


def _find_sights(world: World, tree: Tree, search: Search, sights: Sights, packed: Packed) -> None:
    """Find all that can be seen of each NPC of the first trial."""
    search.started = False
    lay_out(world, packed, EMPTY)
    plant(world, tree)
    start_search(world, tree, search, world.main_cell, EMPTY)
    if not tree.error:
        follow(world, tree)
    if not tree.error:
        expand_sights(world, tree, sights)


def _weigh_states(world: World, tree: Tree, search: Search, sights: Sights, states: States) -> None:
    """List the states of these sights, for which there is room, and give each its value."""
    tree.error = 0
    list_states(world, sights, states)
    value_states(world, search, sights, states)


def _consult(
    world: World, tree: Tree, search: Search, sights: Sights, states: States, steps: Ints1
) -> tuple[int, float, bool]:
    """What the ideal observer thinks after so many real steps of each NPC, and how it acts.

    Returns the NPC that it would watch (NONE to act), what acting costs, and whether there is a way
    if it acts. Its route and whom it would ask are left in `search`, the weights of the holders in
    `sights`, what watching costs in `states`.
    """
    tree.error = 0
    choice, cost, done = NONE, np.nan, False
    search.actions = search.interactions = 0
    state = recognise(world, tree, sights, states, steps)
    if state != NONE:
        choice, cost = choose_at(world, tree, states, state, steps), states.act[state]
        search_at(world, search, sights, states)
        done = carry_out(world, search)
        if not done:
            search.actions = search.interactions = 0
            if choice == NONE:
                tree.error, tree.error_cell = MAIN_STUCK, search.end
                tree.error_amulets = search.end_held
    return choice, cost, done


@compiled
def recognise(world: World, tree: Tree, sights: Sights, states: States, steps: Ints1) -> int:
    """The state after so many real steps of each NPC, NONE if no hypothesis leads to it.

    It is then the one at hand.
    """
    last = 0
    for npc in range(world.npcs):
        sights.at[npc] = npc
        for step in range(1, steps[npc] + 1 if world.open else 1):
            sights.at[npc] = sights.sight_of[tree.path[npc, step]]
            if sights.at[npc] == NONE:
                tree.error, tree.error_npc, tree.error_step = UNEXPLAINED, npc, step
                return NONE
        if steps[npc]:
            last = npc
    state = states.slots[slot_of(states.sight, states.slots, sights.at)]
    if state == NONE:
        tree.error, tree.error_npc, tree.error_step = UNEXPLAINED, last, steps[last]
    return int(state)


@inlined
def choose_at(world: World, tree: Tree, states: States, state: int, steps: Ints1) -> int:
    """The NPC that it watches at a state, NONE to act; what watching costs is left in `watch`."""
    least = np.inf
    for npc in range(world.npcs):
        states.watch[npc] = np.nan
        if steps[npc] < tree.path_length[npc] and states.weight_after[state, npc] > 0:
            states.watch[npc] = watching_cost(world, states, state, npc)
            least = min(least, states.watch[npc])
    if least < states.act[state] - MARGIN:
        for npc in range(world.npcs):
            if states.watch[npc] <= least + MARGIN:
                return npc
    return NONE


find_sights, weigh_states, consult = Entry(_find_sights), Entry(_weigh_states), Entry(_consult)
