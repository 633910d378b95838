"""Compiled: the ideal observer's values at every state of knowing, and acting from one of them.

`reference.ideal` is the plain version.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from onlooker.inference.kernels.errors import MAIN_STUCK, UNEXPLAINED
from onlooker.inference.kernels.histories import follow
from onlooker.inference.kernels.tree import Tree, new_tree, plant
from onlooker.inference.parameters import Settings
from onlooker.observers.kernels.findings import Search, new_search
from onlooker.observers.kernels.search import (
    MARGIN,
    carry_out,
    expected_cost,
    set_out,
    share_out,
)
from onlooker.observers.kernels.sights import (
    CACHED,
    Prospect,
    list_states,
    look_ahead,
    new_prospect,
    stand_at,
    state_at,
    weigh_state,
)
from onlooker.planning.compiling import Entry, compiled, inlined
from onlooker.planning.packing import Packed
from onlooker.planning.structures import Ints1, borrow
from onlooker.planning.world import EMPTY, NONE, World, lay_out, new_world


@inlined
def value_states(world: World, search: Search, prospect: Prospect) -> None:
    """Give every state its value, the last ones first."""
    set_out(world, search, world.main_cell, EMPTY, EMPTY)
    for entry in range(CACHED):
        prospect.cached[entry] = -1.0
    for state in range(prospect.states - 1, -1, -1):
        stand_at(world, prospect, state)
        prospect.act[state] = search_at(world, search, prospect)
        prospect.value[state] = prospect.act[state]
        weigh_watching(world, prospect, state)
        for npc in range(world.npcs):
            if prospect.watch[npc] < prospect.value[state]:
                prospect.value[state] = prospect.watch[npc]


@compiled
def search_at(world: World, search: Search, prospect: Prospect) -> float:
    """E at the state at hand; it is remembered for others with the same shares."""
    total = weigh_state(world, prospect)
    share_out(world, search, prospect.holder_weight)
    entry = 0
    for row in range(search.rows):
        # Weights are whole numbers, so that equal shares are equal to the last digit.
        search.share[row] /= total
        entry = (entry * 1_000_003 + int(search.share[row] * (1 << 30))) % 2_147_483_647
    entry %= CACHED
    same = prospect.cached[entry] >= 0
    for row in range(search.rows):
        same &= prospect.cached_share[entry, row] == search.share[row]
    if not same:
        prospect.cached[entry] = expected_cost(world, search)
        for row in range(search.rows):
            prospect.cached_share[entry, row] = search.share[row]
    return float(prospect.cached[entry])


@compiled
def weigh_watching(world: World, prospect: Prospect, state: int) -> None:
    """What watching each NPC costs at a state, nan for one of which nothing more can be seen."""
    for npc in range(world.npcs):
        stand_at(world, prospect, state)
        total, mean = 0.0, 0.0
        following = prospect.eldest[prospect.at[npc]]
        while following != NONE:
            prospect.at[npc] = following
            after = state_at(world, prospect)
            if after != NONE:
                total += prospect.weight[after]
                mean += prospect.weight[after] * prospect.value[after]
            following = prospect.sibling[following]
        prospect.watch[npc] = world.observe + mean / total if total > 0 else np.nan


@inlined
def foresee(
    kept_world: World, kept_tree: Tree, kept_search: Search, kept: Prospect, packed: Packed
) -> Any:
    """Give every state of the first trial its value, as far as there is room for the states."""
    world, tree = borrow(kept_world), borrow(kept_tree)
    search, prospect = borrow(kept_search), borrow(kept)
    lay_out(world, packed, EMPTY)
    plant(world, tree)
    follow(world, tree)
    expected, room = np.inf, True
    if not tree.error:
        look_ahead(world, tree, prospect)
    if not tree.error:
        room = list_states(world, prospect)
        if room:
            value_states(world, search, prospect)
            expected = prospect.value[0]
    npc = np.empty(prospect.sights, np.int64)
    for sight in range(prospect.sights):
        npc[sight] = tree.npc[prospect.node[sight]]
    goals, lengths = kept.goals[: kept.sights], kept_tree.path_length
    return tree.error, tree.error_npc, room, expected, npc, goals, lengths


def _prepare_ideal(packed: Packed, settings: Settings, nodes: int, states: int) -> Any:
    """The first trial with the values of all its states.

    Returns what is kept of it, then an error and its NPC, whether there was room for the states,
    the expected cost, of each sight its NPC and how many goals lead to it, by holders, and how many
    steps each NPC takes.
    """
    world = new_world(packed, settings.move, settings.interact, settings.observe)
    nodes = max(nodes, packed.npc.shape[1], 1)
    tree, search = new_tree(packed, settings, nodes), new_search(packed)
    prospect = new_prospect(packed, nodes, states)
    found = foresee(world, tree, search, prospect, packed)
    return (world, tree, search, prospect), found


def _consult_ideal(
    kept_world: World, kept_tree: Tree, kept_search: Search, kept: Prospect, steps: Any
) -> Any:
    """What the ideal observer thinks after so many real steps of each NPC, and how it acts.

    Returns an error with what it is about, the NPC that it would watch (NONE to act), what acting
    and watching cost, how likely the holders are and, if it acted, its route and whom it would ask.
    """
    world, tree = borrow(kept_world), borrow(kept_tree)
    search, prospect = borrow(kept_search), borrow(kept)
    error = np.zeros(5, np.int64)
    choice, cost = NONE, np.nan
    search.actions = search.interactions = 0
    state = recognise(world, tree, prospect, steps, error)
    if state != NONE:
        choice, cost = choose_at(world, tree, prospect, state, steps), prospect.act[state]
        stand_at(world, prospect, state)
        search_at(world, search, prospect)
        done = carry_out(world, search)
        if not done:
            search.actions = search.interactions = 0
        if choice == NONE and not done:
            error[0], error[3], error[4] = MAIN_STUCK, world.square[search.end], search.end_held
    route, asked = kept_search.route[: search.actions], kept_search.asked[: search.interactions]
    return error, choice, cost, kept.watch, kept.holder_weight, route, asked


@compiled
def recognise(world: World, tree: Tree, prospect: Prospect, steps: Ints1, error: Ints1) -> int:
    """The state after so many real steps of each NPC, NONE if no hypothesis leads to it."""
    last = 0
    for npc in range(world.npcs):
        prospect.at[npc] = npc
        for step in range(1, steps[npc] + 1 if world.open else 1):
            prospect.at[npc] = prospect.sight_of[tree.path[npc, step]]
            if prospect.at[npc] == NONE:
                error[0], error[1], error[2] = UNEXPLAINED, npc, step
                return NONE
        if steps[npc]:
            last = npc
    state = state_at(world, prospect)
    if state == NONE:
        error[0], error[1], error[2] = UNEXPLAINED, last, steps[last]
    return state


@inlined
def choose_at(world: World, tree: Tree, prospect: Prospect, state: int, steps: Ints1) -> int:
    """The NPC that it watches at a state, NONE to act; what watching costs is left in `watch`."""
    weigh_watching(world, prospect, state)
    least = np.inf
    for npc in range(world.npcs):
        if steps[npc] >= tree.path_length[npc]:
            prospect.watch[npc] = np.nan
        if prospect.watch[npc] < least:
            least = prospect.watch[npc]
    if least < prospect.act[state] - MARGIN:
        for npc in range(world.npcs):
            if prospect.watch[npc] <= least + MARGIN:
                return npc
    return NONE


prepare_ideal, consult_ideal = Entry(_prepare_ideal), Entry(_consult_ideal)
