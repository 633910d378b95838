"""Posteriors as labelled tables: what watching an NPC from start to end shows, step by step."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from onlooker.game import Holders, Trial
from onlooker.inference.hypotheses import Hypotheses
from onlooker.inference.parameters import Parameters
from onlooker.observers.engine import Engine
from onlooker.observers.results import History
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
    engine, result = Engine(trial, parameters, warn=False), Posterior([], [])
    hypotheses = engine.decoder.hypotheses
    for index, npc in enumerate(trial.npcs):
        view = engine.opening
        while True:
            log_w = engine.log_weights(view, index)
            _add_rows(result, hypotheses, npc.id, view.histories[index], log_w)
            if engine.arrived(view, index):
                break
            view = engine.observe(view, index)
    return result


def _add_rows(
    result: Posterior, hypotheses: Hypotheses, npc: str, seen: History, log_w: FloatArray
) -> None:
    weights = np.exp(log_w - log_w.max())
    joint = weights / weights.sum()
    label = npc, seen.steps, str(seen.action or "")
    for goal, given_goal in zip(hypotheses.goals, joint, strict=True):
        p_goal = float(given_goal.sum())
        result.goals.append(GoalRow(*label, goal, min(p_goal, 1.0)))
        for holders, weight in zip(hypotheses.holders, given_goal.tolist(), strict=True):
            p = weight / p_goal if p_goal > 0 else float("nan")
            result.holders.append(HoldersRow(*label, goal, holders, p))
