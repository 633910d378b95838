"""Plays as arrays: each place where somebody chose, what the options were worth, what was chosen.

What a player knows while it only watches depends on how many steps of each NPC it has seen, so most
people meet in the same places, and each place is appraised once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from onlooker.fitting.plays import Play, path_lengths
from onlooker.game import Trial
from onlooker.inference.parameters import Parameters
from onlooker.observers import Appraisal, Batch, ComposedObserver, Engine, Lattice, Observer, View
from onlooker.observers.batch import is_composed
from onlooker.observers.errors import ObserverError
from onlooker.observers.observer import decision_of
from onlooker.support.arrays import BoolArray, FloatArray, IntArray

Key = tuple[int, str]  # experiment and name of a trial
Row = tuple[Sequence[float], Sequence[float]]  # values of acting and watching each; looks
RULE_CHOICE = "choice"


@dataclass(frozen=True)
class Choices:
    """The different plays of some people, as arrays."""

    values: FloatArray  # (places, options): acting, then each NPC; −inf if it cannot be watched
    looks: FloatArray  # (places, options): steps that a choice is expected to cost; 0 for acting
    last: IntArray  # (places): the NPC watched before, −1 for nobody
    place: IntArray  # (choices): where each different choice is made
    chosen: IntArray  # (choices): its option
    member: csr_array  # (plays, choices): how often a play has a choice
    unwatched: BoolArray  # (plays): it acts without having watched
    scored: IntArray  # (plays): choices that had alternatives
    forced: IntArray  # (plays): those that had none
    names: tuple[tuple[Key, tuple[int, ...], bool], ...]  # (plays): trial, NPCs watched, acted

    @property
    def options(self) -> IntArray:
        """How many options each place has."""
        return np.asarray(np.isfinite(self.values[:, 1:]).sum(axis=1) + 1)

    def chance(self) -> FloatArray:
        """The log probability of each play if every choice is made at random."""
        found: FloatArray = self.member @ -np.log(self.options[self.place])
        return found


class Appraiser:
    """What the options are worth to an observer, in the places where people have chosen."""

    def __init__(
        self,
        observer: Observer,
        trials: Mapping[Key, Trial],
        parameters: Parameters,
        rule: str = "softmax",
    ) -> None:
        self.observer, self.trials, self.parameters = observer, trials, parameters
        self.composed = is_composed(observer)
        self._lattices: dict[Key, Lattice] = {}
        self._engines: dict[Key, Engine] = {}
        self._views: dict[tuple[Key, tuple[int, ...]], View] = {}
        if rule == RULE_CHOICE or not (self.composed or hasattr(observer, "values")):
            self.row: Callable[[Key, tuple[int, ...]], Row] = self._prescribed
        elif self.composed:
            self._lattices = dict(zip(trials, self._all_lattices(), strict=True))
            self.row = self._lattice_row
        else:
            self.row = self._own

    @property
    def priced(self) -> bool:
        """Whether the cost of observing can be changed without another appraisal."""
        return (
            self.row == self._lattice_row
            and isinstance(self.observer, ComposedObserver)
            and self.observer.parts.appraisal == Appraisal.IMAGINED_COSTS
        )

    def lattice(self, key: Key) -> Lattice:
        """The lattice of a trial, for a composed observer."""
        return self._lattices[key]

    def _all_lattices(self) -> list[Lattice]:
        assert isinstance(self.observer, ComposedObserver)
        return Batch(list(self.trials.values())).lattices(self.parameters, self.observer)

    def _lattice_row(self, key: Key, watched: tuple[int, ...]) -> Row:
        lattice = self._lattices[key]
        place = tuple(watched.count(npc) for npc in range(len(lattice.trial.npcs)))
        return lattice.values[place].tolist(), lattice.looks[place].tolist()

    def _prescribed(self, key: Key, watched: tuple[int, ...]) -> Row:
        """1 for what the observer would do, 0 for the other options."""
        engine, view, names = self._seen(key, watched)
        decision = decision_of(self.observer, engine, view, names)
        ids = ["act", *(npc.id for npc in engine.trial.npcs)]
        values = [float(name == decision.choice) for name in ids]
        return self._open(key, watched, values)

    def _own(self, key: Key, watched: tuple[int, ...]) -> Row:
        """What an observer of the user's own says."""
        engine, view, names = self._seen(key, watched)
        found = self.observer.values(engine, view, names)  # type: ignore[attr-defined]
        npcs = len(engine.trial.npcs)
        try:
            act, watch = found
            values = [float(act), *(-np.inf if v is None else float(v) for v in watch)]
        except (TypeError, ValueError):
            values = []
        if len(values) != npcs + 1 or any(np.isnan(values)):
            reason = f"values: expected a value for acting and one for each of {npcs} NPCs, not"
            raise ObserverError(self.observer.name, engine.trial, f"{reason} {found!r}")
        return self._open(key, watched, values)

    def _open(self, key: Key, watched: tuple[int, ...], values: list[float]) -> Row:
        """The values, of NPCs that have not arrived."""
        for npc, steps in enumerate(path_lengths(self.trials[key])):
            if watched.count(npc) >= steps:
                values[1 + npc] = -np.inf
        return values, [np.nan] * (len(values) - 1)

    def _seen(self, key: Key, watched: tuple[int, ...]) -> tuple[Engine, View, list[str]]:
        if key not in self._engines:
            self._engines[key] = Engine(self.trials[key], self.parameters, warn=False)
        engine = self._engines[key]
        if (key, watched) not in self._views:
            view = engine.opening
            if watched:
                view = engine.observe(self._seen(key, watched[:-1])[1], watched[-1])
            self._views[key, watched] = view
        names = [engine.trial.npcs[npc].id for npc in watched]
        return engine, self._views[key, watched], names


def choices_of(plays: Iterable[Play], appraiser: Appraiser) -> tuple[Choices, IntArray]:
    """The different plays among some as arrays, and which of them each is."""
    names: dict[tuple[Key, tuple[int, ...], bool], int] = {}
    which = [names.setdefault((play.trial, play.watched, play.acted), len(names)) for play in plays]
    table = _Table(appraiser)
    for key, watched, acted in names:
        table.add(key, watched, acted)
    return table.finished(tuple(names)), np.array(which, dtype=np.int64)


class _Table:
    """Places and choices while they are collected."""

    def __init__(self, appraiser: Appraiser) -> None:
        self.appraiser = appraiser
        by_steps = appraiser.row == appraiser._lattice_row
        self.same = _by_steps if by_steps else _by_order
        self.places: dict[tuple[Key, object], int] = {}
        self.rows: list[Row] = []
        self.lasts: list[int] = []
        self.choices: dict[tuple[int, int], int] = {}
        self.flat: list[int] = []
        self.ends = [0]
        self.unwatched: list[bool] = []
        self.forced: list[int] = []

    def add(self, key: Key, watched: tuple[int, ...], acted: bool) -> None:
        """Add a play: each choice that had an alternative."""
        made = [1 + npc for npc in watched] + [0] * acted
        forced = 0
        for count, option in enumerate(made):
            before = watched[:count]
            place = self.places.get((key, self.same(before)))
            if place is None:
                place = len(self.rows)
                self.places[key, self.same(before)] = place
                self.rows.append(self.appraiser.row(key, before))
                self.lasts.append(before[-1] if before else -1)
            if max(self.rows[place][0][1:], default=-np.inf) == -np.inf:
                forced += 1
            else:
                self.flat.append(self.choices.setdefault((place, option), len(self.choices)))
        self.ends.append(len(self.flat))
        self.unwatched.append(acted and not watched)
        self.forced.append(forced)

    def finished(self, names: tuple[tuple[Key, tuple[int, ...], bool], ...]) -> Choices:
        """The arrays."""
        most = max((len(values) for values, _ in self.rows), default=1)
        values = np.full((len(self.rows), most), -np.inf)
        looks = np.zeros((len(self.rows), most))
        for place, (worth, steps) in enumerate(self.rows):
            values[place, : len(worth)] = worth
            looks[place, 1 : len(worth)] = np.nan_to_num(steps, nan=1.0)
        pairs = np.array(list(self.choices), dtype=np.int64).reshape(-1, 2)
        shape = (len(names), len(pairs))
        member = csr_array((np.ones(len(self.flat)), self.flat, self.ends), shape=shape)
        return Choices(
            values,
            looks,
            np.array(self.lasts, dtype=np.int64),
            pairs[:, 0],
            pairs[:, 1],
            member,
            np.array(self.unwatched, dtype=bool),
            np.diff(self.ends).astype(np.int64),
            np.array(self.forced, dtype=np.int64),
            names,
        )


def _by_steps(watched: tuple[int, ...]) -> object:
    """How many steps were seen of each NPC, and whose was the last."""
    return tuple(sorted(watched)), watched[-1] if watched else -1


def _by_order(watched: tuple[int, ...]) -> object:
    return watched
