"""What is kept of runs."""

from __future__ import annotations

from onlooker.inference.kernels.errors import ACTIONS, FULL, LOOKS, ROWS
from onlooker.inference.kernels.tree import Tree
from onlooker.observers.kernels.thoughts import Thoughts
from onlooker.planning.compiling import inlined
from onlooker.planning.structures import Floats2, Ints1, axes, structure


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
    if record.rows == len(record.row):
        tree.error, tree.full = FULL, ROWS
        return False
    row, ingredients = record.row[record.rows], thoughts.ingredients
    for index in range(len(ingredients)):
        row[index] = ingredients[index]
    record.rows += 1
    return True


@inlined
def keep_run(record: Record, tree: Tree, thoughts: Thoughts, watched: int) -> None:
    """Keep whom an observer watched, and its route."""
    if record.looks + watched > len(record.look):
        tree.error, tree.full = FULL, LOOKS
        return
    if record.actions + thoughts.actions > len(record.route):
        tree.error, tree.full = FULL, ACTIONS
        return
    for index in range(watched):
        record.look[record.looks + index] = thoughts.choices[index]
    for index in range(thoughts.actions):
        record.route[record.actions + index] = thoughts.route[index]
    record.looks += watched
    record.actions += thoughts.actions
