"""How well a set of trials distinguishes the observers, in numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import get_args

import numpy as np

from onlooker.experiments.inventory import paper_experiment
from onlooker.game import BudgetHint, ExperimentName, Expertise, Trial, budget_hint
from onlooker.inference.parameters import Parameters
from onlooker.observers import OBSERVERS, Batch, Engine
from onlooker.support.arrays import FloatArray, pearson

FULL = "rational_mentalizing"
ABLATIONS = tuple(name for name in OBSERVERS if name != FULL)


@dataclass(frozen=True, slots=True)
class Requirement:
    """What a figure of the shipped set is held to; a design aims a margin beyond it."""

    bound: float
    margin: float
    most: bool = False  # the figure is not above the bound; otherwise not below it
    unit: float = 1.0  # in which a design counts what it misses

    def met(self, figure: float) -> bool:
        """Whether a figure is as it must be."""
        return figure <= self.bound if self.most else figure >= self.bound

    def missed(self, figure: float) -> float:
        """By how much a figure misses the bound with its margin, in the unit."""
        if self.most:
            return max(0.0, figure - (self.bound - self.margin)) / self.unit
        return max(0.0, self.bound + self.margin - figure) / self.unit


TOP = Requirement(10, 1, unit=10)  # the full model's largest count
SPREAD = Requirement(2.2, 0.2)  # the standard deviation of its counts
ALONE = Requirement(0.15, 0.03)  # the share of trials in which it does not observe
LIKENESS = Requirement(0.6, 0.05, most=True)  # correlation of its counts with an ablation's
MAINLY = Requirement(0.3, 0.03)  # Exp. 4: shares in which it watches mainly the novice, the expert
SLOPE = Requirement(0.05, 0.01, unit=0.05)  # of its observation cost on its execution cost
TRADEOFF = Requirement(0.4, 0.1)  # the correlation of the two
INVERTED = ("mentalizing_observer", "naive_observer")  # whose slopes are held to this:
INVERTED_SLOPE = Requirement(0.0, 0.01, most=True, unit=0.05)
LEFT = Requirement(0.25, 0.05)  # what it leaves of the points that could be left
IDENTIFIED = Requirement(0.25, 0.03, most=True)  # share of trials whose budget names the holder

Watched = Mapping[str, Sequence[int]]  # observer -> steps watched of each NPC


@dataclass(frozen=True, slots=True)
class Behaviour:
    """What the observers do in a trial, and what its budget says."""

    watched: Watched
    execution: Mapping[str, int]  # observer -> points for moves and interactions
    spare: int  # points that the paper's budget leaves somebody who knows the holders
    least_cost: int  # what that one spends
    hint: BudgetHint  # of the paper's budget about the holders


@dataclass(frozen=True, slots=True)
class Series:
    """The counts for one NPC, or one role, over the trials of an experiment."""

    name: str
    least: int
    most: int
    spread: float  # population standard deviation
    correlations: dict[str, float | None]  # with each ablation; None where that is constant


@dataclass(frozen=True, slots=True)
class Diagnostics:
    """The figures of one experiment's trials."""

    experiment: ExperimentName
    trials: int
    alone: float  # share of trials in which the full model does not observe
    series: tuple[Series, ...]
    mainly: dict[Expertise, float]  # share in which it watches mainly an NPC of that expertise
    slopes: dict[str, float | None]  # by observer: observation cost on execution cost
    tradeoff: float | None  # the correlation of the full model's two costs
    left: float  # the full model's unspent points, as a share of those that could be left
    hints: dict[BudgetHint, int]  # trials by what the paper's budget says about the holders

    @property
    def identified(self) -> float:
        """The share of trials whose budget, by the paper's rule, names the holder."""
        return self.hints["everything"] / self.trials if self.trials else 0.0


def behaviour(trial: Trial, parameters: Parameters | None = None) -> Behaviour:
    """What each observer does in a trial, and what its budget says."""
    done = Batch([trial]).run(parameters)
    costs = (parameters or Parameters()).costs
    execution = costs.move * done.moves[0] + costs.interact * done.interactions[0]
    engine = Engine(trial, parameters, warn=False)
    least = int(engine.least_cost(trial.holders))
    return Behaviour(
        dict(zip(done.observers, done.observed[0].tolist(), strict=True)),
        dict(zip(done.observers, execution.tolist(), strict=True)),
        engine.budget - least,
        least,
        budget_hint(trial, engine.least_cost),
    )


def diagnose(
    experiment: ExperimentName, trials: Sequence[Trial], seen: Sequence[Behaviour]
) -> Diagnostics:
    """The figures of an experiment's trials, given what the observers do in each of them."""
    counts = [each.watched for each in seen]
    full = [list(count[FULL]) for count in counts]
    costs = {
        name: (
            np.array([each.execution[name] for each in seen], float),
            np.array([sum(each.watched[name]) for each in seen], float),
        )
        for name in OBSERVERS
    }
    return Diagnostics(
        experiment=experiment,
        trials=len(trials),
        alone=_share(sum(watched) == 0 for watched in full),
        series=tuple(_all_series(trials, counts)),
        mainly={
            expertise: _share(
                _mainly(trial, watched, expertise)
                for trial, watched in zip(trials, full, strict=True)
            )
            for expertise in (Expertise.EXPERT, Expertise.NOVICE)
        },
        slopes={name: slope(*both) for name, both in costs.items()},
        tradeoff=correlation(*costs[FULL]),
        left=left_over(*costs[FULL], *np.array([[s.spare, s.least_cost] for s in seen], float).T),
        hints={said: sum(each.hint == said for each in seen) for said in get_args(BudgetHint)},
    )


def shortfalls(found: Diagnostics) -> list[str]:
    """Where the figures miss what the shipped set is held to, in words; none if nowhere."""
    missing = []
    if not ALONE.met(found.alone):
        missing.append(f"it does not observe in {found.alone:.0%} of the trials")
    for series in found.series:
        if series.least > 0 or not TOP.met(series.most):
            missing.append(f"{series.name}: counts from {series.least} to {series.most}")
        if not SPREAD.met(series.spread):
            missing.append(f"{series.name}: a spread of {series.spread:.2f}")
        for name, r in series.correlations.items():
            if r is not None and not LIKENESS.met(r):
                missing.append(f"{series.name}: r = {r:.2f} with {name}")
    missing += _tradeoff_shortfalls(found)
    if not LEFT.met(found.left):
        missing.append(f"it leaves {found.left:.0%} of the points that could be left")
    if not IDENTIFIED.met(found.identified):
        missing.append(
            f"the paper's budget names the holder in {found.identified:.0%} of the trials"
        )
    experiment = paper_experiment(found.experiment)
    if experiment is not None and Expertise.NOVICE in experiment.npcs:
        for expertise, share in found.mainly.items():
            if not MAINLY.met(share):
                missing.append(f"it watches mainly the {expertise} in {share:.0%} of the trials")
    return missing


def _tradeoff_shortfalls(found: Diagnostics) -> Iterable[str]:
    """Where watching does not rise with acting as it does in the paper."""
    full, r = found.slopes[FULL], found.tradeoff
    if full is None or r is None:
        yield "its execution cost or its observation cost does not vary"
    else:
        if not SLOPE.met(full):
            yield f"a slope of {full:.3f} of observation cost on execution cost"
        if not TRADEOFF.met(r):
            yield f"r = {r:.2f} of observation cost and execution cost"
    for name in INVERTED:
        theirs = found.slopes[name]
        if theirs is not None and not INVERTED_SLOPE.met(theirs):
            yield f"a slope of {theirs:.3f} of {OBSERVERS[name].title}"


def _all_series(trials: Sequence[Trial], counts: Sequence[Watched]) -> Iterable[Series]:
    """One for each NPC; where NPCs differ in expertise, one for each role as well."""
    names = [npc.id for npc in trials[0].npcs] if trials else []
    for index, name in enumerate(names):
        yield _series(name, {o: [count[o][index] for count in counts] for o in OBSERVERS})
    roles = {npc.expertise for trial in trials for npc in trial.npcs}
    if len(roles) > 1:
        for expertise in (each for each in Expertise if each in roles):
            of_role = {
                observer: [
                    watched
                    for trial, count in zip(trials, counts, strict=True)
                    for npc, watched in zip(trial.npcs, count[observer], strict=True)
                    if npc.expertise is expertise
                ]
                for observer in OBSERVERS
            }
            yield _series(str(expertise), of_role)


def _series(name: str, counts: Mapping[str, Sequence[int]]) -> Series:
    full = np.array(counts[FULL], dtype=np.float64)
    return Series(
        name,
        int(full.min()),
        int(full.max()),
        float(full.std()),
        {other: correlation(full, np.array(counts[other], float)) for other in ABLATIONS},
    )


def correlation(x: FloatArray, y: FloatArray) -> float | None:
    """Pearson's r; None where one of the two does not vary."""
    r = float(pearson(x, y))
    return None if np.isnan(r) else r


def slope(x: FloatArray, y: FloatArray) -> float | None:
    """The least-squares slope of y on x; None where x does not vary."""
    away = x - x.mean()
    if not away.any():
        return None
    return float(away @ (y - y.mean()) / (away @ away))


def left_over(
    execution: FloatArray, watching: FloatArray, spare: FloatArray, least_cost: FloatArray
) -> float:
    """The points left over in some trials, as a share of those that could be."""
    beyond = execution + watching - least_cost
    return 1.0 - float(beyond.sum() / spare.sum())


def _mainly(trial: Trial, watched: Sequence[int], expertise: Expertise) -> bool:
    """Whether NPCs of one expertise were watched more than the others together."""
    of_role = sum(
        count for npc, count in zip(trial.npcs, watched, strict=True) if npc.expertise is expertise
    )
    return of_role > sum(watched) - of_role


def _share(cases: Iterable[bool]) -> float:
    values = list(cases)
    return sum(values) / len(values) if values else 0.0
