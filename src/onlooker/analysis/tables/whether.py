"""What people do, and whether and when they watch, by what an observer does."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from onlooker.analysis.data.resampling import bootstrap_statistics, with_intervals
from onlooker.analysis.data.scopes import TRIAL, by_scope
from onlooker.analysis.data.statistics import LEAST_POINTS, interval
from onlooker.analysis.tables.comparison import Comparison
from onlooker.support.arrays import BoolArray, FloatArray

HARDLY = 1.0  # steps: below it people are said to hardly watch


def people_table(comparison: Comparison, pairs: pd.DataFrame) -> pd.DataFrame:
    """How long people watch: experiment × mean, spread and range over trials and NPCs.

    `hardly` is in how many they watch for less than one step on average.
    """

    def rows(part: pd.DataFrame) -> Iterator[dict[str, Any]]:
        watched, trials = part["human_observed"], part.drop_duplicates(TRIAL)
        yield {
            "trials": len(trials),
            "n": len(part),
            "people": _span(part["n"]),  # whom a mean is of, the fewest to the most
            "mean": float(watched.mean()),
            "sd": float(watched.std(ddof=0)),  # over trials and NPCs
            "least": float(watched.min()),
            "most": float(watched.max()),
            "hardly": int((watched < HARDLY).sum()),
            "total_steps": float(trials["human_total_steps"].mean()),
            "cost_total": float(trials["human_cost_total"].mean()),
        }

    return by_scope(pairs.drop_duplicates([*TRIAL, "agent"]), rows, data=comparison.data)


def _span(counts: pd.Series) -> str:
    """The least and the most of whole numbers.

    >>> _span(pd.Series([3, 5, 4])), _span(pd.Series([3, 3]))
    ('3–5', '3')
    """
    least, most = int(counts.min()), int(counts.max())
    return f"{least}–{most}" if most > least else str(least)


def whether_when(comparison: Comparison, pairs: pd.DataFrame) -> pd.DataFrame:
    """Whether and how long, apart: experiment × observer; a trial counts once, with all its NPCs.

    `skips` is in how many trials the observer watches nobody. `people_skip` and `people_watch` are
    people's mean steps in those and in the others, and `difference` the second minus the first:
    above 0 where people, too, watch more when the observer watches at all; both groups must be of
    maps enough for an interval. `r` is over the trials in which it watches.
    """
    columns = ["model_observed", "human_observed"]
    trials = pairs.groupby(["observer", *TRIAL], sort=False)[columns].sum().reset_index()

    def rows(part: pd.DataFrame) -> Iterator[dict[str, Any]]:
        weights = comparison.resampler.weights(part)
        watches = (part["model_observed"] > 0).to_numpy()
        y = part["human_observed"].to_numpy(dtype=float)
        mine = pairs[pairs["observer"] == part["observer"].iloc[0]]
        again = comparison.resampler.again_in_trials(part, mine)
        groups = (watches, ~watches)
        watching, skipping = (_group_means(y, each, weights, again) for each in groups)
        gap = watching - skipping
        few = any(comparison.resampler.too_few(part[each]) for each in groups)
        ends = interval(gap[:0] if few else gap[1:])
        found = dict.fromkeys(("r", "r_low", "r_high"), np.nan)
        if watches.sum() >= LEAST_POINTS:
            some = part[watches]
            drawn = comparison.resampler.weights(some)
            again = comparison.resampler.again_in_trials(some, mine)
            found = with_intervals(
                bootstrap_statistics(some["model_observed"], y[watches], drawn, again), "r"
            )
        yield {
            "n": len(part),
            "skips": int((~watches).sum()),
            "people_skip": float(skipping[0]),
            "people_watch": float(watching[0]),
            "difference": float(gap[0]),
            "low": ends.low,
            "high": ends.high,
            **found,
        }

    return by_scope(trials, rows, "observer", data=comparison.data)


def _group_means(
    y: FloatArray, members: BoolArray, weights: FloatArray, again: FloatArray
) -> FloatArray:
    """The mean of a group: of the data, then of each resample; NaN where nobody of it was drawn."""
    every = np.vstack([np.ones(len(y)), weights])
    counts = every @ members
    sums = (every * np.vstack([y, np.broadcast_to(again, weights.shape)])) @ members
    means = np.full(len(every), np.nan)
    np.divide(sums, counts, out=means, where=counts > 0)
    return means
