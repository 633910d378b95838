"""Observers under a choice rule: the parameters that matter, the probabilities, the runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from onlooker.observers.choosing import ChoiceRule, choice_probabilities
from onlooker.observers.engine import Engine
from onlooker.observers.observer import Observer, has_values, option_of, values_of
from onlooker.observers.results import ACT, Decision, Result, View
from onlooker.support.arrays import FloatArray


def rule_for(observer: Observer, rule: ChoiceRule | str | None = None) -> ChoiceRule:
    """The rule by which an observer chooses: its own rule if none is given.

    ValueError if the rule is soft and the observer has no values.
    """
    found = observer.rule if rule is None else ChoiceRule(rule)
    if found is not ChoiceRule.HARD and not has_values(observer):
        raise ValueError(
            f"observer {observer.name!r} has no method values(engine, view, choices), which the"
            f" {found} rule needs: expected one that returns Values(act, watch)"
        )
    return found


def soft_parameters(observer: Observer, rule: ChoiceRule) -> tuple[str, ...]:
    """The parameters beyond the paper's on which an observer depends if it chooses by a rule.

    >>> from onlooker.observers.compositions import GradedMentalizing
    >>> soft_parameters(GradedMentalizing(), ChoiceRule.HARD)
    ('caution',)
    """
    return (*_OF_RULE[rule], "caution") if observer.looks_ahead else _OF_RULE[rule]


_OF_RULE: dict[ChoiceRule, tuple[str, ...]] = {
    ChoiceRule.HARD: (),
    ChoiceRule.SOFTMAX: ("temperature", "lapse"),
    ChoiceRule.GRADED: ("temperature", "curiosity", "skip"),
}


def probabilities_at(
    observer: Observer, engine: Engine, view: View, choices: Sequence[str], rule: ChoiceRule
) -> FloatArray:
    """The probabilities of acting and of watching each NPC at a view, without `skip`."""
    if rule is ChoiceRule.HARD:
        chosen = option_of(observer, engine, view, choices)
        unused = np.zeros(len(engine.trial.npcs) + 1)
        return choice_probabilities(rule, engine.parameters, unused, chosen)
    values = values_of(observer, engine, view, choices)
    return choice_probabilities(rule, engine.parameters, values)


def run_by_rule(observer: Observer, engine: Engine, rule: ChoiceRule) -> Result:
    """An observer's own run; for a soft rule its trace has the probability of each choice.

    These are the probabilities of a player that does not skip the trial, at the views that the
    observer itself comes to.
    """
    result = observer.run(engine)
    if rule is ChoiceRule.HARD:
        return result
    npcs, trace = [npc.id for npc in engine.trial.npcs], list[Decision]()
    for step, decision in enumerate(result.trace):
        seen = result.choices[:step]
        view = engine.view_at([seen.count(npc) for npc in npcs])
        act, *watch = probabilities_at(observer, engine, view, seen, rule).tolist()
        there = {npc: watch[n] for n, npc in enumerate(npcs) if not engine.arrived(view, n)}
        trace.append(decision._replace(probabilities={ACT: act} | there))
    return replace(result, trace=tuple(trace))
