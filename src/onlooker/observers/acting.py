"""How an observer acts once it has stopped watching."""

from __future__ import annotations

from dataclasses import dataclass

from onlooker.game import ACTIONS, Action
from onlooker.observers import kernels
from onlooker.observers.engine import Engine
from onlooker.observers.results import Candidates


@dataclass(frozen=True, slots=True)
class Run:
    """What the main agent did."""

    route: tuple[Action, ...]
    moves: int
    interactions: int


def act(engine: Engine, candidates: Candidates) -> Run:
    """Go for the candidates in the tour's order, then for other wizards if need be, to the chest.

    A colour is skipped once its amulet is held, and a wizard that cannot be reached when its turn
    comes is left for later.
    """
    wizards = engine.exploration.bits(engine.wizards(candidates))
    interactions = int(engine.ask(kernels.ACT, wizards))
    count = engine.workspace.number("count")
    route = tuple(ACTIONS[action] for action in engine.workspace.section("route")[:count])
    return Run(route, count - interactions, interactions)
