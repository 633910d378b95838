"""Simulated participants: noisy versions of any observer play the orderings.

At each step the participant chooses among acting and observing each NPC that has not arrived. With
probability `lapse` it takes any of them alike. Else, where the observer weighs costs, it takes one
by softmax: with probability proportional to exp(−cost / temperature), the cost of acting being
C_self and that of observing an NPC its Q_obs; where it does not, what the observer itself would do.
Once it acts it goes on to the chest as the observer would.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from onlooker.experiments.records import Records, record_trial
from onlooker.game import Act, BudgetRule, Choice, Observe, Trial
from onlooker.inference.parameters import Parameters
from onlooker.observers import ACT, Decision, Engine, Observer, View
from onlooker.observers.observer import candidates_of, decision_of

Progress = Callable[[Iterable[int], int], Iterable[int]]


@dataclass(frozen=True, slots=True)
class Noise:
    """How a simulated participant strays from its observer."""

    temperature: float = 2.0  # points
    lapse: float = 0.05

    def __post_init__(self) -> None:
        if not self.temperature >= 0 or self.temperature == float("inf"):
            raise ValueError(f"temperature must be at least 0, not {self.temperature!r}")
        if not 0 <= self.lapse <= 1:
            raise ValueError(f"lapse must be from 0 to 1, not {self.lapse!r}")


def simulate(
    experiment: int,
    trials: Sequence[Trial],
    orderings: Sequence[Sequence[str]],
    observer: Observer,
    participants: int,
    noise: Noise | None = None,
    parameters: Parameters | None = None,
    seed: int = 1,
    progress: Progress = lambda items, total: items,
    budget: BudgetRule = "paper",
) -> Records:
    """The tables of a study in which simulated participants play the orderings, in turn."""
    noise = noise or Noise()
    players = {
        trial.name: _Player(Engine(trial, parameters, budget_rule=budget), observer)
        for trial in trials
    }
    records = Records()
    seeds = np.random.SeedSequence([seed, experiment]).spawn(participants)
    for index in progress(range(participants), participants):
        number = index % len(orderings)
        rng = np.random.default_rng(seeds[index])
        who = f"sim{experiment}{index + 1:04}"
        for position, name in enumerate(orderings[number], start=1):
            player = players[name]
            log = player.play(rng, noise)
            record_trial(records, who, experiment, position, player.engine.stage, log)
        records.participants.append(
            {
                "participant": who,
                "experiment": experiment,
                "ordering": number + 1,
                "completed": True,
                "age": None,
                "gender": None,
            }
        )
    return records


class _Player:
    """One trial with everything that was already thought through in it."""

    def __init__(self, engine: Engine, observer: Observer) -> None:
        self.engine, self.observer = engine, observer
        self.thoughts: dict[tuple[str, ...], tuple[View, Decision]] = {}
        self.routes: dict[Any, tuple[Choice, ...]] = {}

    def play(self, rng: np.random.Generator, noise: Noise) -> list[Choice]:
        """A log of choices from start to chest."""
        choices: tuple[str, ...] = ()
        while True:
            view, decision = self.thought(choices)
            choice = self.sample(rng, noise, view, decision)
            if choice == ACT:
                break
            choices = (*choices, choice)
        candidates = candidates_of(self.observer, self.engine, view)
        key = tuple(sorted(candidates.items()))
        if key not in self.routes:
            route, _ = self.engine.act(candidates)
            self.routes[key] = tuple(Act(action) for action in route)
        return [*(Observe(npc) for npc in choices), *self.routes[key]]

    def thought(self, choices: tuple[str, ...]) -> tuple[View, Decision]:
        """What is seen and decided after some observations."""
        if choices not in self.thoughts:
            view = self.engine.opening
            if choices:
                before, _ = self.thought(choices[:-1])
                view = self.engine.observe(before, self.engine.trial.npc_index(choices[-1]))
            self.thoughts[choices] = view, decision_of(self.observer, self.engine, view, choices)
        return self.thoughts[choices]

    def sample(self, rng: np.random.Generator, noise: Noise, view: View, decision: Decision) -> str:
        """One choice among acting and the NPCs that have not arrived."""
        npcs = self.engine.trial.npcs
        costs: dict[str, float | None] = {ACT: decision.c_self}
        for index, npc in enumerate(npcs):
            if not self.engine.arrived(view, index):
                costs[npc.id] = decision.q_obs[index] if decision.q_obs is not None else None
        if rng.random() < noise.lapse:
            return str(rng.choice(list(costs)))
        known = {choice: cost for choice, cost in costs.items() if cost is not None}
        if len(known) > 1 and ACT in known and noise.temperature > 0:
            return softmax(rng, known, noise.temperature)
        return decision.choice


def softmax(rng: np.random.Generator, costs: dict[str, float], temperature: float) -> str:
    """A choice with probability proportional to exp(−cost / temperature)."""
    values = np.array(list(costs.values()))
    finite = np.isfinite(values)
    if not finite.any():
        return next(iter(costs))
    weights = np.where(finite, np.exp(-(values - values[finite].min()) / temperature), 0.0)
    return str(rng.choice(list(costs), p=weights / weights.sum()))
