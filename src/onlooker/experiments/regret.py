"""What observers lose against the ideal observer: a row per trial and observer, and their CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from itertools import product
from statistics import fmean
from typing import NamedTuple

import numpy as np

from onlooker.experiments.naming import in_order
from onlooker.game import ExperimentName, Trial
from onlooker.inference import Parameters, TooLargeError, UnexplainedError
from onlooker.inference.hypotheses import Hypotheses
from onlooker.inference.parameters import check_parameters
from onlooker.observers import Batch, ChoiceRule, Engine, IdealObserver, Observer
from onlooker.observers.registry import observers_of
from onlooker.planning import NoPathError
from onlooker.support.arrays import FloatArray

REFUSED = (TooLargeError, UnexplainedError, NoPathError)


@dataclass(frozen=True, slots=True)
class Regret:
    """What an observer loses in a trial; the fields are the columns of the CSV.

    What could not be computed is None, and `reason` says why.
    """

    experiment: ExperimentName | None  # None if the trial is of none
    level: str
    observer: str
    worlds: int  # every goal of every NPC with every assignment of holders
    expected_cost: float | None  # points: the ideal observer's, over all worlds
    mean_cost: float | None  # the observer's, over all worlds
    regret: float | None  # mean_cost less expected_cost
    ideal_cost: float | None  # the ideal observer's in the trial as it is
    cost: float | None  # the observer's
    regret_actual: float | None  # cost less ideal_cost
    reason: str = ""


COLUMNS = tuple(field.name for field in fields(Regret))


def worlds_of(trial: Trial) -> list[Trial]:
    """All that could be true of a trial: every goal of every NPC with every assignment of holders.

    The NPCs plan their own actions.

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


def regrets(
    trials: Iterable[Trial],
    observers: Sequence[str | Observer],
    parameters: Parameters | None = None,
    progress: Callable[[Trial], object] | None = None,
) -> list[Regret]:
    """What observers lose in trials; `progress` is called with each trial once it is done.

    >>> from onlooker import load_trial
    >>> [row] = regrets([load_trial("examples/two-experts.map")], ["naive_observer"])
    >>> row.worlds, row.expected_cost, round(row.regret, 3), row.regret_actual
    (18, 65.0, 18.778, 20.0)
    """
    rows: list[Regret] = []
    found, parameters = observers_of(observers), check_parameters(parameters)
    for trial in trials:
        rows += trial_regrets(trial, found, parameters)
        if progress:
            progress(trial)
    return rows


def trial_regrets(
    trial: Trial, observers: Sequence[Observer], parameters: Parameters
) -> Iterator[Regret]:
    """The rows of one trial."""
    worlds = worlds_of(trial)
    engine = Engine(trial, parameters, warn=False)

    def over_worlds() -> tuple[float, list[float]]:
        expected = engine.foresight.expected_cost
        return expected, costs_in(worlds, observers, parameters).mean(axis=0).tolist()

    def actually() -> tuple[float, list[float]]:
        ideal = IdealObserver().run(engine).cost
        return ideal, costs_in([trial], observers, parameters)[0].tolist()

    expected, means, reason = _unless_refused(over_worlds, len(observers))
    ideal, costs, actual_reason = _unless_refused(actually, len(observers))
    for observer, mean, cost in zip(observers, means, costs, strict=True):
        yield Regret(
            experiment=trial.experiment,
            level=trial.label,
            observer=observer.name,
            worlds=len(worlds),
            expected_cost=expected,
            mean_cost=mean,
            regret=_difference(mean, expected),
            ideal_cost=ideal,
            cost=cost,
            regret_actual=_difference(cost, ideal),
            reason=reason or actual_reason,
        )


def _unless_refused(
    costs: Callable[[], tuple[float, list[float]]], observers: int
) -> tuple[float | None, Sequence[float | None], str]:
    """The ideal observer's cost, the observers' and no reason, or why there are none."""
    try:
        return (*costs(), "")
    except REFUSED as error:
        return None, [None] * observers, str(error)


def _difference(cost: float | None, less: float | None) -> float | None:
    return None if cost is None or less is None else cost - less


class Summary(NamedTuple):
    """The mean regret of an observer over some trials; None where there is none."""

    observer: str
    by_experiment: dict[ExperimentName | None, float | None]
    regret: float | None
    largest: float | None
    regret_actual: float | None


def summaries(rows: Sequence[Regret]) -> list[Summary]:
    """What each observer loses, in the order of the rows."""
    experiments = in_order(row.experiment for row in rows)
    found = []
    for observer in dict.fromkeys(row.observer for row in rows):
        mine = [row for row in rows if row.observer == observer]
        lost = [row.regret for row in mine if row.regret is not None]
        found.append(
            Summary(
                observer,
                {
                    name: _mean([row.regret for row in mine if row.experiment == name])
                    for name in experiments
                },
                _mean(lost),
                max(lost, default=None),
                _mean([row.regret_actual for row in mine]),
            )
        )
    return found


def _mean(values: Iterable[float | None]) -> float | None:
    there = [value for value in values if value is not None]
    return fmean(there) if there else None


def dump_regrets(rows: Iterable[Regret]) -> str:
    """The rows as CSV text with a header."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for row in rows:
        writer.writerow(getattr(row, name) for name in COLUMNS)
    return text.getvalue()
