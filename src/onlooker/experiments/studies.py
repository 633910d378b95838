"""Studies with simulated participants on any set of trials."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from onlooker.experiments.diagnostics import by_experiment
from onlooker.experiments.layout import NEAR
from onlooker.experiments.orderings import make_orderings
from onlooker.experiments.records import Records
from onlooker.experiments.simulation import simulate
from onlooker.experiments.stimuli import orderings, stimuli
from onlooker.game import Trial
from onlooker.inference.parameters import Parameters
from onlooker.observers import ChoiceRule, Observer

LENGTH = 10  # trials that a participant plays
ALIKE = 0.01  # maps that differ by less never meet, where stricter rules cannot be kept

Progress = Callable[[Iterable[int], int], Iterable[int]]


def orderings_for(number: int, trials: Sequence[Trial], seed: int = 1) -> list[list[str]]:
    """The orderings of an experiment's trials: those that come along, or new ones.

    New ones keep maps apart that are near each other; where that cannot be done for all trials
    alike, only maps that are the same; and where there are too few maps, all trials are played.
    """
    if list(trials) == stimuli(number):
        return orderings(number)
    for near in (NEAR, ALIKE):
        try:
            return make_orderings(trials, LENGTH, rng=seed, near=near)
        except ValueError:
            continue
    return [[trial.label for trial in trials]]


def simulate_study(
    trials: Sequence[Trial],
    observer: Observer,
    participants: int,
    parameters: Parameters | None = None,
    rule: ChoiceRule | str | None = None,
    seed: int = 1,
    progress: Progress = lambda items, total: items,
) -> Records:
    """Simulated participants in every experiment that the trials belong to."""
    records = Records()
    for experiment, group in by_experiment(trials).items():
        made = orderings_for(experiment.number, group, seed)
        records.extend(
            simulate(
                experiment.number,
                group,
                made,
                observer,
                participants,
                parameters,
                rule,
                seed,
                progress,
            )
        )
    return records
