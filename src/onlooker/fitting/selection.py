"""Random-effects selection: how frequent each model is among people, from their log evidences.

People may differ in the model that they follow. Each follows model k with probability r_k, and r
has a Dirichlet prior of `alpha0` for each model (Stephan 2009, Rigoux 2014). `exact` sums over how
many people may follow each model. `sampling` draws the frequencies, for groups that are too large
for this sum. `vb` is the usual variational approximation, converged. Beside them are fixed effects,
where everybody follows the same model.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import digamma, expit, gammaln, logsumexp

from onlooker.fitting.dirichlet import (
    DRAWS,
    Mixture,
    Posterior,
    exact_mixture,
    sampled_posterior,
)
from onlooker.support.arrays import FloatArray

Method = Literal["exact", "sampling", "vb"]
METHODS: tuple[Method, ...] = ("exact", "sampling", "vb")
CONVERGED = 1e-12  # change of α at which the variational answer stands still
MOST_ROUNDS = 100_000


class SelectionError(ValueError):
    """Log evidences that no model can be selected from."""


@dataclass(frozen=True)
class Selection:
    """What random-effects selection found; arrays are over models."""

    alpha: FloatArray  # α0 and the expected number of people
    r: FloatArray  # expected frequency
    r_low: FloatArray  # 95 % interval of the frequency
    r_high: FloatArray
    xp: FloatArray  # exceedance probability: that the model is the most frequent
    bor: float  # Bayes omnibus risk: that all models are equally frequent
    pxp: FloatArray  # protected exceedance probability
    attributions: FloatArray  # (people, models): that a person follows the model
    log_evidence: float  # of different frequencies; with vb a lower bound
    log_evidence_null: float  # of equal ones
    alpha0: float
    method: Method
    posterior: Posterior = field(repr=False)  # of the frequencies
    error: float = 0.0  # Monte Carlo standard error of log_evidence

    def families(self, members: Mapping[str, Sequence[int]]) -> dict[str, tuple[float, float]]:
        """For each family of models, its expected frequency and exceedance probability.

        The families must not overlap and have every model. A family's prior is the sum of its
        members'.

        >>> found = bms([[-24, -28, -29], [-19, -25, -24], [-31, -30, -33]])
        >>> found.families({"first": [0], "others": [1, 2]})["first"][0] > 0.5
        True
        """
        placed = sorted(index for family in members.values() for index in family)
        if placed != list(range(len(self.alpha))):
            raise SelectionError("each model must be in one family, and in one only")
        together = self.posterior.joined(list(members.values()))
        frequencies, exceed = together.means(), together.exceedance()
        return {
            name: (float(frequencies[index]), float(exceed[index]))
            for index, name in enumerate(members)
        }


def bms(
    log_evidence: ArrayLike, alpha0: float = 1.0, method: Method = "exact", draws: int = DRAWS
) -> Selection:
    """Select among models with random effects over people.

    `log_evidence` has a row for each person and a column for each model. Minus infinity means that
    a person cannot have followed a model. `draws` is of sampling.

    >>> found = bms([[-24, -28], [-31, -30], [-19, -25], [-40, -42], [-22, -27], [-35, -34]])
    >>> found.xp.round(4).tolist(), round(found.bor, 4)
    ([0.9124, 0.0876], 0.4091)
    """
    evidence = _checked(log_evidence, alpha0)
    people, models = evidence.shape
    null = float(np.sum(logsumexp(evidence, axis=1) - np.log(models)))
    posterior: Posterior
    error = 0.0
    if method == "exact":
        posterior, attributions, total = exact_mixture(evidence, alpha0)
    elif method == "sampling":
        near = _variational(evidence, alpha0)[0].alpha[0]
        posterior, attributions, total, error = sampled_posterior(evidence, alpha0, near, draws)
    elif method == "vb":
        posterior, attributions, total = _variational(evidence, alpha0)
    else:
        raise SelectionError(f"method must be one of {', '.join(METHODS)}, not {method!r}")
    exceed = posterior.exceedance()
    bor = float(expit(null - total))
    low, high = posterior.intervals()
    r = posterior.means()
    return Selection(
        alpha=r * (models * alpha0 + people),
        r=r,
        r_low=low,
        r_high=high,
        xp=exceed,
        bor=bor,
        pxp=(1 - bor) * exceed + bor / models,
        attributions=attributions,
        log_evidence=total,
        log_evidence_null=null,
        alpha0=alpha0,
        method=method,
        posterior=posterior,
        error=error,
    )


def fixed_effects(log_evidence: ArrayLike) -> FloatArray:
    """The probability of each model if everybody follows the same one.

    >>> fixed_effects([[-1, -2], [-3, -2.5]]).round(3).tolist()
    [0.622, 0.378]
    """
    total = _checked(log_evidence, 1.0).sum(axis=0)
    shares: FloatArray = np.exp(total - logsumexp(total))
    return shares


def exceedance(alpha: ArrayLike) -> FloatArray:
    """The probability that each component of a Dirichlet distribution is the largest.

    >>> exceedance([2.5, 2]).round(6).tolist()
    [0.602252, 0.397748]
    """
    return Mixture(np.asarray(alpha, float)[None, :], np.ones(1)).exceedance()


def _checked(log_evidence: ArrayLike, alpha0: float) -> FloatArray:
    try:
        evidence = np.asarray(log_evidence, float)
    except (TypeError, ValueError):
        raise SelectionError("log evidences must be a table of numbers") from None
    if evidence.ndim != 2:
        raise SelectionError(
            f"log evidences must have two axes, people and models, not {evidence.ndim}"
        )
    people, models = evidence.shape
    if not people:
        raise SelectionError("there must be at least one participant")
    if models < 2:
        raise SelectionError(f"there must be at least two models to select from, not {models}")
    if not (np.isfinite(alpha0) and alpha0 > 0):
        raise SelectionError(f"alpha0 must be a number above 0, not {alpha0!r}")
    bad = np.isnan(evidence) | (evidence == np.inf)
    if bad.any():
        row, column = np.argwhere(bad)[0]
        raise SelectionError(
            f"participant {row + 1}, model {column + 1}: expected a log evidence,"
            f" not {evidence[row, column]}"
        )
    if none := np.flatnonzero(~np.isfinite(evidence).any(axis=1)).tolist():
        raise SelectionError(
            f"participant {none[0] + 1}: every model has probability zero; expected one with more"
        )
    return evidence


def _variational(evidence: FloatArray, alpha0: float) -> tuple[Mixture, FloatArray, float]:
    """The converged variational answer, as SPM and VBA give it."""
    models = evidence.shape[1]
    alpha = np.full(models, alpha0)
    for _ in range(MOST_ROUNDS):
        z = _shares(evidence + digamma(alpha))
        before, alpha = alpha, alpha0 + z.sum(axis=0)
        if np.abs(alpha - before).max() < CONVERGED:
            break
    z = _shares(evidence + digamma(alpha))
    log_r = digamma(alpha) - digamma(alpha.sum())
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.where(z > 0, z * (evidence + log_r - np.log(z)), 0.0)
    prior = np.full(models, alpha0)
    divergence = _log_beta(prior) - _log_beta(alpha) + np.sum((alpha - alpha0) * log_r)
    return Mixture(alpha[None, :], np.ones(1)), z, float(terms.sum() - divergence)


def _shares(values: FloatArray) -> FloatArray:
    shares: FloatArray = np.exp(values - logsumexp(values, axis=1, keepdims=True))
    return shares


def _log_beta(alpha: FloatArray) -> float:
    return float(gammaln(alpha).sum() - gammaln(alpha.sum()))
