"""What players' looks say about what they were told of teachers.

How often is a single player's label recognised, and how many players does it take for looks under
two labels to differ? Both are asked of simulated players.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import combinations
from statistics import fmean

import numpy as np
import pandas as pd
from scipy.stats import ttest_ind

from onlooker.experiments.labels import engine_under, observer_under
from onlooker.experiments.simulation import Participant
from onlooker.game import ExperimentName, Label, Trial, teacher_in
from onlooker.inference.parameters import Parameters
from onlooker.observers import ChoiceRule
from onlooker.support.arrays import FloatArray

SURE = 0.05  # a difference that is by chance no likelier than this counts


class Crowd:
    """Simulated players: noisy Rational Mentalizing, so many under each label."""

    def __init__(
        self,
        trials: Sequence[Trial],
        orderings: Sequence[Sequence[str]],
        people: int,
        parameters: Parameters | None = None,
        seed: int = 1,
    ) -> None:
        self.trials = {trial.label: trial for trial in trials}
        self.orderings, self.people, self.seed = orderings, people, seed
        self.players = {
            (label, trial.label): Participant(
                engine_under(trial, label, parameters), observer_under(label), ChoiceRule.SOFTMAX
            )
            for label in Label
            for trial in trials
        }

    @cached_property
    def watched(self) -> dict[Label, list[dict[str, tuple[int, ...]]]]:
        """Whom each player under a label watches in each of their trials, step by step."""
        seeds = np.random.SeedSequence(self.seed).spawn(len(Label) * self.people)
        found: dict[Label, list[dict[str, tuple[int, ...]]]] = {label: [] for label in Label}
        for index, seed in enumerate(seeds):
            label, rng = list(Label)[index % len(Label)], np.random.default_rng(seed)
            ordering = self.orderings[index // len(Label) % len(self.orderings)]
            played = {name: self.players[label, name].watch(rng) for name in ordering}
            found[label].append(played)
        return found

    def recognised(self) -> dict[Label, dict[Label, float]]:
        """The share of players under each label who look most as if they played under each."""
        found = {}
        for label, people in self.watched.items():
            best = [max(Label, key=lambda other: self._log_p(other, played)) for played in people]
            found[label] = {other: best.count(other) / len(best) for other in Label}
        return found

    def _log_p(self, label: Label, played: Mapping[str, tuple[int, ...]]) -> float:
        """How likely somebody's looks are under a label."""
        total = 0.0
        for name, watched in played.items():
            player = self.players[label, name]
            for step, choice in enumerate((*(npc + 1 for npc in watched), 0)):
                total += float(np.log(player.probabilities(watched[:step])[choice]))
        return total

    def looks(self, label: Label, scenario: str) -> FloatArray:
        """Everybody's mean looks at the teacher in trials of a class."""
        return np.array(
            [
                fmean(
                    watched.count(teacher_in(self.trials[name]))
                    for name, watched in played.items()
                    if str(self.trials[name].scenario) == scenario
                )
                for played in self.watched[label]
            ]
        )

    def power(
        self, one: Label, other: Label, scenario: str, size: int, studies: int = 500
    ) -> float:
        """In how many studies of so many people a label looks differ in a class of trials.

        By Welch's test at 5 %, with people drawn again from those who were simulated.
        """
        rng = np.random.default_rng([self.seed, size])
        a, b = (
            looks[rng.integers(len(looks), size=(studies, size))]
            for looks in (self.looks(one, scenario), self.looks(other, scenario))
        )
        return float((_welch(a, b) < SURE).mean())


def label_power(
    experiment: ExperimentName,
    trials: Sequence[Trial],
    orderings: Sequence[Sequence[str]],
    sizes: Sequence[int],
    people: int,
    studies: int,
    parameters: Parameters | None = None,
    seed: int = 1,
) -> dict[str, pd.DataFrame]:
    """Tables of what a study of so many people under each label would find.

    `power`: the share of studies in which looks at teachers differ, by class of trials and labels;
    `recognised`: the share of single people who look most as if they had been told this or that.
    """
    crowd = Crowd(trials, orderings, people, parameters, seed)
    about = {"data": "simulated", "experiment": experiment}
    power = [
        about
        | {"scenario": scenario, "label": str(one), "other": str(other), "participants": size}
        | {"studies": studies, "share": crowd.power(one, other, scenario, size, studies)}
        for scenario in dict.fromkeys(str(trial.scenario) for trial in trials)
        for one, other in combinations(Label, 2)
        for size in sizes
    ]
    recognised = [
        about | {"label": str(label), "recognised": str(other), "share": share}
        for label, shares in crowd.recognised().items()
        for other, share in shares.items()
    ]
    return {"power": pd.DataFrame(power), "recognised": pd.DataFrame(recognised)}


def _welch(a: FloatArray, b: FloatArray) -> FloatArray:
    """The two-sided p of each row's difference; 1 where nothing differs."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # scipy's, where all people are the same
        p = ttest_ind(a, b, axis=1, equal_var=False).pvalue
    same = a.mean(axis=1) == b.mean(axis=1)
    return np.where(np.isnan(p), np.where(same, 1.0, 0.0), p)
