"""Compiled: lattices of observers that look ahead."""

from __future__ import annotations

from typing import Any

import numpy as np

from onlooker.inference.kernels.errors import FULL
from onlooker.inference.kernels.tree import Tree
from onlooker.inference.parameters import Settings
from onlooker.observers.kernels.findings import Search, forget, new_search
from onlooker.observers.kernels.lattices import (
    ROWS,
    combinations,
    describe,
    doubled,
    go_there,
    stand_at,
)
from onlooker.observers.kernels.lookahead import (
    Lookout,
    acting_cost,
    forget_costs,
    gather_news,
    look_around,
    new_lookout,
    start_thinking,
    watching_cost,
)
from onlooker.observers.kernels.parts import choose, wanted_wizards
from onlooker.observers.kernels.runs import new_memory, prepare
from onlooker.observers.kernels.thoughts import Thoughts
from onlooker.planning.compiling import Entry, compiled
from onlooker.planning.packing import Packed
from onlooker.planning.structures import Floats2, Ints1, Ints2, borrow
from onlooker.planning.world import EMPTY, World


@compiled
def lookahead_lattice(
    kept_world: World,
    kept_tree: Tree,
    kept_thoughts: Thoughts,
    kept_search: Search,
    kept_lookout: Lookout,
    parts: Ints1,
    values: Floats2,
    chosen: Ints2,
    acting: Ints2,
    start: int,
) -> int:
    """Fill in the rows from one on, as `lattices.lattice` does; the error if any."""
    world, tree, thoughts = borrow(kept_world), borrow(kept_tree), borrow(kept_thoughts)
    search, lookout = borrow(kept_search), borrow(kept_lookout)
    count = combinations(world, tree)
    for index in range(count):
        if not stand_at(world, tree, index):
            return tree.error
    look_around(world, tree, search, lookout)
    stride = count
    for npc in range(max(world.npcs, 1)):
        steps = tree.path_length[npc] if world.npcs else 0
        stride //= steps + 1
        for others in range(count // (steps + 1)):
            first = others // stride * stride * (steps + 1) + others % stride
            # What others were seen to do stays, so that what is worked out for it is used again.
            for step in range(steps + 1):
                index = first + step * stride
                stand_at(world, tree, index)
                if npc == 0:
                    gather_news(world, tree, lookout, npc)
                    node = tree.history[0]
                    cost = acting_cost(world, tree, thoughts, search, lookout, node)
                    values[start + index, 0] = -cost
                cost = np.inf
                if step < steps:
                    cost = watching_cost(world, tree, thoughts, search, lookout, npc)
                if tree.error:
                    return tree.error
                if world.npcs:
                    values[start + index, 1 + npc] = -cost
    start_thinking(world, thoughts)
    for index in range(count):
        row = start + index
        stand_at(world, tree, index)
        for option in range(world.npcs + 1):
            thoughts.value[option] = values[row, option]
        for option in range(world.npcs + 1):
            chosen[row, option] = 1 + choose(world, tree, thoughts, parts[1], option - 1)
        go_there(world, tree, thoughts, wanted_wizards(world, tree, parts[2]), acting, start, row)
    return 0


def _lookahead_batch(
    packed: Packed, settings: Settings, parts: Any, caution: float, limit: int, nodes: int
) -> Any:
    """The lattices of trials, in the form that `lattices.lattice_batch` gives them."""
    trials, npcs = len(packed.numbers), packed.npc.shape[1]
    about = np.zeros((trials, 5 + npcs), np.int64)
    values = np.empty((ROWS, npcs + 1))
    chosen, acting = np.empty((ROWS, npcs + 1), np.int64), np.empty((ROWS, 3), np.int64)
    world, tree, thoughts = new_memory(packed, settings, nodes)
    search, lookout = new_search(packed), new_lookout(packed, caution, nodes)
    trial, rows = EMPTY, EMPTY
    while trial < trials:
        prepare(borrow(world), borrow(tree), borrow(thoughts), packed, trial)
        forget(borrow(search))
        forget_costs(borrow(lookout))
        error, count = tree.error, EMPTY
        if not error:
            count = combinations(borrow(world), borrow(tree))
            if count <= limit:
                while rows + count > len(values):
                    values, chosen, acting = doubled(values), doubled(chosen), doubled(acting)
                error = lookahead_lattice(
                    world, tree, thoughts, search, lookout, parts, values, chosen, acting, rows
                )
        if error == FULL:
            nodes *= 2
            world, tree, thoughts = new_memory(packed, settings, nodes)
            continue
        describe(borrow(world), borrow(tree), about[trial], error, rows, count)
        rows += count if count <= limit else 0
        trial += 1
    looks = np.full((rows, npcs), np.nan)
    return about, values[:rows], looks, chosen[:rows], acting[:rows]


lookahead_batch = Entry(_lookahead_batch)
