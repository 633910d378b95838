"""Compiled: where an observer's decision leaves what it was made of."""

from __future__ import annotations

from onlooker.planning.structures import Floats1, Floats2, Ints1, axes, span, structure

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
    value: Floats1 = axes("choices")  # −inf for an NPC that has arrived

    # its ingredients; nan is what was not worked out
    belief: Floats1 = axes("wizards")
    goal_p: Floats2 = axes("npcs", "goals")
    c_self: Floats1 = axes(1)
    q_obs: Floats1 = axes("npcs")
    looks: Floats1 = axes("npcs")  # how many steps it expects to watch, at least one
    distances: Floats1 = axes("npcs")  # how far watching could move the belief
    particle_p: Floats2 = axes("npcs", "lanes")  # 0 for a lane that is not a particle
    particle_steps: Floats2 = axes("npcs", "lanes")  # T
    particle_residual: Floats2 = axes("npcs", "lanes")

    ingredients: Floats1 = span("value", "particle_residual")  # all of these, for a record

    # how likely an NPC does what costs no look in Q_obs; values have one look paid for even then
    unwatched: Floats1 = axes("npcs")

    log_weight: Floats1 = axes("lanes")  # at some node
    comparisons: int  # how often beliefs at nodes were compared with the present one
    compared: Ints1 = axes("nodes")  # the last time that this was done with the belief there

    # what an observer decides before its first step
    planned: int  # the appraisal that it was decided for
    until: Ints1 = axes("npcs")  # how many steps it means to watch
    meeting_step: Ints1 = axes("npcs")  # steps to the meeting that it waits for, or NONE
    alone: float  # what acting alone would cost
    informed: float  # what it would cost if the holders were known

    # what acting alone costs
    residual: Floats1 = axes("nodes")  # with the belief at a node
    residual_version: Ints1 = axes("nodes")  # of the evidence
    tours: int
    tour_wizards: Ints1 = axes(TOURS)
    tour_cell: Ints1 = axes(TOURS)
    tour_amulets: Ints1 = axes(TOURS)
    tour_cost: Floats1 = axes(TOURS)
    order: Ints1 = axes("wizards")  # of the tour at hand
    digit: Ints1 = axes("wizards")  # by colours, which candidate of each gives

    # the run
    choices: Ints1 = axes("watched")  # the NPCs watched, one after the other
    route: Ints1 = axes("steps")  # the main agent's actions
    actions: int  # how many these are
    interactions: int  # among them
