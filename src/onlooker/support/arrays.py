"""Types of arrays, and Pearson's correlation, of one series or of many at the same time."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

BoolArray = NDArray[np.bool_]
FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


def pearson(x: ArrayLike, y: ArrayLike, weights: ArrayLike | None = None) -> FloatArray:
    """Pearson's r along the last axis; NaN where a side does not vary.

    The arrays are broadcast against each other. Values of weight 0 do not count, whatever they are.

    >>> pearson([[1, 2, 3], [3, 2, 1], [2, 2, 2]], [1, 2, 4]).round(3)
    array([ 0.982, -0.982,    nan])
    >>> float(pearson([1, 2, np.nan], [1, 2, 4], [1, 1, 0]))
    1.0
    """
    a, b = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    if not a.shape[-1]:
        return np.full(np.broadcast_shapes(a.shape, b.shape)[:-1], np.nan)
    if weights is None:
        return _ratio(*_moments(_centred(a), _centred(b)), _varies(a) & _varies(b))
    w = np.asarray(weights, dtype=float)
    counted = w > 0
    defined = _varies(a, counted) & _varies(b, counted)
    a, b = (np.where(counted, side, 0.0) if np.isnan(side).any() else side for side in (a, b))
    # The unweighted mean is taken off first, so that little is lost to rounding.
    moments = _moments(_centred(a), _centred(b), w / np.maximum(w.sum(-1, keepdims=True), 1e-300))
    return _ratio(*moments, defined)


def _centred(values: FloatArray) -> FloatArray:
    return np.asarray(values - values.mean(axis=-1, keepdims=True))


def _varies(values: FloatArray, counted: BoolArray | None = None) -> BoolArray:
    """Whether the values that count are not all the same."""
    if counted is None:
        return np.asarray(values.max(axis=-1) > values.min(axis=-1))
    most = np.where(counted, values, -np.inf).max(axis=-1)
    return np.asarray(most > np.where(counted, values, np.inf).min(axis=-1))


def _moments(
    a: FloatArray, b: FloatArray, shares: FloatArray | None = None
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """The variances and the covariance of centred values, in the same unit."""
    if shares is None:
        return _dot(a, a), _dot(b, b), _dot(a, b)
    mean_a, mean_b = _dot(shares, a), _dot(shares, b)
    return (
        _dot(shares, a * a) - mean_a**2,
        _dot(shares, b * b) - mean_b**2,
        _dot(shares, a * b) - mean_a * mean_b,
    )


def _dot(a: FloatArray, b: FloatArray) -> FloatArray:
    return np.asarray(np.einsum("...n,...n->...", a, b))


def _ratio(
    var_a: FloatArray, var_b: FloatArray, covariance: FloatArray, defined: BoolArray
) -> FloatArray:
    below = np.sqrt(np.maximum(var_a * var_b, 0.0))  # that of a constant may round to below 0
    r = np.full(np.shape(covariance), np.nan)
    np.divide(covariance, below, out=r, where=defined & (below > 0))
    return np.asarray(np.clip(r, -1, 1))
