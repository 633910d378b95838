"""Maxima of the likelihood or the posterior of many people at the same time.

With a few parameters each, damped Newton steps for everybody together take a fraction of the time
of one search after the other. Derivatives are central differences: they cost no more than exact
ones would, and a rule need not have any.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from onlooker.fitting.likelihood import People
from onlooker.support.arrays import BoolArray, FloatArray

MOST_STEPS = 200
FLAT = 1e-6  # a gradient that counts as none
LEAST_GAIN = 1e-4  # what another step must promise to be missed: steep ends are never quite flat
FAR = 2.0  # the longest step on the unbounded scale
SEARCHING, STANDING = 1e-4, 1e-3  # differences in a search, and at its end


@dataclass(frozen=True)
class Maxima:
    """A maximum for each person, on the unbounded scale."""

    x: FloatArray  # (people, parameters)
    value: FloatArray  # (people): log likelihood or log posterior density
    converged: BoolArray  # (people)
    at_bound: BoolArray  # (people)


def maxima(people: People, start: FloatArray, prior: bool) -> Maxima:
    """The maximum of each person's likelihood, or with `prior` of its posterior, near a start."""
    low, high = np.array([parameter.bounds for parameter in people.model.space.free]).T
    x = np.clip(start, low, high)
    value, slope, curved = derivatives(people, x, prior)
    damping = np.full(len(x), 1e-3)
    done = np.zeros(len(x), dtype=bool)
    for _ in range(MOST_STEPS):
        held = ((x <= low) & (slope < 0)) | ((x >= high) & (slope > 0))
        done |= np.abs(np.where(held, 0.0, slope)).max(axis=1) < FLAT
        done |= damping > 1e12
        if done.all():
            break
        step = _step(curved, slope, held, damping)
        trial = np.where(done[:, None], x, np.clip(x + step, low, high))
        better = ~done & (objective(people, trial, prior) >= value)
        damping = np.where(better, np.maximum(damping / 10, 1e-9), damping * 5)
        if better.any():
            x = np.where(better[:, None], trial, x)
            value, slope, curved = derivatives(people, x, prior)
    held = ((x <= low) & (slope < 0)) | ((x >= high) & (slope > 0))
    left = np.where(held, 0.0, slope)
    gain = (left * _step(curved, slope, held, np.zeros(len(x)))).sum(axis=1) / 2
    converged = (np.abs(left).max(axis=1) < 1e3 * FLAT) | (gain < LEAST_GAIN)
    at_bound = ((x <= low + 1e-6) | (x >= high - 1e-6)).any(axis=1)
    return Maxima(x, value, converged, at_bound)


def objective(people: People, x: FloatArray, prior: bool) -> FloatArray:
    """The log likelihood of each person, or with `prior` the log posterior density."""
    found = people.log_likelihood(x)
    return found + people.model.space.log_prior(x) if prior else found


def derivatives(
    people: People, x: FloatArray, prior: bool, h: float = SEARCHING
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """The objective, its gradient, and its negative second derivatives, by central differences."""
    size = x.shape[1]
    steps = np.eye(size) * h
    here = objective(people, x, prior)
    ahead = np.stack([objective(people, x + step, prior) for step in steps])
    behind = np.stack([objective(people, x - step, prior) for step in steps])
    sides = ahead + behind - 2 * here
    curved = np.empty((len(x), size, size))
    for i in range(size):
        curved[:, i, i] = -sides[i]
    for i, j in combinations(range(size), 2):
        both = steps[i] + steps[j]
        corners = objective(people, x + both, prior) + objective(people, x - both, prior)
        curved[:, i, j] = curved[:, j, i] = (sides[i] + sides[j] + 2 * here - corners) / 2
    return here, (ahead - behind).T / (2 * h), curved / h**2


def curvature(people: People, x: FloatArray, prior: bool = True) -> FloatArray:
    """The negative second derivatives, more exactly: two differences, extrapolated to none."""
    near, far = (derivatives(people, x, prior, h)[2] for h in (STANDING, 2 * STANDING))
    return np.asarray((4 * near - far) / 3)


def _step(
    curved: FloatArray, slope: FloatArray, held: BoolArray, damping: FloatArray
) -> FloatArray:
    """A damped Newton step uphill, where what is held at a bound stays."""
    either = held[:, :, None] | held[:, None, :]
    size = slope.shape[1]
    h = np.where(either, np.eye(size), curved)
    g = np.where(held, 0.0, slope)
    values, vectors = np.linalg.eigh(h)
    steep = np.abs(values) + damping[:, None]  # uphill even where it is curved the other way
    step = np.einsum("pij,pj,pkj,pk->pi", vectors, 1 / np.maximum(steep, 1e-12), vectors, g)
    longest = np.abs(step).max(axis=1, keepdims=True)
    return np.asarray(step * np.minimum(1.0, FAR / np.maximum(longest, 1e-300)))
