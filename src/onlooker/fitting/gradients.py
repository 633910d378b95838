"""The likelihood of many people, each at parameters of its own, with its gradient."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from onlooker.fitting.choices import Places
from onlooker.fitting.likelihood import Likelihood
from onlooker.observers.choosing import graded_choice, softmax_choice, with_lapses, with_skips
from onlooker.support.arrays import BoolArray, FloatArray, IntArray

Slopes = dict[str, FloatArray]


@dataclass(frozen=True)
class People:
    """The choices of people one after the other, for a search over everybody's parameters."""

    model: Likelihood
    places: Places  # of all choices
    chosen: IntArray  # (choices)
    play: IntArray  # (choices): which play each belongs to
    person: IntArray  # (plays): who played it
    unwatched: BoolArray  # (plays)
    count: int  # people

    @classmethod
    def of(cls, model: Likelihood, people: Sequence[IntArray]) -> People:
        """The people who have some of a model's plays each."""
        c = model.choices
        plays = np.concatenate([np.asarray(each, dtype=np.int64) for each in people])
        person = np.repeat(np.arange(len(people)), [len(each) for each in people])
        member = c.member[plays]
        choice = member.indices
        place = c.place[choice]
        return cls(
            model,
            Places(c.values[place], c.looks[place], c.last[place]),
            c.chosen[choice],
            np.repeat(np.arange(len(plays)), np.diff(member.indptr)),
            person,
            c.unwatched[plays],
            len(people),
        )

    def log_likelihood(self, x: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The log likelihood of each at a point of the unbounded scale, and its gradient there."""
        space = self.model.space
        each = space.natural(x)
        theta = {name: value[self.person][self.play] for name, value in each.items()}
        if space.rule == "graded":
            total, gradient = self._skipping(*self._graded(theta), each["skip"][self.person])
        else:
            log_p, slopes = self._softmax(theta)
            total = self._sum(log_p)
            gradient = {name: self._sum(slopes[name]) for name in space.names}
        columns = [gradient[p.name] * p.slope(each[p.name]) for p in space.free]
        return total, np.stack(columns, axis=1)

    def _sum(self, of_choices: FloatArray) -> FloatArray:
        """The sums over each person's choices."""
        who = self.person[self.play]
        return np.bincount(who, of_choices, self.count).astype(float)

    def _plays(self, of_choices: FloatArray) -> FloatArray:
        """The sums over each play's choices."""
        return np.bincount(self.play, of_choices, len(self.person)).astype(float)

    def _softmax(self, theta: Mapping[str, FloatArray]) -> tuple[FloatArray, Slopes]:
        """The log probability of each choice, and its derivatives by the parameters."""
        places, rows = self.places, np.arange(len(self.chosen))
        tau, lapse = theta["temperature"], theta["lapse"]
        nothing = np.zeros(len(rows))
        bias, again = theta.get("bias", nothing), theta.get("perseveration", nothing)
        charged = self.model.charged
        dearer = theta.get("observe", nothing + charged) - charged
        values = places.values - dearer[:, None] * places.looks
        log_s = softmax_choice(values, tau, 0.0, bias, again, places.last)
        s = np.exp(log_s)
        log_p = with_lapses(log_s[rows, self.chosen], places.options, lapse)
        sound = (1 - lapse) * np.exp(log_s[rows, self.chosen] - log_p)  # the share without lapses
        options = np.arange(values.shape[1])
        watch = np.broadcast_to(options > 0, values.shape)
        same = watch & (options == places.last[:, None] + 1)
        there = np.isfinite(values)
        u = np.where(there, values + bias[:, None] * watch + again[:, None] * same, 0.0)

        def by(what: FloatArray) -> FloatArray:
            """The derivative if each option's value grows as `what` says."""
            grown = np.where(there, what, 0.0)
            mean = (s * grown).sum(axis=1)
            found: FloatArray = sound * (grown[rows, self.chosen] - mean) / tau
            return found

        return log_p, {
            "temperature": -by(u) / tau,
            "bias": by(watch.astype(float)),
            "perseveration": by(same.astype(float)),
            "observe": by(-places.looks),
            "lapse": (1 / places.options - s[rows, self.chosen]) / np.exp(log_p),
        }

    def _graded(self, theta: Mapping[str, FloatArray]) -> tuple[FloatArray, Slopes]:
        """The same for the graded rule, skipping left out."""
        values, rows = self.places.values, np.arange(len(self.chosen))
        tau, curiosity = theta["temperature"], theta["curiosity"]
        log_p = graded_choice(values, tau, curiosity)[rows, self.chosen]
        looks = values[:, 1:]
        best = looks.max(axis=1)
        eager = (best - values[:, 0] + curiosity) / tau
        watched = self.chosen > 0
        by_eager = np.where(watched, expit(-eager), -expit(eager))
        there = np.isfinite(looks)
        u = np.where(there, looks - best[:, None], 0.0) / tau[:, None]
        s = np.where(there, np.exp(u), 0.0)
        s /= s.sum(axis=1, keepdims=True)
        own = u[rows, np.maximum(self.chosen - 1, 0)]
        by_share = np.where(watched, (s * u).sum(axis=1) - own, 0.0)
        return log_p, {
            "temperature": (by_share - by_eager * eager) / tau,
            "curiosity": by_eager / tau,
        }

    def _skipping(
        self, log_p: FloatArray, slopes: Slopes, skip: FloatArray
    ) -> tuple[FloatArray, Slopes]:
        """The mixture of each play with not watching in its trial at all."""
        plays = self._plays(log_p)
        mixed = with_skips(plays, self.unwatched, skip)
        kept = (1 - skip) * np.exp(plays - mixed)  # the share that does not skip

        def total(of_plays: FloatArray) -> FloatArray:
            return np.bincount(self.person, of_plays, self.count).astype(float)

        found = {name: total(kept * self._plays(slope)) for name, slope in slopes.items()}
        found["skip"] = total(self.unwatched / np.exp(mixed) - kept / (1 - skip))
        return total(mixed), found
