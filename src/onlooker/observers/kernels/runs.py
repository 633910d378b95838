"""Compiled: whole runs of observers on many trials, and the record of them."""

from __future__ import annotations

from onlooker.inference.kernels.histories import follow, observe, restart
from onlooker.inference.kernels.posteriors import assess_present, gather, weigh
from onlooker.inference.kernels.tree import LOOKS, ROUTE, ROWS, Tree, has_room, is_stopped, plant
from onlooker.observers.kernels.parts import decide, plans_ahead, wanted_wizards
from onlooker.observers.kernels.thoughts import Thoughts
from onlooker.observers.kernels.tours import act
from onlooker.planning.compiling import Entry, inlined
from onlooker.planning.packing import Packed
from onlooker.planning.structures import Floats2, Ints1, Ints2, Ints3, axes, structure
from onlooker.planning.world import EMPTY, NONE, World, lay_out


@structure
class Record:
    """What is kept of runs, one after the other; a row is what a decision was made of."""

    trial: int  # the next one to be run
    keeps_runs: bool
    keeps_rows: bool

    # how many there are
    looks: int
    actions: int
    rows: int

    look: Ints1 = axes("looks")  # the NPC watched
    route: Ints1 = axes("actions")  # of the main agent
    row: Floats2 = axes("rows", "ingredients")


@inlined
def keep_ingredients(record: Record, tree: Tree, thoughts: Thoughts) -> bool:
    """Keep what a decision was made of; whether there was room."""
    if not has_room(tree, ROWS, record.rows + 1, len(record.row)):
        return False
    row, ingredients = record.row[record.rows], thoughts.ingredients
    for index in range(len(ingredients)):
        row[index] = ingredients[index]
    record.rows += 1
    return True


@inlined
def keep_run(record: Record, tree: Tree, thoughts: Thoughts, watched: int) -> None:
    """Keep whom an observer watched, and its route."""
    if not has_room(tree, LOOKS, record.looks + watched, len(record.look)):
        return
    if not has_room(tree, ROUTE, record.actions + thoughts.actions, len(record.route)):
        return
    for index in range(watched):
        record.look[record.looks + index] = thoughts.choices[index]
    for index in range(thoughts.actions):
        record.route[record.actions + index] = thoughts.route[index]
    record.looks += watched
    record.actions += thoughts.actions


# What a run leaves, in this order; then the steps watched of each NPC
(
    NEEDED, WATCHED, WIZARDS, ACTIONS, INTERACTIONS, CHOICES_FROM, ROUTE_FROM, ROWS_FROM, OBSERVED,
) = range(9)  # fmt: skip


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
    out[CHOICES_FROM], out[ROUTE_FROM] = record.looks, record.actions
    out[ROWS_FROM] = record.rows
    thorough = record.keeps_rows
    count, npc = 0, NONE
    while True:
        npc = decide(world, tree, thoughts, parts[0], parts[1], npc, thorough)
        if tree.error:
            return
        if thorough:
            believes = not plans_ahead(parts[0])
            if believes:
                explain(world, tree, thoughts)
            # What was planned is all in the first row.
            if (believes or count == 0) and not keep_ingredients(record, tree, thoughts):
                return
        if npc == NONE:
            break
        thoughts.choices[count] = npc
        count += 1
        if not observe(world, tree, npc):
            return
    wizards = wanted_wizards(world, tree, parts[2])
    act(world, tree, thoughts, wizards, record.keeps_runs)
    out[NEEDED], out[WATCHED], out[WIZARDS] = world.needed, count, wizards
    out[ACTIONS], out[INTERACTIONS] = thoughts.actions, thoughts.interactions
    for npc in range(world.npcs):
        out[OBSERVED + npc] = tree.steps[tree.history[npc]]
    if record.keeps_runs and not tree.error:
        keep_run(record, tree, thoughts, count)


@inlined
def prepare(world: World, tree: Tree, thoughts: Thoughts, packed: Packed, trial: int) -> None:
    """Make a trial ready: its world, the tree with what the NPCs do, and a clear head."""
    lay_out(world, packed, trial)
    plant(world, tree)
    thoughts.planned, thoughts.tours = NONE, 0
    follow(world, tree)


def _run_batch(
    world: World,
    tree: Tree,
    thoughts: Thoughts,
    record: Record,
    packed: Packed,
    parts: Ints2,
    out: Ints3,
) -> None:
    """Run observers, each of three parts, on trials; `out` is what each run leaves.

    It begins with the record's trial and ends with the first one that fails. Where there is no
    room, nothing is kept of that one.
    """
    tree.error = 0
    while record.trial < len(packed.numbers):
        prepare(world, tree, thoughts, packed, record.trial)
        looks, actions, rows = record.looks, record.actions, record.rows
        for observer in range(len(parts)):
            if not tree.error:
                run(world, tree, thoughts, parts[observer], record, out[record.trial, observer])
        if is_stopped(tree):
            record.looks, record.actions, record.rows = looks, actions, rows
        if tree.error:
            return
        record.trial += 1


run_batch = Entry(_run_batch)
