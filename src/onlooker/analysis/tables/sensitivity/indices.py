"""Sobol' indices: what share of a result's variance each input accounts for.

First order, the input alone, and total order, with all that it does together with others, are
scipy's (Saltelli et al. 2010; Jansen 1999). The variance is that of A and B together; results are
centred first. Intervals are percentile bootstrap over the samples. Each resample goes to scipy as
one more result, because its own bootstrap takes no seed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from onlooker.analysis.data.statistics import interval, seed_sequence
from onlooker.support.arrays import FloatArray, IntArray
from onlooker.support.extras import needs_extra

with needs_extra("sweep", "a sensitivity analysis", "scipy"):
    from scipy import stats

METHOD = "first order: Saltelli et al. 2010; total order: Jansen 1999"
INTERVALS = "95 % percentile bootstrap over samples"
RESAMPLES = 1000
MOST_VALUES = 4_000_000  # numbers that are handed to scipy in one call


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
    rng = np.random.default_rng(seed_sequence(seed, "sobol", count))
    drawn = np.vstack([np.arange(count), rng.integers(count, size=(resamples, count))])
    step = max(1, MOST_VALUES // ab.size)
    parts = [_estimates(a, b, ab, drawn[i : i + step]) for i in range(0, len(drawn), step)]
    first, total = (np.concatenate(each) for each in zip(*parts, strict=True))
    found = []
    for each in range(len(ab)):
        ends = [interval(order[1:, each]) for order in (first, total)]
        values = float(first[0, each]), float(total[0, each])
        found.append(
            Index(values[0], ends[0].low, ends[0].high, values[1], ends[1].low, ends[1].high)
        )
    return found


def _estimates(
    a: FloatArray, b: FloatArray, ab: FloatArray, drawn: IntArray
) -> tuple[FloatArray, FloatArray]:
    """First and total order, a row for each row of drawn samples and a column for each input."""
    results: dict[Literal["f_A", "f_B", "f_AB"], FloatArray]
    results = {"f_A": a[drawn], "f_B": b[drawn], "f_AB": ab[:, drawn]}
    found = stats.sobol_indices(func=results, n=a.size)
    flat = np.ptp(np.hstack([results["f_A"], results["f_B"]]), axis=1) == 0
    first, total = (
        np.where(flat[:, None], np.nan, np.reshape(order, (len(drawn), len(ab))))
        for order in (found.first_order, found.total_order)
    )
    return first, total
