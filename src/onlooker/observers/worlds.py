"""All worlds of a trial: what could be true of it for someone who has seen nothing yet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product

import numpy as np

from onlooker.game import Trial
from onlooker.inference.hypotheses import Hypotheses
from onlooker.inference.parameters import Parameters
from onlooker.observers.batch import Batch
from onlooker.observers.choosing import ChoiceRule
from onlooker.observers.observer import Observer
from onlooker.support.arrays import FloatArray


def worlds_of(trial: Trial) -> list[Trial]:
    """Every goal of every NPC with every assignment of holders; the NPCs plan their own actions.

    >>> from onlooker.game import load_trial
    >>> len(worlds_of(load_trial("examples/two-experts.map")))  # 3 × 3 goals, 2 × 1 holders
    18
    """
    hypotheses = Hypotheses(trial.map)
    goals = product(hypotheses.goals, repeat=len(trial.npcs))
    crowds = [
        tuple(
            replace(npc, goal=goal, actions=None)
            for npc, goal in zip(trial.npcs, chosen, strict=True)
        )
        for chosen in goals
    ]
    return [
        replace(trial, holders=holders, npcs=npcs)
        for npcs in crowds
        for holders in hypotheses.holders
    ]


def costs_in(
    worlds: Sequence[Trial], observers: Sequence[Observer], parameters: Parameters
) -> FloatArray:
    """What each observer's run costs in each world, on average if its own rule is a soft one.

    The axes are (worlds, observers).
    """
    batch, costs = Batch(worlds), np.empty((len(worlds), len(observers)))
    hard = [n for n, each in enumerate(observers) if each.rule is ChoiceRule.HARD]
    if hard:
        costs[:, hard] = batch.run(parameters, [observers[n] for n in hard]).cost
    for column, observer in enumerate(observers):
        if column not in hard:
            costs[:, column] = [each.cost for each in batch.expect(parameters, observer)]
    return costs
