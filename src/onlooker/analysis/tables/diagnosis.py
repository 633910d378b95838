"""What tells observers apart: how long they watch, or what a trial costs them in all?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from onlooker.analysis.data.resampling import (
    bootstrap_statistics,
    paired_difference,
    with_intervals,
)
from onlooker.analysis.data.scopes import TRIAL, by_scope
from onlooker.analysis.data.words import MODEL
from onlooker.analysis.tables.comparison import Comparison
from onlooker.support.arrays import FloatArray

COUNTS, TOTAL = "observed", "cost_total"  # both of a trial: steps watched of all NPCs, points


def similarity_to_model(comparison: Comparison, predictions: pd.DataFrame) -> pd.DataFrame:
    """r of each observer's predictions with the full model's, over trials: experiment × observer.

    `difference` is r of the counts minus r of total costs: below 0 where counts tell the two
    observers apart better. It needs no people.
    """
    names = {name: f"model_{name}" for name in (COUNTS, TOTAL)}
    trials = _trials(predictions[["observer", *TRIAL, *names]].rename(columns=names))
    full = trials[trials["observer"] == MODEL].drop(columns="observer")
    both = trials[trials["observer"] != MODEL].merge(full, on=TRIAL, suffixes=("", "_full"))

    def rows(part: pd.DataFrame) -> Iterator[dict[str, Any]]:
        weights = comparison.resampler.weights(part)
        found = {
            name: bootstrap_statistics(part[f"model_{name}"], part[f"model_{name}_full"], weights)
            for name in (COUNTS, TOTAL)
        }
        values = {
            f"{key}_{short}": value
            for short, name in (("counts", COUNTS), ("total", TOTAL))
            for key, value in with_intervals(found[name], "r").items()
        }
        yield {"n": len(part)} | values | paired_difference(found[COUNTS]["r"], found[TOTAL]["r"])

    return by_scope(both, rows, "observer", data=comparison.data)


def advantage(comparison: Comparison, pairs: pd.DataFrame) -> pd.DataFrame:
    """How much better than an observer the full model fits people: experiment × observer.

    `counts` and `total` are r of the full model minus r of the observer, in counts and in total
    costs, and `difference` the first minus the second, all in the same resamples: above 0 where
    counts tell the two apart better. Empty where people's total costs are not known.
    """
    if pairs[f"human_{TOTAL}"].isna().any():
        return pd.DataFrame()
    trials = _trials(pairs)

    def rows(part: pd.DataFrame) -> Iterator[dict[str, Any]]:
        trials_here = len(part.drop_duplicates(TRIAL))
        found = {
            str(observer): _people_fits(comparison, mine, pairs[pairs["observer"] == observer])
            for observer, mine in part.groupby("observer", sort=False)
            if len(mine) == trials_here
        }
        if MODEL not in found:
            return
        full = found.pop(MODEL)
        for observer, its in found.items():
            gaps = {name: full[name] - its[name] for name in full}
            yield (
                {"observer": observer, "n": trials_here}
                | _ranged("counts", gaps[COUNTS])
                | _ranged("total", gaps[TOTAL])
                | {"r_total": float(its[TOTAL][0]), "r_total_full": float(full[TOTAL][0])}
                | paired_difference(gaps[COUNTS], gaps[TOTAL])
            )

    return by_scope(trials, rows, data=comparison.data)


def _people_fits(
    comparison: Comparison, mine: pd.DataFrame, pairs: pd.DataFrame
) -> dict[str, FloatArray]:
    """r of an observer with people, in counts and in total costs, of the data and of resamples."""
    draws = comparison.resampler
    weights = draws.weights(mine)
    again = {
        COUNTS: draws.again_in_trials(mine, pairs),
        TOTAL: draws.again_in_trials(mine, pairs.drop_duplicates(TRIAL), TOTAL),
    }
    return {
        name: bootstrap_statistics(mine[f"model_{name}"], mine[f"human_{name}"], weights, y)["r"]
        for name, y in again.items()
    }


def _trials(frame: pd.DataFrame) -> pd.DataFrame:
    """A row for each observer and trial: steps watched of all NPCs, and total costs."""
    sides = [side for side in ("model", "human") if f"{side}_{COUNTS}" in frame]
    how = {f"{side}_{COUNTS}": "sum" for side in sides}
    how |= {f"{side}_{TOTAL}": "first" for side in sides}
    return frame.groupby(["observer", *TRIAL], sort=False).agg(how).reset_index()


def _ranged(name: str, values: FloatArray) -> dict[str, float]:
    found = paired_difference(values, np.zeros_like(values))
    return {name: found["difference"], f"{name}_low": found["low"], f"{name}_high": found["high"]}
