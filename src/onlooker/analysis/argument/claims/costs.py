"""Claims about what watching and acting cost."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from onlooker.analysis.argument.claims.claim import (
    BEHAVIOUR,
    FAILS,
    FULL,
    HOLDS,
    OPEN,
    Claim,
    listed,
    side,
)
from onlooker.analysis.argument.writing import ranged, records
from onlooker.analysis.comparison import Comparison
from onlooker.analysis.reported import EXPERIMENTS
from onlooker.analysis.resampling import resample
from onlooker.analysis.scopes import POOLED, TRIAL
from onlooker.analysis.statistics import Pairs, interval
from onlooker.experiments.variants import Variant

SLOPES = {  # the paper's sign; 0: positive, with an interval that includes 0
    "human": ("positive", 1),
    FULL: ("positive", 1),
    "rational_observer": ("positive, the interval includes 0", 0),
    "mentalizing_observer": ("negative", -1),
    "naive_observer": ("negative", -1),
}


def slopes(comparison: Comparison, predictions: pd.DataFrame) -> Iterator[Claim]:
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
        claim = f"Slope of observation on execution cost, {who}, Exp. {listed(numbers)}"
        if row["needs"]:
            yield Claim(claim, place, paper, "", OPEN, f"needs {row['needs']}")
            continue
        verdict, reason = side(sign or 1, row["low"], row["high"])
        if sign == 0 and not np.isnan(row["low"]):
            between = row["low"] <= 0 <= row["high"] and row["slope"] > 0
            verdict, reason = (HOLDS, "") if between else (FAILS, "")
        ours = ranged(row["slope"], row["low"], row["high"], 3)
        if missing := [number for number in EXPERIMENTS if number not in numbers]:
            verdict, reason = OPEN, f"needs trials of Exp. {listed(missing)}"
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
