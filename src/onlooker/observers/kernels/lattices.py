"""Compiled: the appraisal, the choice and what acting costs at every combination of steps seen."""

from __future__ import annotations

from typing import Any

import numpy as np

from onlooker.inference.kernels.tree import (
    ROWS,
    UNEXPLAINED,
    Tree,
    explained_together,
    has_room,
    is_stopped,
)
from onlooker.observers.kernels.parts import appraise, choose, wanted_wizards
from onlooker.observers.kernels.runs import prepare
from onlooker.observers.kernels.thoughts import Thoughts
from onlooker.observers.kernels.tours import act
from onlooker.planning.compiling import Entry, compiled, inlined
from onlooker.planning.packing import Packed
from onlooker.planning.structures import Bools1, Floats2, Ints1, Ints2, axes, structure
from onlooker.planning.world import EMPTY, NO, NONE, YES, World

NEAR = 64  # rows that are looked back at for the same wizards


@structure
class Rows:
    """The lattices of trials, one after the other: a row for each combination of steps seen.

    The last NPC's steps change fastest.
    """

    appraisal: int  # the parts of the observer
    rule: int
    trust: int
    limit: int  # of rows of a trial; one that would have more has none
    trial: int  # the next one
    rows: int  # how many there are

    # of each trial
    alike: Bools1 = axes("trials")  # whether it is like the one before, if that is known
    error: Ints1 = axes("trials")
    error_npc: Ints1 = axes("trials")
    error_step: Ints1 = axes("trials")
    start: Ints1 = axes("trials")  # its first row
    count: Ints1 = axes("trials")  # how many rows it has, or would have
    steps: Ints2 = axes("trials", "npcs")  # that each NPC takes

    # of each row
    value: Floats2 = axes("rows", "choices")
    looks: Floats2 = axes("rows", "npcs")
    chosen: Ints2 = axes("rows", "choices")  # after each NPC watched last (nobody first); 0: acting
    acting: Ints2 = axes("rows", 3)  # the wizards gone for; actions and interactions, or NONE


@compiled
def combinations(world: World, tree: Tree) -> int:
    """How many combinations of steps there are."""
    count = 1
    for npc in range(world.npcs):
        count *= tree.path_length[npc] + 1
    return count


@inlined
def lattice(world: World, tree: Tree, thoughts: Thoughts, rows: Rows, count: int) -> None:
    """Fill in the rows of the trial at hand."""
    for index in range(count):
        row = rows.rows + index
        set_steps_seen(world, tree, index)
        if not explains(world, tree):
            return
        appraise(world, tree, thoughts, rows.appraisal, YES)
        if tree.error:
            return
        wizards = wanted_wizards(world, tree, rows.trust)
        fill_row(world, tree, thoughts, rows, wizards, rows.rows, row)


@compiled
def set_steps_seen(world: World, tree: Tree, index: int) -> None:
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


@inlined
def fill_row(
    world: World, tree: Tree, thoughts: Thoughts, rows: Rows, wizards: int, start: int, row: int
) -> None:
    """Fill in a row of a trial whose first one is `start`: what was appraised, and acting.

    What going for some wizards takes is often as in a row before; it is NONE if that gets stuck.
    """
    for npc in range(world.npcs):
        rows.looks[row, npc] = thoughts.looks[npc]
    for option in range(world.npcs + 1):
        rows.value[row, option] = thoughts.value[option]
        rows.chosen[row, option] = 1 + choose(world, tree, thoughts, rows.rule, option - 1)
    acting = rows.acting
    acting[row, 0] = wizards
    for before in range(row - 1, max(start, row - NEAR) - 1, -1):
        if acting[before, 0] == wizards:
            acting[row, 1], acting[row, 2] = acting[before, 1], acting[before, 2]
            return
    act(world, tree, thoughts, wizards, NO)
    acting[row, 1], acting[row, 2] = thoughts.actions, thoughts.interactions
    if tree.error:  # to be reported only by somebody who gets there
        tree.error = 0
        acting[row, 1] = acting[row, 2] = NONE


@compiled
def last_moved(world: World, tree: Tree) -> int:
    """The last NPC of which something was seen."""
    found = 0
    for npc in range(world.npcs):
        if tree.steps[tree.history[npc]] > 0:
            found = npc
    return found


@compiled
def describe(world: World, tree: Tree, rows: Rows, trial: int, start: int, count: int) -> None:
    """Write down a trial's error, where its rows are and how many steps each NPC takes."""
    rows.error[trial], rows.error_npc[trial] = tree.error, tree.error_npc
    rows.error_step[trial] = tree.error_step
    rows.start[trial], rows.count[trial] = start, count
    for npc in range(world.npcs):
        rows.steps[trial, npc] = tree.path_length[npc]


def _lattice_batch(
    world: World, tree: Tree, thoughts: Thoughts, rows: Rows, packed: Packed
) -> None:
    """The lattices of trials for an observer of three parts, from the next one on."""
    while rows.trial < len(packed.numbers):
        tree.error = 0
        prepare(world, tree, thoughts, packed, rows.trial)
        count = EMPTY if tree.error else combinations(world, tree)
        fits = not tree.error and count <= rows.limit
        if fits and has_room(tree, ROWS, rows.rows + count, len(rows.value)):
            lattice(world, tree, thoughts, rows, count)
        if is_stopped(tree):
            return
        describe(world, tree, rows, rows.trial, rows.rows, count)
        rows.rows += count if count <= rows.limit else 0
        rows.trial += 1
    tree.error = 0


lattice_batch = Entry(_lattice_batch)


def _stop_chances(p: Any, steps: Any) -> Any:
    """The chance of acting at each combination, as (draws, combinations).

    `p` is the chance of each choice there, as (draws, combinations, last, choices), where `last` is
    who was watched last, or has one place. The last NPC's steps change fastest.
    """
    draws, count, lasts, _ = p.shape
    stop, reached = np.zeros((draws, count)), np.empty((count, lasts))
    for draw in range(draws):
        reached[:] = 0.0
        reached[0, 0] = 1.0
        for index in range(count):
            for last in range(lasts):
                chance, stride = reached[index, last], count
                stop[draw, index] += chance * p[draw, index, last, 0]
                for npc in range(len(steps)):
                    stride //= steps[npc] + 1
                    if index // stride % (steps[npc] + 1) < steps[npc]:
                        then = min(1 + npc, lasts - 1)
                        flow = chance * p[draw, index, last, 1 + npc]
                        reached[index + stride, then] += flow
    return stop


stop_chances = Entry(_stop_chances)
