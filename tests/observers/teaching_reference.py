"""The plain version of teachers: the literal learner's mind, and a search with Python's own heap.

`run_told_reference` is Rational Mentalizing of somebody who is told who teaches.
"""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any

from onlooker.game import Expertise, Interaction, Npc, State, Step, Trial
from onlooker.inference.parameters import MARGIN, Parameters
from onlooker.inference.reference import (
    Hypothesis,
    Mind,
    NpcModel,
    Watched,
    Weighed,
    holders_of,
    log_sum,
)
from onlooker.observers.reference.runs import Watch, mentalize
from onlooker.observers.reference.tour import Walker, candidates_of
from onlooker.observers.reference.watching import Watcher
from onlooker.planning import Tables, npc_paths

Key = tuple[Any, ...]  # what two histories share that are one


@dataclass(frozen=True)
class History:
    """What was seen of the NPC, as the literal learner takes it."""

    mind: Mind
    key: Key


@dataclass
class LessonReference:
    """What an NPC does as a teacher."""

    trial: Trial
    npc: Npc
    parameters: Parameters
    care: float
    _worth: dict[tuple[Key, Hypothesis], float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        expert = replace(self.npc, expertise=Expertise.EXPERT, actions=None)
        self.alone = replace(self.trial, npcs=(expert,))
        self.tables = Tables(self.trial.map, self.parameters.costs)
        start = State(self.trial.main.at)
        self.watcher = Watcher.at(self.alone, self.parameters, self.tables, start)
        self.model = self.watcher.models[0]
        self.start = self._history(Mind.fresh(self.alone, [self.model]))

    def _history(self, mind: Mind) -> History:
        weights = mind.npcs[0].weights
        top = max(weighed.log_weight for weighed in weights.values())
        return History(
            mind,
            tuple((h, w.state, round(w.log_weight - top, 8)) for h, w in weights.items()),
        )

    def after(self, history: History, step: Step) -> History:
        return self._history(history.mind.after(0, step))

    def is_end(self, history: History) -> bool:
        """Whether the literal learner stops watching: settled, hopeless or over."""
        weights = history.mind.npcs[0].weights.values()
        return any(w.state.arrived for w in weights) or self.watcher.is_enough(history.mind, 0)

    def pays(self, history: History, hypothesis: Hypothesis) -> int:
        """A: what the learner's moves and interactions then cost."""
        trial = replace(self.alone, holders=holders_of(self.trial.map, hypothesis[1]))
        walker = Walker(trial, self.tables, self.parameters, self.watcher.walker.needed)
        candidates = candidates_of(self.watcher.belief(history.mind), self.parameters)
        return sum(step.event.cost for step in walker.act(State(trial.main.at), candidates))

    def to_go(self, hypothesis: Hypothesis, state: State) -> float:
        """V: what an expert has still to pay."""
        goal, assignment = hypothesis
        table = self.tables.expert(goal, holders_of(self.trial.map, assignment))
        return table[state.cell, state.amulets]

    def worth(self, history: History, state: State, hypothesis: Hypothesis) -> float:
        """W."""
        if (history.key, hypothesis) not in self._worth:
            self._worth[history.key, hypothesis] = self._search(history, state, hypothesis)
        return self._worth[history.key, hypothesis]

    def _search(self, history: History, state: State, hypothesis: Hypothesis) -> float:
        main = Hypothesis(self.trial.main.goal, hypothesis[1])
        least = self.care * self.to_go(main, State(self.trial.main.at))

        def rest(history: History, state: State) -> float:
            end = self.is_end(history)
            pays = self.care * self.pays(history, hypothesis) if end else least
            return self.to_go(hypothesis, state) + pays

        number, done = count(), set()
        heap = [(rest(history, state), 0, next(number), 0.0, history, state)]
        while heap:
            total, depth, _, spent, history, state = heapq.heappop(heap)
            if history.key in done:
                continue
            done.add(history.key)
            if self.is_end(history):
                return total
            for step in self.model.steps(hypothesis, state):
                if self.to_go(hypothesis, step.state) < math.inf:
                    now = spent + step.event.cost + self.care * self.parameters.observe
                    following = self.after(history, step)
                    found = now + rest(following, step.state)
                    heapq.heappush(
                        heap, (found, depth - 1, next(number), now, following, step.state)
                    )
        return math.inf

    def values(
        self, history: History, gone: bool, state: State, hypothesis: Hypothesis
    ) -> dict[Step, float]:
        """Q_T of each step that can be taken."""
        found = {}
        for step in self.model.steps(hypothesis, state):
            expert = step.event.cost + self.to_go(hypothesis, step.state)
            if expert < math.inf:
                found[step] = expert
                if not gone:
                    worth = self.worth(self.after(history, step), step.state, hypothesis)
                    look = self.care * self.parameters.observe
                    found[step] = step.event.cost + look + worth
        return found

    def plan(self, goal: str, assignment: tuple[str, ...]) -> dict[str, Any]:
        """What it does, as in the worked cases."""
        hypothesis = Hypothesis(goal, assignment)
        history, state, gone = self.start, State(self.npc.at), False
        path: list[Step] = []
        plan: dict[str, Any] = {
            "goal": goal,
            "holders": dict(holders_of(self.trial.map, assignment)),
            "first": {},
        }
        while True:
            if not gone and self.is_end(history):
                gone, looks = True, len(path)
                paid = self.pays(history, hypothesis)
                plan |= {"looks": looks, "learner": self.parameters.observe * looks + paid}
            if state.arrived:
                break
            values = self.values(history, gone, state, hypothesis)
            if not path:
                plan["first"] = {str(step.action): q for step, q in values.items()}
            least = min(values.values())
            best = next(step for step, q in values.items() if q <= least + MARGIN)
            history = history if gone else self.after(history, best)
            path.append(best)
            state = best.state
        return plan | {
            "path": [str(step.action) for step in path],
            "asked": [s.event.wizard for s in path if isinstance(s.event, Interaction)],
            "own": sum(step.event.cost for step in path),
        }


@dataclass(frozen=True)
class Taught(State):
    """Where a teacher is, and what the literal learner has made of it by then."""

    key: Key = ()
    gone: bool = False  # whether the literal learner has stopped watching
    history: History | None = field(default=None, compare=False)


class TeacherModel(NpcModel):
    """What an observer expects of an NPC that it is told is a teacher."""

    def __init__(self, lesson: LessonReference) -> None:
        super().__init__(lesson.tables, lesson.npc, lesson.parameters.beta)
        self.lesson = lesson

    def start(self) -> Taught:
        """Where it is before its first step."""
        return self._taught(State(self.npc.at), self.lesson.start)

    def _taught(self, state: State, history: History, gone: bool = False) -> Taught:
        gone = gone or self.lesson.is_end(history)
        place = state.cell, state.amulets, state.checked, state.arrived
        return Taught(*place, history.key, gone, history)

    def values(self, hypothesis: Hypothesis, state: State) -> list[tuple[Step, float]]:
        """Q_T of each step that can be taken, with what the learner makes of it."""
        assert isinstance(state, Taught)
        assert state.history is not None
        now, gone, found = state.history, state.gone, []
        plain = State(state.cell, state.amulets, state.checked, state.arrived)
        for step, q in self.lesson.values(now, gone, plain, hypothesis).items():
            then = now if gone else self.lesson.after(now, step)
            found.append((replace(step, state=self._taught(step.state, then, gone)), q))
        return found

    def _soft_choice(self, hypothesis: Hypothesis, state: State) -> list[tuple[Step, float]]:
        logs = [(step, -self.beta * q) for step, q in self.values(hypothesis, state)]
        total = log_sum(log for _, log in logs)
        return [(step, log - total) for step, log in logs]

    def best(self, hypothesis: Hypothesis, state: State) -> Step | None:
        """What it does next; None if it has arrived."""
        values = [] if state.arrived else self.values(hypothesis, state)
        least = min((q for _, q in values), default=math.inf)
        return next((step for step, q in values if q <= least + MARGIN), None)


class ToldWatcher(Watcher):
    """The main agent that is told who teaches: nothing a teacher does is without hope."""

    def is_hopeless(self, mind: Mind, npc: int) -> bool:
        """Whether the NPC will not lead to a wizard of an open colour."""
        return not isinstance(self.models[npc], TeacherModel) and super().is_hopeless(mind, npc)


def run_told_reference(trial: Trial, parameters: Parameters) -> Watch:
    """Whom Rational Mentalizing watches, and why, if it is told who teaches."""
    tables = Tables(trial.map, parameters.costs)
    walker = Walker(trial, tables, parameters, trial.needed)
    holders = tuple(trial.holders[colour] for colour in trial.map.colours)
    models, paths, minds = [], [], []
    for npc in trial.npcs:
        if npc.expertise is not Expertise.TEACHER:
            models.append(NpcModel(tables, npc, parameters.beta))
            paths.append(npc_paths(tables, replace(trial, npcs=(npc,)))[0])
            minds.append(Watched.unseen(models[-1]))
            continue
        care = parameters.care if npc.care is None else npc.care
        model = TeacherModel(LessonReference(trial, npc, parameters, care))
        state, truth = model.start(), Hypothesis(npc.goal, holders)
        unseen = dict.fromkeys(model.hypotheses(), Weighed(0.0, state))
        path: list[Step] = []
        while (step := model.best(truth, path[-1].state if path else state)) is not None:
            path.append(step)
        models.append(model)
        paths.append(tuple(path))
        minds.append(Watched(model, unseen))
    watcher = ToldWatcher(trial, parameters, walker, tuple(models), State(trial.main.at))
    return mentalize(watcher, tuple(paths), Mind(trial, tuple(minds), {}))
