"""What an observer has seen at a point of a trial, and what is worked out there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from onlooker.game import Action, State
from onlooker.support.arrays import FloatArray


class History(NamedTuple):
    """What has been seen of one NPC."""

    node: int  # in the engine's tree
    steps: int  # how many actions were seen
    action: Action | None  # the last of them
    arrived: bool  # it was seen to take its chest


@dataclass(frozen=True)
class View:
    """What the observer has seen so far, and where its own agent stands.

    >>> from onlooker.game import load_trial
    >>> from onlooker.observers import Engine
    >>> engine = Engine(load_trial("examples/early-turn.map"))
    >>> engine.observe(engine.opening, 0).histories[0].steps
    1
    """

    histories: tuple[History, ...]  # per NPC
    main: State
    own_evidence: FloatArray  # (holders): log evidence from its own interactions


class Values(NamedTuple):
    """What acting and watching each NPC are worth; higher is better."""

    act: float
    watch: tuple[float | None, ...]  # per NPC, None once it has arrived


class Leg(NamedTuple):
    """A least-cost walk to a wizard, that wizard asked at its end, or to the chest."""

    cost: float
    actions: tuple[Action, ...]
    end: State | None  # where it ends, None if there is no way
