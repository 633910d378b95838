"""The one engine: what an observer knows, believes and could learn, at any point of a trial.

It is made once for a trial and its parameters. Tables, histories and tours are kept, so that
observers, NPCs and steps share them and a future that was imagined is not worked out again when
the NPC follows it.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from onlooker.game import (
    Choice,
    Interaction,
    Observe,
    Stage,
    State,
    Trial,
    Wizard,
    needs,
    replay,
)
from onlooker.inference.errors import UnexplainedError
from onlooker.inference.history import History
from onlooker.inference.hypotheses import Hypotheses
from onlooker.inference.likelihood import NpcModel
from onlooker.inference.parameters import Parameters
from onlooker.inference.posterior import holders_posterior, joint_posterior
from onlooker.observers.exploration import Exploration
from onlooker.observers.results import Belief, Candidates, Goals, Particle
from onlooker.planning import Path, Tables, budget, npc_paths
from onlooker.planning.states import BoolArray, FloatArray

TOLERANCE = 1e-12  # what counts as equal to a threshold, or as equally likely
SMALLEST = 5e-324  # the least number above 0
MARGIN = 1e-9  # points by which watching must be cheaper


@dataclass(frozen=True)
class View:
    """What the observer has seen so far, and where its own agent stands.

    >>> from onlooker.game import load_trial
    >>> engine = Engine(load_trial("examples/early-turn.map"))
    >>> engine.observe(engine.opening, 0).histories[0].steps
    1
    """

    histories: tuple[History, ...]  # per NPC
    main: State
    own: FloatArray  # (holders): log evidence from its own interactions


@dataclass(frozen=True)
class Assessment:
    """What would be believed after each of some histories of one NPC."""

    goals: FloatArray  # (histories, goals)
    belief: dict[str, FloatArray]  # colour -> (histories, wizards of the colour)


class Engine:
    """A trial prepared for any observer.

    >>> from onlooker.game import read_map_text
    >>> trial = read_map_text('''
    ... map:
    ... b.2.h
    ... ##.##
    ... A=@##
    ...
    ... legend:
    ... @ = main agent, goal A
    ... 2 = expert agent2, goal A
    ... b = blue wizard
    ... h = blue wizard, holder
    ... = = blue barrier
    ... ''')
    >>> engine = Engine(trial)
    >>> engine.open_colours, engine.belief(engine.opening)
    (('blue',), {'blue': {'w1': 0.5, 'w2': 0.5}})
    >>> engine.c_self(engine.opening)
    40.0
    """

    def __init__(self, trial: Trial, parameters: Parameters | None = None) -> None:
        self.trial = trial
        self.parameters = parameters or Parameters()
        self.tables = Tables(trial.map, self.parameters.costs)
        self.hypotheses = Hypotheses(trial.map)
        self.exploration = Exploration(self.tables, trial.main.goal, self.parameters)
        self.models = tuple(
            NpcModel(self.tables, self.hypotheses, npc, self.parameters) for npc in trial.npcs
        )
        self.needed = needs(trial.map, trial.main.at)[trial.main.goal] or ()
        self._warn_of_pruning()

    def _warn_of_pruning(self) -> None:
        for colour in self.open_colours:
            count = len(self.trial.map.wizards_of[colour])
            if self.parameters.prune > 1 / count + TOLERANCE:
                warnings.warn(
                    f"{self.trial.label}: prune={self.parameters.prune} is above 1/{count}, so at"
                    f" the start it would prune all {count} {colour} wizards but the first",
                    stacklevel=3,
                )

    # -- the trial itself ----------------------------------------------------------------------

    @cached_property
    def paths(self) -> tuple[Path, ...]:
        """What each NPC really does."""
        return npc_paths(self.tables, self.trial)

    @cached_property
    def budget(self) -> int:
        """The points that a player would start with."""
        return budget(self.tables, self.trial)

    @cached_property
    def stage(self) -> Stage:
        """The trial ready to be played."""
        scripts = tuple(tuple(taken.action for taken in path) for path in self.paths)
        return Stage(self.trial, scripts, self.budget, self.parameters.costs)

    @cached_property
    def open_colours(self) -> tuple[str, ...]:
        """The colours the main agent needs and whose holder is not certain."""
        return tuple(c for c in self.needed if len(self.trial.map.wizards_of[c]) > 1)

    # -- views ---------------------------------------------------------------------------------

    @cached_property
    def opening(self) -> View:
        """What is known before the first step."""
        reveals = self.trial.reveals_outcomes
        histories = tuple(History.beginning(model, reveals) for model in self.models)
        own = np.zeros(len(self.hypotheses.holders))
        return View(histories, State(self.trial.main.at), own)

    def arrived(self, view: View, npc: int) -> bool:
        """Whether an NPC has arrived, or done everything it does."""
        return view.histories[npc].steps >= len(self.paths[npc])

    def observe(self, view: View, npc: int) -> View:
        """The view after one more step of an NPC."""
        history = view.histories[npc]
        step = self.paths[npc][history.steps]
        after = history.after(history.seen(step))
        histories = (*view.histories[:npc], after, *view.histories[npc + 1 :])
        seen = replace(view, histories=histories)
        if not after.explained or not np.isfinite(self.evidence(seen)).any():
            raise UnexplainedError(self.trial, self.trial.npcs[npc].id, after.steps)
        return seen

    def view_after(self, log: Iterable[Choice | str]) -> View:
        """What a player knows after a log of choices; its own interactions are evidence too."""
        view = self.opening
        for turn in replay(self.stage, log):
            if isinstance(turn.choice, Observe):
                view = self.observe(view, self.trial.npc_index(turn.choice.npc))
                continue
            own = view.own
            if isinstance(turn.event, Interaction):
                wizard = self.hypotheses.wizard_index[turn.event.wizard]
                possible = self.hypotheses.holds[:, wizard] == turn.event.gave
                own = np.where(possible, own, -np.inf)
            view = replace(view, main=turn.situation.main, own=own)
        return view

    def lacking(self, view: View) -> tuple[str, ...]:
        """The needed colours whose amulets the main agent does not hold."""
        return tuple(colour for colour in self.needed if colour not in view.main.amulets)

    def uncertain(self, view: View) -> tuple[str, ...]:
        """The open colours whose amulets the main agent does not hold."""
        return tuple(colour for colour in self.open_colours if colour not in view.main.amulets)

    # -- belief --------------------------------------------------------------------------------

    def evidence(self, view: View, without: int | None = None) -> FloatArray:
        """The log evidence for each assignment of holders, from all NPCs but one and its own."""
        total = view.own.copy()
        for npc, history in enumerate(view.histories):
            if npc != without:
                total += history.log_holders
        return total

    def belief(self, view: View) -> Belief:
        """For each lacking colour, how likely each wizard is its holder."""
        holders = holders_posterior(self.evidence(view))
        return {
            colour: self._named(colour, self.hypotheses.marginals(holders, colour))
            for colour in self.lacking(view)
        }

    def goals(self, view: View, npc: int) -> Goals:
        """How likely each chest is an NPC's goal."""
        goals = self._joint(view, npc).sum(axis=1)
        return dict(zip(self.hypotheses.goals, goals.tolist(), strict=True))

    def settled(self, belief: Belief) -> bool:
        """Whether every colour has a wizard that is surely enough its holder."""
        return all(max(ps.values()) >= self._converged for ps in belief.values())

    def candidates(self, belief: Belief) -> Candidates:
        """The wizards of each colour that are worth going to."""
        return {colour: self._likely(colour, list(ps.values())) for colour, ps in belief.items()}

    def all_wizards(self, colours: Iterable[str]) -> Candidates:
        """Every wizard of some colours as a candidate."""
        return {c: tuple(wizard.id for wizard in self.trial.map.wizards_of[c]) for c in colours}

    @property
    def _converged(self) -> float:
        return self.parameters.converge - TOLERANCE

    @property
    def _kept(self) -> float:
        # What is impossible is never kept, even where nothing else is pruned.
        return max(self.parameters.prune - TOLERANCE, SMALLEST)

    def _named(self, colour: str, probabilities: FloatArray) -> dict[str, float]:
        ids = (wizard.id for wizard in self.trial.map.wizards_of[colour])
        return dict(zip(ids, probabilities.tolist(), strict=True))

    def _likely(self, colour: str, probabilities: Sequence[float]) -> tuple[str, ...]:
        ids = [wizard.id for wizard in self.trial.map.wizards_of[colour]]
        top = max(probabilities)
        first = next(i for i, p in enumerate(probabilities) if p >= top - TOLERANCE)
        if top >= self._converged:
            return (ids[first],)
        kept = [wizard for wizard, p in zip(ids, probabilities, strict=True) if p >= self._kept]
        return tuple(kept) or (ids[first],)

    def _joint(self, view: View, npc: int) -> FloatArray:
        others = self.evidence(view, without=npc)
        joint: FloatArray = joint_posterior([view.histories[npc]], others)[0]
        return joint

    # -- what acting alone costs ---------------------------------------------------------------

    def c_self(
        self, view: View, candidates: Candidates | None = None, belief: Belief | None = None
    ) -> float:
        """What acting now costs, going for some candidates (those of the present belief)."""
        if candidates is None:
            belief = self.belief(view)
            candidates = self.candidates(belief)
        states, main = self.tables.states, view.main
        mask, cell = states.mask(main.amulets), states.cell(main.cell)
        wizards = self.wizards(candidates)
        needed = states.mask(self.needed)
        if self.parameters.exploration == "worst":
            return self.exploration.worst(mask, cell, wizards, needed)
        chances = {
            wizard.id: belief[wizard.colour][wizard.id] if belief else 1.0 for wizard in wizards
        }
        return self.exploration.expected(mask, cell, wizards, needed, chances)

    def wizards(self, candidates: Candidates) -> tuple[Wizard, ...]:
        """The candidates of all colours in reading order."""
        wanted = {wizard for ids in candidates.values() for wizard in ids}
        return tuple(wizard for wizard in self.trial.map.wizards if wizard.id in wanted)

    # -- what watching would bring -------------------------------------------------------------

    def particles(self, view: View, npc: int) -> list[tuple[int, int, float]]:
        """The hypotheses about an NPC worth imagining: (goal, holders, weight), weights to one."""
        joint = self._joint(view, npc)
        goals = joint.sum(axis=1)
        kept: list[tuple[int, int]] = []
        for goal in np.flatnonzero(self._kept_goals(goals[None])[0]):
            given = joint[goal] / goals[goal]
            likely = given >= self._kept
            if not likely.any():
                likely = given >= given.max() - TOLERANCE
            kept += [(int(goal), int(holders)) for holders in np.flatnonzero(likely)]
        weights = [float(joint[goal, holders]) for goal, holders in kept]
        total = sum(weights)
        return [(*key, weight / total) for key, weight in zip(kept, weights, strict=True)]

    def worth(self, view: View, npc: int) -> tuple[float, tuple[Particle, ...]]:
        """What watching an NPC and then acting would cost, and the particles behind it."""
        particles = self.particles(view, npc)
        futures = [view.histories[npc].future(goal, holders) for goal, holders, _ in particles]
        number, assessment = self.assess(view, npc, futures)
        stops = self._stops(view, npc, assessment)
        found = []
        for (goal, holders, p), future in zip(particles, futures, strict=True):
            steps = next(
                (t for t, history in enumerate(future) if stops[number[history]]), len(future) - 1
            )
            belief = {
                colour: self._named(colour, ps[number[future[steps]]])
                for colour, ps in assessment.belief.items()
            }
            residual = self.c_self(view, self.candidates(belief), belief)
            names = self.hypotheses
            found.append(Particle(names.goals[goal], names.holders[holders], p, steps, residual))
        observe = self.parameters.observe
        total = sum(part.p * (observe * part.steps + part.residual) for part in found)
        return total, tuple(found)

    def distance(self, view: View, npc: int) -> float:
        """How far watching an NPC to its arrival could move the belief over the open colours."""
        particles = self.particles(view, npc)
        futures = [view.histories[npc].future(goal, holders) for goal, holders, _ in particles]
        number, assessment = self.assess(view, npc, futures)
        belief = np.concatenate(
            [assessment.belief[colour] for colour in self.uncertain(view)], axis=1
        )
        present = belief[number[view.histories[npc]]]
        return float(np.sqrt(((belief - present) ** 2).sum(axis=1)).max())

    def assess(
        self, view: View, npc: int, futures: Iterable[Iterable[History]]
    ) -> tuple[dict[History, int], Assessment]:
        """What would be believed along some futures of an NPC: where each history stands, what."""
        histories = dict.fromkeys(history for future in futures for history in future)
        number = {history: index for index, history in enumerate(histories)}
        joint = joint_posterior(list(histories), self.evidence(view, without=npc))
        holders = joint.sum(axis=1)
        belief = {c: self.hypotheses.marginals(holders, c) for c in self.lacking(view)}
        return number, Assessment(joint.sum(axis=2), belief)

    def _stops(self, view: View, npc: int, assessment: Assessment) -> BoolArray:
        """Where imagining ends before the arrival: the belief is settled, or the NPC hopeless."""
        tops = [ps.max(axis=1) for ps in assessment.belief.values()]
        settled = np.min(tops, axis=0) >= self._converged
        useful = self._kept_goals(assessment.goals) & self._leading(view, npc)
        result: BoolArray = settled | ~useful.any(axis=1)
        return result

    def _leading(self, view: View, npc: int) -> BoolArray:
        """Which goals of an NPC need one of the main agent's open colours."""
        uncertain = set(self.uncertain(view))
        needs_of = self.models[npc].needs
        return np.array([bool(uncertain & {*(needs_of[g] or ())}) for g in self.hypotheses.goals])

    def _kept_goals(self, goals: FloatArray) -> BoolArray:
        """Which goals are likely enough to keep, of probabilities (…, goals)."""
        kept: BoolArray = goals >= self._kept
        for row in np.flatnonzero(~kept.any(axis=1)):
            kept[row, np.argmax(goals[row] >= goals[row].max() - TOLERANCE)] = True
        return kept
