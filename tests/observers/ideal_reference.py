"""The plain version of the ideal observer."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from math import inf, prod

from observers.search_reference import Searcher
from onlooker.game import Interaction, Move, Npc, State, Step, Trial
from onlooker.inference.errors import UnexplainedError
from onlooker.inference.parameters import MARGIN, Parameters
from onlooker.inference.reference import Assignment, NpcModel, assignments
from onlooker.observers.results import ACT, Belief, Decision, Result
from onlooker.planning import Tables, npc_paths

Seen = tuple[str, ...]  # of one step
Sight = tuple[Seen, ...]  # everything that has been seen of an NPC
Knowing = tuple[Sight, ...]  # of all NPCs


@dataclass
class Sights:
    """What can be seen of an NPC that makes no errors."""

    goals: dict[Sight, Counter[Assignment]] = field(default_factory=lambda: defaultdict(Counter))
    after: dict[Sight, list[Sight]] = field(default_factory=lambda: defaultdict(list))


def seen_of(taken: Step, reveals_outcomes: bool) -> Seen:
    """What is seen of a step."""
    event = taken.event
    if isinstance(event, Interaction):
        outcome = str(event.gave) if reveals_outcomes else "hidden"
        return (str(taken.action), event.wizard, outcome)
    return (str(taken.action), "arrived" if event.arrived else "moved")


class IdealReference:
    """The ideal observer of a trial."""

    def __init__(self, trial: Trial, parameters: Parameters) -> None:
        self.trial, self.parameters = trial, parameters
        self.tables = Tables(trial.map, parameters.costs)
        self.needed = trial.needed
        self.open = any(len(trial.map.wizards_of[colour]) > 1 for colour in self.needed)
        self.sights = [self._sights(npc) for npc in trial.npcs]
        self._values: dict[Knowing, float] = {}
        self._costs: dict[Knowing, float] = {}

    def _sights(self, npc: Npc) -> Sights:
        model, found = NpcModel(self.tables, npc, self.parameters.beta), Sights()
        for hypothesis in model.hypotheses():
            sight: Sight = ()
            state: State | None = State(npc.at)
            while state is not None:
                found.goals[sight][hypothesis.assignment] += 1
                # Where there is nothing to learn, nothing is looked at.
                taken = model.best(hypothesis, state) if self.open else None
                state = taken.state if taken else None
                if taken:
                    following = (*sight, seen_of(taken, self.trial.reveals_outcomes))
                    if following not in found.after[sight]:
                        found.after[sight].append(following)
                    sight = following
        return found

    def weights(self, knowing: Knowing) -> dict[Assignment, float]:
        """How many hypotheses of each assignment lead to it."""
        return {
            held: float(
                prod(
                    npc.goals[sight][held] if sight in npc.goals else 0
                    for npc, sight in zip(self.sights, knowing, strict=True)
                )
            )
            for held in assignments(self.trial.map)
        }

    def belief(self, knowing: Knowing) -> Belief:
        """For each needed colour, how likely each wizard is its holder."""
        weights = self.weights(knowing)
        total = sum(weights.values())
        return {
            colour: {
                wizard.id: sum(w for held, w in weights.items() if wizard.id in held) / total
                for wizard in self.trial.map.wizards_of[colour]
            }
            for colour in self.needed
        }

    def searcher(self, knowing: Knowing) -> Searcher:
        """The search that acting would be."""
        costs = self.parameters.costs
        return Searcher(self.trial, costs, self.needed, self.weights(knowing))

    def act(self, knowing: Knowing) -> float:
        """E."""
        if knowing not in self._costs:
            searcher = self.searcher(knowing)
            self._costs[knowing] = searcher.cost(searcher.start(State(self.trial.main.at)))
        return self._costs[knowing]

    def watch(self, knowing: Knowing, npc: int) -> float | None:
        """What watching an NPC costs, None if there is nothing more to see of it."""
        total, mean = 0.0, 0.0
        for following in self.sights[npc].after.get(knowing[npc], ()):
            after = (*knowing[:npc], following, *knowing[npc + 1 :])
            share = sum(self.weights(after).values())
            if share > 0:
                total += share
                mean += share * self.value(after)
        return self.parameters.observe + mean / total if total else None

    def value(self, knowing: Knowing) -> float:
        """V: the least expected cost."""
        if knowing not in self._values:
            watching = [self.watch(knowing, npc) for npc in range(len(knowing))]
            costs = [self.act(knowing), *(cost for cost in watching if cost is not None)]
            self._values[knowing] = min(costs)
        return self._values[knowing]

    def states(self) -> int:
        """How many states of positive weight can be reached from the start."""
        start: Knowing = ((),) * len(self.trial.npcs)
        found, edge = {start}, [start]
        for knowing in edge:
            for npc in range(len(knowing)):
                for following in self.sights[npc].after.get(knowing[npc], ()):
                    after = (*knowing[:npc], following, *knowing[npc + 1 :])
                    if after not in found and any(self.weights(after).values()):
                        found.add(after)
                        edge.append(after)
        return len(found)

    def run(self) -> Result:
        """What it does in the trial."""
        trial, paths = self.trial, npc_paths(self.tables, self.trial)
        knowing: Knowing = ((),) * len(trial.npcs)
        expected = self.value(knowing)
        choices: list[int] = []
        trace: list[Decision] = []
        while True:
            act = self.act(knowing)
            watching = tuple(
                None if choices.count(npc) == len(path) else self.watch(knowing, npc)
                for npc, path in enumerate(paths)
            )
            least = min((cost for cost in watching if cost is not None), default=inf)
            if not least < act - MARGIN:
                trace.append(Decision(ACT, self.belief(knowing), act=act, watch=watching))
                break
            npc = next(
                i for i, cost in enumerate(watching) if cost is not None and cost <= least + MARGIN
            )
            belief = self.belief(knowing)
            trace.append(Decision(trial.npcs[npc].id, belief, act=act, watch=watching))
            seen = seen_of(paths[npc][choices.count(npc)], trial.reveals_outcomes)
            knowing = (*knowing[:npc], (*knowing[npc], seen), *knowing[npc + 1 :])
            choices.append(npc)
            if not any(self.weights(knowing).values()):
                raise UnexplainedError(trial, trial.npcs[npc].id, choices.count(npc))
        return self._result(choices, knowing, trace, expected)

    def _result(
        self, choices: list[int], knowing: Knowing, trace: list[Decision], expected: float
    ) -> Result:
        trial, searcher = self.trial, self.searcher(knowing)
        weights = self.weights(knowing)
        route, asked = searcher.carry_out(searcher.start(State(trial.main.at)))
        holders = {wizard for held, weight in weights.items() if weight for wizard in held}
        return Result(
            observer="ideal_observer",
            observed=tuple(choices.count(npc) for npc in range(len(trial.npcs))),
            choices=tuple(trial.npcs[npc].id for npc in choices),
            candidates={
                colour: tuple(w.id for w in trial.map.wizards_of[colour] if w.id in holders)
                for colour in self.needed
            },
            route=tuple(taken.action for taken in route),
            moves=sum(isinstance(taken.event, Move) for taken in route),
            interactions=len(asked),
            cost=self.parameters.observe * len(choices) + sum(t.event.cost for t in route),
            trace=tuple(trace),
            asked=tuple(asked),
            expected_cost=expected,
        )
