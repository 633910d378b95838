"""Compiled: what is kept of runs, as far as there is room for it."""

from __future__ import annotations

from typing import Any

import numpy as np

from onlooker.observers.kernels.thoughts import Thoughts
from onlooker.planning.compiling import inlined
from onlooker.planning.structures import (
    Floats1,
    Floats2,
    Floats3,
    Ints1,
    Ints3,
    borrow,
    structure,
)
from onlooker.planning.world import World


@structure
class Record:
    """What is kept of runs, one after the other; a row is what a decision was made of."""

    # how many there were, whether or not there was room
    choices: int
    actions: int
    rows: int

    choice: Ints1  # (choices): the NPC watched
    route: Ints1  # (actions): of the main agent
    value: Floats2  # (rows, choices)
    probability: Floats2  # (rows, choices)
    belief: Floats2  # (rows, wizards)
    goal_p: Floats3  # (rows, npcs, goals)
    c_self: Floats1  # (rows)
    q_obs: Floats2  # (rows, npcs)
    distance: Floats2  # (rows, npcs)
    # of an observer that imagines costs
    particle_p: Floats3  # (rows, npcs, lanes): 0 for a lane that is no particle
    particle_steps: Ints3  # (rows, npcs, lanes)
    particle_residual: Floats3  # (rows, npcs, lanes)


@inlined
def new_record(room: Ints1, npcs: int, goals: int, wizards: int, lanes: int) -> Record:
    """Room for some choices, actions and rows of trials that are not larger than said."""
    kept = Record()
    record = borrow(kept)
    rows = room[2]
    record.choice, record.route = np.empty(room[0], np.int64), np.empty(room[1], np.int64)
    record.c_self = np.empty(rows)
    record.value, record.probability = np.empty((rows, npcs + 1)), np.empty((rows, npcs + 1))
    record.belief, record.goal_p = np.empty((rows, wizards)), np.empty((rows, npcs, goals))
    record.q_obs, record.distance = np.empty((rows, npcs)), np.empty((rows, npcs))
    record.particle_p = np.empty((rows, npcs, lanes))
    record.particle_steps = np.empty((rows, npcs, lanes), np.int64)
    record.particle_residual = np.empty((rows, npcs, lanes))
    return kept


@inlined
def keep_ingredients(record: Record, world: World, thoughts: Thoughts, imagined: bool) -> None:
    """Keep what a decision was made of, with the particles if some were imagined."""
    row = record.rows
    record.rows += 1
    if row >= len(record.c_self):
        return
    record.c_self[row] = thoughts.c_self[0]
    for option in range(world.npcs + 1):
        record.value[row, option] = thoughts.value[option]
        record.probability[row, option] = thoughts.probability[option]
    for wizard in range(world.wizards):
        record.belief[row, wizard] = thoughts.belief[wizard]
    for npc in range(world.npcs):
        for goal in range(world.goals):
            record.goal_p[row, npc, goal] = thoughts.goal_p[npc, goal]
        record.q_obs[row, npc] = thoughts.q_obs[npc]
        record.distance[row, npc] = thoughts.distance[npc]
        for lane in range(world.lanes if imagined else 0):
            record.particle_p[row, npc, lane] = thoughts.particle_p[npc, lane]
            record.particle_steps[row, npc, lane] = thoughts.particle_steps[npc, lane]
            record.particle_residual[row, npc, lane] = thoughts.particle_residual[npc, lane]


@inlined
def keep_run(record: Record, thoughts: Thoughts, watched: int) -> None:
    """Keep whom an observer watched, and its route."""
    if record.choices + watched <= len(record.choice):
        for index in range(watched):
            record.choice[record.choices + index] = thoughts.choices[index]
    if record.actions + thoughts.actions <= len(record.route):
        for index in range(thoughts.actions):
            record.route[record.actions + index] = thoughts.route[index]
    record.choices += watched
    record.actions += thoughts.actions


@inlined
def used(record: Record) -> Any:
    """How much there was to keep."""
    return record.choices, record.actions, record.rows


@inlined
def turn_back(record: Record, before: Any) -> None:
    """Forget what was kept since there was less of it."""
    record.choices, record.actions, record.rows = before


@inlined
def kept(record: Record) -> Any:
    """Everything kept, as arrays for Python."""
    return (
        record.choice,
        record.route,
        record.value,
        record.probability,
        record.belief,
        record.goal_p,
        record.c_self,
        record.q_obs,
        record.distance,
        record.particle_p,
        record.particle_steps,
        record.particle_residual,
    )
