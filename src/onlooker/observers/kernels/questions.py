"""Compiled: what Python asks about a point of a trial.

All questions are one entry, because what they share is then compiled once.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np

from onlooker.inference.kernels.histories import imagine_step
from onlooker.inference.kernels.posteriors import candidates, settled
from onlooker.inference.kernels.tree import OUTCOMES, Tree, explained_together, log_weight
from onlooker.inference.parameters import Settings
from onlooker.observers.kernels.imagining import belief_distance, watching_costs
from onlooker.observers.kernels.parts import appraise, choose, wanted_wizards
from onlooker.observers.kernels.runs import explain, new_memory, prepare
from onlooker.observers.kernels.thoughts import Thoughts
from onlooker.observers.kernels.tours import act, c_self, leg_cost, take_leg, tour
from onlooker.planning.compiling import Entry
from onlooker.planning.costs import plan_expert
from onlooker.planning.packing import Packed
from onlooker.planning.structures import borrow
from onlooker.planning.world import EMPTY, FAR, NONE, YES, World


class Question(IntEnum):
    """What can be asked; answers that are no number are left in thoughts."""

    EXPLAINED = 0  # whether some hypothesis explains what has been seen
    BELIEF = 1  # belief, goal_p
    DECIDE = 2  # of an appraisal and a rule, after the NPC watched last: the choice
    WANTED = 3  # of a trust: wizards
    WATCHING = 4  # of an NPC: q_obs, particles
    DISTANCE = 5  # of an NPC
    COST = 6  # of going for wizards with some chances
    CANDIDATES = 7  # of a belief about some colours: wizards
    SETTLED = 8  # of a belief about some colours
    TOUR = 9  # of amulets, a cell and wizards: how many; order
    LEG = 10  # of a target, amulets and a cell: where it ends; route
    ACT = 11  # of wizards: route
    FUTURE = 12  # of a node and a lane: route
    LOG_WEIGHTS = 13  # of a node: log_weight
    LEAST_COST = 14  # of an assignment of holders: what the main agent's way costs if it is known


def _prepare(packed: Packed, settings: Settings, nodes: int) -> Any:
    """The first trial made ready, and what Python reads of it again and again."""
    world, tree, thoughts = new_memory(packed, settings, nodes)
    prepare(borrow(world), borrow(tree), borrow(thoughts), packed, EMPTY)
    numbers = np.array([tree.error, tree.error_npc, world.needed, world.open])
    seen = np.empty(tree.path.shape, np.int64)
    for npc in range(world.npcs):
        for step in range(1, tree.path_length[npc] + 1):
            seen[npc, step] = tree.seen[tree.path[npc, step]]
    facts = (numbers, world.square[: world.cells], tree.path_length, tree.path, seen)
    h = thoughts
    answers = (
        h.value, h.probability, h.belief, h.goal_p, h.c_self, h.q_obs, h.distance,
        h.particle_p, h.particle_steps, h.particle_residual, h.order, h.route, h.log_weight,
    )  # fmt: skip
    return world, tree, thoughts, facts, answers


def _stand(tree: Tree, nodes: Any, cell: int, amulets: int, evidence: Any) -> None:
    """Let everything be asked about a view: what was seen, where one stands, what one found."""
    t = borrow(tree)
    same = t.cell_now == cell and t.amulets_now == amulets
    for h in range(len(evidence)):
        same &= t.own_evidence[h] == evidence[h]
        t.own_evidence[h] = evidence[h]
    if not same:  # what was assessed there holds no more
        t.cell_now, t.amulets_now = cell, amulets
        for agent in range(len(t.version)):
            t.version[agent] = 0
    for npc in range(len(nodes)):
        t.history[npc] = nodes[npc]


def _ask(
    kept_world: World,
    kept_tree: Tree,
    kept_thoughts: Thoughts,
    question: int,
    a: int,
    b: int,
    d: int,
    chances: Any,
) -> Any:
    """The answer to a question about the present view, an error, and the length of the route."""
    world, tree, thoughts = borrow(kept_world), borrow(kept_tree), borrow(kept_thoughts)
    answer = 0.0
    if question == Question.EXPLAINED:
        answer = 1.0 if explained_together(world, tree) else 0.0
    elif question == Question.BELIEF or question == Question.DECIDE:
        if question == Question.DECIDE:
            appraise(world, tree, thoughts, a, YES)
            answer = float(choose(world, tree, thoughts, b, d))
        explain(world, tree, thoughts)
    elif question == Question.WANTED:
        answer = float(wanted_wizards(world, tree, a))
    elif question == Question.WATCHING:
        watching_costs(world, tree, thoughts, a)
        answer = thoughts.q_obs[a]
    elif question == Question.DISTANCE:
        answer = belief_distance(world, tree, thoughts, a, np.inf)
    elif question == Question.COST:
        answer = c_self(world, tree, thoughts, a, chances)
    elif question == Question.CANDIDATES or question == Question.SETTLED:
        held = tree.amulets_now
        tree.amulets_now = world.needed & ~a
        if question == Question.CANDIDATES:
            answer = float(candidates(world, tree, chances))
        else:
            answer = 1.0 if settled(world, tree, chances) else 0.0
        tree.amulets_now = held
    elif question == Question.TOUR:
        answer = float(tour(world, thoughts, a, b, d))
    elif question == Question.LEG:
        thoughts.actions, answer = 0, -1.0
        if leg_cost(world, a, b, d) < FAR:
            answer = float(take_leg(world, thoughts, a, b, d))
    elif question == Question.ACT:
        act(world, tree, thoughts, a, YES)
        answer = float(thoughts.interactions)
    elif question == Question.FUTURE:
        thoughts.actions, node = 0, imagine_step(world, tree, a, b)
        while node != NONE:
            thoughts.route[thoughts.actions] = tree.seen[node] // OUTCOMES
            thoughts.actions += 1
            node = imagine_step(world, tree, node, b)
    elif question == Question.LOG_WEIGHTS:
        for lane in range(world.lanes):
            thoughts.log_weight[lane] = log_weight(tree, a, lane)
    elif question == Question.LEAST_COST:
        plan_expert(world, EMPTY, world.main_cell)
        points = world.expert[EMPTY, world.main_cell, world.main_goal * world.holders + a]
        answer = float(points) if points < FAR else np.inf
    error = (tree.error, tree.error_npc, tree.error_step, tree.cell_now, tree.amulets_now)
    return answer, thoughts.actions, error


prepare_engine, stand, ask = Entry(_prepare), Entry(_stand), Entry(_ask)
