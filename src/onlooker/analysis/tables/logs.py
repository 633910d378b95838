"""What only logs show: when people watch, go back to it and hesitate, whether practice helps, and
what they pay beyond the ideal observer.

The model beside them is Rational Mentalizing. Intervals are over participants.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from onlooker.analysis.data.scopes import by_scope
from onlooker.analysis.data.statistics import interval, seed_sequence
from onlooker.analysis.data.words import MODEL
from onlooker.experiments.recordings import Recording
from onlooker.experiments.regret import Regret
from onlooker.game import Observe, Trial, parse_choice, replay, score
from onlooker.inference import Parameters, TooLargeError
from onlooker.observers import Batch, RationalMentalizing
from onlooker.observers.lattice import Lattice
from onlooker.support.arrays import pearson

PARTS = 10  # of a trial, for the time course
SAME = 1e-9  # values that differ by less are the same
LEAST_PEOPLE = 10  # below, there is no interval
LEAST_CHOICES = 5  # of a person, for a correlation
RESAMPLES = 2000

Key = tuple[int | str | None, str]  # experiment and name of a trial


@dataclass(frozen=True)
class Logs:
    """Every choice and every trial of people, and what they come to."""

    choices: pd.DataFrame  # one of somebody, up to the first action of a trial
    trials: pd.DataFrame  # one that somebody played
    seed: int = 1

    def _mean(self, values: pd.Series, name: str) -> dict[str, float]:
        """The mean of a value of each participant, with its interval."""
        known = values.dropna()
        mean, ends = np.nan, interval(np.array([np.nan]))
        if len(known):
            mean = float(known.mean())
            rng = np.random.default_rng(seed_sequence(self.seed, "logs", *known.index))
            if len(known) >= LEAST_PEOPLE:
                drawn = rng.choice(known.to_numpy(float), (RESAMPLES, len(known)))
                ends = interval(drawn.mean(axis=1))
        return {name: mean, f"{name}_low": ends.low, f"{name}_high": ends.high}

    @cached_property
    def course(self) -> pd.DataFrame:
        """How often people and the model watch in each part of a trial: experiment × part."""

        def rows(mine: pd.DataFrame) -> Iterator[dict[str, Any]]:
            for who, name in (("people", "course"), (MODEL, "model_course")):
                shares = np.array([each for each in mine[name] if each is not None])
                means = shares.mean(axis=0) if len(shares) else np.full(PARTS, np.nan)
                for part, mean in enumerate(means, start=1):
                    yield {"who": who, "part": part, "watching": mean}

        return by_scope(self.trials, rows)

    @cached_property
    def returns(self) -> pd.DataFrame:
        """How often people go back to watching after a first move, and what that costs."""

        def rows(mine: pd.DataFrame) -> Iterator[dict[str, Any]]:
            back = mine["late"] > 0
            apart = mine[back].groupby("participant")["beyond"].mean()
            other = mine[~back].groupby("participant")["beyond"].mean()
            yield {
                "trials": len(mine),
                "returned": int(back.sum()),
                "people": mine["participant"].nunique(),
                "people_returned": mine.loc[back, "participant"].nunique(),
                "looks": float(mine.loc[back, "late"].mean()) if back.any() else np.nan,
                "late_cost": float(mine["late_cost"].mean()),
                "share_of_looks": _ratio(mine["late"].sum(), mine["observed"].sum()),
                **self._mean(apart - other, "extra_cost"),
            }

        return by_scope(self.trials, rows)

    @property
    def _timed(self) -> pd.DataFrame:
        """Choices with a time and a gap; the first of a trial includes looking at the map."""
        timed = self.choices.dropna(subset=["seconds", "gap"])
        return timed[timed["number"] > 1]

    @cached_property
    def deciding(self) -> pd.DataFrame:
        """How the time before a choice goes with how far apart acting and watching are."""

        def rows(mine: pd.DataFrame) -> Iterator[dict[str, Any]]:
            each = mine.groupby("participant")[["gap", "seconds"]].apply(_rank_correlation)
            yield {
                "choices": len(mine),
                "people": int(each.notna().sum()),
                "seconds": float(mine["seconds"].median()),
                **self._mean(each, "r"),
            }

        return by_scope(self._timed, rows)

    @cached_property
    def hesitation(self) -> pd.DataFrame:
        """The median time before choices that are about as close: experiment × bin."""

        def rows(mine: pd.DataFrame) -> Iterator[dict[str, Any]]:
            bins = pd.qcut(mine["gap"].rank(method="first"), min(6, len(mine)), labels=False)
            for _, part in mine.groupby(bins):
                low, middle, high = np.percentile(part["seconds"], [25, 50, 75])
                row = {"gap": part["gap"].mean(), "n": len(part)}
                yield row | {"seconds": middle, "low": low, "high": high}

        return by_scope(self._timed, rows)

    @property
    def _judged(self) -> pd.DataFrame:
        """The trials in which it is known what the model would choose."""
        return self.trials.dropna(subset=["agreement"])

    @cached_property
    def practice(self) -> pd.DataFrame:
        """How often people choose as the model does, by the place of the trial."""

        def rows(mine: pd.DataFrame) -> Iterator[dict[str, Any]]:
            for position, part in mine.groupby("position"):
                each = part.groupby("participant")["agreement"].mean()
                yield {"position": position, "trials": len(part)} | self._mean(each, "agreement")

        return by_scope(self._judged, rows)

    @cached_property
    def learning(self) -> pd.DataFrame:
        """By how much agreement with the model grows from one trial to the next."""

        def rows(mine: pd.DataFrame) -> Iterator[dict[str, Any]]:
            groups = mine.groupby("participant")
            slopes = groups[["position", "agreement"]].apply(_slope)
            yield {
                "people": int(slopes.notna().sum()),
                **self._mean(groups["agreement"].mean(), "agreement"),
                **self._mean(slopes, "slope"),
            }

        return by_scope(self._judged, rows)

    @cached_property
    def beyond(self) -> pd.DataFrame:
        """What people and the model pay more than the ideal observer, in points a trial."""

        def rows(mine: pd.DataFrame) -> Iterator[dict[str, Any]]:
            groups = mine.groupby("participant")
            people, model = groups["beyond"].mean(), groups["model_beyond"].mean()
            yield {
                "trials": len(mine),
                "people": mine["participant"].nunique(),
                **self._mean(people, "beyond"),
                "model": float(model.mean()),
                **self._mean(people - model, "difference"),
            }

        return by_scope(self.trials.dropna(subset=["beyond"]), rows)

    def tables(self) -> dict[str, pd.DataFrame]:
        """All tables that are there, by the names of their files."""
        every = {
            "choices": self.choices,
            "trials": self.trials.drop(columns=["course", "model_course"]),
            "course": self.course,
            "returns": self.returns,
            "deciding": self.deciding,
            "hesitation": self.hesitation,
            "practice": self.practice,
            "learning": self.learning,
            "beyond": self.beyond,
        }
        return {name: frame for name, frame in every.items() if not frame.empty}


def read_logs(
    recordings: Iterable[Recording],
    kept: Collection[str],
    regrets: Iterable[Regret],
    parameters: Parameters,
    seed: int = 1,
) -> Logs:
    """The choices of those who are kept, beside the model's and the ideal observer's costs."""
    mine = [each for each in recordings if each.participant in kept]
    model = _Model(mine, regrets, parameters)
    choices: list[dict[str, Any]] = []
    trials: list[dict[str, Any]] = []
    for recording in mine:
        found = list(model.choices(recording))
        choices += found
        trials.append(model.trial(recording, found))
    return Logs(pd.DataFrame(choices, columns=CHOICE), pd.DataFrame(trials, columns=TRIAL), seed)


CHOICE = (
    *("participant", "experiment", "level", "position", "number", "choice", "model", "agrees"),
    *("gap", "seconds"),
)
TRIAL = (
    *("participant", "experiment", "level", "position", "arrived", "choices", "observed", "late"),
    *("late_cost", "scored", "agreement", "cost", "beyond", "model_beyond"),
    *("course", "model_course"),
)


class _Model:
    """What the model would do and what the ideal observer would pay, on the trials of people."""

    def __init__(
        self, recordings: Sequence[Recording], regrets: Iterable[Regret], parameters: Parameters
    ) -> None:
        trials = {_key(each): _as_seen(each) for each in recordings}
        self.lattices: Mapping[Key, Lattice] = {}
        try:
            found = Batch(list(trials.values())).lattices(parameters, RationalMentalizing())
            self.lattices = dict(zip(trials, found, strict=True))
        except TooLargeError:  # there is nothing to compare with
            pass
        self.costs = {
            (row.experiment, row.level): (row.ideal_cost, row.cost)
            for row in regrets
            if row.observer == MODEL and row.ideal_cost is not None and row.cost is not None
        }
        self.courses = {key: _model_course(each) for key, each in self.lattices.items()}

    def choices(self, recording: Recording) -> Iterator[dict[str, Any]]:
        """The choices up to the first action that had an alternative."""
        lattice = self.lattices.get(_key(recording))
        trial = recording.stage.trial
        seen, last = [0] * len(trial.npcs), 0
        for number, (word, seconds) in enumerate(
            zip(recording.log, recording.waits, strict=True), start=1
        ):
            made = parse_choice(word)
            option = 1 + trial.npc_index(made.npc) if isinstance(made, Observe) else 0
            values = None if lattice is None else lattice.values[tuple(seen)]
            if values is not None and np.isfinite(values[1:]).any():
                assert lattice is not None
                chosen = int(lattice.chosen[tuple(seen)][last])
                yield {
                    **_about(recording),
                    "number": number,
                    "choice": word if option else "act",
                    "model": trial.npcs[chosen - 1].id if chosen else "act",
                    "agrees": option == chosen or abs(values[option] - values[chosen]) < SAME,
                    "gap": abs(float(values[0] - values[1:].max())),
                    "seconds": seconds,
                }
            if not option:
                return
            seen[option - 1] += 1
            last = option

    def trial(self, recording: Recording, found: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """A trial as a whole."""
        key, stage = _key(recording), recording.stage
        watching = [isinstance(parse_choice(word), Observe) for word in recording.log]
        first = watching.index(False) if False in watching else len(watching)
        result = score(stage, replay(stage, recording.log))
        late, looks = sum(watching[first:]), sum(watching)
        ideal, model = self.costs.get(key, (np.nan, np.nan))
        ideal = ideal if result.arrived else np.nan  # who gives up pays little
        return {
            **_about(recording),
            "arrived": result.arrived,
            "choices": len(watching),
            "observed": looks,
            "late": late,
            "late_cost": late * stage.costs.observe,
            "scored": len(found),
            "agreement": float(np.mean([row["agrees"] for row in found])) if found else np.nan,
            "cost": result.spent,
            "beyond": result.spent - ideal,
            "model_beyond": model - ideal,
            "course": _course([float(each) for each in watching]) if watching else None,
            "model_course": self.courses.get(key),
        }


def _about(recording: Recording) -> dict[str, Any]:
    experiment, level = _key(recording)
    row = {"participant": recording.participant, "experiment": experiment, "level": level}
    return row | {"position": recording.position}


def _key(recording: Recording) -> Key:
    trial = recording.stage.trial
    return trial.experiment, trial.label


def _as_seen(recording: Recording) -> Trial:
    """The trial with what its NPCs did."""
    stage = recording.stage
    npcs = (
        replace(npc, actions=script)
        for npc, script in zip(stage.trial.npcs, stage.scripts, strict=True)
    )
    return replace(stage.trial, npcs=tuple(npcs))


def _model_course(lattice: Lattice) -> np.ndarray:
    """When the model watches in a trial."""
    seen, last, watched = [0] * len(lattice.steps), 0, 0
    while chosen := int(lattice.chosen[tuple(seen)][last]):
        seen[chosen - 1] += 1
        last, watched = chosen, watched + 1
    acting = max(1, int(lattice.actions[tuple(seen)]))
    return _course([1.0] * watched + [0.0] * acting)


def _course(watching: Sequence[float]) -> np.ndarray:
    """The share of watching in each of so many equal parts of a trial.

    >>> _course([1, 1, 0, 0, 0])
    array([1., 1., 1., 1., 0., 0., 0., 0., 0., 0.])
    """
    ends = np.linspace(0, len(watching), PARTS + 1)
    until = np.interp(ends, np.arange(len(watching) + 1), np.append(0, np.cumsum(watching)))
    found: np.ndarray = np.diff(until) / np.diff(ends)
    return found


def _ratio(part: float, whole: float) -> float:
    return float(part / whole) if whole else np.nan


def _rank_correlation(mine: pd.DataFrame) -> float:
    """Spearman's correlation of time with the gap; NaN of too few choices or equal ones."""
    ranks = mine.rank()
    if len(mine) < LEAST_CHOICES or (ranks.nunique() < 2).any():
        return float("nan")
    return float(pearson(ranks["gap"], ranks["seconds"]))


def _slope(mine: pd.DataFrame) -> float:
    """By how much agreement grows from trial to trial; NaN of fewer than three trials."""
    if len(mine) < 3 or mine["position"].nunique() < 2:
        return float("nan")
    return float(np.polyfit(mine["position"], mine["agreement"], 1)[0])
