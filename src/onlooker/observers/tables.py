"""Posteriors as labelled tables: what watching an NPC from start to end shows, step by step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from onlooker.game import Holders, Trial, check_trial
from onlooker.inference.errors import UnexplainedError
from onlooker.inference.hypotheses import Hypotheses
from onlooker.inference.parameters import Parameters, check_parameters
from onlooker.observers.kernels.questions import Question
from onlooker.observers.memory import Memory
from onlooker.observers.results import History
from onlooker.planning.packing import pack
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
    trial, parameters = check_trial(trial), check_parameters(parameters)
    hypotheses, result = Hypotheses(trial.map), Posterior([], [])
    memory = Memory(trial, pack([trial]), parameters, hypotheses)
    for npc, histories in zip(trial.npcs, memory.histories, strict=True):
        log_w = np.empty((len(histories), len(hypotheses.lanes)))
        for row, seen in zip(log_w, histories, strict=True):
            memory.ask(Question.LOG_WEIGHTS, node=seen.node)
            row[:] = memory.thoughts.log_weight
        unexplained = ~np.isfinite(log_w).any(axis=1)
        if unexplained.any():
            raise UnexplainedError(trial, npc.id, int(unexplained.argmax()))
        _add_rows(result, hypotheses, npc.id, histories, log_w)
    return result


def _add_rows(
    result: Posterior,
    hypotheses: Hypotheses,
    npc: str,
    histories: Sequence[History],
    log_w: FloatArray,
) -> None:
    """Add the rows of an NPC; log weights are (steps, hypotheses)."""
    weights = np.exp(log_w - log_w.max(axis=1, keepdims=True))
    joint = (weights / weights.sum(axis=1, keepdims=True)).reshape(-1, *hypotheses.shape)
    p_goal = joint.sum(axis=2)
    with np.errstate(invalid="ignore"):
        p_holders = joint / p_goal[:, :, np.newaxis]
    chances = np.minimum(p_goal, 1.0).tolist(), p_holders.tolist()
    for seen, of_goals, of_holders in zip(histories, *chances, strict=True):
        label = npc, seen.steps, str(seen.action or "")
        for goal, p, given_goal in zip(hypotheses.goals, of_goals, of_holders, strict=True):
            result.goals.append(GoalRow(*label, goal, p))
            for holders, q in zip(hypotheses.holders, given_goal, strict=True):
                result.holders.append(HoldersRow(*label, goal, holders, q))
