"""Compiled: where an observer's decision leaves what it was made of."""

from __future__ import annotations

import numpy as np

from onlooker.inference.kernels.tree import longer, longest_path
from onlooker.inference.parameters import Settings
from onlooker.planning.compiling import Entry, compiled, inlined
from onlooker.planning.packing import Packed
from onlooker.planning.structures import Floats1, Floats2, Ints1, Ints2, borrow, structure

TOURS = 64  # tours that are remembered


@structure
class Thoughts:
    """An observer's present decision, what it has planned, and what it remembers."""

    # parameters
    epsilon: float
    expected: bool  # exploration: on average, not in the worst case
    fixed: bool  # order: sorted once, not from each stop
    anyone: bool  # meeting: any wizard, asked by any NPC

    # the appraisal of acting (first) and of watching each NPC; higher is better
    value: Floats1  # (choices): −inf for an NPC that has arrived
    probability: Floats1  # (choices)

    # its ingredients; nan is what was not worked out
    belief: Floats1  # (wizards)
    goal_p: Floats2  # (npcs, goals)
    c_self: Floats1  # (1)
    q_obs: Floats1  # (npcs)
    looks: Floats1  # (npcs): how many steps it expects to watch, at least one
    distance: Floats1  # (npcs): how far watching could move the belief
    particle_p: Floats2  # (npcs, lanes): 0 for a lane that is no particle
    particle_steps: Ints2  # (npcs, lanes): T
    particle_residual: Floats2  # (npcs, lanes)
    log_weight: Floats1  # (lanes): at some node
    comparisons: int  # how often beliefs at nodes were compared with the present one
    compared: Ints1  # (nodes): the last time that this was done with the belief there

    # what an observer decides before its first step
    planned: int  # the appraisal that it was decided for
    until: Ints1  # (npcs): how many steps it means to watch
    meeting_step: Ints1  # (npcs): the steps up to the meeting that it waits for, NONE if none
    alone: float  # what acting alone would cost
    informed: float  # what it would cost if the holders were known

    # what acting alone costs
    residual: Floats1  # (nodes): with the belief at a node
    residual_version: Ints1  # (nodes): of the evidence
    tours: int
    tour_wizards: Ints1  # (tours)
    tour_cell: Ints1  # (tours)
    tour_amulets: Ints1  # (tours)
    tour_cost: Floats1  # (tours)
    order: Ints1  # (wizards): of the tour at hand
    digit: Ints1  # (wizards): by colours, which candidate of each gives

    # the run
    choices: Ints1  # (steps): the NPCs watched, one after the other
    route: Ints1  # (steps): the main agent's actions
    actions: int  # how many these are
    interactions: int  # among them


@inlined
def new_thoughts(packed: Packed, settings: Settings, room: int) -> Thoughts:
    """Room for thoughts about up to so many nodes in any of some packed trials."""
    kept = Thoughts()
    thoughts = borrow(kept)
    npcs, goals, wizards = packed.npc.shape[1], packed.chest.shape[1], packed.wizard.shape[1]
    lanes, longest, room = packed.lanes, longest_path(packed), max(room, npcs, 1)
    thoughts.epsilon, thoughts.expected = settings.epsilon, settings.expected
    thoughts.fixed, thoughts.anyone = settings.fixed, settings.anyone
    thoughts.value, thoughts.probability = np.empty(npcs + 1), np.empty(npcs + 1)
    thoughts.belief, thoughts.goal_p = np.empty(wizards), np.empty((npcs, goals))
    thoughts.c_self, thoughts.q_obs = np.empty(1), np.empty(npcs)
    thoughts.looks, thoughts.distance = np.empty(npcs), np.empty(npcs)
    thoughts.particle_p = np.zeros((npcs, lanes))
    thoughts.particle_steps = np.empty((npcs, lanes), np.int64)
    thoughts.particle_residual = np.empty((npcs, lanes))
    thoughts.log_weight = np.empty(lanes)
    thoughts.until, thoughts.meeting_step = np.empty(npcs, np.int64), np.empty(npcs, np.int64)
    thoughts.residual, thoughts.residual_version = np.empty(room), np.zeros(room, np.int64)
    thoughts.compared = np.zeros(room, np.int64)
    thoughts.tour_wizards, thoughts.tour_cost = np.empty(TOURS, np.int64), np.empty(TOURS)
    thoughts.tour_cell, thoughts.tour_amulets = np.empty(TOURS, np.int64), np.empty(TOURS, np.int64)
    thoughts.order, thoughts.digit = np.empty(wizards, np.int64), np.empty(wizards, np.int64)
    thoughts.choices = np.empty(npcs * longest, np.int64)
    thoughts.route = np.empty(longest, np.int64)
    return kept


@compiled
def clear_head(thoughts: Thoughts) -> None:
    """Forget what was thought about another trial."""
    thoughts.planned, thoughts.tours = -1, 0


def _make_head_room(thoughts: Thoughts, room: int) -> None:
    """Room for thoughts about up to so many nodes."""
    head = borrow(thoughts)
    head.residual = longer(head.residual, room)
    head.residual_version = longer(head.residual_version, room)
    head.compared = longer(head.compared, room)


make_head_room = Entry(_make_head_room)
