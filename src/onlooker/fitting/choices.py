"""Plays as arrays: each place where somebody chose, what the options were worth, what was chosen.

What a player knows while it only watches depends on how many steps of each NPC it has seen, so most
people meet in the same places, and each place is appraised once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from onlooker.fitting.plays import Play
from onlooker.fitting.rules import RULES, DecisionPoints, Rule
from onlooker.game import ExperimentName, Trial
from onlooker.inference.parameters import Parameters
from onlooker.observers import Appraisal, Batch, ComposedObserver, Observer
from onlooker.observers.compositions import has_parts
from onlooker.support.arrays import BoolArray, FloatArray, IntArray

Key = tuple[ExperimentName, str]  # experiment and name of a trial
PlayName = tuple[Key, tuple[int, ...], bool]  # trial, NPCs watched, whether it acted then


@dataclass(frozen=True)
class Choices(DecisionPoints):
    """The different plays of some people, as arrays."""

    place: IntArray  # (choices): where each different choice is made
    chosen: IntArray  # (choices): its option
    member: csr_array  # (plays, choices): how often a play has a choice
    unwatched: BoolArray  # (plays): it acts without having watched
    scored: IntArray  # (plays): choices that had alternatives
    forced: IntArray  # (plays): those that had none
    names: tuple[PlayName, ...]  # (plays)

    def chance(self) -> FloatArray:
        """The log probability of each play if every choice is made at random."""
        found: FloatArray = self.member @ -np.log(self.options[self.place])
        return found


class Appraiser:
    """What the options are worth to an observer, in every place of some trials.

    Under a rule that is prescribed, what the observer would do is worth 1 and everything else 0.
    """

    def __init__(
        self,
        observer: Observer,
        trials: Mapping[Key, Trial],
        parameters: Parameters,
        rule: Rule = RULES["softmax"],
    ) -> None:
        rule.check(observer)
        self.observer, self.trials, self.parameters, self.rule = observer, trials, parameters, rule
        found = Batch(list(trials.values())).lattices(parameters, observer)
        self.lattices = dict(zip(trials, found, strict=True))

    def values(self, key: Key) -> FloatArray:
        """The values on the lattice of a trial: (steps of each NPC, last, options).

        The axis of whom was watched last has one place where that makes no difference.
        """
        lattice = self.lattices[key]
        if not self.rule.prescribed:
            return lattice.values[..., None, :]
        chosen = lattice.chosen if lattice.takes_turns else lattice.chosen[..., :1]
        prescribed = (np.arange(len(lattice.steps) + 1) == chosen[..., None]).astype(float)
        return np.where(lattice.available[..., None, :], prescribed, -np.inf)

    def expected_steps(self, key: Key) -> FloatArray:
        """The steps that watching is expected to take, on the lattice of a trial."""
        found: FloatArray = np.nan_to_num(self.lattices[key].looks, nan=1.0)
        return found


def is_priced(observer: Observer, rule: Rule) -> bool:
    """Whether an observer's values depend on the cost of observing in a way that is known."""
    return (
        "observe" in rule.parameters
        and isinstance(observer, ComposedObserver)
        and has_parts(observer)
        and observer.parts.appraisal == Appraisal.IMAGINED_COSTS
    )


def choices_of(plays: Iterable[Play], appraiser: Appraiser) -> tuple[Choices, IntArray]:
    """The different plays among some as arrays, and which of them each is."""
    names: dict[PlayName, int] = {}
    which = [names.setdefault((play.trial, play.watched, play.acted), len(names)) for play in plays]
    table = _Table(appraiser)
    for key, watched, acted in names:
        table.add(key, watched, acted)
    return table.finished(tuple(names)), np.array(which, dtype=np.int64)


class _Table:
    """Places and choices while they are collected."""

    def __init__(self, appraiser: Appraiser) -> None:
        self.appraiser = appraiser
        self.lattices: dict[Key, tuple[FloatArray, FloatArray]] = {}  # values, expected steps
        self.places: dict[tuple[Key, tuple[int, ...], int], int] = {}
        self.rows: list[tuple[FloatArray, FloatArray]] = []
        self.alternatives: list[bool] = []  # whether somebody can be watched in each place
        self.choices: dict[tuple[int, int], int] = {}
        self.flat: list[int] = []
        self.ends = [0]
        self.unwatched: list[bool] = []
        self.forced: list[int] = []

    def add(self, key: Key, watched: tuple[int, ...], acted: bool) -> None:
        """Add a play: each choice that had an alternative."""
        made = [1 + npc for npc in watched] + [0] * acted
        steps, last, forced = [0] * len(self.appraiser.trials[key].npcs), -1, 0
        for option in made:
            place = self._place(key, tuple(steps), last)
            if self.alternatives[place]:
                self.flat.append(self.choices.setdefault((place, option), len(self.choices)))
            else:
                forced += 1
            if option:
                last = option - 1
                steps[last] += 1
        self.ends.append(len(self.flat))
        self.unwatched.append(acted and not watched)
        self.forced.append(forced)

    def _place(self, key: Key, steps: tuple[int, ...], last: int) -> int:
        """The number of a place, which is appraised when it is first met."""
        if (key, steps, last) not in self.places:
            self.places[key, steps, last] = len(self.rows)
            if key not in self.lattices:
                found = self.appraiser.values(key), self.appraiser.expected_steps(key)
                self.lattices[key] = found
            values, expected = (each[steps] for each in self.lattices[key])
            here = values[min(1 + last, len(values) - 1)]
            self.rows.append((here, expected))
            self.alternatives.append(bool(np.isfinite(here[1:]).any()))
        return self.places[key, steps, last]

    def finished(self, names: tuple[PlayName, ...]) -> Choices:
        """The arrays."""
        most = max((len(values) for values, _ in self.rows), default=1)
        values = np.full((len(self.rows), most), -np.inf)
        expected_steps = np.zeros((len(self.rows), most))
        for place, (worth, steps) in enumerate(self.rows):
            values[place, : len(worth)] = worth
            expected_steps[place, 1 : len(worth)] = steps
        pairs = np.array(list(self.choices), dtype=np.int64).reshape(-1, 2)
        shape = (len(names), len(pairs))
        member = csr_array((np.ones(len(self.flat)), self.flat, self.ends), shape=shape)
        return Choices(
            values,
            expected_steps,
            np.array([last for _, _, last in self.places], dtype=np.int64),
            pairs[:, 0],
            pairs[:, 1],
            member,
            np.array(self.unwatched, dtype=bool),
            np.diff(self.ends).astype(np.int64),
            np.array(self.forced, dtype=np.int64),
            names,
        )
