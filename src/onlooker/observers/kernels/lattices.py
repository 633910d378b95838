"""Compiled: the appraisal, the choice and what acting costs at every combination of steps seen."""

from __future__ import annotations

from typing import Any

import numpy as np

from onlooker.inference.kernels.errors import FULL, UNEXPLAINED
from onlooker.inference.kernels.tree import Tree, explained_together
from onlooker.inference.parameters import Settings
from onlooker.observers.kernels.parts import appraise, choose, wanted_wizards
from onlooker.observers.kernels.runs import new_memory, prepare
from onlooker.observers.kernels.thoughts import Thoughts
from onlooker.observers.kernels.tours import act
from onlooker.planning.compiling import Entry, compiled, inlined
from onlooker.planning.packing import Packed
from onlooker.planning.structures import Floats2, Ints1, Ints2, borrow
from onlooker.planning.world import EMPTY, NO, NONE, YES, World

ROWS = 1024  # room for rows at first
NEAR = 64  # rows that are looked back at for the same wizards


@compiled
def combinations(world: World, tree: Tree) -> int:
    """How many combinations of steps there are."""
    count = 1
    for npc in range(world.npcs):
        count *= tree.path_length[npc] + 1
    return count


@inlined
def lattice(
    kept_world: World,
    kept_tree: Tree,
    kept_thoughts: Thoughts,
    parts: Ints1,
    values: Floats2,
    looks: Floats2,
    chosen: Ints2,
    acting: Ints2,
    start: int,
) -> int:
    """Fill in the rows from one on, the last NPC's steps changing fastest; the error if any."""
    world, tree, thoughts = borrow(kept_world), borrow(kept_tree), borrow(kept_thoughts)
    for index in range(combinations(world, tree)):
        row = start + index
        see(world, tree, index)
        if not explains(world, tree):
            return tree.error
        appraise(world, tree, thoughts, parts[0], YES)
        if tree.error:
            return tree.error
        for option in range(world.npcs + 1):
            values[row, option] = thoughts.value[option]
            chosen[row, option] = 1 + choose(world, tree, thoughts, parts[1], option - 1)
        for npc in range(world.npcs):
            looks[row, npc] = thoughts.looks[npc]
        go_there(world, tree, thoughts, wanted_wizards(world, tree, parts[2]), acting, start, row)
    return 0


@compiled
def see(world: World, tree: Tree, index: int) -> None:
    """Let so much be seen of each NPC as at a combination."""
    rest = index
    for npc in range(world.npcs - 1, -1, -1):
        steps = tree.path_length[npc] + 1
        tree.history[npc] = tree.path[npc, rest % steps]
        rest //= steps


@compiled
def explains(world: World, tree: Tree) -> bool:
    """Whether some hypothesis explains what is seen; else the error says so."""
    if explained_together(world, tree):
        return True
    tree.error, tree.error_npc = UNEXPLAINED, last_moved(world, tree)
    tree.error_step = tree.steps[tree.history[tree.error_npc]]
    return False


@compiled
def go_there(
    world: World,
    tree: Tree,
    thoughts: Thoughts,
    wizards: int,
    acting: Ints2,
    start: int,
    row: int,
) -> None:
    """What going for some wizards takes, which is often as in a row before; NONE if it is stuck."""
    acting[row, 0] = wizards
    for before in range(row - 1, max(start, row - NEAR) - 1, -1):
        if acting[before, 0] == wizards:
            acting[row, 1], acting[row, 2] = acting[before, 1], acting[before, 2]
            return
    act(world, tree, thoughts, wizards, NO)
    acting[row, 1], acting[row, 2] = thoughts.actions, thoughts.interactions
    if tree.error:  # to be reported only by somebody who gets there
        tree.error, tree.cell_now, tree.amulets_now = 0, world.main_cell, EMPTY
        acting[row, 1] = acting[row, 2] = NONE


@compiled
def last_moved(world: World, tree: Tree) -> int:
    """The last NPC of which something was seen."""
    found = 0
    for npc in range(world.npcs):
        if tree.steps[tree.history[npc]] > 0:
            found = npc
    return found


def _lattice_batch(packed: Packed, settings: Settings, parts: Any, limit: int, nodes: int) -> Any:
    """The lattices of trials for an observer of three parts, one after the other.

    Returns for each trial its error, the NPC and step of that, the row where its lattice begins,
    how many rows it has and how many steps each NPC takes; then of the rows the values, the looks,
    what is chosen after each NPC that was watched last (nobody first; 0 is acting), and the wizards
    gone for with the actions and interactions that takes. A trial with more rows than the limit
    has none.
    """
    trials, npcs = len(packed.numbers), packed.npc.shape[1]
    about = np.zeros((trials, 5 + npcs), np.int64)
    values, looks = np.empty((ROWS, npcs + 1)), np.empty((ROWS, npcs))
    chosen, acting = np.empty((ROWS, npcs + 1), np.int64), np.empty((ROWS, 3), np.int64)
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
                    chosen, acting = doubled(chosen), doubled(acting)
                error = lattice(world, tree, thoughts, parts, values, looks, chosen, acting, rows)
        if error == FULL:
            nodes *= 2
            world, tree, thoughts = new_memory(packed, settings, nodes)
            continue
        describe(borrow(world), borrow(tree), about[trial], error, rows, count)
        rows += count if count <= limit else 0
        trial += 1
    return about, values[:rows], looks[:rows], chosen[:rows], acting[:rows]


@compiled
def describe(world: World, tree: Tree, about: Ints1, error: int, start: int, count: int) -> None:
    """Write down a trial's error, where its rows are and how many steps each NPC takes."""
    about[0], about[1], about[2] = error, tree.error_npc, tree.error_step
    about[3], about[4] = start, count
    for npc in range(world.npcs):
        about[5 + npc] = tree.path_length[npc]


@compiled
def doubled(rows: Any) -> Any:
    """The rows with twice the room."""
    larger = np.empty((2 * len(rows), rows.shape[1]), rows.dtype)
    for row in range(len(rows)):
        for column in range(rows.shape[1]):
            larger[row, column] = rows[row, column]
    return larger


lattice_batch = Entry(_lattice_batch)
