"""Simulated participants: noisy versions of any observer play the orderings.

At each step a participant draws among acting and watching each NPC that has not arrived, with the
probabilities that a choice rule gives them (`observers.choosing`). Once it acts it goes on to the
chest as the observer would.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property

import numpy as np

from onlooker.experiments.labels import engine_under, observer_under
from onlooker.experiments.naming import seed_of
from onlooker.experiments.records import Records, record_participant, record_trial
from onlooker.game import Act, BudgetRule, Choice, ExperimentName, Label, Observe, Trial
from onlooker.inference.parameters import Parameters, check_parameters
from onlooker.observers import ChoiceRule, Engine, Observer, rule_for
from onlooker.observers.choice_rules import probabilities_at
from onlooker.observers.choosing import draw, skipping
from onlooker.observers.compositions import has_parts
from onlooker.observers.expectations import lattice_probabilities
from onlooker.planning import as_played
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
    experiment: ExperimentName,
    trials: Sequence[Trial],
    orderings: Sequence[Sequence[str]],
    observer: Observer,
    participants: int,
    parameters: Parameters | None = None,
    rule: ChoiceRule | str | None = None,
    seed: int = 1,
    progress: Progress = lambda items, total: items,
    budget: BudgetRule = "paper",
    labels: Sequence[Label] = (),
) -> Records:
    """The tables of a study in which simulated participants play the orderings, in turn.

    With labels, each participant is told one of these about teachers, in turn.
    """
    by, parameters = playing_rule(observer, rule), check_parameters(parameters)
    trials = [as_played(trial, parameters.costs) for trial in trials]
    observers: dict[Label | None, Observer] = {None: observer}
    if labels:
        observers = {label: observer_under(label, observer) for label in labels}
    players = {
        (label, trial.name): Participant(
            engine_under(trial, label, parameters, budget)
            if label
            else Engine(trial, parameters, budget_rule=budget),
            told,
            by,
        )
        for label, told in observers.items()
        for trial in trials
    }
    records = Records()
    seeds = np.random.SeedSequence([seed, seed_of(experiment)]).spawn(participants)
    for index in progress(range(participants), participants):
        label = list(observers)[index % len(observers)]
        number = index // len(observers) % len(orderings)
        rng = np.random.default_rng(seeds[index])
        who = f"sim{experiment}{index + 1:04}"
        me = observers[label]
        for position, name in enumerate(orderings[number], start=1):
            player = players[label, name].of(me)
            watched = player.watch(rng)
            stage, log = player.engine.stage, player.log(watched)
            record_trial(records, who, experiment, position, stage, log, label=label)
            me = player.after(watched)
        record_participant(records, who, experiment, number + 1, completed=True, label=label)
    return records


class TrialPlayer:
    """One trial, played to its end as an observer would after some watching."""

    def __init__(self, engine: Engine, observer: Observer) -> None:
        self.engine, self.observer = engine, observer
        self.routes: dict[tuple[int, ...], tuple[Choice, ...]] = {}

    def log(self, watched: Sequence[int]) -> list[Choice]:
        """The choices from start to chest, of one who watched these NPCs one after the other."""
        npcs, steps = self.engine.trial.npcs, self.steps(watched)
        if steps not in self.routes:
            route, _ = self.observer.act(self.engine, self.engine.view_at(steps))
            self.routes[steps] = tuple(Act(action) for action in route)
        return [*(Observe(npcs[npc].id) for npc in watched), *self.routes[steps]]

    def after(self, watched: Sequence[int]) -> Observer:
        """The observer that goes into the next trial."""
        return self.observer.carry(self.engine, self.engine.view_at(self.steps(watched)))

    def steps(self, watched: Sequence[int]) -> tuple[int, ...]:
        """How many steps of each NPC were watched."""
        return tuple(watched.count(npc) for npc in range(len(self.engine.trial.npcs)))


class Participant(TrialPlayer):
    """One who draws what to watch, with everything that was already thought through."""

    def __init__(self, engine: Engine, observer: Observer, rule: ChoiceRule) -> None:
        super().__init__(engine, observer)
        self.rule = rule
        self.skip = skipping(rule, engine.parameters)
        self.chances: dict[tuple[int, ...], FloatArray] = {}

    def of(self, observer: Observer) -> Participant:
        """The same trial for an observer that may have learnt something from others."""
        if observer is self.observer:
            return self
        return Participant(self.engine, observer, self.rule)

    def watch(self, rng: np.random.Generator) -> tuple[int, ...]:
        """The NPCs that are watched, one after the other."""
        watched: tuple[int, ...] = ()
        skips = self.skip > 0 and rng.random() < self.skip
        while not skips:
            choice = draw(self.probabilities(watched), rng)
            if choice == 0:
                break
            watched = (*watched, choice - 1)
        return watched

    def probabilities(self, watched: tuple[int, ...]) -> FloatArray:
        """The probability of acting and of watching each NPC after some observations."""
        if self.table is not None:
            here = self.table[self.steps(watched)]
            found: FloatArray = here[min(1 + watched[-1] if watched else 0, len(here) - 1)]
            return found
        if watched not in self.chances:
            view = self.engine.view_at(self.steps(watched))
            ids = tuple(self.engine.trial.npcs[npc].id for npc in watched)
            self.chances[watched] = probabilities_at(
                self.observer, self.engine, view, ids, self.rule
            )
        return self.chances[watched]

    @cached_property
    def table(self) -> FloatArray | None:
        """The probabilities on the whole lattice, for an observer that is made of parts."""
        if not has_parts(self.observer):
            return None
        lattice = self.engine.lattice(self.observer.parts)
        return lattice_probabilities(lattice, self.rule, self.engine.parameters)
