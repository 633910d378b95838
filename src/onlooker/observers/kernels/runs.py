"""Compiled: deciding, whole runs of observers on many trials, and the lattice of a trial."""

from __future__ import annotations

from typing import Any

import numpy as np

from onlooker.inference.kernels.errors import FULL
from onlooker.inference.kernels.histories import follow, observe, restart
from onlooker.inference.kernels.posteriors import assess_present, gather, weigh
from onlooker.inference.kernels.tree import Tree, new_tree, plant
from onlooker.inference.parameters import Settings
from onlooker.observers.kernels.parts import (
    Appraisal,
    appraise,
    choose,
    plans_ahead,
    wanted_wizards,
)
from onlooker.observers.kernels.record import (
    Record,
    keep_ingredients,
    keep_run,
    kept,
    new_record,
    turn_back,
    used,
)
from onlooker.observers.kernels.thoughts import Thoughts, clear_head, new_thoughts
from onlooker.observers.kernels.tours import act
from onlooker.planning.compiling import Entry, compiled, inlined
from onlooker.planning.packing import Packed
from onlooker.planning.structures import Ints1, Ints2, Ints3, borrow, keep_until_here
from onlooker.planning.world import EMPTY, NONE, World, lay_out, new_world

# What a run leaves, in this order; then the steps watched of each NPC
(
    ERROR, ERROR_NPC, ERROR_STEP, ERROR_SQUARE, ERROR_AMULETS, NEEDED, OPEN,
    WATCHED, WIZARDS, ACTIONS, INTERACTIONS, CHOICES_FROM, ROUTE_FROM, ROWS_FROM, OBSERVED,
) = range(15)  # fmt: skip


@inlined
def decide(
    world: World, tree: Tree, thoughts: Thoughts, parts: Ints1, last: int, thorough: bool
) -> int:
    """Appraise and choose: the NPC to watch, NONE to act. Its ingredients are left in thoughts."""
    appraise(world, tree, thoughts, parts[0], thorough)
    return choose(world, tree, thoughts, parts[1], last)


@inlined
def explain(world: World, tree: Tree, thoughts: Thoughts) -> None:
    """Leave in thoughts what is believed now: the holders, and every NPC's goal."""
    belief = assess_present(world, tree)
    for wizard in range(world.wizards):
        thoughts.belief[wizard] = belief[wizard]
    for npc in range(world.npcs):
        gather(world, tree, npc)
        weigh(world, tree, tree.history[npc])
        for goal in range(world.goals):
            thoughts.goal_p[npc, goal] = tree.goal_p[goal]


@inlined
def run(
    world: World, tree: Tree, thoughts: Thoughts, parts: Ints1, record: Record, out: Ints1
) -> None:
    """Watch as long as an observer does, act on what it trusts, and keep what it did."""
    restart(world, tree)
    tree.cell_now, tree.amulets_now = world.main_cell, EMPTY
    out[CHOICES_FROM], out[ROUTE_FROM] = record.choices, record.actions
    out[ROWS_FROM] = record.rows
    thorough = len(record.c_self) > 0
    count, npc = 0, NONE
    while True:
        npc = decide(world, tree, thoughts, parts, npc, thorough)
        if tree.error:
            return
        if thorough:
            believes = not plans_ahead(parts[0])
            if believes:
                explain(world, tree, thoughts)
            if believes or count == 0:  # what was planned is all in the first row
                imagined = parts[0] == Appraisal.IMAGINED_COSTS
                keep_ingredients(record, world, thoughts, imagined)
        if npc == NONE:
            break
        thoughts.choices[count] = npc
        count += 1
        if not observe(world, tree, npc):
            return
    wizards = wanted_wizards(world, tree, parts[2])
    act(world, tree, thoughts, wizards, len(record.route) > 0)
    out[WATCHED], out[WIZARDS] = count, wizards
    out[ACTIONS], out[INTERACTIONS] = thoughts.actions, thoughts.interactions
    for npc in range(world.npcs):
        out[OBSERVED + npc] = tree.steps[tree.history[npc]]
    if not tree.error:
        keep_run(record, thoughts, count)


@compiled
def new_memory(packed: Packed, settings: Settings, nodes: int) -> Any:
    """Room for any of some packed trials: a world, a tree of up to so many nodes, thoughts."""
    world = new_world(packed, settings.move, settings.interact, settings.observe)
    tree, thoughts = new_tree(packed, settings, nodes), new_thoughts(packed, settings, nodes)
    return world, tree, thoughts


@inlined
def prepare(world: World, tree: Tree, thoughts: Thoughts, packed: Packed, trial: int) -> None:
    """Make a trial ready: its world, the tree with what the NPCs do, and a clear head."""
    lay_out(world, packed, trial)
    plant(world, tree)
    clear_head(thoughts)
    follow(world, tree)


@inlined
def say_error(world: World, tree: Tree, out: Ints1) -> None:
    """Write down why a run could not go on, and what the main agent needs."""
    out[ERROR], out[ERROR_NPC], out[ERROR_STEP] = tree.error, tree.error_npc, tree.error_step
    out[ERROR_SQUARE], out[ERROR_AMULETS] = world.square[tree.cell_now], tree.amulets_now
    out[NEEDED], out[OPEN] = world.needed, world.open


@inlined
def run_trials(
    kept_world: World,
    kept_tree: Tree,
    kept_thoughts: Thoughts,
    packed: Packed,
    parts: Ints2,
    record: Record,
    trial: int,
    out: Ints3,
) -> int:
    """Run observers on trials from one on; the first for which there is no room."""
    world, tree, thoughts = borrow(kept_world), borrow(kept_tree), borrow(kept_thoughts)
    while trial < len(packed.numbers):
        prepare(world, tree, thoughts, packed, trial)
        before = used(record)
        for observer in range(len(parts)):
            if not tree.error:
                run(world, tree, thoughts, parts[observer], record, out[trial, observer])
            say_error(world, tree, out[trial, observer])
        if tree.error == FULL:
            turn_back(record, before)
            break
        trial += 1
    return trial


def _run_batch(packed: Packed, settings: Settings, parts: Any, room: Any, nodes: int) -> Any:
    """Run observers, each of three parts, on trials.

    Returns what each run left, how many choices, actions and rows there were to keep, and those
    for which there was room.
    """
    npcs, goals, wizards = packed.npc.shape[1], packed.chest.shape[1], packed.wizard.shape[1]
    keeping = new_record(room, npcs, goals, wizards, packed.lanes)
    record = borrow(keeping)
    out = np.zeros((len(packed.numbers), len(parts), OBSERVED + npcs), np.int64)
    trial = EMPTY
    while trial < len(packed.numbers):
        world, tree, thoughts = new_memory(packed, settings, nodes)
        trial = run_trials(world, tree, thoughts, packed, parts, record, trial, out)
        keep_until_here((world, tree, thoughts))
        nodes *= 2
    return out, used(record), kept(keeping)


run_batch = Entry(_run_batch)
