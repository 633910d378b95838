"""Posterior predictive checks: what people watched beside what their fitted models would watch.

Predictions are averaged over draws of each person's posterior, so the intervals contain that the
parameters are uncertain. They are of the data that was fitted. One pass over the lattice gives the
exact distribution of what is watched, so there is no noise of simulation.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from onlooker.fitting.choices import Appraiser, Choices, Key
from onlooker.fitting.models import Fitted
from onlooker.fitting.plays import Play
from onlooker.fitting.rules import DecisionPoints, Rule
from onlooker.observers.expectations import stopping
from onlooker.support.arrays import FloatArray, IntArray

LEVEL = 1.645  # SEs of a 90 % interval


def predictive_rows(
    played: Sequence[tuple[Play, int]],
    thetas: Sequence[Mapping[str, FloatArray]],
    fitted: Fitted,
    appraised: Mapping[int, tuple[Choices, IntArray, Appraiser]],
) -> Iterator[dict[str, Any]]:
    """Rows of each level: counts of each NPC, trials without watching, and whom first.

    `played` are plays with the number of who played, `thetas` draws of each person's parameters.
    """
    levels: dict[Key, list[tuple[Play, int]]] = {}
    for play, person in played:
        if play.acted:  # one that broke off has no count yet
            levels.setdefault(play.trial, []).append((play, person))
    for key, here in sorted(levels.items()):
        npcs = appraised[fitted.best[0]][2].trials[key].npcs
        found = _expected([person for _, person in here], key, fitted, thetas, appraised)
        for statistic, agent, watched, predicted, variance in _statistics(
            [play for play, _ in here], found, [npc.id for npc in npcs]
        ):
            mean = float(np.mean(predicted))
            error = LEVEL * float(np.sqrt(np.sum(variance))) / len(here)
            yield {
                "experiment": key[0],
                "level": key[1],
                "agent": agent,
                "statistic": statistic,
                "n": len(here),
                "watched": float(np.mean(watched)),
                "predicted": mean,
                "low": mean - error,
                "high": mean + error,
            }


def stop_probabilities(
    appraiser: Appraiser, key: Key, rule: Rule, theta: Mapping[str, FloatArray], charged: float
) -> tuple[FloatArray, FloatArray]:
    """The probability of acting at each combination of steps, and that of each first choice.

    `theta` has a value of each parameter for each of several people, who are the first axis.
    """
    values = appraiser.values(key)
    npcs = values.shape[-1] - 1
    steps = np.zeros((*values.shape[:npcs], 1, npcs + 1))
    steps[..., 0, 1:] = appraiser.expected_steps(key)
    if "perseveration" in theta and np.any(theta["perseveration"]) and values.shape[-2] == 1:
        values = np.repeat(values, npcs + 1, axis=-2)
    last = np.arange(values.shape[-2]) - 1
    room = (1,) * (npcs + 1)
    here = {name: np.asarray(value).reshape(-1, *room) for name, value in theta.items()}
    here["charged"] = np.full((1, *room), charged)
    p = np.exp(rule.log_options(DecisionPoints(values, steps, last), here))
    stop, first = stopping(p, npcs), p[(slice(None), *(0,) * npcs, 0)]
    if rule.mixing == "skip":
        skip = np.asarray(theta["skip"])
        stop *= 1 - skip.reshape(-1, *(1,) * npcs)
        first = first * (1 - skip[:, None])
        stop[(slice(None), *(0,) * npcs)] += skip
        first[:, 0] += skip
    return stop, first


def _expected(
    people: Sequence[int],
    key: Key,
    fitted: Fitted,
    thetas: Sequence[Mapping[str, FloatArray]],
    appraised: Mapping[int, tuple[Choices, IntArray, Appraiser]],
) -> list[tuple[FloatArray, FloatArray]]:
    """The probabilities for each of some people, those with the same setting together."""
    found: dict[int, tuple[FloatArray, FloatArray]] = {}
    for setting in {fitted.best[person] for person in people}:
        mine = [person for person in people if fitted.best[person] == setting]
        theta = {name: np.concatenate([thetas[each][name] for each in mine]) for name in thetas[0]}
        charged = float(fitted.model.settings[setting].observe)
        rule = fitted.model.space.rule
        stop, first = stop_probabilities(appraised[setting][2], key, rule, theta, charged)
        parts = (np.split(of_draws, len(mine)) for of_draws in (stop, first))
        for person, *both in zip(mine, *parts, strict=True):
            found[person] = both[0].mean(axis=0), both[1].mean(axis=0)
    return [found[person] for person in people]


def _statistics(
    plays: Sequence[Play], found: Sequence[tuple[FloatArray, FloatArray]], ids: Sequence[str]
) -> Iterator[tuple[str, str, list[float], list[float], list[float]]]:
    """For each statistic, what was watched, the expectation and the variance for each person."""
    for npc, agent in enumerate(ids):
        means, variances = [], []
        for stop, _ in found:
            axes = tuple(each for each in range(len(ids)) if each != npc)
            chances = stop.sum(axis=axes)
            counts = np.arange(len(chances))
            mean = float(chances @ counts)
            means.append(mean)
            variances.append(float(chances @ (counts - mean) ** 2))
        watched = [float(play.watched.count(npc)) for play in plays]
        yield "steps", agent, watched, means, variances
        first = [float(chances[1 + npc]) for _, chances in found]
        begun = [float(play.watched[:1] == (npc,)) for play in plays]
        yield "first", agent, begun, first, [p * (1 - p) for p in first]
    none = [float(chances[0]) for _, chances in found]
    yield "none", "", [float(not p.watched) for p in plays], none, [p * (1 - p) for p in none]
