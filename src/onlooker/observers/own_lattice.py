"""The lattice of an observer that is written in Python."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np

from onlooker.observers.choosing import ChoiceRule
from onlooker.observers.engine import Engine
from onlooker.observers.errors import ObserverError
from onlooker.observers.lattice import MOST_COMBINATIONS, Lattice, too_many
from onlooker.observers.observer import Observer, candidates_of, decision_of
from onlooker.observers.results import ACT, Candidates
from onlooker.observers.views import Values, View
from onlooker.planning import NoPathError
from onlooker.support.arrays import FloatArray


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
    acting = _Acting(observer, engine)
    actions, interactions = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
    views: dict[tuple[int, ...], View] = {}
    for steps in product(*map(range, shape)):
        view = views[steps] = _view(engine, views, steps)
        for last in range(npcs + 1):
            chosen[(*steps, last)] = _choice(observer, engine, view, _choices(engine, steps, last))
        if has_values(observer):
            choices = _choices(engine, steps, npcs)
            values[steps] = value_array(values_of(observer, engine, view, choices))
        actions[steps], interactions[steps] = acting(view)
    looks = np.full((*shape, npcs), np.nan)
    return Lattice(engine.trial, values, looks, chosen, actions, interactions)


def _view(engine: Engine, views: dict[tuple[int, ...], View], steps: tuple[int, ...]) -> View:
    """The view at a combination, one step after another one."""
    for npc, count in enumerate(steps):
        if count:
            before = (*steps[:npc], count - 1, *steps[npc + 1 :])
            return engine.observe(views[before], npc)
    return engine.opening


def _choices(engine: Engine, steps: Sequence[int], last: int) -> list[str]:
    """Some order of the NPCs watched; if `last` was not watched, the last one that was is last."""
    order = sorted(range(len(steps)), key=lambda npc: (npc == last - 1, npc))
    return [engine.trial.npcs[npc].id for npc in order for _ in range(steps[npc])]


def _choice(observer: Observer, engine: Engine, view: View, choices: Sequence[str]) -> int:
    choice = decision_of(observer, engine, view, choices).choice
    return 0 if choice == ACT else 1 + engine.trial.npc_index(choice)


class _Acting:
    """What acting at a view takes; most views have their candidates in common."""

    def __init__(self, observer: Observer, engine: Engine) -> None:
        self.observer, self.engine = observer, engine
        self.known: dict[Any, tuple[int, int]] = {}

    def __call__(self, view: View) -> tuple[int, int]:
        """The actions, and the interactions among them; −1 where the main agent gets stuck."""
        candidates: Candidates = candidates_of(self.observer, self.engine, view)
        key = tuple(sorted((colour, tuple(ids)) for colour, ids in candidates.items()))
        if key not in self.known:
            try:
                route, interactions = self.engine.act(candidates)
                self.known[key] = len(route), interactions
            except NoPathError:
                self.known[key] = -1, -1
        return self.known[key]


def has_values(observer: Observer) -> bool:
    """Whether an observer says what acting and watching are worth."""
    return callable(getattr(observer, "values", None))


def rule_for(observer: Observer, rule: ChoiceRule | str | None = None) -> ChoiceRule:
    """The rule by which an observer is to choose, its own if none is given.

    ValueError if it is a soft one and the observer has no values.
    """
    found = observer.rule if rule is None else ChoiceRule(rule)
    if found is not ChoiceRule.HARD and not has_values(observer):
        raise ValueError(
            f"observer {observer.name!r} has no method values(engine, view, choices), which the"
            f" {found} rule needs: expected one that returns Values(act, watch)"
        )
    return found


def values_of(observer: Observer, engine: Engine, view: View, choices: Sequence[str]) -> Values:
    """What acting and watching are worth to an observer; ObserverError if that cannot be."""
    values: object = observer.values(engine, view, choices)  # type: ignore[attr-defined]
    npcs = len(engine.trial.npcs)
    if not isinstance(values, Values):
        reason = f"expected Values, not {values!r}"
    elif len(values.watch) != npcs:
        reason = f"expected {npcs} values of watching, not {len(values.watch)}"
    elif any(
        (value is None) != engine.arrived(view, npc) for npc, value in enumerate(values.watch)
    ):
        reason = "expected a value of watching for each NPC that has not arrived, None for others"
    elif np.isnan(value_array(values)).any():
        reason = f"expected numbers, not {values!r}"
    else:
        return values
    raise ObserverError(observer.name, engine.trial, f"values: {reason}")


def value_array(values: Values) -> FloatArray:
    """Values as an array: acting, then watching each NPC, −inf once it has arrived."""
    return np.array([values.act, *(-np.inf if v is None else v for v in values.watch)], float)
