"""Fits of single people: estimates, evidence and cross-validation from one grid.

With a handful of free parameters everything comes from the log probability of each trial at the
nodes of a grid: starts of the searches for the maxima, the posterior, its integral (the evidence),
and what is left if a trial is left out. `Laplace` stands beside the evidence as a check.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import log, pi

import numpy as np
from scipy.special import logsumexp

from onlooker.fitting.likelihood import Likelihood, People, grid_points
from onlooker.fitting.maxima import curvature, maxima
from onlooker.fitting.parameters import Space
from onlooker.support.arrays import FloatArray, IntArray

NODES = 31  # on each axis
NODES_OTHER = 21  # for other priors, where there are more than two free parameters
REACH = 4.5  # SDs of the prior on each side
DRAWS = 25  # of a person's posterior, for predictions
SHRUNK, WIDENED = 0.5, 2.0  # the other priors


@dataclass(frozen=True)
class Grid:
    """Nodes on the unbounded scale with the weight of the prior at each."""

    axes: tuple[FloatArray, ...]
    log_weight: FloatArray  # (nodes): they sum to about 1

    @property
    def points(self) -> FloatArray:
        """The nodes: (nodes, parameters)."""
        return grid_points(self.axes)


def grid_of(space: Space, nodes: int = NODES, reach: float = REACH) -> Grid:
    """The grid for the trapezoid rule over the prior of a model's free parameters."""
    axes = tuple(
        np.linspace(p.mean - reach * p.sd, p.mean + reach * p.sd, nodes) for p in space.free
    )
    cell = np.array([1.0])
    for axis in axes:
        ends = np.full(nodes, axis[1] - axis[0])
        ends[[0, -1]] /= 2
        cell = np.outer(cell, ends).ravel()
    return Grid(axes, space.log_prior(grid_points(axes)) + np.log(cell))


@dataclass(frozen=True)
class PersonFit:
    """What a model makes of one person's plays."""

    mle: FloatArray  # the point of the greatest likelihood, on the unbounded scale
    log_likelihood: float  # there
    at_bound: bool  # it lies at the end of a parameter's range
    map: FloatArray  # the mode of the posterior, on the unbounded scale
    log_posterior: float  # its density there
    converged: bool  # both searches
    se: FloatArray  # of the MAP, on the unbounded scale; nan if the Hessian is not definite
    laplace: float  # nan likewise
    log_evidence: float
    log_evidence_shrunk: float  # with the SDs of all priors halved
    log_evidence_widened: float  # and doubled
    marginals: tuple[tuple[FloatArray, FloatArray], ...]  # values and weights of each parameter
    draws: FloatArray  # (DRAWS, parameters): of the posterior, on the unbounded scale
    without: FloatArray  # (trials): log evidence of the others
    scored: int  # choices that had alternatives
    reason: str  # what went wrong, or nothing

    @cached_property
    def mean(self) -> FloatArray:
        """The mean of the posterior, on the unbounded scale."""
        return np.array([axis @ weight for axis, weight in self.marginals])

    @cached_property
    def interval(self) -> FloatArray:
        """The ends of the central 95 % of the posterior, on the unbounded scale."""
        return np.stack([_interval(axis, weight) for axis, weight in self.marginals], axis=1)

    @property
    def low(self) -> FloatArray:
        """The lower ends of the intervals."""
        return np.asarray(self.interval[0])

    @property
    def high(self) -> FloatArray:
        """The upper ends of the intervals."""
        return np.asarray(self.interval[1])

    @property
    def cv(self) -> FloatArray:
        """The log probability of each trial given the others."""
        return self.log_evidence - self.without


def fit_people(
    model: Likelihood, people: Sequence[IntArray], nodes: int = NODES, totals: bool = False
) -> tuple[list[PersonFit], FloatArray]:
    """Fit a model to the plays of each person.

    With `totals`, also the log likelihood of each person at the nodes of the grid.
    """
    grid, space = grid_of(model.space, nodes), model.space
    points = grid.points
    fewer = nodes if len(space.free) <= 2 else min(nodes, NODES_OTHER)
    shrunk, widened = (
        evidences(model, people, grid_of(space.widened(factor), fewer))
        for factor in (SHRUNK, WIDENED)
    )
    on_grid = model.on_grid(grid.axes)  # (plays, nodes)
    total = np.stack([on_grid[plays].sum(axis=0) for plays in people])
    together = People.of(model, people)
    mle = maxima(together, points[total.argmax(axis=1)], prior=False)
    mode = maxima(together, points[(total + space.log_prior(points)).argmax(axis=1)], prior=True)
    curved = curvature(together, mode.x)
    found = []
    for index, plays in enumerate(people):
        joint = total[index] + grid.log_weight
        evidence = float(logsumexp(joint))
        weight = np.exp(joint - evidence)
        se, laplace, reason = _laplace(mode.x[index], float(mode.value[index]), curved[index])
        converged = bool(mle.converged[index] and mode.converged[index])
        found.append(
            PersonFit(
                mle.x[index],
                float(mle.value[index]),
                bool(mle.at_bound[index]),
                mode.x[index],
                float(mode.value[index]),
                converged,
                se,
                laplace,
                evidence,
                float(shrunk[index]),
                float(widened[index]),
                tuple(_marginals(grid, weight)),
                points[_evenly(weight, DRAWS)],
                logsumexp(joint - on_grid[plays], axis=-1),
                int(model.choices.scored[plays].sum()),
                reason or ("" if converged else "a search did not converge"),
            )
        )
    return found, total if totals else total[:0]


def evidences(model: Likelihood, people: Sequence[IntArray], grid: Grid) -> FloatArray:
    """The log evidence of each person."""
    on_grid = model.on_grid(grid.axes)
    return logsumexp([on_grid[plays].sum(axis=0) + grid.log_weight for plays in people], axis=1)


def _laplace(x: FloatArray, value: float, curved: FloatArray) -> tuple[FloatArray, float, str]:
    """Standard errors and Laplace's evidence at the mode, or why there are none."""
    d = len(x)
    try:
        root = np.linalg.cholesky(curved)
    except np.linalg.LinAlgError:
        return np.full(d, np.nan), np.nan, "the Hessian is not positive definite"
    se = np.sqrt(np.diag(np.linalg.inv(curved)))
    return se, value + d / 2 * log(2 * pi) - float(np.log(np.diag(root)).sum()), ""


def _evenly(weight: FloatArray, count: int) -> IntArray:
    """So many nodes, each as often as its weight says: one for each step of the summed weights."""
    summed = np.cumsum(weight)
    steps = (np.arange(count) + 0.5) / count * summed[-1]
    return np.asarray(np.searchsorted(summed, steps), dtype=np.int64)


def _marginals(grid: Grid, weight: FloatArray) -> Iterator[tuple[FloatArray, FloatArray]]:
    """Each parameter's values with their posterior weights."""
    shape = tuple(len(axis) for axis in grid.axes)
    spread = weight.reshape(shape)
    for index, axis in enumerate(grid.axes):
        yield axis, spread.sum(axis=tuple(each for each in range(len(shape)) if each != index))


def _interval(axis: FloatArray, weight: FloatArray) -> FloatArray:
    """The ends of the central 95 % of a parameter's posterior."""
    below = np.append(0.0, np.cumsum(weight))
    half = (axis[1] - axis[0]) / 2
    edges = np.append(axis[0] - half, axis + half)
    return np.asarray(np.interp([0.025, 0.975], below / below[-1], edges))
