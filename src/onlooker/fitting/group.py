"""Hierarchical fits: how a model's parameters are spread over people.

On the unbounded scale each person's parameters are normal with the group's mean and SD, independent
of each other. People are integrated out on the grid of their likelihood, so that only the means and
SDs are left: their mode, draws of a t distribution around it, and importance weights smoothed by
Pareto's distribution (PSIS). The same weights give how well a person is predicted by the others.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from arviz_stats import base
from scipy.optimize import minimize
from scipy.special import gammaln, logsumexp, ndtr

from onlooker.fitting.individual import Grid, grid_of
from onlooker.fitting.parameters import Space
from onlooker.support.arrays import FloatArray

DRAWS = 10_000  # of which cross-validation needs many
FREEDOM = 5.0  # of the t distribution
_AT_A_TIME = 20_000_000  # numbers in a piece of a large table
MOST_K = 0.7  # Pareto's k above which importance weights are not reliable


@dataclass(frozen=True)
class GroupFit:
    """The posterior of a group's means and SDs, on the unbounded scale."""

    space: Space
    draws: FloatArray  # (draws, 2 · parameters): means, then logs of SDs
    weight: FloatArray  # (draws): they sum to 1
    k_hat: float  # of the importance weights
    ess: float  # effective number of draws
    individual: FloatArray  # (people, parameters): posterior means, shrunk towards the group
    elpd: FloatArray  # (people): log probability of a person given the others
    elpd_k: FloatArray  # (people): Pareto's k of that

    @property
    def reliable(self) -> bool:
        """Whether the importance weights are."""
        return self.k_hat <= MOST_K and self.ess >= 400

    def summary(self, column: int) -> tuple[float, float, float, float]:
        """The mean, SD and 95 % interval of a column of the draws, SDs as such."""
        values = self.draws[:, column]
        if column >= len(self.space.free):
            values = np.exp(values)
        mean = float(self.weight @ values)
        sd = float(np.sqrt(self.weight @ (values - mean) ** 2))
        order = np.argsort(values)
        low, high = np.interp([0.025, 0.975], np.cumsum(self.weight[order]), values[order])
        return mean, sd, float(low), float(high)


def prior_words(space: Space) -> str:
    """The priors of a group's means and SDs in words."""
    means = ", ".join(f"{p.name} N({p.mean:.3g}, {_mean_sd(p.sd):.3g}²)" for p in space.free)
    return f"means (unbounded scale): {means}; SDs: Gamma(2, rate 2)"


def fit_group(space: Space, totals: FloatArray, nodes: int, seed: int = 1) -> GroupFit:
    """Fit the means and SDs of a group from everybody's log likelihood on the grid.

    `totals` are (people, nodes of the grid).
    """
    grid = grid_of(space, nodes)
    most = totals.max(axis=1, keepdims=True)
    likelihood = np.exp(totals - most)  # (people, nodes)
    d = len(space.free)
    start = np.concatenate([[p.mean for p in space.free], np.log([p.sd for p in space.free])])

    def downhill(h: FloatArray) -> float:
        return -float(_log_density(h[None], space, grid, likelihood, most[:, 0])[0])

    found = minimize(downhill, start, method="BFGS", options={"gtol": 1e-4})
    covariance = _sound(np.asarray(found.hess_inv))
    rng = np.random.default_rng(seed)
    draws, log_q = _t_draws(np.asarray(found.x), covariance, rng, DRAWS)
    person = _log_people(draws, d, grid, likelihood)  # (draws, people)
    log_p = (person + most[:, 0]).sum(axis=1) + _log_prior(draws, space)
    log_w, k_hat = smoothed(log_p - log_q)
    weight = np.exp(log_w)
    others = np.array([left_out(values, log_w) for values in (person + most[:, 0]).T])
    return GroupFit(
        space,
        draws,
        weight,
        k_hat,
        float(1 / np.sum(weight**2)),
        _individual(draws, weight, person, d, grid, likelihood),
        others[:, 0],
        others[:, 1],
    )


def _mean_sd(sd: float) -> float:
    """The SD of the prior of a group's mean: 1.2 of a person's, which itself is spread."""
    return 1.2 * sd


def _log_prior(h: FloatArray, space: Space) -> FloatArray:
    """The log density of means and logs of SDs."""
    d = len(space.free)
    total = np.zeros(len(h))
    for index, p in enumerate(space.free):
        z = (h[:, index] - p.mean) / _mean_sd(p.sd)
        log_sd = h[:, d + index]
        # Gamma(2, rate 2) of the SD, times the derivative of the exponential
        total += -0.5 * z**2 + 2 * log_sd - 2 * np.exp(log_sd)
    return total


def _log_density(
    h: FloatArray, space: Space, grid: Grid, likelihood: FloatArray, most: FloatArray
) -> FloatArray:
    person = _log_people(h, len(space.free), grid, likelihood)
    total: FloatArray = (person + most).sum(axis=1) + _log_prior(h, space)
    return total


def _cell_masses(h: FloatArray, d: int, grid: Grid) -> FloatArray:
    """The probability of each cell of the grid for each group: (groups, nodes)."""
    masses = np.ones((len(h), 1))
    for index, axis in enumerate(grid.axes):
        half = (axis[1] - axis[0]) / 2
        edges = np.append(axis - half, axis[-1] + half)
        edges[0], edges[-1] = -np.inf, np.inf
        z = (edges - h[:, [index]]) / np.exp(h[:, [d + index]])
        mass = np.diff(ndtr(z), axis=1)
        masses = (masses[:, :, None] * mass[:, None, :]).reshape(len(h), -1)
    return masses


def _log_people(h: FloatArray, d: int, grid: Grid, likelihood: FloatArray) -> FloatArray:
    """The log probability of each person's data for each group, up to its own constant."""
    found = np.empty((len(h), len(likelihood)))
    size = max(1, _AT_A_TIME // likelihood.shape[1])
    with np.errstate(divide="ignore"):
        for begin in range(0, len(h), size):
            part = slice(begin, begin + size)
            found[part] = np.log(_cell_masses(h[part], d, grid) @ likelihood.T)
    return np.maximum(found, -1e6)


def _individual(
    draws: FloatArray,
    weight: FloatArray,
    person: FloatArray,
    d: int,
    grid: Grid,
    likelihood: FloatArray,
) -> FloatArray:
    """Each person's posterior mean, the group being as uncertain as it is."""
    heavy = np.argsort(weight)[-2000:]  # the rest has next to no weight
    share = (weight[heavy, None] / np.exp(person[heavy])) / weight[heavy].sum()
    mass = np.zeros_like(likelihood)
    size = max(1, _AT_A_TIME // likelihood.shape[1])
    for begin in range(0, len(heavy), size):
        part = slice(begin, begin + size)
        mass += share[part].T @ _cell_masses(draws[heavy[part]], d, grid)
    posterior = likelihood * mass
    posterior /= posterior.sum(axis=1, keepdims=True)
    found: FloatArray = posterior @ grid.points
    return found


def _sound(covariance: FloatArray) -> FloatArray:
    """A covariance that is positive definite and not too narrow."""
    values, vectors = np.linalg.eigh((covariance + covariance.T) / 2)
    return np.asarray((vectors * np.clip(values, 1e-4, 4.0)) @ vectors.T)


def _t_draws(
    mode: FloatArray, covariance: FloatArray, rng: np.random.Generator, count: int
) -> tuple[FloatArray, FloatArray]:
    """Draws of a multivariate t distribution, and the log density of each."""
    d = len(mode)
    root = np.linalg.cholesky(covariance)
    z = rng.standard_normal((count, d)) / np.sqrt(rng.chisquare(FREEDOM, (count, 1)) / FREEDOM)
    log_q = (
        gammaln((FREEDOM + d) / 2)
        - gammaln(FREEDOM / 2)
        - d / 2 * np.log(FREEDOM * np.pi)
        - np.log(np.diag(root)).sum()
        - (FREEDOM + d) / 2 * np.log1p((z**2).sum(axis=1) / FREEDOM)
    )
    return mode + z @ root.T, log_q


# -- importance weights smoothed by Pareto's distribution (PSIS), by arviz-stats -------------------


def smoothed(log_ratio: FloatArray) -> tuple[FloatArray, float]:
    """The log weights behind log importance ratios, which sum to 1, and Pareto's k."""
    statistics: Any = base.array_stats  # type: ignore[attr-defined]
    log_w, k_hat = statistics.psislw(-(log_ratio - log_ratio.max()))  # it takes the other sign
    return np.asarray(log_w) - float(logsumexp(log_w)), float(np.asarray(k_hat))


def left_out(log_p: FloatArray, log_weight: FloatArray | None = None) -> tuple[float, float]:
    """The log probability of something given all else, from its log probability in draws.

    `log_weight` are weights of the draws, if they differ. Also Pareto's k.
    """
    before = np.zeros(len(log_p)) if log_weight is None else log_weight
    log_w, k_hat = smoothed(before - log_p)
    return float(logsumexp(log_w + log_p)), k_hat
