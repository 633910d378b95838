"""How players score: points against the ideal observer, whether and whom they watch, and agreement.

All plays count. One that did not come to the chest costs what was spent in it and the whole budget
once more, as the budget pays for a way to the chest: so giving up is never cheaper than playing on
well. A player's numbers for a trial are means over its plays of it, or expectations if the chances
of what it chooses are known. Intervals are of resampled trials. What has no value (nothing to
compare) is NaN, and None in JSON.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import pandas as pd

from onlooker.analysis import DataError
from onlooker.analysis.data.resampling import Resampler, bootstrap_statistics, with_intervals
from onlooker.analysis.data.scopes import TRIAL
from onlooker.analysis.data.statistics import interval
from onlooker.analysis.data.words import MODEL
from onlooker.experiments.regret import REFUSED
from onlooker.game import Trial
from onlooker.inference import Parameters
from onlooker.observers import Batch, Engine, IdealObserver
from onlooker.observers.expectations import Expectation
from onlooker.support.problems import Problem

NONE = float("nan")
RESAMPLES = 10_000


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number with its interval."""

    value: float = NONE
    low: float = NONE
    high: float = NONE


@dataclass(frozen=True, slots=True)
class Share:
    """In how many of some trials something is so, on average over plays."""

    value: float
    of: int


@dataclass(frozen=True, slots=True)
class Score:
    """What a player came to."""

    player: str
    trials: int
    plays: int
    finished: float  # the share of them that came to the chest
    cost: float  # points a trial
    observed: float  # steps watched a trial
    regret: Estimate  # points more than the ideal observer on the actual trial
    r_model: Estimate  # of counts, with those of Rational Mentalizing
    ccc_model: Estimate
    r_people: Estimate
    ccc_people: Estimate
    skips: Share  # watches nobody, where the ideal observer does not
    looks: Share  # watches somebody, where the ideal observer does
    whom: Share  # watches most whom Rational Mentalizing watches most
    experts: Share  # of the looks at an expert and a novice, those at the expert

    def to_dict(self) -> dict[str, Any]:
        """The score as plain data, None for what has no value."""
        return {field.name: _plain(getattr(self, field.name)) for field in fields(self)}


def _plain(value: object) -> Any:
    if isinstance(value, (Estimate, Share)):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    return None if isinstance(value, float) and math.isnan(value) else value


@dataclass(frozen=True, slots=True)
class Means:
    """What a player does on average in each trial."""

    trials: pd.DataFrame  # by trial: `cost`, `observed` and `skipped`, how often nobody is watched
    watched: pd.DataFrame  # experiment, level, agent and `observed`
    plays: int  # none where these are expectations
    finished: float  # the share of plays that came to the chest


def marks_of(
    trials: Sequence[Trial], parameters: Parameters, progress: Iterable[Trial] | None = None
) -> pd.DataFrame:
    """A row per trial and NPC: `model`, the steps that Rational Mentalizing watches of it.

    `ideal_cost` and `ideal_observed` are of the trial as a whole; they are empty where the ideal
    observer refused it, and `reason` says why.
    """
    counts = Batch(trials).run(parameters, [MODEL]).observed[:, 0].tolist()
    rows = []
    for trial, observed in zip(progress or trials, counts, strict=True):
        try:
            ideal = IdealObserver().run(Engine(trial, parameters, warn=False))
            of_ideal: tuple[object, ...] = (ideal.cost, sum(ideal.observed), "")
        except REFUSED as error:
            of_ideal = (None, None, str(error))
        for npc, steps in zip(trial.npcs, observed, strict=False):
            label = (trial.experiment, trial.label, npc.id, str(npc.expertise))
            rows.append((*label, steps, *of_ideal))
    columns = [*TRIAL, "agent", "expertise", "model", "ideal_cost", "ideal_observed", "reason"]
    frame = pd.DataFrame(rows, columns=columns)
    return frame.astype({"model": float, "ideal_cost": float, "ideal_observed": float})


def means_of(tables: Mapping[str, pd.DataFrame]) -> Means:
    """What was done on average, from the tables of a study's data."""
    plays = tables["trials"]
    done = plays["finished"].astype(bool)
    trials = (
        plays.assign(
            cost=plays["cost_total"].where(done, plays["cost_total"] + plays["budget"]),
            skipped=plays["observed"] == 0,
        )
        .groupby(TRIAL)[["cost", "observed", "skipped"]]
        .mean()
    )
    watched = tables["observations"].groupby([*TRIAL, "agent"])["observed"].mean().reset_index()
    return Means(trials, watched, len(plays), float(done.mean()))


def expected_means(trials: Sequence[Trial], found: Sequence[Expectation]) -> Means:
    """What an observer that chooses by a soft rule is expected to do; it always comes to the chest.

    No play is sampled, so these are the numbers of `predict`.
    """
    rows, watched = [], []
    for trial, each in zip(trials, found, strict=True):
        nobody = float(each.probability[(0,) * each.probability.ndim])
        rows.append((trial.experiment, trial.label, each.cost, sum(each.observed), nobody))
        watched += [
            (trial.experiment, trial.label, npc.id, steps)
            for npc, steps in zip(trial.npcs, each.observed, strict=True)
        ]
    table = pd.DataFrame(rows, columns=[*TRIAL, "cost", "observed", "skipped"]).set_index(TRIAL)
    return Means(table, pd.DataFrame(watched, columns=[*TRIAL, "agent", "observed"]), 0, 1.0)


def score(
    player: str,
    means: Means,
    marks: pd.DataFrame,
    people: pd.DataFrame | None = None,
    seed: int = 0,
) -> Score:
    """How a player scores by what it does on average.

    `marks` is of `marks_of`; `people` has a row per trial and NPC with `observed`, their mean.
    """
    counts = marks.merge(means.watched, on=[*TRIAL, "agent"], validate="one_to_one")
    trials = means.trials.join(
        marks.drop_duplicates(TRIAL).set_index(TRIAL)[["ideal_cost", "ideal_observed"]]
    )
    return Score(
        player=player,
        trials=len(trials),
        plays=means.plays,
        finished=means.finished,
        cost=float(trials["cost"].mean()),
        observed=float(trials["observed"].mean()),
        regret=_regret(trials, seed),
        **_agreement("model", counts, counts["model"], seed),
        **_with_people(counts, people, seed),
        skips=_share(trials.loc[trials["ideal_observed"] == 0, "skipped"]),
        looks=_share(1 - trials.loc[trials["ideal_observed"] > 0, "skipped"]),
        whom=_whom(counts),
        experts=_experts(counts),
    )


def check_played(
    player: str, tables: Mapping[str, pd.DataFrame], trials: Iterable[tuple[object, str]]
) -> None:
    """Refuse data of trials other than those (experiment and level); DataError names them."""
    played = tables["trials"]
    known = set(trials)
    there = dict.fromkeys(zip(played["experiment"], played["level"], strict=True))
    strange = [each for each in there if each not in known]
    problems = [
        Problem(f"experiment {number}, level {level}", "expected a trial of this benchmark")
        for number, level in strange
    ]
    if not there:
        problems = [Problem("table trials", "no trial was played")]
    if problems:
        raise DataError(problems, source=player)


def _regret(trials: pd.DataFrame, seed: int) -> Estimate:
    """Points more than the ideal observer's on the actual trial, which luck can make negative."""
    there = trials.dropna(subset="ideal_cost").reset_index()
    if there.empty:
        return Estimate()
    lost = (there["cost"] - there["ideal_cost"]).to_numpy(float)
    weights = Resampler(seed, RESAMPLES).weights(there)
    ends = interval(np.asarray(weights @ lost / weights.sum(axis=1)))
    return Estimate(float(lost.mean()), ends.low, ends.high)


def _agreement(
    who: str, counts: pd.DataFrame, of_others: pd.Series[float], seed: int
) -> dict[str, Estimate]:
    """How counts per trial and NPC agree with those of others."""
    x, y = np.asarray(counts["observed"], float), np.asarray(of_others, float)
    if len(x) < 2:
        return {f"r_{who}": Estimate(), f"ccc_{who}": Estimate()}
    found = with_intervals(
        bootstrap_statistics(x, y, Resampler(seed, RESAMPLES).weights(counts)), "r", "ccc"
    )
    return {
        f"{name}_{who}": Estimate(found[name], found[f"{name}_low"], found[f"{name}_high"])
        for name in ("r", "ccc")
    }


def _with_people(
    counts: pd.DataFrame, people: pd.DataFrame | None, seed: int
) -> dict[str, Estimate]:
    if people is None:
        return {"r_people": Estimate(), "ccc_people": Estimate()}
    theirs = people[[*TRIAL, "agent", "observed"]].rename(columns={"observed": "people"})
    both = counts.merge(theirs, on=[*TRIAL, "agent"], validate="one_to_one")
    return _agreement("people", both, both["people"], seed)


def _share(values: pd.Series[float]) -> Share:
    return Share(float(values.mean()) if len(values) else NONE, len(values))


def _whom(counts: pd.DataFrame) -> Share:
    """Where there are several NPCs and both the player and the model watch one of them most.

    A player that watches two of them equally, and most, is counted as right by half.
    """
    same = []
    for _, group in counts.groupby(TRIAL):
        ours, model = group["observed"].to_numpy(float), group["model"].to_numpy(float)
        favourite = model == model.max()
        if len(group) > 1 and favourite.sum() == 1 and ours.max() > 0:
            first = ours == ours.max()
            same.append(float((first & favourite).sum() / first.sum()))
    return _share(pd.Series(same, dtype=float))


def _experts(counts: pd.DataFrame) -> Share:
    """Looks at experts among all looks in trials that have both experts and novices."""
    mixed = counts.groupby(TRIAL)["expertise"].transform("nunique") > 1
    there = counts[mixed]
    looks = there.groupby("expertise")["observed"].sum()
    trials = len(there.drop_duplicates(TRIAL))
    total = float(looks.sum())
    return Share(float(looks.get("expert", 0.0)) / total if total else NONE, trials)
