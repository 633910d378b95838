"""Players by name."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from onlooker.game import BudgetRule, Choice, Player, PlayerView, Trial
from onlooker.inference.parameters import Parameters
from onlooker.observers import KNOWN_OBSERVERS, Observer, find_observer
from onlooker.observers.registry import class_at, describe
from onlooker.players.observers import ObserverPlayer, knows_all

RANDOM = "random"
BUDGET: BudgetRule = "map"  # the paper's budget often identifies the holder, and programs can tell

Seed = np.random.SeedSequence


class RandomPlayer:
    """Takes one of the available choices uniformly at random.

    >>> from onlooker.game import load_trial, play_trial
    >>> from onlooker.planning import stage
    >>> turns = play_trial(stage(load_trial("examples/early-turn.map")), RandomPlayer(1), most=5)
    >>> len(turns)
    5
    """

    def __init__(self, seed: int | Seed | None = None) -> None:
        self._rng = np.random.default_rng(seed)

    def choose(self, view: PlayerView) -> Choice:
        """Any of the choices."""
        return view.choices[int(self._rng.integers(len(view.choices)))].choice


@dataclass(frozen=True)
class Entrant:
    """Someone who can be asked to play: who it is, and how a player is made of it for a trial."""

    name: str  # in files and on the command line
    title: str  # in tables and figures
    make: Callable[[Trial, Seed], Player]
    sees_hidden: bool = False  # does it know what is hidden from players?
    stochastic: bool = True  # may it play otherwise with another seed?
    observer: Observer | None = None  # whose chances of each choice are known


def find_entrant(name: str, parameters: Parameters | None = None) -> Entrant:
    """The player of that name: an observer's, "random", or the class at `package.module:Class`.

    >>> find_entrant("naive_observer").title
    'Naive Observer'
    """
    if name == RANDOM:
        return Entrant(RANDOM, "Random choices", lambda trial, seed: RandomPlayer(seed))
    if name in KNOWN_OBSERVERS:
        return _of_observer(find_observer(name), parameters)
    if ":" not in name:
        known = ", ".join((*KNOWN_OBSERVERS, RANDOM))
        raise ValueError(
            f"there is no player {name!r}; there are {known}, and package.module:Class for one of"
            " your own"
        )
    return _own(name, parameters)


def _of_observer(observer: Observer, parameters: Parameters | None) -> Entrant:
    sees_hidden = knows_all(observer)

    def make(trial: Trial, seed: Seed) -> Player:
        return ObserverPlayer(observer, parameters, seed=seed, told=trial if sees_hidden else None)

    stochastic = str(observer.rule) != "hard"
    return Entrant(observer.name, observer.title, make, sees_hidden, stochastic, observer)


def _own(name: str, parameters: Parameters | None) -> Entrant:
    """The player at `package.module:Class`, which may be an observer."""
    found = class_at(name, "player")
    if isinstance(found, type) and issubclass(found, Observer):
        return _of_observer(find_observer(name), parameters)
    if not isinstance(found, type) or not callable(getattr(found, "choose", None)):
        raise ValueError(f"{name!r} is not a player: expected a class with a method choose(view)")
    seeded = "seed" in inspect.signature(found).parameters

    def make(trial: Trial, seed: Seed) -> Player:
        try:
            made: Player = found(seed=seed) if seeded else found()
        except Exception as error:
            raise ValueError(f"{name!r} cannot be made: {describe(error)}") from None
        return made

    called = getattr(found, "name", found.__name__)
    return Entrant(str(called), str(getattr(found, "title", called)), make)
