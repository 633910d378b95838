"""The likelihood of plays under a choice rule, over many parameter values or with its gradient.

The probabilities themselves are `observers.choosing`'s, which simulations use too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from onlooker.fitting.choices import Choices, Places
from onlooker.fitting.parameters import PRIORS, Space
from onlooker.observers.choosing import graded_choice, softmax_choice, with_lapses, with_skips
from onlooker.support.arrays import FloatArray

_AT_A_TIME = 4_000_000  # numbers in a piece of a large table
MIXED = {
    "softmax": "lapse",
    "choice": "lapse",
    "graded": "skip",
}  # what mixes finished probabilities


def log_options(places: Places, rule: str, theta: Mapping[str, FloatArray]) -> FloatArray:
    """The log probability of each option, not counting `skip`, which is of whole trials.

    Parameters have axes that broadcast against the places: an array (points) goes with places
    (places, 1), and one that has a value for each place with (places).
    """
    values, looks, last = places.values, places.looks, places.last
    if rule == "graded":
        return graded_choice(values, theta["temperature"], theta["curiosity"])
    if "observe" in theta:
        values = values - (theta["observe"] - theta["charged"])[..., None] * looks
    return softmax_choice(
        values,
        theta["temperature"],
        theta["lapse"],
        theta.get("bias", 0.0),
        theta.get("perseveration", 0.0),
        last,
    )


def log_choices(choices: Choices, rule: str, theta: Mapping[str, FloatArray]) -> FloatArray:
    """The log probability of each choice at points of the parameters: (choices, points)."""
    points = len(theta["temperature"])
    found = np.empty((len(choices.place), points))
    size = max(1, _AT_A_TIME // max(1, points * choices.values.shape[1]))
    for begin in range(0, len(choices.values), size):
        part = slice(begin, begin + size)
        here = (choices.place >= begin) & (choices.place < begin + size)
        places = Places(
            choices.values[part, None], choices.looks[part, None], choices.last[part, None]
        )
        log_p = log_options(places, rule, theta)
        found[here] = log_p[choices.place[here] - begin, :, choices.chosen[here]]
    return found


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


def grid_points(axes: Sequence[FloatArray]) -> FloatArray:
    """All combinations of some values, the last axis changing fastest: (nodes, axes)."""
    return np.stack([each.ravel() for each in np.meshgrid(*axes, indexing="ij")], axis=1)
