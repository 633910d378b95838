"""Resamples of stimuli: the same for the same stimuli, whatever is computed from them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

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
    names = sorted(set(stimuli))
    place = {name: index for index, name in enumerate(names)}
    counts = _counts(tuple(names), seed, resamples)
    return counts[:, [place[name] for name in stimuli]].astype(float)


@lru_cache(maxsize=32)  # many statistics are of the same trials
def _counts(names: tuple[str, ...], seed: int, resamples: int) -> NDArray[np.uint16]:
    """How often each stimulus is drawn in each resample."""
    seeds = seed_sequence(seed, "bootstrap", *names)
    return stimulus_weights(names, resamples, seeds).astype(np.uint16)


def drawn(x: ArrayLike, y: ArrayLike, weights: FloatArray) -> dict[str, FloatArray]:
    """Each statistic of predictions x against y: of the data as it is, then of each resample."""
    whole, parts = Pairs.of(x, y), Pairs.of(x, y, weights)
    return {
        name: np.concatenate([compute(whole), compute(parts)])
        for name, compute in STATISTICS.items()
    }


def measured(found: Mapping[str, FloatArray], *names: str) -> dict[str, float]:
    """Statistics that were drawn, with their intervals; all of them if none is named."""
    values: dict[str, float] = {}
    for name in names or found:
        ends = interval(found[name][1:])
        values |= {name: float(found[name][0]), f"{name}_low": ends.low, f"{name}_high": ends.high}
    return values


def minus(one: FloatArray, other: FloatArray) -> dict[str, float]:
    """The difference of two statistics that were drawn alike, with its interval."""
    here, *_ = gaps = one - other
    ends = interval(gaps[1:])
    values = {"difference": float(here), "low": ends.low, "high": ends.high}
    return {name: round(value, 12) + 0.0 for name, value in values.items()}  # no rounding noise
