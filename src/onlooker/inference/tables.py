"""Posteriors as labelled tables: what watching an NPC from start to end shows, step by step."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from onlooker.game import ACTIONS, Holders, Npc, Trial, check_trial
from onlooker.inference.errors import UnexplainedError, failure
from onlooker.inference.hypotheses import Hypotheses
from onlooker.inference.kernels.histories import follow_all, log_weights
from onlooker.inference.kernels.tree import OUTCOMES, Tree
from onlooker.inference.parameters import Parameters, check_parameters
from onlooker.inference.room import room_for
from onlooker.planning.compiling import choose, is_compiled
from onlooker.planning.packing import pack
from onlooker.planning.world import World
from onlooker.support.arrays import FloatArray


class GoalRow(NamedTuple):
    """P(goal | actions) of one NPC after some of its steps."""

    agent: str
    step: int  # how many actions were seen
    action: str  # the last of them, "" at the start
    goal: str
    p: float


class HoldersRow(NamedTuple):
    """P(holders | actions, goal) of one NPC after some of its steps."""

    agent: str
    step: int
    action: str
    goal: str
    holders: Holders
    p: float  # nan where the goal itself is impossible


class Posterior(NamedTuple):
    """The two tables that the paper stores for each map and scenario."""

    goals: list[GoalRow]
    holders: list[HoldersRow]


def posterior(trial: Trial, parameters: Parameters | None = None) -> Posterior:
    """What watching each NPC alone, from its start to its arrival, shows.

    >>> from onlooker.game import load_trial
    >>> tables = posterior(load_trial("examples/early-turn.map"))
    >>> last = [row for row in tables.holders if row.step == 3]
    >>> [(row.holders["blue"], round(row.p, 3)) for row in last]
    [('w1', 0.953), ('w2', 0.047)]
    """
    parameters, packed = check_parameters(parameters), pack([check_trial(trial)])
    follow, weigh = choose(follow_all, log_weights)
    room = room_for(packed, parameters.settings, is_compiled(follow))
    room.call(follow, World, Tree, packed)
    tree = room[Tree]
    if tree.error:
        raise failure(trial, parameters, tree.error, tree.error_npc)
    hypotheses = Hypotheses(trial.map)
    shape = (len(hypotheses.goals), len(hypotheses.holders))
    result = Posterior([], [])
    for index, npc in enumerate(trial.npcs):
        nodes = tree.path[index, : tree.path_length[index] + 1].copy()
        weights = np.empty((len(nodes), packed.lanes))
        room.call(weigh, World, Tree, nodes, weights)
        for count, node in enumerate(nodes.tolist()):
            if not np.isfinite(weights[count]).any():
                raise UnexplainedError(trial, npc.id, count)
            action = str(ACTIONS[tree.seen[node] // OUTCOMES]) if count else ""
            _add_rows(result, hypotheses, npc, count, action, weights[count].reshape(shape))
    return result


def _add_rows(
    result: Posterior,
    hypotheses: Hypotheses,
    npc: Npc,
    count: int,
    action: str,
    log_w: FloatArray,
) -> None:
    weights = np.exp(log_w - log_w.max())
    joint = weights / weights.sum()
    for goal, given_goal in zip(hypotheses.goals, joint, strict=True):
        p_goal = float(given_goal.sum())
        result.goals.append(GoalRow(npc.id, count, action, goal, min(p_goal, 1.0)))
        for holders, weight in zip(hypotheses.holders, given_goal.tolist(), strict=True):
            p = weight / p_goal if p_goal > 0 else float("nan")
            result.holders.append(HoldersRow(npc.id, count, action, goal, holders, p))
