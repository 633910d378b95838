"""Sobol' indices: what share of a result's variance each input accounts for.

First order, the input by itself: Saltelli et al. (2010), mean of f_B (f_AB − f_A) over the
variance. Total order, with all that it does together with others: Jansen (1999), half the mean of
(f_A − f_AB)² over the variance. The variance is that of A and B together; results are centred
first. Intervals are percentile bootstrap over the samples.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from onlooker.analysis.statistics import Floats, interval, seed_sequence

METHOD = "first order: Saltelli et al. 2010; total order: Jansen 1999"
INTERVALS = "95 % percentile bootstrap over samples"
RESAMPLES = 1000


@dataclass(frozen=True, slots=True)
class Index:
    """An input's indices with their intervals; NaN where the result does not vary."""

    first: float
    first_low: float
    first_high: float
    total: float
    total_low: float
    total_high: float


def sobol_indices(
    f_a: ArrayLike, f_b: ArrayLike, f_ab: ArrayLike, resamples: int = RESAMPLES, seed: int = 0
) -> list[Index]:
    """The indices of each input: `f_ab` has a row for each, `f_a` and `f_b` are of the samples.

    >>> rng = np.random.default_rng(1)
    >>> a, b = rng.random((2, 4096, 2))  # of 2 x + y
    >>> f_ab = [2 * b[:, 0] + a[:, 1], 2 * a[:, 0] + b[:, 1]]
    >>> [round(each.total, 1) for each in sobol_indices(a @ [2, 1], b @ [2, 1], f_ab)]
    [0.8, 0.2]
    """
    a, b, ab = (np.asarray(each, dtype=float) for each in (f_a, f_b, f_ab))
    count = a.size
    seeds = seed_sequence(seed, "sobol", count)
    drawn = np.random.default_rng(seeds).multinomial(count, np.full(count, 1 / count), resamples)
    values = _estimates(a, b, ab, np.ones((1, count)))
    spread = _estimates(a, b, ab, drawn.astype(float))
    found = []
    for each in range(len(ab)):
        ends = [interval(order[:, each]) for order in spread]
        first, total = (float(order[0, each]) for order in values)
        found.append(Index(first, ends[0].low, ends[0].high, total, ends[1].low, ends[1].high))
    return found


def _estimates(a: Floats, b: Floats, ab: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """First and total order, a row for each row of weights and a column for each input."""
    middle = np.concatenate([a, b]).mean()
    a, b, ab = a - middle, b - middle, ab - middle
    share = weights / weights.sum(axis=1, keepdims=True)
    mean = share @ (a + b) / 2
    variance = share @ (a**2 + b**2) / 2 - mean**2
    scale = max(float(np.abs(np.concatenate([a, b])).max()), 1e-300)
    variance = np.where(variance > (1e-12 * scale) ** 2, variance, np.nan)[:, None]
    first = share @ (b * (ab - a)).T / variance
    total = share @ ((a - ab) ** 2).T / 2 / variance
    return first, total
