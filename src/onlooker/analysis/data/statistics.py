"""Measures of agreement between two series, and bootstrap intervals for them.

All moments are 1/n. A resample is a row of weights, how often each value was drawn, so that every
measure of all resamples comes from a few matrix products. What cannot be computed is NaN here, and
the caller says why.
"""

from __future__ import annotations

import hashlib
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from onlooker.support.arrays import BoolArray, FloatArray

CONFIDENCE = 0.95  # of all intervals
CI_METHOD = "percentile bootstrap over maps"
CI_WITH_PEOPLE = f"{CI_METHOD} and people"
LEAST_MAPS = 10  # below, there is no interval: it would be too short (see `Resampler.weights`)
LEAST_POINTS = 4  # below, there is no r
LEAST_USABLE = 0.5  # share of resamples that must be defined for an interval to be given


@dataclass(frozen=True, slots=True)
class Interval:
    """An interval, and how many resamples had no value and were left out of it."""

    low: float
    high: float
    dropped: int


@dataclass(frozen=True, slots=True)
class Moments:
    """Weighted means of two series, 1/n, a value for each resample; the gap is x − y."""

    mean_x: FloatArray
    mean_y: FloatArray
    var_x: FloatArray
    var_y: FloatArray
    covariance: FloatArray
    gap: FloatArray
    squared_gap: FloatArray
    absolute_gap: FloatArray


@dataclass(frozen=True)
class Pairs:
    """Pairs of values, `x` (the model's) beside `y` (people's), under weights.

    `weights` has a row for each resample and a column for each pair. Without them there is one
    row of ones: the data as it is. Every measure is an array with a value for each row. `y` may
    have such rows too, where people are drawn again in each resample.
    """

    x: FloatArray
    y: FloatArray
    weights: FloatArray

    @classmethod
    def of(cls, x: ArrayLike, y: ArrayLike, weights: ArrayLike | None = None) -> Pairs:
        """Pairs from anything that is like an array."""
        xs, ys = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
        if xs.shape != ys.shape[-1:] or xs.ndim != 1 or not xs.size:
            raise ValueError(f"x and y must be rows of one length, not {xs.shape} and {ys.shape}")
        if not (np.isfinite(xs).all() and np.isfinite(ys).all()):
            raise ValueError("x and y must be finite numbers")
        ones = np.ones((1, xs.size))
        return cls(xs, ys, ones if weights is None else np.asarray(weights, dtype=float))

    @cached_property
    def moments(self) -> Moments:
        """The weighted means that all measures are made of, in one pass over the weights."""
        a, b = self.x - self.x.mean(), self.y - self.y.mean()  # so that little is lost to rounding
        gap = self.x - self.y
        columns = (np.ones_like(a), a, b, a * a, b * b, a * b, gap, gap**2, np.abs(gap))
        if self.y.ndim == 1:
            total, *sums = (self.weights @ np.stack(columns).T).T
        else:
            total, *sums = (
                np.einsum("rn,rn->r" if each.ndim == 2 else "rn,n->r", self.weights, each)
                for each in columns
            )
        mean_a, mean_b, aa, bb, ab, *gaps = (each / total for each in sums)
        return Moments(
            mean_a + self.x.mean(),
            mean_b + self.y.mean(),
            aa - mean_a**2,
            bb - mean_b**2,
            ab - mean_a * mean_b,
            *gaps,
        )

    def varies(self, values: FloatArray, variance: FloatArray) -> BoolArray:
        """Whether the values that were drawn are not all the same, by their variance.

        A small variance may be rounding; there the values themselves are compared.
        """
        found = variance > 1e-6 * np.var(values)
        drawn = self.weights[~found] > 0
        values = values if values.ndim == 1 else values[~found]
        most = np.where(drawn, values, -np.inf).max(axis=1)
        found[~found] = most > np.where(drawn, values, np.inf).min(axis=1)
        return np.asarray(found)

    def pearson(self) -> FloatArray:
        """Pearson's r; NaN where either side is constant."""
        m = self.moments
        defined = self.varies(self.x, m.var_x) & self.varies(self.y, m.var_y)
        below = np.sqrt(np.maximum(m.var_x * m.var_y, 0.0))
        return np.asarray(np.clip(_ratio(m.covariance, below, defined), -1, 1))

    def ccc(self) -> FloatArray:
        """Lin's concordance correlation coefficient; NaN where both sides are the same constant."""
        m = self.moments
        defined = self.varies(self.x, m.var_x) | self.varies(self.y, m.var_y) | (m.gap != 0)
        return _ratio(2 * m.covariance, m.var_x + m.var_y + m.gap**2, defined)

    def rmse(self) -> FloatArray:
        """The root of the mean squared difference."""
        return np.sqrt(self.moments.squared_gap)

    def mae(self) -> FloatArray:
        """The mean absolute difference."""
        return self.moments.absolute_gap

    def mean_difference(self) -> FloatArray:
        """The mean of x − y: above 0 where the model does more than people."""
        return self.moments.gap

    def slope(self) -> FloatArray:
        """The least-squares slope of y on x; NaN where x is constant."""
        m = self.moments
        return _ratio(m.covariance, m.var_x, self.varies(self.x, m.var_x))

    def line(self, grid: ArrayLike) -> FloatArray:
        """The least-squares line of y on x at the points of a grid: a row for each resample."""
        at = np.asarray(grid, dtype=float)
        away = at - self.moments.mean_x[:, None]
        return self.moments.mean_y[:, None] + self.slope()[:, None] * away


def _ratio(above: FloatArray, below: FloatArray, defined: BoolArray) -> FloatArray:
    usable = defined & (below > 0)
    out = np.full(np.shape(above), np.nan)
    np.divide(above, below, out=out, where=usable)
    return out


def seed_sequence(seed: int, *labels: Hashable) -> np.random.SeedSequence:
    """The seeds of one purpose: they depend on its labels, not on what else is computed, or when.

    >>> one, other = (seed_sequence(7, "bootstrap", number).generate_state(1) for number in (1, 2))
    >>> bool(one == other)
    False
    """
    if seed < 0:
        raise ValueError(f"seed must be a whole number from 0 up, not {seed}")
    digest = hashlib.sha256("\0".join(map(str, labels)).encode()).digest()
    return np.random.SeedSequence([seed, int.from_bytes(digest[:16], "big")])


def stimulus_weights(
    stimuli: Sequence[Hashable], resamples: int, seeds: np.random.SeedSequence
) -> FloatArray:
    """How often each value counts in each resample: stimuli are drawn, with all their values.

    The order of the values does not matter, as stimuli are drawn in the order of their names.
    """
    names = sorted(set(stimuli), key=str)
    place = {name: index for index, name in enumerate(names)}
    shares = np.full(len(names), 1 / len(names))
    counts = np.random.default_rng(seeds).multinomial(len(names), shares, size=resamples)
    return np.asarray(counts[:, [place[name] for name in stimuli]], dtype=float)


def interval(values: FloatArray) -> Interval:
    """The percentile interval of a measure's resamples; NaN if too few of them have a value."""
    there = values[~np.isnan(values)]
    dropped = values.size - there.size
    if there.size < max(2, LEAST_USABLE * values.size):
        return Interval(np.nan, np.nan, dropped)
    low, high = np.percentile(there, [50 * (1 - CONFIDENCE), 50 * (1 + CONFIDENCE)])
    return Interval(float(low), float(high), dropped)


def band(lines: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The pointwise percentile band of the resamples' lines."""
    there = lines[~np.isnan(lines).any(axis=1)]
    if len(there) < max(2, LEAST_USABLE * len(lines)):
        empty = np.full(lines.shape[1], np.nan)
        return empty, empty
    low, high = np.percentile(there, [50 * (1 - CONFIDENCE), 50 * (1 + CONFIDENCE)], axis=0)
    return low, high


@dataclass(frozen=True, slots=True)
class Fit:
    """How well x, the model's values, fit y, people's; `reason` says why something is NaN."""

    n: int
    maps: int
    r: float
    r_low: float
    r_high: float
    ccc: float
    ccc_low: float
    ccc_high: float
    rmse: float
    mae: float
    mean_difference: float  # x − y
    mean_difference_low: float
    mean_difference_high: float
    resamples_dropped: int  # no r, as one side of the resample is constant
    reason: str


def fit(
    x: ArrayLike,
    y: ArrayLike,
    maps: Sequence[Hashable],
    weights: FloatArray,
    people: ArrayLike | None = None,
) -> Fit:
    """The measures of agreement, with intervals from the resamples that `weights` are.

    `people` has y in each resample, where people are drawn too.

    >>> flat = fit([2, 2, 2], [1, 2, 4], "abc", stimulus_weights("abc", 99, seed_sequence(1)))
    >>> flat.r, flat.ccc, flat.reason
    (nan, 0.0, 'the predictions are all 2')
    """
    data, drawn = Pairs.of(x, y), Pairs.of(x, y if people is None else people, weights)
    few = data.x.size < LEAST_POINTS
    r = Interval(np.nan, np.nan, 0) if few else interval(drawn.pearson())
    ccc = interval(drawn.ccc())
    gap = interval(drawn.mean_difference())
    sides = {"predictions": data.x, "participants' means": data.y}
    reasons = [f"the {side} are all {v[0]:g}" for side, v in sides.items() if np.ptp(v) == 0]
    if not reasons and few:
        reasons = [f"r is not given of fewer than {LEAST_POINTS} points"]
    if not len(weights):
        reasons += [f"there is no interval of fewer than {LEAST_MAPS} maps"]
    elif not reasons and np.isnan(r.low):
        reasons = ["too few resamples in which both sides vary, so there is no interval"]
    return Fit(
        n=data.x.size,
        maps=len(set(maps)),
        r=np.nan if few else float(data.pearson()[0]),
        r_low=r.low,
        r_high=r.high,
        ccc=float(data.ccc()[0]),
        ccc_low=ccc.low,
        ccc_high=ccc.high,
        rmse=float(data.rmse()[0]),
        mae=float(data.mae()[0]),
        mean_difference=float(data.mean_difference()[0]),
        mean_difference_low=gap.low,
        mean_difference_high=gap.high,
        resamples_dropped=r.dropped,
        reason="; ".join(reasons),
    )
