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

from onlooker.analysis.data.statistics import interval, seed_sequence
from onlooker.analysis.data.words import MODEL
from onlooker.experiments.recordings import Recording
from onlooker.experiments.regret import Regret
from onlooker.game import Observe, Trial, parse_choice, replay, score
from onlooker.inference import Parameters, TooLargeError
from onlooker.observers import Batch, RationalMentalizing
from onlooker.observers.lattice import Lattice
from onlooker.support.correlation import pearson

POOLED = "pooled"
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

    def _parts(self, table: pd.DataFrame) -> Iterator[tuple[Any, pd.DataFrame]]:
        """The rows of each experiment, and of all if there are several."""
        numbers = sorted(set(table["experiment"]), key=str)
        for number in numbers:
            yield number, table[table["experiment"] == number]
        if len(numbers) > 1:
            yield POOLED, table

    def _mean(self, values: pd.Series) -> dict[str, float]:
        """The mean of a value of each participant, with its interval."""
        known = values.dropna()
        if known.empty:
            return {"value": np.nan, "low": np.nan, "high": np.nan}
        rng = np.random.default_rng(seed_sequence(self.seed, "logs", *known.index))
        size = RESAMPLES if len(known) >= LEAST_PEOPLE else 0
        drawn = rng.choice(known.to_numpy(float), (size, len(known)))
        ends = interval(drawn.mean(axis=1)) if size else interval(np.array([np.nan]))
        return {"value": float(known.mean()), "low": ends.low, "high": ends.high}

    @cached_property
    def course(self) -> pd.DataFrame:
        """How often people and the model watch in each part of a trial: experiment × part."""
        rows = []
        for experiment, mine in self._parts(self.trials):
            for who, name in (("people", "course"), (MODEL, "model_course")):
                shares = np.array([each for each in mine[name] if each is not None])
                means = shares.mean(axis=0) if len(shares) else np.full(PARTS, np.nan)
                rows += [
                    {"experiment": experiment, "who": who, "part": part + 1, "watching": mean}
                    for part, mean in enumerate(means)
                ]
        return pd.DataFrame(rows)

    @cached_property
    def returns(self) -> pd.DataFrame:
        """How often people go back to watching after a first move, and what that costs."""
        rows = []
        for experiment, mine in self._parts(self.trials):
            back = mine["late"] > 0
            apart = mine[back].groupby("participant")["beyond"].mean()
            other = mine[~back].groupby("participant")["beyond"].mean()
            rows.append(
                {
                    "experiment": experiment,
                    "trials": len(mine),
                    "returned": int(back.sum()),
                    "people": mine["participant"].nunique(),
                    "people_returned": mine.loc[back, "participant"].nunique(),
                    "looks": float(mine.loc[back, "late"].mean()) if back.any() else np.nan,
                    "late_cost": float(mine["late_cost"].mean()),
                    "share_of_looks": _ratio(mine["late"].sum(), mine["observed"].sum()),
                    **_named("extra_cost", self._mean(apart - other)),
                }
            )
        return pd.DataFrame(rows)

    @cached_property
    def deciding(self) -> pd.DataFrame:
        """How the time before a choice goes with how far apart acting and watching are."""
        timed = self.choices.dropna(subset=["seconds", "gap"])
        timed = timed[timed["number"] > 1]  # the first includes looking at the map
        rows = []
        for experiment, mine in self._parts(timed):
            each = mine.groupby("participant")[["gap", "seconds"]].apply(_rank_correlation)
            each = each if len(each) else pd.Series(dtype=float)
            rows.append(
                {
                    "experiment": experiment,
                    "choices": len(mine),
                    "people": int(each.notna().sum()),
                    "seconds": float(mine["seconds"].median()),
                    **_named("r", self._mean(each)),
                }
            )
        return pd.DataFrame(rows)

    @cached_property
    def hesitation(self) -> pd.DataFrame:
        """The median time before choices that are about as close: experiment × bin."""
        timed = self.choices.dropna(subset=["seconds", "gap"])
        timed = timed[timed["number"] > 1]
        rows = []
        for experiment, mine in self._parts(timed):
            bins = pd.qcut(mine["gap"].rank(method="first"), min(6, len(mine)), labels=False)
            for _, part in mine.groupby(bins):
                low, middle, high = np.percentile(part["seconds"], [25, 50, 75])
                row = {"experiment": experiment, "gap": part["gap"].mean(), "n": len(part)}
                rows.append(row | {"seconds": middle, "low": low, "high": high})
        return pd.DataFrame(rows)

    @cached_property
    def practice(self) -> pd.DataFrame:
        """How often people choose as the model does, by the place of the trial."""
        rows = []
        for experiment, mine in self._parts(self.trials.dropna(subset=["agreement"])):
            for position, part in mine.groupby("position"):
                found = self._mean(part.groupby("participant")["agreement"].mean())
                row = {"experiment": experiment, "position": position, "trials": len(part)}
                rows.append(row | _named("agreement", found))
        return pd.DataFrame(rows)

    @cached_property
    def learning(self) -> pd.DataFrame:
        """By how much agreement with the model grows from one trial to the next."""
        rows = []
        for experiment, mine in self._parts(self.trials.dropna(subset=["agreement"])):
            slopes = mine.groupby("participant")[["position", "agreement"]].apply(_slope)
            found = self._mean(slopes)
            overall = self._mean(mine.groupby("participant")["agreement"].mean())
            row = {"experiment": experiment, "people": int(slopes.notna().sum())}
            rows.append(row | _named("agreement", overall) | _named("slope", found))
        return pd.DataFrame(rows)

    @cached_property
    def beyond(self) -> pd.DataFrame:
        """What people and the model pay more than the ideal observer, in points a trial."""
        rows = []
        for experiment, mine in self._parts(self.trials.dropna(subset=["beyond"])):
            groups = mine.groupby("participant")
            gap = groups["beyond"].mean() - groups["model_beyond"].mean()
            rows.append(
                {
                    "experiment": experiment,
                    "trials": len(mine),
                    "people": mine["participant"].nunique(),
                    **_named("beyond", self._mean(groups["beyond"].mean())),
                    "model": float(groups["model_beyond"].mean().mean()),
                    **_named("difference", self._mean(gap)),
                }
            )
        return pd.DataFrame(rows)

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


def _named(name: str, found: Mapping[str, float]) -> dict[str, float]:
    return {name: found["value"], f"{name}_low": found["low"], f"{name}_high": found["high"]}


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
