"""Posteriors as labelled tables: what watching an NPC from start to end tells, step by step."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from onlooker.game import Holders, Npc, Trial
from onlooker.inference.errors import UnexplainedError
from onlooker.inference.history import History
from onlooker.inference.hypotheses import Hypotheses
from onlooker.inference.likelihood import NpcModel
from onlooker.inference.parameters import Parameters
from onlooker.inference.posterior import joint_posterior
from onlooker.planning import Tables, npc_path


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
    """What watching each NPC by itself, from its start to its arrival, tells.

    >>> from onlooker.game import load_trial
    >>> tables = posterior(load_trial("examples/early-turn.map"))
    >>> last = [row for row in tables.holders if row.step == 3]
    >>> [(row.holders["blue"], round(row.p, 3)) for row in last]
    [('w1', 0.953), ('w2', 0.047)]
    """
    parameters = parameters or Parameters()
    tables = Tables(trial.map, parameters.costs)
    hypotheses = Hypotheses(trial.map)
    result = Posterior([], [])
    for npc in trial.npcs:
        model = NpcModel(tables, hypotheses, npc, parameters)
        history = History.beginning(model, trial.reveals_outcomes)
        _add_rows(result, npc, "", history)
        for step in npc_path(tables, trial, npc):
            history = history.after(history.seen(step))
            if not history.explained:
                raise UnexplainedError(trial, npc.id, history.steps)
            _add_rows(result, npc, str(step.action), history)
    return result


def _add_rows(result: Posterior, npc: Npc, action: str, history: History) -> None:
    hypotheses = history.model.hypotheses
    joint = joint_posterior([history], np.zeros(len(hypotheses.holders)))[0]
    for goal, given_goal in zip(hypotheses.goals, joint, strict=True):
        p_goal = float(given_goal.sum())
        result.goals.append(GoalRow(npc.id, history.steps, action, goal, p_goal))
        for holders, weight in zip(hypotheses.holders, given_goal.tolist(), strict=True):
            p = weight / p_goal if p_goal > 0 else float("nan")
            result.holders.append(HoldersRow(npc.id, history.steps, action, goal, holders, p))
