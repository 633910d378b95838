"""Fits of single people: estimates, evidence and cross-validation from one grid.

With a handful of free parameters everything comes from the log probability of each trial at the
nodes of a grid: starts of the searches for the maxima, the posterior, its integral (the evidence),
and what is left if a trial is left out. `Laplace` stands beside the evidence as a check.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import log, pi

import numpy as np
from scipy.optimize import minimize
from scipy.special import logsumexp

from onlooker.fitting.likelihood import Likelihood, Person, grid_points
from onlooker.fitting.parameters import Space
from onlooker.support.arrays import FloatArray, IntArray

NODES = 31  # on each axis
NODES_OTHER = 21  # for other priors, where there are more than two free parameters
REACH = 4.5  # SDs of the prior on each side
SHRUNK, WIDENED = 0.5, 2.0  # the other priors
_STEP = 1e-4  # for second derivatives


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
class Estimate:
    """A maximum on the unbounded scale."""

    x: FloatArray
    value: float  # log likelihood, or log posterior density
    converged: bool
    at_bound: bool


@dataclass(frozen=True)
class PersonFit:
    """What a model makes of one person's plays."""

    mle: Estimate
    map: Estimate
    log_likelihood_map: float
    se: FloatArray  # of the MAP, on the unbounded scale; nan if the Hessian is not definite
    laplace: float  # nan likewise
    log_evidence: float
    log_evidence_shrunk: float  # with the SDs of all priors halved
    log_evidence_widened: float  # and doubled
    mean: FloatArray  # of the posterior, on the unbounded scale
    low: FloatArray  # 95 % interval of the posterior, on the unbounded scale
    high: FloatArray
    without: FloatArray  # (trials): log evidence of the others
    reason: str  # what went wrong, or nothing

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
    grid = grid_of(model.space, nodes)
    points = grid.points
    fewer = nodes if len(model.space.free) <= 2 else min(nodes, NODES_OTHER)
    other = [
        _evidences(model, people, grid_of(model.space.widened(factor), fewer))
        for factor in (SHRUNK, WIDENED)
    ]
    on_grid = model.on_grid(grid.axes)  # (plays, nodes)
    found, kept = [], np.empty((len(people) if totals else 0, len(points)))
    for index, plays in enumerate(people):
        trials = on_grid[plays]
        total = trials.sum(axis=0)
        if totals:
            kept[index] = total
        fit = _fit(model, plays, trials, total, grid, points)
        found.append(_with_evidences(fit, float(other[0][index]), float(other[1][index])))
    return found, kept


def _evidences(model: Likelihood, people: Sequence[IntArray], grid: Grid) -> FloatArray:
    """The log evidence of each person."""
    on_grid = model.on_grid(grid.axes)
    return np.array([logsumexp(on_grid[plays].sum(axis=0) + grid.log_weight) for plays in people])


def _with_evidences(fit: PersonFit, shrunk: float, widened: float) -> PersonFit:
    return replace(fit, log_evidence_shrunk=shrunk, log_evidence_widened=widened)


def _fit(
    model: Likelihood,
    plays: IntArray,
    trials: FloatArray,
    total: FloatArray,
    grid: Grid,
    points: FloatArray,
) -> PersonFit:
    person = model.person(plays)
    joint = total + grid.log_weight
    evidence = float(logsumexp(joint))
    without = logsumexp(joint - trials, axis=1)
    density = total + model.space.log_prior(points)
    mle = maximum(person, model.space, points[_best(total)], prior=False)
    best = maximum(person, model.space, points[_best(density)], prior=True)
    se, laplace, reason = _curvature(person, model.space, best)
    if not (mle.converged and best.converged):
        reason = reason or "a search did not converge"
    weight = np.exp(joint - evidence)
    low, high = _intervals(grid, weight)
    return PersonFit(
        mle,
        best,
        person.log_likelihood(best.x)[0],
        se,
        laplace,
        evidence,
        np.nan,
        np.nan,
        weight @ points,
        low,
        high,
        without,
        reason,
    )


def _best(values: FloatArray) -> int:
    return int(np.argmax(np.where(np.isnan(values), -np.inf, values)))


def maximum(person: Person, space: Space, start: FloatArray, prior: bool) -> Estimate:
    """The maximum of the likelihood, or with `prior` of the posterior, near a start."""
    bounds = [parameter.bounds for parameter in space.free]
    low, high = np.array(bounds).T

    def downhill(x: FloatArray) -> tuple[float, FloatArray]:
        value, slope = _objective(person, space, x, prior)
        return -value, -slope

    found = minimize(
        downhill,
        np.clip(start, low, high),
        jac=True,
        method="L-BFGS-B",
        bounds=bounds,
        options={"ftol": 1e-13, "gtol": 1e-7, "maxiter": 500},
    )
    x = np.asarray(found.x, float)
    flat = bool(np.all(np.abs(found.jac) < 1e-3))
    at_bound = bool(np.any((x <= low + 1e-6) | (x >= high - 1e-6)))
    return Estimate(x, -float(found.fun), bool(found.success) or flat, at_bound)


def _objective(
    person: Person, space: Space, x: FloatArray, prior: bool
) -> tuple[float, FloatArray]:
    value, slope = person.log_likelihood(x)
    if prior:
        value += float(space.log_prior(x))
        slope = slope - np.array(
            [(each - p.mean) / p.sd**2 for each, p in zip(x, space.free, strict=True)]
        )
    return value, slope


def hessian(person: Person, space: Space, x: FloatArray) -> FloatArray:
    """The second derivatives of the negative log posterior on the unbounded scale."""
    columns = []
    for step in np.eye(len(x)) * _STEP:
        ahead = _objective(person, space, x + step, True)[1]
        behind = _objective(person, space, x - step, True)[1]
        columns.append((behind - ahead) / (2 * _STEP))
    found = np.array(columns)
    return np.asarray((found + found.T) / 2)


def _curvature(person: Person, space: Space, best: Estimate) -> tuple[FloatArray, float, str]:
    """Standard errors and Laplace's evidence at the mode, or why there are none."""
    curved = hessian(person, space, best.x)
    d = len(best.x)
    try:
        root = np.linalg.cholesky(curved)
    except np.linalg.LinAlgError:
        return np.full(d, np.nan), np.nan, "the Hessian is not positive definite"
    se = np.sqrt(np.diag(np.linalg.inv(curved)))
    laplace = best.value + d / 2 * log(2 * pi) - float(np.log(np.diag(root)).sum())
    return se, laplace, ""


def _intervals(grid: Grid, weight: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The ends of each parameter's central 95 % of the posterior."""
    shape = tuple(len(axis) for axis in grid.axes)
    spread = weight.reshape(shape)
    ends = np.empty((2, len(shape)))
    for index, axis in enumerate(grid.axes):
        others = tuple(each for each in range(len(shape)) if each != index)
        below = np.cumsum(spread.sum(axis=others))
        half = (axis[1] - axis[0]) / 2
        edges = np.append(axis[0] - half, axis + half)
        ends[:, index] = np.interp([0.025, 0.975], np.append(0.0, below) / below[-1], edges)
    return ends[0], ends[1]
