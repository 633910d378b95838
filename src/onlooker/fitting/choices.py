"""Plays as arrays: each place where somebody chose, what the options were worth, what was chosen.

What a player knows while it only watches depends on how many steps of each NPC it has seen, so most
people meet in the same places, and each place is appraised once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from onlooker.fitting.plays import Play, as_seen
from onlooker.fitting.rules import RULES, DecisionPoints, Rule
from onlooker.game import ExperimentName, LogError, Observe, Trial, replay
from onlooker.inference.errors import TooLargeError, UnexplainedError
from onlooker.inference.parameters import Parameters
from onlooker.observers import Appraisal, Batch, Engine, Observer, View
from onlooker.observers.compositions import has_parts
from onlooker.observers.observer import option_of, values_of
from onlooker.planning import NoPathError
from onlooker.support.arrays import BoolArray, FloatArray, IntArray

Key = tuple[ExperimentName, str]  # experiment and name of a trial
# A trial, NPCs watched, whether it acted then, and the choices from then on where they count.
PlayName = tuple[Key, tuple[int, ...], bool, tuple[str, ...]]


UNAPPRAISED = (NoPathError, TooLargeError, UnexplainedError)  # what an observer may refuse


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

    NPCs do in these what people saw, whatever costs the observer assumes. Under a rule that is
    prescribed, what the observer would do is worth 1 and everything else 0.
    """

    def __init__(
        self,
        observer: Observer,
        trials: Mapping[Key, Trial],
        parameters: Parameters,
        rule: Rule = RULES["softmax"],
    ) -> None:
        rule.check(observer)
        self.observer, self.parameters, self.rule = observer, parameters, rule
        self.trials = {key: as_seen(trial, parameters) for key, trial in trials.items()}
        found = Batch(list(self.trials.values())).lattices(parameters, observer)
        self.lattices = dict(zip(trials, found, strict=True))
        self._engines: dict[Key, Engine] = {}

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

    def after_acting(
        self, key: Key, watched: Sequence[int], after: Sequence[str]
    ) -> Iterator[tuple[FloatArray, int, int]]:
        """The values, the option and whom was watched just before, of each choice after the first
        action.

        Left out is what the observer cannot appraise: it may have no values there, or the choices
        may go on beyond the end of a trial by other rules.
        """
        engine, npcs = self._engine(key), self.trials[key].npcs
        log = [*(f"observe {npcs[npc].id}" for npc in watched), *after]
        try:
            turns = replay(engine.stage, log)
        except LogError:
            return
        seen: list[str] = []
        last = -1
        for number, (view, turn) in enumerate(zip(engine.views(turns), turns, strict=False)):
            choice = turn.choice
            option = 1 + engine.trial.npc_index(choice.npc) if isinstance(choice, Observe) else 0
            if number > len(watched):
                with suppress(*UNAPPRAISED):
                    yield self._appraised(engine, view, seen), option, last
            last = option - 1
            seen += [choice.npc] if isinstance(choice, Observe) else []

    def _engine(self, key: Key) -> Engine:
        if key not in self._engines:
            self._engines[key] = Engine(self.trials[key], self.parameters, warn=False)
        return self._engines[key]

    def _appraised(self, engine: Engine, view: View, seen: Sequence[str]) -> FloatArray:
        """What the options are worth at a view."""
        if not self.rule.prescribed:
            return values_of(self.observer, engine, view, seen)
        chosen = option_of(self.observer, engine, view, seen)
        gone = [False, *(engine.arrived(view, npc) for npc in range(len(engine.trial.npcs)))]
        return np.where(gone, -np.inf, np.arange(len(gone)) == chosen)

    def expected_steps(self, key: Key) -> FloatArray:
        """The steps that watching is expected to take, on the lattice of a trial."""
        found: FloatArray = np.nan_to_num(self.lattices[key].looks, nan=1.0)
        return found


def is_priced(observer: Observer, rule: Rule) -> bool:
    """Whether an observer's values depend on the cost of observing in a way that is known."""
    return (
        "observe" in rule.parameters
        and has_parts(observer)
        and observer.parts.appraisal == Appraisal.IMAGINED_COSTS
    )


def choices_of(plays: Iterable[Play], appraiser: Appraiser) -> tuple[Choices, IntArray]:
    """The different plays among some as arrays, and which of them each is."""
    names: dict[PlayName, int] = {}
    which = [
        names.setdefault((play.trial, play.watched, play.acted, play.after), len(names))
        for play in plays
    ]
    table = _Table(appraiser)
    for key, watched, acted, after in names:
        table.add(key, watched, acted, after)
    return table.finished(tuple(names)), np.array(which, dtype=np.int64)


class _Table:
    """Places and choices while they are collected."""

    def __init__(self, appraiser: Appraiser) -> None:
        self.appraiser = appraiser
        self.lattices: dict[Key, tuple[FloatArray, FloatArray]] = {}  # values, expected steps
        self.places: dict[tuple[Key, tuple[int, ...], int], int] = {}
        self.rows: list[tuple[FloatArray, FloatArray]] = []
        self.alternatives: list[bool] = []  # whether somebody can be watched in each place
        self.lasts: list[int] = []
        self.choices: dict[tuple[int, int], int] = {}
        self.flat: list[int] = []
        self.ends = [0]
        self.unwatched: list[bool] = []
        self.forced: list[int] = []

    def add(self, key: Key, watched: tuple[int, ...], acted: bool, after: tuple[str, ...]) -> None:
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
        again = False
        later = self.appraiser.after_acting(key, watched, after) if after else ()
        for values, option, last in later:
            again |= option > 0
            if not np.isfinite(values[1:]).any():
                continue
            place = len(self.rows)
            self.rows.append((values, np.ones(len(values) - 1)))
            self.lasts.append(last)
            self.alternatives.append(True)
            self.flat.append(self.choices.setdefault((place, option), len(self.choices)))
        self.ends.append(len(self.flat))
        self.unwatched.append(acted and not watched and not again)
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
            self.lasts.append(last)
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
            np.array(self.lasts, dtype=np.int64),
            pairs[:, 0],
            pairs[:, 1],
            member,
            np.array(self.unwatched, dtype=bool),
            np.diff(self.ends).astype(np.int64),
            np.array(self.forced, dtype=np.int64),
            names,
        )
