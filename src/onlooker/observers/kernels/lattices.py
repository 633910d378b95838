"""Compiled: the appraisal at every combination of steps seen."""

from __future__ import annotations

from typing import Any

import numpy as np

from onlooker.inference.kernels.errors import FULL, UNEXPLAINED
from onlooker.inference.kernels.tree import Tree, explained_together
from onlooker.inference.parameters import Settings
from onlooker.observers.kernels.parts import appraise
from onlooker.observers.kernels.runs import new_memory, prepare
from onlooker.observers.kernels.thoughts import Thoughts
from onlooker.planning.compiling import Entry, compiled
from onlooker.planning.packing import Packed
from onlooker.planning.structures import Floats2, borrow
from onlooker.planning.world import EMPTY, World


@compiled
def combinations(world: World, tree: Tree) -> int:
    """How many combinations of steps there are."""
    count = 1
    for npc in range(world.npcs):
        count *= tree.path_length[npc] + 1
    return count


@compiled
def lattice(
    kept_world: World,
    kept_tree: Tree,
    kept_thoughts: Thoughts,
    appraisal: int,
    values: Floats2,
    looks: Floats2,
    start: int,
) -> int:
    """Fill in the values from a row on, the last NPC's steps changing fastest; the error if any."""
    world, tree, thoughts = borrow(kept_world), borrow(kept_tree), borrow(kept_thoughts)
    for index in range(combinations(world, tree)):
        rest = index
        for npc in range(world.npcs - 1, -1, -1):
            steps = tree.path_length[npc] + 1
            tree.history[npc] = tree.path[npc, rest % steps]
            rest //= steps
        if not explained_together(world, tree):
            tree.error, tree.error_npc = UNEXPLAINED, last_moved(world, tree)
            tree.error_step = tree.steps[tree.history[tree.error_npc]]
            return UNEXPLAINED
        appraise(world, tree, thoughts, appraisal, True)
        if tree.error:
            return tree.error
        for option in range(world.npcs + 1):
            values[start + index, option] = thoughts.value[option]
        for npc in range(world.npcs):
            looks[start + index, npc] = thoughts.looks[npc]
    return 0


@compiled
def last_moved(world: World, tree: Tree) -> int:
    """The last NPC of which something was seen."""
    found = 0
    for npc in range(world.npcs):
        if tree.steps[tree.history[npc]] > 0:
            found = npc
    return found


def _lattice_batch(
    packed: Packed, settings: Settings, appraisal: int, limit: int, nodes: int
) -> Any:
    """The lattices of trials, one after the other.

    Returns for each trial its error, the NPC and step of that, the row where its lattice begins,
    how many rows it has and how many steps each NPC takes; then the rows' values and looks. A
    trial with more rows than the limit has none.
    """
    trials, npcs = len(packed.numbers), packed.npc.shape[1]
    about = np.zeros((trials, 5 + npcs), np.int64)
    values, looks = np.empty((1024, npcs + 1)), np.empty((1024, npcs))
    world, tree, thoughts = new_memory(packed, settings, nodes)
    trial, rows = EMPTY, EMPTY
    while trial < trials:
        prepare(borrow(world), borrow(tree), borrow(thoughts), packed, trial)
        error, count = tree.error, EMPTY
        if not error:
            count = combinations(borrow(world), borrow(tree))
            if count <= limit:
                while rows + count > len(values):
                    values, looks = doubled(values), doubled(looks)
                error = lattice(world, tree, thoughts, appraisal, values, looks, rows)
        if error == FULL:
            nodes *= 2
            world, tree, thoughts = new_memory(packed, settings, nodes)
            continue
        about[trial, 0], about[trial, 1], about[trial, 2] = error, tree.error_npc, tree.error_step
        about[trial, 3], about[trial, 4] = rows, count
        for npc in range(world.npcs):
            about[trial, 5 + npc] = tree.path_length[npc]
        rows += count if count <= limit else 0
        trial += 1
    return about, values[:rows], looks[:rows]


@compiled
def doubled(rows: Floats2) -> Floats2:
    """The rows with twice the room."""
    larger = np.empty((2 * len(rows), rows.shape[1]))
    for row in range(len(rows)):
        for column in range(rows.shape[1]):
            larger[row, column] = rows[row, column]
    return larger


lattice_batch = Entry(_lattice_batch)
