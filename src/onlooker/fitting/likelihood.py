"""The likelihood of plays under a choice rule, over many parameter values or with its gradient.

The probabilities themselves are `observers.choosing`'s, which simulations use too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array
from scipy.special import expit

from onlooker.fitting.choices import Choices
from onlooker.fitting.parameters import PRIORS, Space
from onlooker.observers.choosing import graded_choice, softmax_choice, with_lapses, with_skips
from onlooker.support.arrays import BoolArray, FloatArray, IntArray

_AT_A_TIME = 4_000_000  # numbers in a piece of a large table
MIXED = {
    "softmax": "lapse",
    "choice": "lapse",
    "graded": "skip",
}  # what mixes finished probabilities


def log_choices(choices: Choices, rule: str, theta: Mapping[str, FloatArray]) -> FloatArray:
    """The log probability of each choice at points of the parameters: (choices, points).

    Skipping is left out, as it is of whole trials.
    """
    points = len(theta["temperature"])
    found = np.empty((len(choices.place), points))
    places = max(1, _AT_A_TIME // max(1, points * choices.values.shape[1]))
    for begin in range(0, len(choices.values), places):
        part = slice(begin, begin + places)
        log_p = _log_probabilities(choices, part, rule, theta)
        here = (choices.place >= begin) & (choices.place < begin + places)
        found[here] = log_p[choices.place[here] - begin, :, choices.chosen[here]]
    return found


def _log_probabilities(
    choices: Choices, part: slice, rule: str, theta: Mapping[str, FloatArray]
) -> FloatArray:
    """The log probability of each option at some places: (places, points, options)."""
    values = choices.values[part, None, :]
    if rule == "graded":
        return graded_choice(values, theta["temperature"], theta["curiosity"])
    if "observe" in theta:
        values = (
            values
            - (theta["observe"][:, None] - theta["charged"][:, None]) * choices.looks[part, None, :]
        )
    return softmax_choice(
        values,
        theta["temperature"],
        theta["lapse"],
        theta.get("bias", 0.0),
        theta.get("perseveration", 0.0),
        choices.last[part, None],
    )


@dataclass(frozen=True)
class Likelihood:
    """The likelihood of plays for a model: an observer's values, a rule and its parameters."""

    choices: Choices
    space: Space
    charged: float = 1.0  # points for a look with which the values were computed

    def of_plays(self, x: FloatArray) -> FloatArray:
        """The log probability of each play at points of the unbounded scale: (plays, points)."""
        theta = self._theta(x)
        log_p: FloatArray = self.choices.member @ log_choices(self.choices, self.space.rule, theta)
        if self.space.rule == "graded":
            return with_skips(log_p, self.choices.unwatched[:, None], theta["skip"])
        return log_p

    def on_grid(self, axes: Sequence[FloatArray]) -> FloatArray:
        """The log probability of each play at all combinations of values: (plays, nodes).

        `axes` are values of the free parameters; the last one changes fastest.
        """
        names = self.space.names
        mixed = MIXED[self.space.rule]
        if mixed not in names:
            return self.of_plays(grid_points(axes))
        # What mixes finished probabilities is mixed in at the end, which saves most of the work.
        where = names.index(mixed)
        others = [axis for index, axis in enumerate(axes) if index != where]
        rest = grid_points(others) if others else np.zeros((1, 0))
        x = np.insert(rest, where, PRIORS[mixed].mean, axis=1)
        share = PRIORS[mixed].natural(axes[where])
        found = np.empty((len(self.choices.names), len(rest), len(share)))
        size = max(1, _AT_A_TIME // max(1, len(self.choices.place) * len(share)))
        for begin in range(0, len(rest), size):
            part = slice(begin, begin + size)
            found[:, part] = self._mixed(self._theta(x[part]), share)
        shape = [len(axis) for axis in others]
        found = np.moveaxis(found.reshape(-1, *shape, len(share)), -1, 1 + where)
        return np.ascontiguousarray(found).reshape(len(found), -1)

    def _mixed(self, theta: dict[str, FloatArray], share: FloatArray) -> FloatArray:
        """The log probability of each play for every share of lapses or skips."""
        c = self.choices
        if self.space.rule == "graded":
            plays = c.member @ log_choices(c, "graded", theta)
            return with_skips(plays[..., None], c.unwatched[:, None, None], share)
        theta["lapse"] = np.zeros_like(theta["temperature"])
        log_s = log_choices(c, self.space.rule, theta)
        log_p = with_lapses(log_s[..., None], c.options[c.place][:, None, None], share)
        found: FloatArray = c.member @ log_p.reshape(len(log_p), -1)
        return found.reshape(-1, log_s.shape[1], len(share))

    def _theta(self, x: FloatArray) -> dict[str, FloatArray]:
        theta = self.space.natural(x)
        if "observe" in theta:
            theta["charged"] = np.full(len(x), self.charged)
        return theta

    # -- one person ----------------------------------------------------------------------------

    def person(self, plays: IntArray) -> Person:
        """The likelihood of some plays together, with its gradient."""
        member: csr_array = self.choices.member[plays]
        used = np.unique(member.indices).astype(np.int64)
        return Person(self, used, member[:, used].toarray(), self.choices.unwatched[plays])


@dataclass(frozen=True)
class Person:
    """One person's plays, for a search over the parameters."""

    model: Likelihood
    used: IntArray  # (choices): those that the plays have
    member: FloatArray  # (plays, choices)
    unwatched: BoolArray  # (plays)

    def log_likelihood(self, x: FloatArray) -> tuple[float, FloatArray]:
        """The log likelihood at a point of the unbounded scale, and its gradient there."""
        space = self.model.space
        theta = {name: float(value) for name, value in space.natural(x).items()}
        if space.rule == "graded":
            log_p, slopes = self._graded(theta)
            total, gradient = self._skipping(log_p, slopes, theta["skip"])
        else:
            log_p, slopes = self._softmax(theta)
            count = self.member.sum(axis=0)
            total = float(count @ log_p)
            gradient = {name: float(count @ slope) for name, slope in slopes.items()}
        found = [gradient[p.name] * p.slope(theta[p.name]) for p in space.free]
        return total, np.array(found)

    def _softmax(self, theta: Mapping[str, float]) -> tuple[FloatArray, dict[str, FloatArray]]:
        """The log probability of each choice, and its derivatives by the parameters."""
        c = self.model.choices
        place, chosen = c.place[self.used], c.chosen[self.used]
        rows = np.arange(len(place))
        values, looks = c.values[place], c.looks[place]
        tau, lapse = theta["temperature"], theta["lapse"]
        bias, again = theta.get("bias", 0.0), theta.get("perseveration", 0.0)
        values = values - (theta.get("observe", self.model.charged) - self.model.charged) * looks
        log_s = softmax_choice(values, tau, 0.0, bias, again, c.last[place])
        s = np.exp(log_s)
        options = c.options[place]
        log_p = with_lapses(log_s[rows, chosen], options, np.asarray(lapse))
        a = (1 - lapse) * np.exp(log_s[rows, chosen] - log_p)  # the share that is no lapse
        watch = np.arange(values.shape[1]) > 0
        same = watch & (np.arange(values.shape[1]) == c.last[place][:, None] + 1)
        open_ = np.isfinite(values)
        u = np.where(open_, values + bias * watch + again * same, 0.0)

        def by(what: FloatArray) -> FloatArray:
            """The derivative if each option's value grows as `what` says."""
            grown = np.where(open_, what, 0.0)
            found: FloatArray = a * (grown[rows, chosen] - (s * grown).sum(axis=1)) / tau
            return found

        return log_p, {
            "temperature": -by(u) / tau,
            "bias": by(np.broadcast_to(watch, values.shape).astype(float)),
            "perseveration": by(same.astype(float)),
            "observe": by(-looks),
            "lapse": (1 / options - s[rows, chosen]) / np.exp(log_p),
        }

    def _graded(self, theta: Mapping[str, float]) -> tuple[FloatArray, dict[str, FloatArray]]:
        c = self.model.choices
        place, chosen = c.place[self.used], c.chosen[self.used]
        rows = np.arange(len(place))
        values = c.values[place]
        tau, curiosity = theta["temperature"], theta["curiosity"]
        log_p = graded_choice(values, tau, curiosity)[rows, chosen]
        looks = values[:, 1:]
        eager = (looks.max(axis=1) - values[:, 0] + curiosity) / tau
        watched = chosen > 0
        by_eager = np.where(watched, expit(-eager), -expit(eager))
        open_ = np.isfinite(looks)
        u = np.where(open_, looks - looks.max(axis=1, keepdims=True), 0.0) / tau
        s = np.where(open_, np.exp(u), 0.0)
        s /= s.sum(axis=1, keepdims=True)
        by_share = np.where(watched, (s * u).sum(axis=1) - u[rows, np.maximum(chosen - 1, 0)], 0.0)
        return log_p, {
            "temperature": (by_share - by_eager * eager) / tau,
            "curiosity": by_eager / tau,
        }

    def _skipping(
        self, log_p: FloatArray, slopes: Mapping[str, FloatArray], skip: float
    ) -> tuple[float, dict[str, float]]:
        """The mixture of each play with not watching in its trial at all."""
        plays = self.member @ log_p
        mixed = with_skips(plays, self.unwatched, np.asarray(skip))
        kept = (1 - skip) * np.exp(plays - mixed)  # the share that does not skip
        found = {name: float(kept @ (self.member @ slope)) for name, slope in slopes.items()}
        found["skip"] = float(np.sum(self.unwatched / np.exp(mixed) - kept / (1 - skip)))
        return float(mixed.sum()), found


def grid_points(axes: Sequence[FloatArray]) -> FloatArray:
    """All combinations of some values, the last axis changing fastest: (nodes, axes)."""
    return np.stack([each.ravel() for each in np.meshgrid(*axes, indexing="ij")], axis=1)
