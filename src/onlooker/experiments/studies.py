"""Studies with simulated participants on any set of trials."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from onlooker.experiments.labels import labels_for
from onlooker.experiments.layout import NEAR, layout_distances
from onlooker.experiments.naming import by_experiment
from onlooker.experiments.orderings import make_orderings
from onlooker.experiments.records import Records
from onlooker.experiments.simulation import simulate
from onlooker.experiments.stimuli import bundled, orderings, stimuli
from onlooker.game import BudgetRule, ExperimentName, Label, Map, Trial, teacher_in
from onlooker.inference.parameters import Parameters
from onlooker.observers import ChoiceRule, Observer

LENGTH = 10  # trials that a participant plays
ALIKE = 0.01  # maps that differ by less never meet, where stricter rules cannot be kept

Progress = Callable[[Iterable[int], int], Iterable[int]]


def orderings_for(
    experiment: ExperimentName, trials: Sequence[Trial], seed: int = 1
) -> list[list[str]]:
    """The orderings of an experiment's trials: the bundled ones, or new ones.

    New ones keep maps apart that are near each other; where that cannot be done, only maps that are
    the same; and where there are too few maps, all trials are played. A warning says when a
    participant plays similar maps.
    """
    if experiment in bundled() and list(trials) == stimuli(experiment):
        return orderings(experiment)
    found = [[trial.label for trial in trials]]
    for near in (NEAR, ALIKE):
        try:
            found = make_orderings(trials, LENGTH, rng=seed, near=near)
            break
        except ValueError:
            continue
    known = {trial.label: trial.map for trial in trials}
    if any(_some_alike([known[name] for name in ordering]) for ordering in found):
        warnings.warn(
            f"Experiment {experiment}: some participants play similar maps,"
            " as there are too few others",
            stacklevel=2,
        )
    return found


def _some_alike(maps: Sequence[Map]) -> bool:
    """Whether two of the maps are too near each other."""
    apart = layout_distances(maps)
    return bool((apart[~np.eye(len(maps), dtype=bool)] <= NEAR).any())


def _has_teachers(trials: Iterable[Trial]) -> bool:
    return any(teacher_in(trial) is not None for trial in trials)


def simulate_study(
    trials: Sequence[Trial],
    observer: Observer,
    participants: int,
    parameters: Parameters | None = None,
    rule: ChoiceRule | str | None = None,
    seed: int = 1,
    progress: Progress = lambda items, total: items,
    budget: BudgetRule = "paper",
    labels: Sequence[Label] | None = None,
) -> Records:
    """Simulated participants in every experiment of the trials.

    Where there are teachers, they play under labels in turn; by default under all that there are.
    """
    records = Records()
    for experiment, group in by_experiment(trials).items():
        made = orderings_for(experiment, group, seed)
        records.extend(
            simulate(
                experiment,
                group,
                made,
                observer,
                participants,
                parameters,
                rule,
                seed,
                progress,
                budget,
                labels or (labels_for(observer) if _has_teachers(group) else ()),
            )
        )
    return records
