"""Posteriors over the frequencies of models: mixtures of Dirichlet distributions, and samples.

The exact posterior is such a mixture. Where it has too many components, weighted samples of the
frequencies stand for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb, log, sqrt

import numpy as np
from scipy.optimize import brentq
from scipy.special import betainc, gammainc, gammaln, logsumexp

from onlooker.support.arrays import FloatArray, IntArray

DRAWS = 200_000  # of frequencies, where the exact sum is out of reach
MOST_VECTORS = 3_000_000  # ways to divide people among models that are summed over
NEGLIGIBLE = 1e-12  # weight that may be left out in all
_AT_A_TIME = 2_000_000  # numbers in a piece of a large table


class TooLargeError(ValueError):
    """There are too many ways to divide people among models."""


@dataclass(frozen=True)
class Mixture:
    """A mixture of Dirichlet distributions over the same models."""

    alpha: FloatArray  # (components, models): with the same sum in every component
    weight: FloatArray  # (components): they sum to 1

    def means(self) -> FloatArray:
        """The expected frequency of each model."""
        share = self.alpha / self.alpha.sum(axis=1, keepdims=True)
        means: FloatArray = self.weight @ share
        return means

    def joined(self, groups: Sequence[Sequence[int]]) -> Mixture:
        """The same over groups of models."""
        columns = [self.alpha[:, list(group)].sum(axis=1) for group in groups]
        return Mixture(np.stack(columns, axis=1), self.weight)

    def intervals(self, level: float = 0.95) -> tuple[FloatArray, FloatArray]:
        """The ends of each model's central interval."""
        total = float(self.alpha[0].sum())  # it is the same in all components
        ends = np.empty((2, self.alpha.shape[1]))
        for model, column in enumerate(self.alpha.T):
            each, where = np.unique(column, return_inverse=True)
            weight = np.bincount(where, self.weight, len(each)).astype(float)
            for end, p in enumerate(((1 - level) / 2, (1 + level) / 2)):
                ends[end, model] = _quantile(each, total - each, weight, p)
        return ends[0], ends[1]

    def exceedance(self) -> FloatArray:
        """The probability that each model is the most frequent.

        With gamma variates, it is the integral of one's density times the others' distribution
        functions, by the trapezoid rule over their logarithm.
        """
        models = self.alpha.shape[1]
        order = np.argsort(self.weight)
        kept = order[np.searchsorted(np.cumsum(self.weight[order]), NEGLIGIBLE) :]
        alpha, weight = self.alpha[kept], self.weight[kept]
        each, where = np.unique(alpha, return_inverse=True)
        where = where.reshape(alpha.shape)
        x = _points(alpha)
        below = gammainc(each[:, None], x)  # (values of α, points)
        # x · density / distribution function, which is α where both vanish
        log_x = np.log(x)
        density = np.exp(each[:, None] * log_x - x - gammaln(each)[:, None])
        rate = np.divide(
            density, below, out=np.tile(each[:, None], (1, len(x))), where=below > 1e-290
        )
        found = np.zeros(models)
        size = max(1, _AT_A_TIME // len(x))
        for begin in range(0, len(alpha), size):
            rows = where[begin : begin + size]
            all_below = weight[begin : begin + size, None] * below[rows[:, 0]]
            for model in range(1, models):
                all_below *= below[rows[:, model]]
            for model in range(models):
                found[model] += np.einsum("cx,cx->", all_below, rate[rows[:, model]])
        found /= found.sum()
        return found


def _points(alpha: FloatArray) -> FloatArray:
    """Points of equal distance in the logarithm, where the integrand of exceedance is not zero.

    Below, it is at most x to the power of the sum of α.
    """
    most = float(alpha.max())
    low = -45.0 / float(alpha.sum(axis=1).min()) - 0.3
    high = log(most + 40 + 12 * sqrt(most))
    step = min(0.05, 0.3 / sqrt(most))
    return np.asarray(np.exp(np.arange(low, high + step, step)))


def _quantile(a: FloatArray, b: FloatArray, weight: FloatArray, p: float) -> float:
    """The quantile of a mixture of beta distributions."""
    return float(brentq(lambda x: float(weight @ betainc(a, b, x)) - p, 0.0, 1.0, xtol=1e-15))


@dataclass(frozen=True)
class Sample:
    """Frequencies that were drawn, with their weights."""

    frequencies: FloatArray  # (draws, models)
    weight: FloatArray  # (draws): they sum to 1

    def means(self) -> FloatArray:
        """The expected frequency of each model."""
        means: FloatArray = self.weight @ self.frequencies
        return means

    def joined(self, groups: Sequence[Sequence[int]]) -> Sample:
        """The same over groups of models."""
        columns = [self.frequencies[:, list(group)].sum(axis=1) for group in groups]
        return Sample(np.stack(columns, axis=1), self.weight)

    def intervals(self, level: float = 0.95) -> tuple[FloatArray, FloatArray]:
        """The ends of each model's central interval."""
        ends = np.empty((2, self.frequencies.shape[1]))
        for model, column in enumerate(self.frequencies.T):
            order = np.argsort(column)
            below = np.cumsum(self.weight[order])
            places = np.searchsorted(below, [(1 - level) / 2, (1 + level) / 2])
            ends[:, model] = column[order][places.clip(max=len(column) - 1)]
        return ends[0], ends[1]

    def exceedance(self) -> FloatArray:
        """The probability that each model is the most frequent."""
        models = self.frequencies.shape[1]
        return np.bincount(self.frequencies.argmax(axis=1), self.weight, models).astype(float)


Posterior = Mixture | Sample


def sampled_posterior(
    evidence: FloatArray, alpha0: float, near: FloatArray, draws: int = DRAWS
) -> tuple[Sample, FloatArray, float, float]:
    """The posterior over frequencies by importance sampling.

    Given with it are the attributions, the log evidence and the standard error of the latter. Half
    of the draws come from a Dirichlet distribution like `near`, an approximation of the posterior,
    with half of its precision; the others, so that no tail is missed, from wider ones.
    """
    people, models = evidence.shape
    parts = [alpha0 + (near - alpha0) * share for share in (0.5, 0.15, 0.0)]
    shares = np.array([0.5, 0.4, 0.1])
    rng = np.random.default_rng([people, models, draws])
    sizes = (draws * shares).astype(int)
    r = np.concatenate(
        [rng.dirichlet(alpha, size) for alpha, size in zip(parts, sizes, strict=True)]
    )
    r = np.maximum(r, np.finfo(float).tiny)
    log_r = np.log(r)
    proposed = np.stack([_log_dirichlet(log_r, alpha) for alpha in parts])
    log_q = logsumexp(proposed + np.log(sizes / sizes.sum())[:, None], axis=0)
    offset = evidence.max(axis=1)
    factor = np.exp(evidence - offset[:, None])
    size = max(1, _AT_A_TIME // people)
    pieces = [r[begin : begin + size] for begin in range(0, len(r), size)]
    log_p = np.concatenate([np.log(piece @ factor.T).sum(axis=1) for piece in pieces])
    log_w = log_p + _log_dirichlet(log_r, np.full(models, alpha0)) - log_q
    total = float(logsumexp(log_w) - log(len(r)))
    weight = np.exp(log_w - logsumexp(log_w))
    error = float(np.std(len(r) * weight) / sqrt(len(r)))  # of the evidence, as a share of it
    z = np.zeros_like(factor)
    for begin, piece in zip(range(0, len(r), size), pieces, strict=True):
        each = weight[begin : begin + size, None] / (piece @ factor.T)
        z += factor * (each.T @ piece)
    return Sample(r, weight), z, total + float(offset.sum()), error


def _log_dirichlet(log_r: FloatArray, alpha: FloatArray) -> FloatArray:
    """The log density of a Dirichlet distribution."""
    constant = float(gammaln(alpha.sum()) - gammaln(alpha).sum())
    return np.asarray(constant + log_r @ (alpha - 1))


# -- the exact posterior ---------------------------------------------------------------------------


def exact_mixture(evidence: FloatArray, alpha0: float) -> tuple[Mixture, FloatArray, float]:
    """The posterior over frequencies, the attributions, and the log evidence.

    The product over people of Σ_k r_k e^L is a polynomial in r. Its coefficients are computed one
    person after the other, over all ways to divide them among the models; the attributions come
    from the same in reverse.
    """
    people, models = evidence.shape
    ways = comb(people + models - 1, models - 1)
    if ways > MOST_VECTORS:
        raise TooLargeError(
            f"{people} participants and {models} models: {ways} ways to divide them are more than"
            f" {MOST_VECTORS}; use the method sampling"
        )
    counts, up = _count_vectors(people, models)
    offset = evidence.max(axis=1)
    factor = np.exp(evidence - offset[:, None])
    steps, log_scale = _forward(factor, up)
    log_prior = _log_polya(counts, alpha0)
    with np.errstate(divide="ignore"):
        log_weight = np.log(steps[-1]) + log_prior
    total = float(logsumexp(log_weight))
    weight = np.exp(log_weight - total)
    attributions = _backward(steps, factor, up, np.exp(log_prior - log_prior.max()))
    evidence_of_all = total + log_scale + float(offset.sum())
    kept = weight > 0
    return Mixture(alpha0 + counts[kept], weight[kept]), attributions, evidence_of_all


def _count_vectors(people: int, models: int) -> tuple[FloatArray, list[IntArray]]:
    """All ways to divide people among models, and where one more of each model leads.

    The first of them are the ways to divide fewer people, with the last model's count less: they
    are ordered by the partial sums of the other models' counts, the last sum first.
    """
    free = models - 1
    sums: IntArray = np.arange(people + 1)[:, None]
    for width in range(2, free + 1):
        sums = np.concatenate(
            [
                np.column_stack([sums[:size], np.full(size, last)])
                for last in range(people + 1)
                if (size := comb(last + width - 1, width - 1))
            ]
        )
    table = np.array(
        [[comb(n, k) for k in range(free + 1)] for n in range(people + free + 1)], dtype=np.int64
    )

    def rank(of: IntArray) -> IntArray:
        places = of + np.arange(free)
        found: IntArray = table[places, np.arange(1, free + 1)].sum(axis=1)
        return found

    fewer = sums[: comb(people + free - 1, free)] if people else sums[:0]
    up = [rank(fewer + (np.arange(free) >= model)) for model in range(free)]
    up.append(np.arange(len(fewer)))
    last = people - sums[:, -1:]
    counts = np.diff(np.column_stack([np.zeros(len(sums), np.int64), sums]), axis=1)
    return np.column_stack([counts, last]).astype(float), up


def _forward(factor: FloatArray, up: list[IntArray]) -> tuple[list[FloatArray], float]:
    """The coefficients before each person and after the last, scaled, and the log of the scale."""
    people, models = factor.shape
    steps, log_scale = [np.ones(1)], 0.0
    for person in range(people):
        before = steps[-1]
        size = comb(person + models, models - 1)
        after = np.zeros(size)
        for model in range(models):
            if factor[person, model]:
                after[up[model][: len(before)]] += factor[person, model] * before
        largest = after.max()
        log_scale += log(largest)
        steps.append(after / largest)
    return steps, log_scale


def _backward(
    steps: list[FloatArray], factor: FloatArray, up: list[IntArray], last: FloatArray
) -> FloatArray:
    """How likely each person follows each model, given all of them."""
    found = np.zeros_like(factor)
    ahead = last
    for person in range(len(factor) - 1, -1, -1):
        before = steps[person]
        here = np.zeros(len(before))
        for model in range(factor.shape[1]):
            if factor[person, model]:
                part = factor[person, model] * ahead[up[model][: len(before)]]
                found[person, model] = before @ part
                here += part
        ahead = here / here.max()
    found /= found.sum(axis=1, keepdims=True)
    return found


def _log_polya(counts: FloatArray, alpha0: float) -> FloatArray:
    """The logarithm of B(α0 + counts) / B(α0) for each row of counts."""
    models = counts.shape[1]
    total = counts[0].sum()
    # one value for each count
    each = gammaln(alpha0 + np.arange(total + 1)) - gammaln(alpha0)
    found: FloatArray = each[counts.astype(int)].sum(axis=1)
    constant = float(gammaln(models * alpha0 + total) - gammaln(models * alpha0))
    return np.asarray(found - constant)
