"""Compiled: lattices of observers that look ahead.

Trials that differ only in what is hidden, the holders and the NPCs' goals, are alike: all that can
be seen in one can be seen in the others. One tree of histories serves all of them, and each
combination of what is seen is appraised once.
"""

from __future__ import annotations

import math

import numpy as np

from onlooker.inference.kernels.histories import follow
from onlooker.inference.kernels.posteriors import gather
from onlooker.inference.kernels.tree import ROWS, Tree, has_room, is_stopped
from onlooker.observers.kernels.findings import Search
from onlooker.observers.kernels.lattices import (
    Rows,
    combinations,
    describe,
    explains,
    fill_row,
    set_steps_seen,
)
from onlooker.observers.kernels.listing import SLOTS, intern_row
from onlooker.observers.kernels.lookahead import acting_cost, watching_cost
from onlooker.observers.kernels.parts import (
    Appraisal,
    rule_out_arrived,
    start_thinking,
    wanted_wizards,
)
from onlooker.observers.kernels.plans import Lookahead, lay_plans
from onlooker.observers.kernels.runs import prepare
from onlooker.observers.kernels.thoughts import Thoughts
from onlooker.planning.compiling import Entry, compiled, inlined
from onlooker.planning.packing import Packed
from onlooker.planning.structures import Floats2, Ints1, Ints2
from onlooker.planning.world import EMPTY, NONE, World, lay_agents


@inlined
def last_alike(rows: Rows, trials: int) -> int:
    """The trial after the last of those that are like the next one."""
    end = rows.trial + 1
    while end < trials and rows.alike[end]:
        end += 1
    return end


@compiled
def switch_trial(world: World, tree: Tree, packed: Packed, trial: int) -> None:
    """Go on to a trial that is like the one at hand: what its NPCs really do."""
    world.truth = packed.numbers[trial]["truth"]
    lay_agents(world, packed, trial)
    tree.error = 0
    follow(world, tree)


@compiled
def group_by_evidence(
    world: World, tree: Tree, seen: Ints2, npc: int, first: Ints1, following: Ints1
) -> int:
    """Link combinations in which all but an NPC say the same of the holders; how many groups.

    `first` is the first of each group, `following` the one after another.
    """
    count, agents = seen.shape
    evidence = np.empty((count, world.assignments), np.int64)
    slots, digits = np.full(SLOTS * count, NONE), np.empty(world.assignments, np.int64)
    groups = 0
    for number in range(count):
        first[number] = NONE
    for number in range(count):
        for k in range(agents):
            tree.history[k] = seen[number, k]
        gather(world, tree, npc)
        for h in range(world.assignments):
            digits[h] = digits_of(tree.others[npc, h])
        group = intern_row(evidence, slots, groups, digits)
        groups = max(groups, group + 1)
        following[number], first[group] = first[group], number
    return groups


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
    ahead: Lookahead,
    seen: Ints2,
    value: Floats2,
) -> None:
    """Give all combinations their values, as far as there is room.

    They depend on what was seen of an NPC and on what all others say of the holders, so they are
    worked out once for each pair of these.
    """
    count, agents = seen.shape
    first, following = np.empty(count, np.int64), np.empty(count, np.int64)
    # what it costs to watch the NPC from a node on, and the group that this is known in
    watching, known_in = np.empty(len(tree.npc)), np.full(len(tree.npc), NONE)
    for npc in range(agents):
        groups = group_by_evidence(world, tree, seen, npc, first, following)
        for group in range(groups):
            number = first[group]
            for k in range(agents):
                tree.history[k] = seen[number, k]
            gather(world, tree, npc)
            while number != NONE:  # only the NPC changes: the others say the same in all of them
                node = tree.history[npc] = seen[number, npc]
                if known_in[node] != group and npc < world.npcs and not tree.arrived[node]:
                    known_in[node] = group
                    watching[node] = watching_cost(world, tree, thoughts, search, ahead, npc)
                    if tree.error:
                        return
                value[number, 1 + npc] = -watching[node]
                if npc == 0:
                    cost = acting_cost(world, tree, thoughts, search, ahead, node)
                    value[number, 0] = -cost
                number = following[number]


@inlined
def describe_all(world: World, tree: Tree, rows: Rows, packed: Packed, last: int) -> int:
    """Describe trials that are alike, from the next one on; the row after them."""
    end = rows.rows
    for trial in range(rows.trial, last):
        switch_trial(world, tree, packed, trial)
        if is_stopped(tree):
            break
        count = EMPTY if tree.error else combinations(world, tree)
        describe(world, tree, rows, trial, end, count)
        end += rows_of(rows, trial)
    return end


@inlined
def list_combinations(
    world: World, tree: Tree, rows: Rows, packed: Packed, last: int, seen: Ints2, number: Ints1
) -> int:
    """List what is seen in the rows of trials that are alike, each combination once; how many.

    `number` is that of each row.
    """
    slots, count = np.full(SLOTS * len(number) + 1, NONE), 0
    for trial in range(rows.trial, last):
        start = rows.start[trial]
        switch_trial(world, tree, packed, trial)
        for row in range(start, start + rows_of(rows, trial)):
            set_steps_seen(world, tree, row - start)
            place = intern_row(seen, slots, count, tree.history)
            number[row - rows.rows] = place
            if place == count:
                count += 1
                if not explains(world, tree):
                    describe(world, tree, rows, trial, start, rows.count[trial])
                    tree.error = 0
                    return 0  # its NPCs' actions are fixed, so no other trial is like it
    tree.error = 0
    return count


@inlined
def lattices_alike(
    world: World,
    tree: Tree,
    thoughts: Thoughts,
    search: Search,
    ahead: Lookahead,
    rows: Rows,
    packed: Packed,
    last: int,
    end: int,
) -> None:
    """Fill in the rows of trials that are alike, from the next one on."""
    agents = max(world.npcs, 1)  # a belief needs a node even where there is no NPC
    number = np.empty(end - rows.rows, np.int64)  # the combination of each row
    listed = np.empty((len(number) + 1, agents), np.int64)
    count = list_combinations(world, tree, rows, packed, last, listed, number)
    seen = listed[:count]
    value, wizards = np.empty((count, agents + 1)), np.empty(count, np.int64)
    lay_plans(world, tree, search, ahead)
    if count and not tree.error:
        appraise_all(world, tree, thoughts, search, ahead, seen, value)
    if tree.error:
        return
    for combination in range(count):
        for npc in range(agents):
            tree.history[npc] = seen[combination, npc]
        wizards[combination] = wanted_wizards(world, tree, rows.trust)
    start_thinking(world, thoughts, Appraisal.LOOKAHEAD_COSTS)
    for trial in range(rows.trial, last):
        start = rows.start[trial]
        switch_trial(world, tree, packed, trial)
        for row in range(start, start + rows_of(rows, trial)):
            set_steps_seen(world, tree, row - start)
            at = number[row - rows.rows]
            for option in range(world.npcs + 1):
                thoughts.value[option] = value[at, option]
            rule_out_arrived(world, tree, thoughts)
            fill_row(world, tree, thoughts, rows, wizards[at], start, row)


@inlined
def rows_of(rows: Rows, trial: int) -> int:
    """How many rows a trial has: none if it failed, or would have more than the limit."""
    return 0 if rows.error[trial] or rows.count[trial] > rows.limit else int(rows.count[trial])


def _lookahead_batch(
    world: World,
    tree: Tree,
    thoughts: Thoughts,
    search: Search,
    ahead: Lookahead,
    rows: Rows,
    packed: Packed,
) -> None:
    """The lattices of trials, in the form that `lattices.lattice_batch` gives them."""
    while rows.trial < len(packed.numbers):
        last = last_alike(rows, len(packed.numbers))
        tree.error = 0
        prepare(world, tree, thoughts, packed, rows.trial)
        search.started = ahead.laid = False
        end = describe_all(world, tree, rows, packed, last)
        if not is_stopped(tree) and has_room(tree, ROWS, end, len(rows.value)):
            lattices_alike(world, tree, thoughts, search, ahead, rows, packed, last, end)
        if is_stopped(tree):
            return
        rows.trial, rows.rows = last, end
    tree.error = 0


lookahead_batch = Entry(_lookahead_batch)
