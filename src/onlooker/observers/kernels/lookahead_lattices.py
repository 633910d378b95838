"""Compiled: lattices of observers that look ahead.

Worlds of a trial that differ only in the NPCs' goals and the holders share all that can be seen.
Each combination of it is appraised once for all of them.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from onlooker.inference.kernels.errors import FULL
from onlooker.inference.kernels.histories import has_arrived
from onlooker.inference.kernels.posteriors import gather
from onlooker.inference.kernels.tree import Tree
from onlooker.inference.parameters import Settings
from onlooker.observers.kernels.alike import last_alike, turn_to
from onlooker.observers.kernels.findings import Search, forget, new_search
from onlooker.observers.kernels.lattices import (
    ROWS,
    combinations,
    describe,
    doubled,
    explains,
    go_there,
    see,
)
from onlooker.observers.kernels.listing import Listing, clear, new_listing, number_of
from onlooker.observers.kernels.lookahead import (
    Lookout,
    acting_cost,
    forget_costs,
    look_around,
    new_lookout,
    start_thinking,
    watching_cost,
)
from onlooker.observers.kernels.parts import choose, wanted_wizards
from onlooker.observers.kernels.plans import Plans, new_plans
from onlooker.observers.kernels.runs import new_memory, prepare
from onlooker.observers.kernels.thoughts import Thoughts
from onlooker.planning.compiling import Entry, compiled, inlined
from onlooker.planning.packing import Packed
from onlooker.planning.structures import Floats2, Ints1, Ints2, borrow
from onlooker.planning.world import EMPTY, NONE, World


@compiled
def group_by_evidence(
    world: World,
    tree: Tree,
    seen: Listing,
    others: Listing,
    evidence: Listing,
    npc: int,
    first: Ints1,
    following: Ints1,
) -> int:
    """Link combinations in which all but an NPC say the same of the holders; how many groups.

    `first` is the first of each group, `following` the one after another.
    """
    clear(others)
    clear(evidence)
    agents = seen.row.shape[1]
    nodes, digits = np.empty(agents, np.int64), np.empty(world.holders, np.int64)
    group_of = np.empty(seen.count, np.int64)  # of what the others were seen to do
    for number in range(seen.count):
        first[number] = NONE
    for number in range(seen.count):
        for k in range(agents):
            tree.history[k] = seen.row[number, k]
            nodes[k] = NONE if k == npc else seen.row[number, k]
        known = others.count
        place = number_of(others, nodes)
        if place == known:
            gather(world, tree, npc)
            for h in range(world.holders):
                digits[h] = digits_of(tree.others[npc, h])
            group_of[place] = number_of(evidence, digits)
        group = group_of[place]
        following[number], first[group] = first[group], number
    return evidence.count


@inlined
def digits_of(share: float) -> int:
    """A number from 0 to 1, the same for others that differ from it by rounding only."""
    digits, exponent = math.frexp(share)
    return int(digits * (1 << 50) + 0.5) + (exponent << 52)


@inlined
def appraise_all(
    world: World,
    tree: Tree,
    thoughts: Thoughts,
    search: Search,
    plans: Plans,
    lookout: Lookout,
    seen: Listing,
    value: Floats2,
) -> None:
    """Give all combinations their values, as far as there is room.

    They depend on what was seen of an NPC and on what all others say of the holders, so they are
    worked out once for each pair of these.
    """
    agents = seen.row.shape[1]
    others, evidence = new_listing(agents), new_listing(world.holders)
    first, following = np.empty(seen.count, np.int64), np.empty(seen.count, np.int64)
    # the group that a node has values in, and its first combination there
    known_in, known_at = np.full(len(tree.npc), NONE), np.empty(len(tree.npc), np.int64)
    look_around(world, tree, search, plans, lookout)
    for npc in range(agents):
        groups = group_by_evidence(
            world, tree, seen, borrow(others), borrow(evidence), npc, first, following
        )
        for group in range(groups):
            number = first[group]
            for k in range(agents):
                tree.history[k] = seen.row[number, k]
            while number != NONE:  # only the NPC changes: the others say the same in all of them
                node = seen.row[number, npc]
                tree.history[npc] = node
                if known_in[node] != group:
                    known_in[node], known_at[node] = group, number
                    gather(world, tree, npc)
                    if npc == 0:
                        cost = acting_cost(world, tree, thoughts, search, plans, lookout, node)
                        value[number, 0] = -cost
                    if npc < world.npcs and not tree.arrived[node]:
                        cost = watching_cost(world, tree, thoughts, search, plans, lookout, npc)
                        value[number, 1 + npc] = -cost
                    if tree.error:
                        return
                if npc == 0:
                    value[number, 0] = value[known_at[node], 0]
                value[number, 1 + npc] = value[known_at[node], 1 + npc]
                number = following[number]


@inlined
def describe_all(
    world: World,
    tree: Tree,
    packed: Packed,
    about: Ints2,
    first: int,
    last: int,
    rows: int,
    limit: int,
) -> int:
    """Describe trials that are alike, whose rows begin at one; the row after them."""
    for trial in range(first, last):
        turn_to(world, tree, packed, trial)
        if tree.error == FULL:
            break
        count = EMPTY if tree.error else combinations(world, tree)
        describe(world, tree, about[trial], tree.error, rows, count)
        rows += count if count <= limit else 0
    return rows


@inlined
def lattices_alike(
    world: World,
    tree: Tree,
    thoughts: Thoughts,
    search: Search,
    plans: Plans,
    lookout: Lookout,
    packed: Packed,
    parts: Ints1,
    about: Ints2,
    first: int,
    last: int,
    values: Floats2,
    chosen: Ints2,
    acting: Ints2,
    begin: int,
    end: int,
    limit: int,
) -> int:
    """Fill in the rows of trials that are alike, from one to another; the error if any."""
    agents = max(world.npcs, 1)  # a belief needs a node even where there is no NPC
    kept_seen = new_listing(agents)
    number = np.empty(end - begin, np.int64)  # the combination of each row
    for trial in range(first, last):
        start = about[trial, 3]
        turn_to(world, tree, packed, trial)
        for row in range(start, start + rows_of(about[trial], limit)):
            see(world, tree, row - start)
            known = kept_seen.count
            number[row - begin] = number_of(borrow(kept_seen), tree.history)
            if number[row - begin] == known and not explains(world, tree):
                describe(world, tree, about[trial], tree.error, start, about[trial, 4])
                kept_seen.count = 0  # its NPCs' actions are fixed, so no other trial is like it
                break
    seen, tree.error = borrow(kept_seen), 0
    value, wizards = np.empty((seen.count, agents + 1)), np.empty(seen.count, np.int64)
    if seen.count:
        appraise_all(world, tree, thoughts, search, plans, lookout, seen, value)
    if tree.error:
        return tree.error
    for combination in range(kept_seen.count):
        for npc in range(agents):
            tree.history[npc] = kept_seen.row[combination, npc]
        wizards[combination] = wanted_wizards(world, tree, parts[2])
    start_thinking(world, thoughts)
    for trial in range(first, last):
        start = about[trial, 3]
        turn_to(world, tree, packed, trial)
        for row in range(start, start + rows_of(about[trial], limit)):
            see(world, tree, row - start)
            at = number[row - begin]
            thoughts.value[0] = values[row, 0] = value[at, 0]
            for npc in range(world.npcs):
                worth = -np.inf if has_arrived(tree, npc) else value[at, 1 + npc]
                thoughts.value[1 + npc] = values[row, 1 + npc] = worth
            for option in range(world.npcs + 1):
                chosen[row, option] = 1 + choose(world, tree, thoughts, parts[1], option - 1)
            go_there(world, tree, thoughts, wizards[at], acting, start, row)
    return 0


@inlined
def rows_of(about: Ints1, limit: int) -> int:
    """How many rows a trial has: none if it failed, or would have more than the limit."""
    return 0 if about[0] or about[4] > limit else about[4]


def _lookahead_batch(
    packed: Packed, settings: Settings, parts: Any, caution: float, limit: int, nodes: int
) -> Any:
    """The lattices of trials, in the form that `lattices.lattice_batch` gives them."""
    trials, npcs = len(packed.numbers), packed.npc.shape[1]
    about = np.zeros((trials, 5 + npcs), np.int64)
    values = np.empty((ROWS, npcs + 1))
    chosen, acting = np.empty((ROWS, npcs + 1), np.int64), np.empty((ROWS, 3), np.int64)
    world, tree, thoughts = new_memory(packed, settings, nodes)
    search, plans = new_search(packed), new_plans(packed)
    lookout = new_lookout(packed, caution, nodes)
    first, rows = EMPTY, EMPTY
    while first < trials:
        last = last_alike(packed, first)
        prepare(borrow(world), borrow(tree), borrow(thoughts), packed, first)
        forget(borrow(search))
        forget_costs(borrow(lookout))
        plans.laid = False
        end = describe_all(borrow(world), borrow(tree), packed, about, first, last, rows, limit)
        while end > len(values):
            values, chosen, acting = doubled(values), doubled(chosen), doubled(acting)
        if tree.error != FULL:
            tree.error = lattices_alike(
                borrow(world),
                borrow(tree),
                borrow(thoughts),
                borrow(search),
                borrow(plans),
                borrow(lookout),
                packed,
                parts,
                about,
                first,
                last,
                values,
                chosen,
                acting,
                rows,
                end,
                limit,
            )
        if tree.error == FULL:
            nodes *= 2
            world, tree, thoughts = new_memory(packed, settings, nodes)
        else:
            first, rows = last, end
    looks = np.full((rows, npcs), np.nan)
    return about, values[:rows], looks, chosen[:rows], acting[:rows]


lookahead_batch = Entry(_lookahead_batch)
