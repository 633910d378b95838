"""The plain version of not being told who is an expert: a goal is a chest with an expertise."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

from onlooker.game import Expertise, Npc, State, Step, Trial
from onlooker.inference.parameters import Parameters
from onlooker.inference.reference import Hypothesis, Mind, NpcModel, Watched, Weighed, assignments
from onlooker.observers.reference.runs import mentalize
from onlooker.observers.reference.tour import Walker
from onlooker.observers.reference.watching import Watcher
from onlooker.observers.results import Decision
from onlooker.planning import Tables, npc_paths
from onlooker.planning.policies import CostToGo

KINDS = (Expertise.EXPERT, Expertise.NOVICE)


class UntoldModel(NpcModel):
    """What the observer expects an NPC to do: its goals are such as "A novice"."""

    def __init__(self, tables: Tables, npc: Npc, beta: float) -> None:
        super().__init__(tables, npc, beta)
        self.known = {
            expertise: NpcModel(tables, replace(npc, expertise=expertise), beta)
            for expertise in KINDS
        }
        self.needs = {
            f"{letter} {expertise}": colours
            for letter, colours in self.needs.items()
            for expertise in KINDS
        }

    def hypotheses(self) -> list[Hypothesis]:
        """Every goal and expertise with every assignment."""
        return [
            Hypothesis(pair, held) for pair in self.needs for held in assignments(self.tables.map)
        ]

    def of(self, hypothesis: Hypothesis) -> tuple[NpcModel, Hypothesis]:
        """The model of someone whose expertise is known, and what it goes for."""
        letter, expertise = hypothesis.goal.split()
        return self.known[Expertise(expertise)], Hypothesis(letter, hypothesis.assignment)

    def steps(self, hypothesis: Hypothesis, state: State) -> list[Step]:
        """What each available action would lead to under a hypothesis."""
        model, plain = self.of(hypothesis)
        return model.steps(plain, state)

    def to_go(self, hypothesis: Hypothesis, state: State) -> CostToGo:
        """V(s') for the steps that can be taken from a state."""
        model, plain = self.of(hypothesis)
        return model.to_go(plain, state)

    def best(self, hypothesis: Hypothesis, state: State) -> Step | None:
        """What the NPC would do next if it did its best."""
        model, plain = self.of(hypothesis)
        return model.best(plain, state)


class UntoldMind(Mind):
    """What an observer has made of everything who is not told who is an expert."""

    def goals(self, npc: int) -> dict[str, float]:
        """The probability of each chest and expertise to be the NPC's."""
        pairs = dict.fromkeys(self.npcs[npc].model.needs, 0.0)
        for hypothesis, p in self.posterior(npc).items():
            pairs[hypothesis.goal] += p
        return pairs


def run_untold_reference(
    trial: Trial, parameters: Parameters, before: Mapping[str, float] | None = None
) -> tuple[tuple[int, ...], tuple[Decision, ...]]:
    """Whom it watches, and its decisions; their goals are pairs of a chest and an expertise."""
    tables = Tables(trial.map, parameters.costs)
    walker = Walker(trial, tables, parameters, trial.needed)
    models = tuple(UntoldModel(tables, npc, parameters.beta) for npc in trial.npcs)
    watcher = Watcher(trial, parameters, walker, models, State(trial.main.at))
    npcs = tuple(_unseen(model, (before or {}).get(model.npc.id, 0.5)) for model in models)
    found = mentalize(watcher, npc_paths(tables, trial), UntoldMind(trial, npcs, {}))
    return found.choices, found.trace


def _unseen(model: UntoldModel, novice: float) -> Watched:
    """All hypotheses that are possible before anything was seen."""
    start, weights = State(model.npc.at), {}
    for hypothesis in model.hypotheses():
        p = novice if hypothesis.goal.endswith(str(Expertise.NOVICE)) else 1 - novice
        if p > 0:
            weights[hypothesis] = Weighed(math.log(p), start)
    return Watched(model, weights)
