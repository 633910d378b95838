"""The plain version of watching as long as it pays."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from observers.ideal_reference import Seen, seen_of
from observers.search_reference import Searcher
from onlooker.game import Interaction, State, Step, Trial
from onlooker.inference.parameters import Parameters
from onlooker.inference.reference import Assignment, Hypothesis, Mind, log_sum
from onlooker.observers.reference.watching import Watcher
from onlooker.observers.results import Sight
from onlooker.planning import Tables, npc_paths


@dataclass(frozen=True)
class Lookahead:
    """Somebody who weighs acting against watching each NPC as long as that pays."""

    watcher: Watcher

    @classmethod
    def at_start(cls, trial: Trial, parameters: Parameters) -> Lookahead:
        """The main agent of a trial before it acts."""
        tables = Tables(trial.map, parameters.costs)
        return cls(Watcher.at(trial, parameters, tables, State(trial.main.at)))

    def mind_after(self, steps: Sequence[int]) -> Mind:
        """What is known after so many steps of each NPC."""
        trial = self.watcher.trial
        mind = Mind.fresh(trial, self.watcher.models)
        for npc, path in enumerate(npc_paths(self.watcher.walker.tables, trial)):
            for taken in path[: steps[npc]]:
                mind = mind.after(npc, taken)
        return mind

    def acting(self, mind: Mind) -> float:
        """C: the expected cost of the best search, mixed with the worst case."""
        caution, cost = self.watcher.parameters.caution, 0.0
        if caution < 1:
            cost += (1 - caution) * self.expected(mind)
        if caution > 0:
            cost += caution * self.watcher.c_self(self.watcher.belief(mind))
        return cost

    def expected(self, mind: Mind) -> float:
        """E: the least expected cost of searching among the holders as they are believed to be."""
        watcher = self.watcher
        total = log_sum(mind.assignment_logs.values())
        weights: dict[Assignment, float] = {
            held: math.exp(log - total) for held, log in mind.assignment_logs.items()
        }
        colours, costs = watcher.walker.needed, watcher.parameters.costs
        searcher = Searcher(watcher.trial, costs, colours, weights)
        return searcher.cost(searcher.start(watcher.main))

    def watching(self, mind: Mind, npc: int) -> float:
        """Q: one look at an NPC, then watching it as long as that pays, then acting."""
        return self.cost_at(self.tree(mind, npc))

    def cost_at(self, root: Sight) -> float:
        """Q, where the NPC is at the root of a tree."""
        return self.watcher.parameters.observe + root.acting if root.on is None else root.on

    def tree(self, mind: Mind, npc: int) -> Sight:
        """What could be seen of an NPC from now on, to its arrival."""
        possible = {h: p for h, p in mind.posterior(npc).items() if p > 0}
        return self._sight(mind, npc, None, possible)

    def _sight(
        self, mind: Mind, npc: int, step: Step | None, passing: dict[Hypothesis, float]
    ) -> Sight:
        """A node that some hypotheses pass, each with its present probability."""
        model, groups = self.watcher.models[npc], dict[Seen, dict[Hypothesis, float]]()
        steps: dict[Seen, Step] = {}
        for hypothesis, p in passing.items():
            best = model.best(hypothesis, mind.npcs[npc].weights[hypothesis].state)
            if best is not None:
                seen = seen_of(best, mind.trial.reveals_outcomes)
                groups.setdefault(seen, {})[hypothesis] = p
                steps.setdefault(seen, best)
        children = tuple(
            self._sight(mind.after(npc, steps[seen]), npc, steps[seen], group)
            for seen, group in groups.items()
        )
        on = None
        if children:
            total = math.fsum(child.p for child in children)
            after = math.fsum(child.p / total * child.value for child in children)
            on = self.watcher.parameters.observe + after
        action = step.action if step else None
        event = step.event if step else None
        gave = (
            event.gave if isinstance(event, Interaction) and mind.trial.reveals_outcomes else None
        )
        arrived = step is not None and step.state.arrived
        mass = math.fsum(passing.values())
        return Sight(action, gave, arrived, mass, self.acting(mind), on, children)
