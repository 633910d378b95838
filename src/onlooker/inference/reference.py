"""The plain version of the inference: one hypothesis, one action at a time, in log weights."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from math import inf
from typing import NamedTuple

from onlooker.game import (
    Event,
    Expertise,
    Interaction,
    Map,
    Move,
    Npc,
    State,
    Step,
    Trial,
    needs,
    possible_holders,
)
from onlooker.inference.errors import UnexplainedError
from onlooker.planning import Tables, best_step, expert_to_go, novice_to_go, steps
from onlooker.planning.policies import CostToGo, novice_step

Assignment = tuple[str, ...]  # the holder of each colour, in the order of the map's colours


class Hypothesis(NamedTuple):
    """What an observer may think of an NPC: which chest it goes for, and who holds the amulets."""

    goal: str
    assignment: Assignment


def assignments(map: Map) -> list[Assignment]:
    """Every way the amulets can be held.

    >>> from onlooker.game import Wizard
    >>> blue = [Wizard("w1", (0, 0), "blue"), Wizard("w2", (1, 0), "blue")]
    >>> assignments(Map(3, 1, wizards=(*blue, Wizard("w3", (2, 0), "red"))))
    [('w1', 'w3'), ('w2', 'w3')]
    """
    return [tuple(holders.values()) for holders in possible_holders(map)]


def holders_of(map: Map, held: Assignment) -> dict[str, str]:
    """The holders of an assignment by their colours."""
    return dict(zip(map.colours, held, strict=True))


def log_sum(logs: Iterable[float]) -> float:
    """The log of a sum of numbers that are given as logs."""
    logs = list(logs)
    top = max(logs, default=-inf)
    if top == -inf:
        return -inf
    return top + math.log(math.fsum(math.exp(log - top) for log in logs))


def normalised(logs: Mapping[Hypothesis, float]) -> dict[Hypothesis, float]:
    """Probabilities in proportion to weights that are given as logs."""
    total = log_sum(logs.values())
    return {hypothesis: math.exp(log - total) for hypothesis, log in logs.items()}


class NpcModel:
    """What the observer expects one NPC to do under a hypothesis."""

    def __init__(self, tables: Tables, npc: Npc, beta: float) -> None:
        self.tables, self.npc, self.beta = tables, npc, beta
        self.needs = {letter: c or () for letter, c in needs(tables.map, npc.at).items()}
        self._expected: dict[tuple[Hypothesis, State], list[tuple[Step, float]]] = {}

    def hypotheses(self) -> list[Hypothesis]:
        """Every goal with every assignment."""
        map = self.tables.map
        return [Hypothesis(goal, held) for goal in map.letters for held in assignments(map)]

    def steps(self, hypothesis: Hypothesis, state: State) -> list[Step]:
        """What each available action would lead to under a hypothesis."""
        holders = holders_of(self.tables.map, hypothesis.assignment)
        return steps(self.tables, state, hypothesis.goal, holders)

    def to_go(self, hypothesis: Hypothesis, state: State) -> CostToGo:
        """V(s') for the steps that can be taken from a state."""
        goal, held = hypothesis
        if self.npc.expertise is Expertise.EXPERT:
            return expert_to_go(self.tables, goal, holders_of(self.tables.map, held))
        return novice_to_go(self.tables, state, goal, self.needs[goal])

    def expected(self, hypothesis: Hypothesis, state: State) -> list[tuple[Step, float]]:
        """The steps that have a finite cost-to-go, each with the log of its probability."""
        key = hypothesis, state
        if key not in self._expected:
            self._expected[key] = self._soft_choice(hypothesis, state)
        return self._expected[key]

    def _soft_choice(self, hypothesis: Hypothesis, state: State) -> list[tuple[Step, float]]:
        to_go, options = self.to_go(hypothesis, state), self.steps(hypothesis, state)
        costs = [(option, option.event.cost + to_go(option)) for option in options]
        finite = [(option, -self.beta * q) for option, q in costs if q < inf]
        total = log_sum(value for _, value in finite)
        return [(option, value - total) for option, value in finite]

    def best(self, hypothesis: Hypothesis, state: State) -> Step | None:
        """What the NPC would do next if it did its best; None if it has arrived or is stuck."""
        possible = self.steps(hypothesis, state)
        if self.npc.expertise is Expertise.EXPERT:
            return best_step(possible, self.to_go(hypothesis, state))
        goal = hypothesis.goal
        return novice_step(self.tables, state, goal, self.needs[goal], possible)


def looks_like(seen: Event, imagined: Event, reveals_outcomes: bool) -> bool:
    """Whether what was seen of an action is what it would have shown under a hypothesis."""
    match seen, imagined:
        case Move(), Move():
            return seen.arrived == imagined.arrived
        case Interaction(), Interaction():
            return not reveals_outcomes or seen.gave == imagined.gave
    return False


@dataclass(frozen=True)
class Weighed:
    """One hypothesis after what was seen of the NPC."""

    log_weight: float
    state: State  # with the amulets and checked wizards that the NPC has under the hypothesis


@dataclass(frozen=True)
class Watched:
    """The hypotheses about one NPC that what was seen of it has left."""

    model: NpcModel
    weights: Mapping[Hypothesis, Weighed]
    seen: int = 0  # steps

    @classmethod
    def unseen(cls, model: NpcModel) -> Watched:
        """All hypotheses, before anything was seen."""
        start = Weighed(0.0, State(model.npc.at))
        return cls(model, dict.fromkeys(model.hypotheses(), start))

    def after(self, seen: Step, reveals_outcomes: bool) -> Watched:
        """The hypotheses that one more step leaves."""
        weights = {}
        for hypothesis, old in self.weights.items():
            for imagined, log_p in self.model.expected(hypothesis, old.state):
                if imagined.action is seen.action and looks_like(
                    seen.event, imagined.event, reveals_outcomes
                ):
                    weights[hypothesis] = Weighed(old.log_weight + log_p, imagined.state)
        return Watched(self.model, weights, self.seen + 1)

    @cached_property
    def assignment_logs(self) -> dict[Assignment, float]:
        """How likely each assignment makes what was seen: the mean over the goals, as a log."""
        letters = self.model.tables.map.letters
        logs: dict[Assignment, list[float]] = {}
        for hypothesis, weighed in self.weights.items():
            logs.setdefault(hypothesis.assignment, []).append(weighed.log_weight)
        return {held: log_sum(each) - math.log(len(letters)) for held, each in logs.items()}


@dataclass(frozen=True)
class Mind:
    """What an observer has made of everything it knows so far."""

    trial: Trial
    npcs: tuple[Watched, ...]
    own_outcomes: Mapping[str, bool]  # whether each wizard that the player asked is the holder

    @classmethod
    def fresh(
        cls,
        trial: Trial,
        models: Iterable[NpcModel],
        own_outcomes: Mapping[str, bool] | None = None,
    ) -> Mind:
        """A mind that has not seen anything of the NPCs."""
        return cls(trial, tuple(Watched.unseen(model) for model in models), own_outcomes or {})

    def after(self, npc: int, seen: Step) -> Mind:
        """The mind after one more step of an NPC; UnexplainedError if it makes no sense."""
        watched = self.npcs[npc].after(seen, self.trial.reveals_outcomes)
        mind = replace(self, npcs=(*self.npcs[:npc], watched, *self.npcs[npc + 1 :]))
        if not mind.assignment_logs:
            raise UnexplainedError(self.trial, watched.model.npc.id, watched.seen)
        return mind

    @cached_property
    def assignment_logs(self) -> dict[Assignment, float]:
        """The log weights of the assignments that are still possible, by all evidence together."""
        logs = {}
        for held in assignments(self.trial.map):
            if self._agrees(held) and all(held in npc.assignment_logs for npc in self.npcs):
                logs[held] = math.fsum(npc.assignment_logs[held] for npc in self.npcs)
        return logs

    def _agrees(self, held: Assignment) -> bool:
        return all((wizard in held) == gave for wizard, gave in self.own_outcomes.items())

    def posterior(self, npc: int) -> dict[Hypothesis, float]:
        """The probability of each possible hypothesis about an NPC, by all evidence together."""
        others = [*self.npcs[:npc], *self.npcs[npc + 1 :]]
        logs = {}
        for hypothesis, weighed in self.npcs[npc].weights.items():
            held = hypothesis.assignment
            if held in self.assignment_logs:
                evidence = math.fsum(other.assignment_logs[held] for other in others)
                logs[hypothesis] = weighed.log_weight + evidence
        return normalised(logs)

    def goals(self, npc: int) -> dict[str, float]:
        """The probability of each chest to be the NPC's."""
        chests = dict.fromkeys(self.trial.map.letters, 0.0)
        for hypothesis, p in self.posterior(npc).items():
            chests[hypothesis.goal] += p
        return chests

    def belief(self, colours: Iterable[str]) -> dict[str, dict[str, float]]:
        """For each of the colours, the probability of each of its wizards to be the holder."""
        map = self.trial.map
        total = log_sum(self.assignment_logs.values())
        found = {c: {wizard.id: 0.0 for wizard in map.wizards_of[c]} for c in colours}
        for held, log in self.assignment_logs.items():
            for colour, holder in holders_of(map, held).items():
                if colour in found:
                    found[colour][holder] += math.exp(log - total)
        return found
