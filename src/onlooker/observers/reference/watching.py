"""The plain version of what watching an NPC is worth: particles, imagined one by one."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from onlooker.game import State, Trial
from onlooker.inference.parameters import TOLERANCE, Parameters
from onlooker.inference.reference import Hypothesis, Mind, NpcModel, holders_of
from onlooker.observers.reference.tour import (
    Walker,
    at_least,
    candidates_of,
    is_settled,
    kept,
)
from onlooker.observers.results import Belief, Particle
from onlooker.planning import Tables


@dataclass(frozen=True)
class Watcher:
    """The main agent at a point of a trial, where it could watch."""

    trial: Trial
    parameters: Parameters
    walker: Walker
    models: tuple[NpcModel, ...]
    main: State

    @classmethod
    def at(cls, trial: Trial, parameters: Parameters, tables: Tables, main: State) -> Watcher:
        """The watcher of a trial when its main agent is in some state."""
        lacking = tuple(colour for colour in trial.needed if colour not in main.amulets)
        walker = Walker(trial, tables, parameters, lacking)
        models = tuple(NpcModel(tables, npc, parameters.beta) for npc in trial.npcs)
        return cls(trial, parameters, walker, models, main)

    @property
    def open_colours(self) -> tuple[str, ...]:
        """The colours that it needs and that have several wizards."""
        wizards = self.trial.map.wizards_of
        return tuple(colour for colour in self.walker.needed if len(wizards[colour]) > 1)

    def belief(self, mind: Mind) -> Belief:
        """What it believes about the holders of the colours that it needs."""
        return mind.belief(self.walker.needed)

    def c_self(self, belief: Belief) -> float:
        """What acting alone by a belief would cost from here."""
        candidates = candidates_of(belief, self.parameters)
        return self.walker.c_self(self.main, candidates, belief)

    def particles(self, mind: Mind, npc: int) -> list[tuple[Hypothesis, float]]:
        """The hypotheses about an NPC that are worth imagining, with their weights."""
        posterior, goals = mind.posterior(npc), mind.goals(npc)
        chosen: list[Hypothesis] = []
        for goal in kept(goals, self.parameters.prune):
            # Nothing impossible is imagined, even where nothing is pruned.
            within = {h: p / goals[goal] for h, p in posterior.items() if h.goal == goal and p > 0}
            likely = [h for h, p in within.items() if at_least(p, self.parameters.prune)]
            top = max(within.values(), default=0.0)
            chosen += likely or [h for h, p in within.items() if at_least(p, top)]
        total = math.fsum(posterior[hypothesis] for hypothesis in chosen)
        return [(hypothesis, posterior[hypothesis] / total) for hypothesis in chosen]

    def imagined(self, mind: Mind, npc: int, hypothesis: Hypothesis) -> Iterator[Mind]:
        """The mind now, and after each step the NPC would take to its chest."""
        yield mind
        state = mind.npcs[npc].weights[hypothesis].state
        while (best := self.models[npc].best(hypothesis, state)) is not None:
            mind, state = mind.after(npc, best), best.state
            yield mind

    def is_hopeless(self, mind: Mind, npc: int) -> bool:
        """Whether the NPC will not lead to a wizard of an open colour."""
        likely = kept(mind.goals(npc), self.parameters.prune)
        needs = self.models[npc].needs
        return not any(colour in needs[goal] for goal in likely for colour in self.open_colours)

    def is_enough(self, mind: Mind, npc: int) -> bool:
        """Whether watching the NPC any longer would show nothing that matters."""
        settled = is_settled(self.belief(mind), self.parameters.converge)
        return settled or self.is_hopeless(mind, npc)

    def roll_out(self, mind: Mind, npc: int, hypothesis: Hypothesis, p: float) -> Particle:
        """How long the NPC would be watched under a hypothesis, and what acting then costs."""
        minds: list[Mind] = []
        for later in self.imagined(mind, npc, hypothesis):
            minds.append(later)
            if self.is_enough(later, npc):
                break
        holders = holders_of(self.trial.map, hypothesis.assignment)
        residual = self.c_self(self.belief(minds[-1]))
        return Particle(hypothesis.goal, holders, p, len(minds) - 1, residual)

    def worth(self, mind: Mind, npc: int) -> tuple[float, tuple[Particle, ...]]:
        """Q_obs of an NPC and the particles behind it."""
        particles = tuple(
            self.roll_out(mind, npc, hypothesis, p) for hypothesis, p in self.particles(mind, npc)
        )
        observe = self.parameters.observe
        return math.fsum(x.p * (observe * x.steps + x.residual) for x in particles), particles

    def is_informative(self, mind: Mind, npc: int) -> bool:
        """Whether watching an NPC to its end could move the belief by more than epsilon."""
        now = self.belief(mind)
        return any(
            self._distance(now, self.belief(later)) > self.parameters.epsilon + TOLERANCE
            for hypothesis, _ in self.particles(mind, npc)
            for later in self.imagined(mind, npc, hypothesis)
        )

    def _distance(self, one: Belief, other: Belief) -> float:
        return math.sqrt(
            math.fsum(
                (p - other[colour][wizard]) ** 2
                for colour in self.open_colours
                for wizard, p in one[colour].items()
            )
        )
