"""How well a set of trials distinguishes the observers, in numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from onlooker.experiments.inventory import EXPERIMENTS, Experiment
from onlooker.game import Expertise, Trial
from onlooker.inference.parameters import Parameters
from onlooker.observers import OBSERVERS, Batch
from onlooker.support.arrays import FloatArray
from onlooker.support.correlation import pearson

FULL = "rational_mentalizing"
ABLATIONS = tuple(name for name in OBSERVERS if name != FULL)

# What the shipped set is held to.
LEAST_TOP = 10  # the full model's largest count
LEAST_SPREAD = 2.2  # the standard deviation of its counts
LEAST_ALONE = 0.15  # the share of trials in which it does not observe
MOST_CORRELATION = 0.6  # between its counts and an ablation's
LEAST_MAINLY = 0.3  # Experiment 4: the shares in which it watches mainly the novice, the expert


StepsOf = Mapping[str, Sequence[int]]  # observer -> steps watched of each NPC


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

    experiment: int
    trials: int
    alone: float  # share of trials in which the full model does not observe
    series: tuple[Series, ...]
    mainly: dict[Expertise, float]  # share in which it watches mainly an NPC of that expertise


def observation_counts(trial: Trial, parameters: Parameters | None = None) -> dict[str, list[int]]:
    """How long each observer watches each NPC."""
    outcomes = Batch([trial]).run(parameters)
    return dict(zip(outcomes.observers, outcomes.observed[0].tolist(), strict=True))


def diagnose(experiment: int, trials: Sequence[Trial], counts: Sequence[StepsOf]) -> Diagnostics:
    """The figures of an experiment's trials, given what each observer does on each of them."""
    full = [list(count[FULL]) for count in counts]
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
            for expertise in Expertise
        },
    )


def shortfalls(found: Diagnostics) -> list[str]:
    """Where the figures miss what the shipped set is held to, in words; none if nowhere."""
    missing = []
    if found.alone < LEAST_ALONE:
        missing.append(f"it does not observe in {found.alone:.0%} of the trials")
    for series in found.series:
        if series.least > 0 or series.most < LEAST_TOP:
            missing.append(f"{series.name}: counts from {series.least} to {series.most}")
        if series.spread < LEAST_SPREAD:
            missing.append(f"{series.name}: a spread of {series.spread:.2f}")
        for name, r in series.correlations.items():
            if r is not None and r > MOST_CORRELATION:
                missing.append(f"{series.name}: r = {r:.2f} with {name}")
    experiment = EXPERIMENTS.get(found.experiment)
    if experiment is not None and Expertise.NOVICE in experiment.npcs:
        for expertise, share in found.mainly.items():
            if share < LEAST_MAINLY:
                missing.append(f"it watches mainly the {expertise} in {share:.0%} of the trials")
    return missing


def _all_series(trials: Sequence[Trial], counts: Sequence[StepsOf]) -> Iterable[Series]:
    """One for each NPC; where NPCs differ in expertise, one for each role as well."""
    names = [npc.id for npc in trials[0].npcs] if trials else []
    for index, name in enumerate(names):
        yield _series(name, {o: [count[o][index] for count in counts] for o in OBSERVERS})
    roles = {npc.expertise for trial in trials for npc in trial.npcs}
    if len(roles) > 1:
        for expertise in Expertise:
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


def _mainly(trial: Trial, watched: Sequence[int], expertise: Expertise) -> bool:
    """Whether NPCs of one expertise were watched more than the others together."""
    of_role = sum(
        count for npc, count in zip(trial.npcs, watched, strict=True) if npc.expertise is expertise
    )
    return of_role > sum(watched) - of_role


def _share(cases: Iterable[bool]) -> float:
    values = list(cases)
    return sum(values) / len(values) if values else 0.0


def by_experiment(trials: Iterable[Trial]) -> dict[Experiment, list[Trial]]:
    """The trials of each of the four experiments, tutorials left out."""
    found: dict[Experiment, list[Trial]] = {e: [] for e in EXPERIMENTS.values()}
    for trial in trials:
        experiment = EXPERIMENTS.get(trial.experiment) if trial.experiment else None  # type: ignore[arg-type]
        if experiment is not None and not trial.tutorial:
            found[experiment].append(trial)
    return {experiment: group for experiment, group in found.items() if group}
