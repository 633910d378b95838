"""The lattice of an observer that is written in Python."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np

from onlooker.observers.compositions import ComposedObserver, has_parts
from onlooker.observers.engine import Engine
from onlooker.observers.lattice import MOST_COMBINATIONS, Lattice, too_many
from onlooker.observers.observer import Observer, decision_of
from onlooker.observers.results import ACT
from onlooker.observers.ruling import has_values, value_array, values_of
from onlooker.observers.views import View
from onlooker.planning import NoPathError


def lattice_of(observer: Observer, engine: Engine) -> Lattice:
    """Any observer's lattice of a trial: compiled where it is made of parts."""
    if isinstance(observer, ComposedObserver) and has_parts(observer):
        return engine.lattice(observer.parts)
    return own_lattice(observer, engine)


def own_lattice(observer: Observer, engine: Engine) -> Lattice:
    """Ask an observer at every combination of steps seen, after each NPC watched last.

    Of the order in which NPCs were watched it is only told who was last: the others come first, in
    their order. The values of an observer without the method `values` are nan.
    """
    shape = tuple(len(path) + 1 for path in engine.paths)
    npcs = len(shape)
    if np.prod(shape, dtype=object) > MOST_COMBINATIONS:
        raise too_many(engine.trial, int(np.prod(shape, dtype=object)))
    values = np.full((*shape, npcs + 1), np.nan)
    chosen = np.zeros((*shape, npcs + 1), np.int64)
    actions, interactions = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
    for steps in product(*map(range, shape)):
        view = engine.view_at(steps)
        for last in range(npcs + 1):
            chosen[(*steps, last)] = _choice(observer, engine, view, _choices(engine, steps, last))
        if has_values(observer):
            choices = _choices(engine, steps, npcs)
            values[steps] = value_array(values_of(observer, engine, view, choices))
        actions[steps], interactions[steps] = _acting(observer, engine, view)
    looks = np.full((*shape, npcs), np.nan)
    return Lattice(engine.trial, values, looks, chosen, actions, interactions)


def _choices(engine: Engine, steps: Sequence[int], last: int) -> list[str]:
    """Some order of the NPCs watched; if `last` was not watched, the last one that was is last."""
    order = sorted(range(len(steps)), key=lambda npc: (npc == last - 1, npc))
    return [engine.trial.npcs[npc].id for npc in order for _ in range(steps[npc])]


def _choice(observer: Observer, engine: Engine, view: View, choices: Sequence[str]) -> int:
    choice = decision_of(observer, engine, view, choices).choice
    return 0 if choice == ACT else 1 + engine.trial.npc_index(choice)


def _acting(observer: Observer, engine: Engine, view: View) -> tuple[int, int]:
    """The actions of acting at a view, and the interactions among them; −1 if that gets stuck."""
    try:
        route, interactions = observer.act(engine, view)
    except NoPathError:
        return -1, -1
    return len(route), interactions
