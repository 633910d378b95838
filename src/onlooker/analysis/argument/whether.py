"""What people do, and whether and when they watch, by what an observer does."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from onlooker.analysis.argument.behaviour import only_scopes
from onlooker.analysis.comparison import Comparison
from onlooker.analysis.resampling import drawn, measured, resample
from onlooker.analysis.scopes import TRIAL
from onlooker.analysis.statistics import interval
from onlooker.support.arrays import BoolArray, FloatArray

HARDLY = 1.0  # steps: below it people are said to hardly watch


def people_table(comparison: Comparison, pairs: pd.DataFrame) -> pd.DataFrame:
    """How long people watch: experiment × mean, spread and range over trials and NPCs.

    `hardly` is in how many they watch for less than one step on average.
    """
    mine = pairs.drop_duplicates([*TRIAL, "agent"])
    rows = []
    for scope in only_scopes(mine):
        part = scope.of(mine)
        watched = part["human_observed"]
        trials = part.drop_duplicates(TRIAL)
        rows.append(
            {
                "data": comparison.data,
                "experiment": scope.columns()["experiment"],
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
        )
    return pd.DataFrame(rows)


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
    above 0 where people, too, watch more when the observer watches at all. `r` is over the trials
    in which it watches.
    """
    columns = ["model_observed", "human_observed"]
    trials = pairs.groupby(["observer", *TRIAL], sort=False)[columns].sum().reset_index()
    rows = []
    for scope in only_scopes(trials):
        for observer, part in scope.of(trials).groupby("observer", sort=False):
            weights = resample(part, comparison.seed, comparison.resamples)
            watches = (part["model_observed"] > 0).to_numpy()
            y = part["human_observed"].to_numpy(dtype=float)
            watching, skipping = (_group_means(y, each, weights) for each in (watches, ~watches))
            gap = watching - skipping
            ends = interval(gap[1:])
            row: dict[str, Any] = {
                "data": comparison.data,
                "experiment": scope.columns()["experiment"],
                "observer": observer,
                "n": len(part),
                "skips": int((~watches).sum()),
                "people_skip": float(skipping[0]),
                "people_watch": float(watching[0]),
                "difference": float(gap[0]),
                "low": ends.low,
                "high": ends.high,
            }
            found = dict.fromkeys(("r", "r_low", "r_high"), np.nan)
            if watches.sum() > 2:
                some = part[watches]
                again = resample(some, comparison.seed, comparison.resamples)
                found = measured(drawn(some["model_observed"], y[watches], again), "r")
            rows.append(row | found)
    return pd.DataFrame(rows)


def _group_means(y: FloatArray, members: BoolArray, weights: FloatArray) -> FloatArray:
    """The mean of a group: of the data, then of each resample; NaN where nobody of it was drawn."""
    every = np.vstack([np.ones(len(y)), weights])
    counts = every @ members
    sums = every @ (y * members)
    means = np.full(len(every), np.nan)
    np.divide(sums, counts, out=means, where=counts > 0)
    return means
