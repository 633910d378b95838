"""Compiled: what Python asks about a point of a trial.

All questions are one entry, because what they share is then compiled once.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from onlooker.inference.kernels.histories import imagine_step
from onlooker.inference.kernels.posteriors import candidates, settled
from onlooker.inference.kernels.tree import OUTCOMES, Tree, explained_together, log_weight
from onlooker.observers.kernels.imagining import belief_distance, watching_costs
from onlooker.observers.kernels.parts import decide, wanted_wizards
from onlooker.observers.kernels.runs import explain, prepare
from onlooker.observers.kernels.thoughts import Thoughts
from onlooker.observers.kernels.tours import act, c_self, leg_cost, take_leg, tour
from onlooker.planning.compiling import Entry
from onlooker.planning.costs import plan_expert
from onlooker.planning.packing import Packed
from onlooker.planning.structures import Floats1, Ints1, axes, structure
from onlooker.planning.world import EMPTY, FAR, NONE, YES, World


class Question(IntEnum):
    """What can be asked; answers that are not numbers are left in thoughts."""

    EXPLAINED = 0  # number: whether some hypothesis explains what has been seen
    BELIEF = 1  # belief, goal_p
    DECIDE = 2  # appraisal, rule, npc (watched last, or NONE) -> the choice
    WANTED = 3  # trust -> wizards
    WATCHING = 4  # npc -> q_obs, particles
    DISTANCE = 5  # npc
    COST = 6  # wizards, chances -> points of going for them
    CANDIDATES = 7  # amulets (of these colours), chances -> wizards
    SETTLED = 8  # amulets (of these colours), chances
    TOUR = 9  # amulets, cell, wizards -> how many; order
    LEG = 10  # target, amulets, cell -> where it ends; route
    ACT = 11  # wizards -> route
    FUTURE = 12  # node, lane -> route
    LOG_WEIGHTS = 13  # node -> log_weight
    LEAST_COST = 14  # assignment -> what the main agent's way costs if the holders are known


@structure
class About:
    """What a question is about; it says above which of these it takes."""

    appraisal: int
    rule: int
    trust: int
    npc: int
    node: int
    lane: int
    assignment: int  # of holders
    wizards: int  # a set of wizards
    amulets: int  # a set of amulets
    cell: int
    target: int  # of a walk: a goal, or the number of goals and a wizard
    chances: Floats1 = axes("wizards")  # of each to be the holder


def _prepare(world: World, tree: Tree, thoughts: Thoughts, packed: Packed) -> None:
    """Make the first trial ready."""
    tree.error = 0
    prepare(world, tree, thoughts, packed, EMPTY)


def _set_view(tree: Tree, nodes: Ints1, cell: int, amulets: int, evidence: Floats1) -> None:
    """Let everything be asked about a view: what was seen, where one stands, what one found."""
    same = tree.cell_now == cell and tree.amulets_now == amulets
    for h in range(len(evidence)):
        same &= tree.own_evidence[h] == evidence[h]
        tree.own_evidence[h] = evidence[h]
    if not same:  # what was assessed there holds no more
        tree.cell_now, tree.amulets_now = cell, amulets
        for agent in range(len(tree.version)):
            tree.version[agent] = 0
    for npc in range(len(nodes)):
        tree.history[npc] = nodes[npc]


def _ask(
    world: World, tree: Tree, thoughts: Thoughts, about: About, question: int
) -> tuple[float, int]:
    """The answer to a question about the present view, as points and as a whole number."""
    tree.error = 0  # of an earlier question
    answer, number = 0.0, NONE
    if question == Question.EXPLAINED:
        number = 1 if explained_together(world, tree) else 0
    elif question == Question.BELIEF or question == Question.DECIDE:
        if question == Question.DECIDE:
            number = decide(world, tree, thoughts, about.appraisal, about.rule, about.npc, YES)
        explain(world, tree, thoughts)
    elif question == Question.WANTED:
        number = wanted_wizards(world, tree, about.trust)
    elif question == Question.WATCHING:
        watching_costs(world, tree, thoughts, about.npc)
        answer = thoughts.q_obs[about.npc]
    elif question == Question.DISTANCE:
        answer = belief_distance(world, tree, thoughts, about.npc, np.inf)
    elif question == Question.COST:
        answer = c_self(world, tree, thoughts, about.wizards, about.chances)
    elif question == Question.CANDIDATES or question == Question.SETTLED:
        held = tree.amulets_now
        tree.amulets_now = world.needed & ~about.amulets
        if question == Question.CANDIDATES:
            number = candidates(world, tree, about.chances)
        else:
            number = 1 if settled(world, tree, about.chances) else 0
        tree.amulets_now = held
    elif question == Question.TOUR:
        number = tour(world, thoughts, about.amulets, about.cell, about.wizards)
    elif question == Question.LEG:
        thoughts.actions = 0
        if leg_cost(world, about.target, about.amulets, about.cell) < FAR:
            number = take_leg(world, thoughts, about.target, about.amulets, about.cell)
    elif question == Question.ACT:
        act(world, tree, thoughts, about.wizards, YES)
        number = thoughts.interactions
    elif question == Question.FUTURE:
        thoughts.actions, node = 0, imagine_step(world, tree, about.node, about.lane)
        while node != NONE:
            thoughts.route[thoughts.actions] = tree.seen[node] // OUTCOMES
            thoughts.actions += 1
            node = imagine_step(world, tree, node, about.lane)
    elif question == Question.LOG_WEIGHTS:
        for lane in range(world.lanes):
            thoughts.log_weight[lane] = log_weight(tree, about.node, lane)
    elif question == Question.LEAST_COST:
        plan_expert(world, EMPTY, world.main_cell)
        lane = world.main_goal * world.assignments + about.assignment
        points = world.expert[EMPTY, world.main_cell, lane]
        answer = float(points) if points < FAR else np.inf
    return answer, number


prepare_engine, set_view, ask = Entry(_prepare), Entry(_set_view), Entry(_ask)
