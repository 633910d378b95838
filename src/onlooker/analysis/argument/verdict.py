"""The paper's claims one by one: its value, ours, and whether they agree.

A value of the paper holds where it lies in our 95 % interval, a direction where our interval lies
on its side of 0; with 0 within the interval it is undecided. What the data at hand cannot decide
says what it would need.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import pandas as pd

from onlooker.analysis.argument.writing import experiment, ranged, records
from onlooker.analysis.comparison import Comparison
from onlooker.analysis.human import NEEDS_PARTICIPANTS
from onlooker.analysis.reported import EXPERIMENTS, REPORTED, REPORTED_SAMPLES, Reported
from onlooker.analysis.resampling import resample
from onlooker.analysis.scopes import POOLED, TRIAL, Scope
from onlooker.analysis.statistics import Pairs, interval
from onlooker.analysis.words import number
from onlooker.experiments.variants import Variant

HOLDS, FAILS = "holds", "does not hold"
UNDECIDED, OPEN = "undecided", "cannot be checked"
BEHAVIOUR, DISCUSSION, PEOPLE = "Results, Observation Behavior", "Discussion", "Participants"
ROUNDED = 0.005  # the paper gives two decimals
FULL = "rational_mentalizing"


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim, where the paper makes it, and what became of it."""

    claim: str
    place: str
    paper: str
    ours: str
    verdict: str
    reason: str = ""


def verdicts(
    comparison: Comparison, pairs: pd.DataFrame, predictions: pd.DataFrame
) -> pd.DataFrame:
    """All claims that can be stated as numbers, a row each; none beside simulated data.

    `predictions` are of all trials, also of those that no people of the data at hand played.
    """
    if comparison.data == "simulated":
        return pd.DataFrame(columns=list(Claim.__dataclass_fields__))
    claims = [
        *_concordance(comparison),
        *_correlations(comparison),
        *_gaps(comparison, pairs),
        *_slopes(comparison, predictions),
        *_reliability(comparison),
        *_samples(comparison),
    ]
    return pd.DataFrame([asdict(claim) for claim in claims])


def judged(value: float, low: float, high: float) -> str:
    """Whether a value that was rounded to two decimals lies in an interval.

    >>> judged(0.9, 0.8, 0.95), judged(0.5, 0.8, 0.95), judged(0.9, float("nan"), 1)
    ('holds', 'does not hold', 'cannot be checked')
    """
    if np.isnan(low) or np.isnan(high):
        return OPEN
    return HOLDS if low - ROUNDED <= value <= high + ROUNDED else FAILS


def side(sign: int, low: float, high: float) -> tuple[str, str]:
    """Whether an interval lies above 0 (sign 1) or below it (−1), and what to add."""
    if np.isnan(low) or np.isnan(high):
        return OPEN, "there is no interval"
    if low <= 0 <= high:
        return UNDECIDED, "the interval includes 0"
    return (HOLDS, "") if (low > 0) == (sign > 0) else (FAILS, "the other direction")


def _rows(comparison: Comparison, scope: Scope, observer: str) -> list[dict[str, Any]]:
    """The fits of observation steps of an observer and of its variants."""
    fits = comparison.fits[comparison.fits["measure"] == "observed"]
    found = records(scope.rows(fits))
    return [row for row in found if comparison.variants[row["observer"]].observer == observer]


def _concordance(comparison: Comparison) -> Iterator[Claim]:
    missing = [n for n in EXPERIMENTS if n not in set(comparison.sample["experiment"])]
    lacking = f"needs people of Exp. {', '.join(map(str, missing))}" if missing else ""
    for paper in (each for each in REPORTED if each.statistic == "ccc"):
        for row in _rows(comparison, Scope(), paper.observer):
            title = comparison.titles()[row["observer"]]
            verdict = judged(paper.value, row["ccc_low"], row["ccc_high"])
            if paper.at_most:
                verdict = HOLDS if row["ccc"] <= paper.value + ROUNDED else FAILS
            reason = f"{lacking}; ours is of Exp. {row['experiments']}" if lacking else ""
            yield Claim(
                f"{title}: CCC of observation steps, all experiments",
                BEHAVIOUR,
                _paper(paper),
                ranged(row["ccc"], row["ccc_low"], row["ccc_high"]),
                OPEN if lacking else verdict,
                reason,
            )


def _correlations(comparison: Comparison) -> Iterator[Claim]:
    for paper in (each for each in REPORTED if each.statistic == "r"):
        where = f"Exp. {paper.scope.experiment}"
        where += "" if paper.scope.of_all_npcs else f", {paper.scope.who}"
        found = _rows(comparison, paper.scope, paper.observer)
        if not found:
            claim = f"{Variant(paper.observer).title}: r, {where}"
            need = f"needs people of Exp. {paper.scope.experiment}"
            yield Claim(claim, BEHAVIOUR, _paper(paper), "", OPEN, need)
        for row in found:
            yield Claim(
                f"{comparison.titles()[row['observer']]}: r, {where}",
                BEHAVIOUR,
                _paper(paper),
                ranged(row["r"], row["r_low"], row["r_high"]),
                judged(paper.value, row["r_low"], row["r_high"]),
                row["reason"],
            )


def _paper(paper: Reported) -> str:
    bound = "≤ " if paper.at_most else ""
    return bound + ranged(paper.value, paper.low, paper.high)


# -- directions ------------------------------------------------------------------------------------

DIRECTIONS = {  # the mean of what an observer does minus what people do
    FULL: ("watches less than people", "less", -1),
    "mentalizing_observer": ("watches more than people (over-observes)", "more", 1),
    "rational_observer": ("watches less than people (under-observes)", "less", -1),
}


def _gaps(comparison: Comparison, pairs: pd.DataFrame) -> Iterator[Claim]:
    numbers = sorted(set(pairs["experiment"]))
    for observer, (words, paper, sign) in DIRECTIONS.items():
        mine = pairs[pairs["observer"] == observer]
        if mine.empty:
            continue
        scopes = [*map(Scope, numbers)] if observer == FULL else [Scope()]
        for scope in scopes:
            rows = scope.of(mine)
            x, y = rows["model_observed"], rows["human_observed"]
            weights = resample(rows, comparison.seed, comparison.resamples)
            ends = interval(Pairs.of(x, y, weights).mean_difference())
            verdict, reason = side(sign, ends.low, ends.high)
            where = experiment(scope.columns()).replace("Pooled", f"Exp. {_list(numbers)}")
            ours = ranged(float((x - y).mean()), ends.low, ends.high) + " steps"
            title = comparison.titles()[observer]
            yield Claim(f"{title} {words}, {where}", DISCUSSION, paper, ours, verdict, reason)
    for missing in (n for n in EXPERIMENTS if n not in numbers):
        claim = f"{comparison.titles()[FULL]} watches less than people, Exp. {missing}"
        yield Claim(claim, DISCUSSION, "less", "", OPEN, f"needs people of Exp. {missing}")


SLOPES = {  # the paper's sign; 0: positive, with an interval that includes 0
    "human": ("positive", 1),
    FULL: ("positive", 1),
    "rational_observer": ("positive, the interval includes 0", 0),
    "mentalizing_observer": ("negative", -1),
    "naive_observer": ("negative", -1),
}


def _slopes(comparison: Comparison, predictions: pd.DataFrame) -> Iterator[Claim]:
    """The signs of observation cost on execution cost, over all experiments."""
    place = f"{BEHAVIOUR}; fig:cost_scatter"
    pooled = comparison.slopes[comparison.slopes["experiment"] == POOLED]
    there, shown = (sorted(set(frame["experiment"])) for frame in (predictions, comparison.sample))
    people = records(pooled[pooled["who"] == comparison.data])
    rows = [
        *((shown, row) for row in people),
        *((there, row) for row in _series(comparison, predictions)),
    ]
    for numbers, row in rows:
        variant = comparison.variants.get(row["who"], Variant(row["who"]))
        if variant.observer not in SLOPES:
            continue
        paper, sign = SLOPES[variant.observer]
        who = "people" if row["who"] == comparison.data else variant.title
        claim = f"Slope of observation on execution cost, {who}, Exp. {_list(numbers)}"
        if row["needs"]:
            yield Claim(claim, place, paper, "", OPEN, f"needs {row['needs']}")
            continue
        verdict, reason = side(sign or 1, row["low"], row["high"])
        if sign == 0 and not np.isnan(row["low"]):
            between = row["low"] <= 0 <= row["high"] and row["slope"] > 0
            verdict, reason = (HOLDS, "") if between else (FAILS, "")
        ours = ranged(row["slope"], row["low"], row["high"], 3)
        if missing := [number for number in EXPERIMENTS if number not in numbers]:
            verdict, reason = OPEN, f"needs trials of Exp. {_list(missing)}"
        yield Claim(claim, place, paper, ours, verdict, reason)


def _series(comparison: Comparison, predictions: pd.DataFrame) -> Iterator[dict[str, Any]]:
    """The slope of each observer over all trials; it does not need people."""
    for observer, mine in predictions.groupby("observer", sort=False):
        trials = mine.drop_duplicates(TRIAL)
        x, y = trials["cost_execution"], trials["cost_total"] - trials["cost_execution"]
        weights = resample(trials, comparison.seed, comparison.resamples)
        ends = interval(Pairs.of(x, y, weights).slope())
        slope = float(Pairs.of(x, y).slope()[0])
        yield {"who": observer, "slope": slope, "low": ends.low, "high": ends.high, "needs": ""}


def _list(numbers: list[Any]) -> str:
    return ", ".join(map(str, numbers))


# -- people ----------------------------------------------------------------------------------------


def _reliability(comparison: Comparison) -> Iterator[Claim]:
    found = comparison.reliability[comparison.reliability["measure"] == "observed"]
    for number_, sample in REPORTED_SAMPLES.items():
        claim = f"Split-half reliability r_SB, Exp. {number_}"
        rows = records(Scope(number_).rows(found))
        paper = number(sample.reliability)
        value = rows[0]["reliability"] if rows else np.nan
        if np.isnan(value):
            yield Claim(claim, PEOPLE, paper, "", OPEN, f"needs {NEEDS_PARTICIPANTS}")
            continue
        close = abs(value - sample.reliability) <= 0.02
        reason = "within .02, as splits are random" if close else "more than .02 apart"
        yield Claim(claim, PEOPLE, paper, number(value), HOLDS if close else FAILS, reason)


def _samples(comparison: Comparison) -> Iterator[Claim]:
    rows = {row["experiment"]: row for row in records(comparison.sample)}
    for number_, sample in REPORTED_SAMPLES.items():
        row: Mapping[str, Any] = rows.get(number_, {})
        values = (
            ("participants", "began", sample.participants, 0),
            ("excluded by the quality filter", "excluded", sample.excluded, 0),
            ("mean age", "age_mean", sample.age_mean, 1),
        )
        for words, name, paper, digits in values:
            claim, ours = f"Exp. {number_}: {words}", row.get(name, np.nan)
            if pd.isna(ours):
                reason = f"needs {NEEDS_PARTICIPANTS}"
                yield Claim(claim, PEOPLE, number(paper, digits), "", OPEN, reason)
                continue
            same = number(ours, digits) == number(paper, digits)
            verdict = HOLDS if same else FAILS
            yield Claim(claim, PEOPLE, number(paper, digits), number(ours, digits), verdict)
