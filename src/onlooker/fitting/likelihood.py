"""The likelihood of plays under a choice rule, over many parameter values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from onlooker.fitting.choices import Choices
from onlooker.fitting.parameters import Space
from onlooker.fitting.rules import DecisionPoints, Rule
from onlooker.observers.choosing import with_lapses, with_skips
from onlooker.support.arrays import BoolArray, FloatArray, IntArray

_AT_A_TIME = 4_000_000  # numbers in a piece of a large table


def log_choices(choices: Choices, rule: Rule, theta: Mapping[str, FloatArray]) -> FloatArray:
    """The log probability of each choice at points of the parameters: (choices, points)."""
    points = len(theta["temperature"])
    found = np.empty((len(choices.place), points))
    size = max(1, _AT_A_TIME // max(1, points * choices.values.shape[1]))
    for begin in range(0, len(choices.values), size):
        part = slice(begin, begin + size)
        here = (choices.place >= begin) & (choices.place < begin + size)
        places = DecisionPoints(
            choices.values[part, None],
            choices.expected_steps[part, None],
            choices.last[part, None],
        )
        log_p = rule.log_options(places, theta)
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
        theta = self.theta(x)
        log_p: FloatArray = self.choices.member @ log_choices(self.choices, self.space.rule, theta)
        if self.space.rule.mixing == "skip":
            return with_skips(log_p, self.choices.unwatched[:, None], theta["skip"])
        return log_p

    def on_grid(self, axes: Sequence[FloatArray]) -> FloatArray:
        """The log probability of each play at all combinations of values: (plays, nodes).

        `axes` are values of the free parameters; the last one changes fastest.
        """
        names = self.space.names
        mixing = self.space.rule.mixing
        if mixing not in names:
            return self.of_plays(grid_points(axes))
        # What mixes finished probabilities is mixed in at the end, which saves most of the work.
        where = names.index(mixing)
        others = [axis for index, axis in enumerate(axes) if index != where]
        rest = grid_points(others) if others else np.zeros((1, 0))
        mixed = self.space.free[where]
        x = np.insert(rest, where, mixed.mean, axis=1)
        share = mixed.natural(axes[where])
        found = np.empty((len(self.choices.names), len(rest), len(share)))
        size = max(1, _AT_A_TIME // max(1, len(self.choices.place) * len(share)))
        for begin in range(0, len(rest), size):
            part = slice(begin, begin + size)
            found[:, part] = self._mixed(self.theta(x[part]), share)
        shape = [len(axis) for axis in others]
        found = np.moveaxis(found.reshape(-1, *shape, len(share)), -1, 1 + where)
        return np.ascontiguousarray(found).reshape(len(found), -1)

    def _mixed(self, theta: dict[str, FloatArray], share: FloatArray) -> FloatArray:
        """The log probability of each play for every share of lapses or skips."""
        c, rule = self.choices, self.space.rule
        if rule.mixing == "skip":
            plays = c.member @ log_choices(c, rule, theta)
            return with_skips(plays[..., None], c.unwatched[:, None, None], share)
        theta["lapse"] = np.zeros_like(theta["temperature"])
        log_s = log_choices(c, rule, theta)
        log_p = with_lapses(log_s[..., None], c.options[c.place][:, None, None], share)
        found: FloatArray = c.member @ log_p.reshape(len(log_p), -1)
        return found.reshape(-1, log_s.shape[1], len(share))

    def theta(self, x: FloatArray) -> dict[str, FloatArray]:
        """All parameters at points of the unbounded scale."""
        return self.space.natural(x) | {"charged": np.full(len(x), self.charged)}


@dataclass(frozen=True)
class People:
    """The choices of people one after the other, for a search over everybody's parameters."""

    model: Likelihood
    points: DecisionPoints  # of all choices
    chosen: IntArray  # (choices)
    play: IntArray  # (choices): which play each belongs to
    person: IntArray  # (plays): who played it
    unwatched: BoolArray  # (plays)

    @classmethod
    def of(cls, model: Likelihood, people: Sequence[IntArray]) -> People:
        """The people who have some of a model's plays each."""
        c = model.choices
        plays = np.concatenate([np.asarray(each, dtype=np.int64) for each in people])
        member = c.member[plays]
        place = c.place[member.indices]
        return cls(
            model,
            DecisionPoints(c.values[place], c.expected_steps[place], c.last[place]),
            c.chosen[member.indices],
            np.repeat(np.arange(len(plays)), np.diff(member.indptr)),
            np.repeat(np.arange(len(people)), [len(each) for each in people]),
            c.unwatched[plays],
        )

    def log_likelihood(self, x: FloatArray) -> FloatArray:
        """The log likelihood of each person at a point of its own, on the unbounded scale."""
        rule, each = self.model.space.rule, self.model.theta(x)
        theta = {name: value[self.person][self.play] for name, value in each.items()}
        log_p = rule.log_options(self.points, theta)[np.arange(len(self.chosen)), self.chosen]
        plays = np.bincount(self.play, log_p, len(self.person)).astype(float)
        if rule.mixing == "skip":
            plays = with_skips(plays, self.unwatched, each["skip"][self.person])
        return np.bincount(self.person, plays, len(x)).astype(float)


def grid_points(axes: Sequence[FloatArray]) -> FloatArray:
    """All combinations of some values, the last axis changing fastest: (nodes, axes)."""
    if not axes:  # nothing is free
        return np.zeros((1, 0))
    return np.stack([each.ravel() for each in np.meshgrid(*axes, indexing="ij")], axis=1)
