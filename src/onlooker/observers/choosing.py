"""How values become choices: the one place that gives the probability of a choice.

Simulated participants, bots, replays, predictions and fits all ask here. Values are points, higher
is better: acting first, then watching each NPC, −inf once it has arrived. They may have any axes
before the last one; parameters are numbers or arrays that broadcast against those axes.

- *hard* takes the best, as the observer's own rule does (`kernels.parts.choose`);
- *softmax* takes a uniformly random choice with probability `lapse`, and else each in proportion
  to exp(value / temperature);
- *graded* first weighs the best look against acting, then the looks against each other.
"""

from __future__ import annotations

from enum import StrEnum

import numpy as np
from numpy.typing import ArrayLike

from onlooker.inference.parameters import MARGIN, Parameters
from onlooker.support.arrays import FloatArray, IntArray


class ChoiceRule(StrEnum):
    """How an observer's values become a choice."""

    HARD = "hard"
    SOFTMAX = "softmax"
    GRADED = "graded"

    @classmethod
    def _missing_(cls, value: object) -> None:
        raise ValueError(f"rule must be hard, softmax or graded, not {value!r}")


def choice_probabilities(
    rule: ChoiceRule | str,
    parameters: Parameters,
    values: ArrayLike,
    chosen: ArrayLike | None = None,
) -> FloatArray:
    """The probabilities of the choices of someone who watches, not counting `skip`.

    `chosen` is the observer's own choice (0 is acting, `1 + n` watching NPC n), which the hard rule
    takes; without it the hard rule takes the best.

    >>> p = choice_probabilities(ChoiceRule.GRADED, Parameters(curiosity=0), [-74.0, -75.0])
    >>> p.round(3).tolist()
    [0.731, 0.269]
    """
    rule = ChoiceRule(rule)
    if rule is ChoiceRule.SOFTMAX:
        return np.exp(softmax_choice(values, parameters.temperature, parameters.lapse))
    if rule is ChoiceRule.GRADED:
        return np.exp(graded_choice(values, parameters.temperature, parameters.curiosity))
    if chosen is None:
        chosen = best_choice(values)
    options = np.arange(np.asarray(values).shape[-1])
    return np.where(options == np.asarray(chosen)[..., None], 1.0, 0.0)


def draw(probabilities: FloatArray, rng: np.random.Generator) -> int:
    """The number of a choice that is drawn with these probabilities."""
    summed = np.cumsum(probabilities)
    return int(np.searchsorted(summed, rng.random() * summed[-1], side="right"))


def skipping(rule: ChoiceRule, parameters: Parameters) -> float:
    """The chance that one who chooses by a rule does not watch at all in a trial."""
    return float(parameters.skip) if rule is ChoiceRule.GRADED else 0.0


def best_choice(values: ArrayLike) -> IntArray:
    """The number of the best choice: acting among equals, then the first NPC."""
    v = np.asarray(values, float)
    looks = v[..., 1:]
    if not looks.shape[-1]:
        return np.zeros(v.shape[:-1], np.int64)
    best = looks.max(axis=-1, keepdims=True)
    first = 1 + (looks >= best - MARGIN).argmax(axis=-1)
    return np.where(best[..., 0] > v[..., 0] + MARGIN, first, 0)


def softmax_choice(
    values: ArrayLike,
    temperature: ArrayLike,
    lapse: ArrayLike = 0.0,
    bias: ArrayLike = 0.0,
    perseveration: ArrayLike = 0.0,
    last: ArrayLike = -1,
) -> FloatArray:
    """Log probabilities of the choices under softmax with lapses.

    `bias` is added to the value of watching anybody, `perseveration` to that of watching again the
    NPC that was watched last (its number, −1 for nobody).

    >>> np.exp(softmax_choice([-74.0, -75.0], temperature=1.0)).round(3).tolist()
    [0.731, 0.269]
    """
    v = np.asarray(values, float)
    available = v > -np.inf
    available[..., 0] = True  # though it may cost infinitely much
    tau, lam, worth = (np.asarray(each, float)[..., None] for each in (temperature, lapse, bias))
    watch = np.arange(v.shape[-1]) > 0
    again = np.arange(v.shape[-1]) == np.asarray(last)[..., None] + 1
    u = v + worth * watch + np.asarray(perseveration, float)[..., None] * (again & watch)
    soft = _log_shares(u, tau)
    log_p = with_lapses(soft, available.sum(axis=-1, keepdims=True), lam)
    return np.where(available, log_p, -np.inf)


def with_lapses(log_p: ArrayLike, options: ArrayLike, lapse: ArrayLike) -> FloatArray:
    """Log probabilities of choices if with probability `lapse` the option is uniformly random.

    >>> np.exp(with_lapses(np.log([0.9, 0.1]), 2, 0.2)).round(3).tolist()
    [0.82, 0.18]
    """
    lam, shares = np.asarray(lapse, float), np.asarray(log_p, float)
    with np.errstate(divide="ignore"):
        mixed: FloatArray = np.log((1 - lam) * np.exp(shares) + lam / np.asarray(options))
    return mixed if (lam > 0).all() else np.where(lam > 0, mixed, shares)  # which may be tiny


def with_skips(log_p: ArrayLike, unwatched: ArrayLike, skip: ArrayLike) -> FloatArray:
    """Log probabilities of whole trials if with probability `skip` one does not watch at all.

    `unwatched` says of each whether it was not watched.

    >>> np.exp(with_skips(np.log([0.5, 0.25]), [True, False], 0.2)).round(3).tolist()
    [0.6, 0.2]
    """
    chance = np.asarray(skip, float)
    with np.errstate(divide="ignore"):
        skipped = np.where(unwatched, np.log(chance), -np.inf)
        mixed: FloatArray = np.logaddexp(np.log1p(-chance) + log_p, skipped)
    return mixed


def graded_choice(values: ArrayLike, temperature: ArrayLike, curiosity: ArrayLike) -> FloatArray:
    """Log probabilities of the choices of someone who watches, not counting `skip`.

    >>> np.exp(graded_choice([-74.0, -75.0], temperature=1.0, curiosity=2.0)).round(3).tolist()
    [0.269, 0.731]
    """
    v = np.asarray(values, float)
    tau = np.asarray(temperature, float)[..., None]
    act, looks = v[..., :1], v[..., 1:]
    if not looks.shape[-1]:
        return np.zeros_like(v)
    with np.errstate(invalid="ignore"):
        gain = np.where(looks > -np.inf, looks - act, -np.inf)
    best = gain.max(axis=-1, keepdims=True)
    eager = (best + np.asarray(curiosity, float)[..., None]) / tau
    watching = np.where(best > -np.inf, -np.logaddexp(0.0, -eager), -np.inf)
    acting = np.where(best > -np.inf, -np.logaddexp(0.0, eager), 0.0)
    shares = np.where(best > -np.inf, _log_shares(looks, tau), -np.inf)
    return np.concatenate([acting, watching + shares], axis=-1)


def _log_shares(values: FloatArray, temperature: FloatArray) -> FloatArray:
    """The logarithm of each value's share in proportion to exp(value / temperature).

    Where nothing is available, or everything costs infinitely much, the first has it all.
    """
    best = values.max(axis=-1, keepdims=True)
    some = np.isfinite(best)
    first = np.where(np.arange(values.shape[-1]) == 0, 0.0, -np.inf)
    with np.errstate(invalid="ignore"):
        u = np.where(some, (values - best) / temperature, first)
    shares: FloatArray = u - np.log(np.exp(u).sum(axis=-1, keepdims=True))
    return shares
