"""Simulated participants: noisy versions of any observer play the orderings.

At each step a participant draws among acting and watching each NPC that has not arrived, with the
probabilities that a choice rule gives them (`observers.choosing`). Once it acts it goes on to the
chest as the observer would.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property

import numpy as np

from onlooker.experiments.records import Records, record_participant, record_trial
from onlooker.game import Act, BudgetRule, Choice, Observe, Trial
from onlooker.inference.parameters import Parameters
from onlooker.observers import ChoiceRule, Engine, Observer, rule_for
from onlooker.observers.choosing import draw, skipping
from onlooker.observers.compositions import ComposedObserver, has_parts
from onlooker.observers.expectations import lattice_probabilities
from onlooker.observers.ruling import probabilities_at
from onlooker.support.arrays import FloatArray

Progress = Callable[[Iterable[int], int], Iterable[int]]


def playing_rule(observer: Observer, rule: ChoiceRule | str | None = None) -> ChoiceRule:
    """The rule by which simulated participants choose: softmax, or an observer's own soft rule.

    ValueError if the observer has no values for it.
    """
    if rule is None and observer.rule is ChoiceRule.HARD:
        rule = ChoiceRule.SOFTMAX
    return rule_for(observer, rule)


def simulate(
    experiment: int,
    trials: Sequence[Trial],
    orderings: Sequence[Sequence[str]],
    observer: Observer,
    participants: int,
    parameters: Parameters | None = None,
    rule: ChoiceRule | str | None = None,
    seed: int = 1,
    progress: Progress = lambda items, total: items,
    budget: BudgetRule = "paper",
) -> Records:
    """The tables of a study in which simulated participants play the orderings, in turn."""
    by = playing_rule(observer, rule)
    players = {
        trial.name: _Player(Engine(trial, parameters, budget_rule=budget), observer, by)
        for trial in trials
    }
    records = Records()
    seeds = np.random.SeedSequence([seed, experiment]).spawn(participants)
    for index in progress(range(participants), participants):
        number = index % len(orderings)
        rng = np.random.default_rng(seeds[index])
        who = f"sim{experiment}{index + 1:04}"
        me = observer
        for position, name in enumerate(orderings[number], start=1):
            player = players[name].of(me)
            log = player.play(rng)
            record_trial(records, who, experiment, position, player.engine.stage, log)
            me = player.after(log)
        record_participant(records, who, experiment, number + 1, completed=True)
    return records


class _Player:
    """One trial with everything that was already thought through in it."""

    def __init__(self, engine: Engine, observer: Observer, rule: ChoiceRule) -> None:
        self.engine, self.observer, self.rule = engine, observer, rule
        self.skip = skipping(rule, engine.parameters)
        self.chances: dict[tuple[str, ...], FloatArray] = {}
        self.routes: dict[tuple[int, ...], tuple[Choice, ...]] = {}

    def of(self, observer: Observer) -> _Player:
        """The same trial for an observer that may have learnt something from others."""
        if observer is self.observer:
            return self
        return _Player(self.engine, observer, self.rule)

    def after(self, log: Sequence[Choice]) -> Observer:
        """The observer that goes into the next trial."""
        watched = tuple(choice.npc for choice in log if isinstance(choice, Observe))
        return self.observer.carry(self.engine, self.engine.view_at(self.steps(watched)))

    def play(self, rng: np.random.Generator) -> list[Choice]:
        """A log of choices from start to chest."""
        npcs = self.engine.trial.npcs
        choices: tuple[str, ...] = ()
        skips = self.skip > 0 and rng.random() < self.skip
        while not skips:
            choice = draw(self.probabilities(choices), rng)
            if choice == 0:
                break
            choices = (*choices, npcs[choice - 1].id)
        return [*(Observe(npc) for npc in choices), *self.route(self.steps(choices))]

    def probabilities(self, choices: tuple[str, ...]) -> FloatArray:
        """The probability of acting and of watching each NPC after some observations."""
        if self.table is not None:
            last = 1 + self.engine.trial.npc_index(choices[-1]) if choices else 0
            here = self.table[self.steps(choices)]
            found: FloatArray = here[min(last, len(here) - 1)]
            return found
        if choices not in self.chances:
            self.chances[choices] = self.think(choices)
        return self.chances[choices]

    @cached_property
    def table(self) -> FloatArray | None:
        """The probabilities on the whole lattice, for an observer that is made of parts."""
        if not isinstance(self.observer, ComposedObserver) or not has_parts(self.observer):
            return None
        lattice = self.engine.lattice(self.observer.parts)
        return lattice_probabilities(lattice, self.rule, self.engine.parameters)

    def think(self, choices: tuple[str, ...]) -> FloatArray:
        """The probabilities by what an observer written in Python says."""
        view = self.engine.view_at(self.steps(choices))
        return probabilities_at(self.observer, self.engine, view, choices, self.rule)

    def steps(self, choices: tuple[str, ...]) -> tuple[int, ...]:
        """How many steps of each NPC were watched."""
        return tuple(choices.count(npc.id) for npc in self.engine.trial.npcs)

    def route(self, steps: tuple[int, ...]) -> tuple[Choice, ...]:
        """What the main agent does after having seen so many steps of each NPC."""
        if steps not in self.routes:
            route, _ = self.observer.act(self.engine, self.engine.view_at(steps))
            self.routes[steps] = tuple(Act(action) for action in route)
        return self.routes[steps]
