"""Resamples of stimuli: the same for the same stimuli, whatever is computed from them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from onlooker.analysis.statistics import Pairs, interval, seed_sequence, stimulus_weights
from onlooker.support.arrays import FloatArray

STATISTICS: dict[str, Callable[[Pairs], FloatArray]] = {
    "r": Pairs.pearson,
    "ccc": Pairs.ccc,
    "rmse": Pairs.rmse,
}


def stimuli_of(rows: pd.DataFrame) -> list[str]:
    """Which stimulus each row is of: a trial, with all its NPCs."""
    return [
        f"{number}/{level}" for number, level in zip(rows["experiment"], rows["level"], strict=True)
    ]


def resample(rows: pd.DataFrame, seed: int, resamples: int) -> FloatArray:
    """How often each row counts in each resample.

    The random numbers depend on the seed and the stimuli only. So the same data has the same
    interval under any name, and models of the same stimuli can be compared resample by resample.
    """
    stimuli = stimuli_of(rows)
    seeds = seed_sequence(seed, "bootstrap", *sorted(set(stimuli)))
    return stimulus_weights(stimuli, resamples, seeds)


def measured(statistic: str, x: ArrayLike, y: ArrayLike, weights: FloatArray) -> dict[str, Any]:
    """A statistic of predictions x against y, with its interval."""
    compute = STATISTICS[statistic]
    ends = interval(compute(Pairs.of(x, y, weights)))
    value = float(compute(Pairs.of(x, y))[0])
    return {statistic: value, f"{statistic}_low": ends.low, f"{statistic}_high": ends.high}


def difference(
    statistic: str, one: ArrayLike, other: ArrayLike, y: ArrayLike, weights: FloatArray
) -> dict[str, float]:
    """A statistic of predictions `one` minus that of `other`, both in the same resamples."""
    return minus(drawn(statistic, one, y, weights), drawn(statistic, other, y, weights))


def drawn(statistic: str, x: ArrayLike, y: ArrayLike, weights: FloatArray) -> FloatArray:
    """A statistic of the data as it is, and behind it of each resample."""
    compute = STATISTICS[statistic]
    return np.concatenate([compute(Pairs.of(x, y)), compute(Pairs.of(x, y, weights))])


def minus(one: FloatArray, other: FloatArray) -> dict[str, float]:
    """The difference of two statistics that were drawn alike, with its interval."""
    here, *_ = gaps = one - other
    ends = interval(gaps[1:])
    values = {"difference": float(here), "low": ends.low, "high": ends.high}
    return {name: round(value, 12) + 0.0 for name, value in values.items()}  # no rounding noise
