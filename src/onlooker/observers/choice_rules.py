"""Observers under a choice rule: what they depend on then, their runs and their lattices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product

import numpy as np

from onlooker.inference.parameters import SOFT
from onlooker.observers.choosing import ChoiceRule, choice_probabilities
from onlooker.observers.compositions import ComposedObserver, has_parts
from onlooker.observers.engine import Engine
from onlooker.observers.errors import ObserverError
from onlooker.observers.lattice import MOST_COMBINATIONS, Lattice, too_many
from onlooker.observers.observer import Observer, decision_of
from onlooker.observers.results import ACT, Decision, Result, Values, View
from onlooker.planning import NoPathError
from onlooker.support.arrays import FloatArray


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


def soft_parameters(observer: Observer, rule: ChoiceRule) -> tuple[str, ...]:
    """The parameters beyond the paper's that an observer depends on if it chooses by a rule.

    >>> from onlooker.observers.compositions import GradedMentalizing
    >>> soft_parameters(GradedMentalizing(), ChoiceRule.HARD)
    ('caution',)
    """
    used = set(_OF_RULE[rule])
    if observer.looks_ahead:
        used.add("caution")
    return tuple(name for name in SOFT if name in used)


_OF_RULE = {
    ChoiceRule.HARD: (),
    ChoiceRule.SOFTMAX: ("temperature", "lapse"),
    ChoiceRule.GRADED: ("temperature", "curiosity", "skip"),
}


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


def probabilities_at(
    observer: Observer, engine: Engine, view: View, choices: Sequence[str], rule: ChoiceRule
) -> FloatArray:
    """The probabilities of acting and of watching each NPC at a view, not counting `skip`."""
    chosen = None
    if rule is ChoiceRule.HARD:
        choice = decision_of(observer, engine, view, choices).choice
        chosen = 0 if choice == ACT else 1 + engine.trial.npc_index(choice)
        values = np.zeros(len(engine.trial.npcs) + 1)
    else:
        values = value_array(values_of(observer, engine, view, choices))
    return choice_probabilities(rule, engine.parameters, values, chosen)


def run_by_rule(observer: Observer, engine: Engine, rule: ChoiceRule) -> Result:
    """An observer's own run; for a soft rule its trace has the probability of each choice.

    These are the probabilities of someone who watches, at the views that the observer itself comes
    to.
    """
    result = observer.run(engine)
    if rule is ChoiceRule.HARD:
        return result
    npcs, view = [npc.id for npc in engine.trial.npcs], engine.opening
    trace: list[Decision] = []
    for step, decision in enumerate(result.trace):
        p = probabilities_at(observer, engine, view, result.choices[:step], rule).tolist()
        there = {ACT: p[0]} | {
            npc: p[1 + n] for n, npc in enumerate(npcs) if not engine.arrived(view, n)
        }
        trace.append(decision._replace(probabilities=there))
        if decision.choice != ACT:
            view = engine.observe(view, npcs.index(decision.choice))
    return replace(result, trace=tuple(trace))


def value_array(values: Values) -> FloatArray:
    """Values as an array: acting, then watching each NPC, −inf once it has arrived."""
    return np.array([values.act, *(-np.inf if v is None else v for v in values.watch)], float)


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
