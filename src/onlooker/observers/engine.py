"""The engine: what an observer knows, believes and could learn, at any point of a trial.

It is made once for a trial and its parameters. What takes time is compiled (`kernels`), and costs,
histories and tours are kept there. Observers, NPCs and steps share them, and an imagined future is
not computed again when the NPC follows it.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from math import inf
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from onlooker.game import (
    Action,
    BudgetRule,
    Chest,
    Choice,
    Expertise,
    Holders,
    Interaction,
    Observe,
    Stage,
    State,
    Trial,
    Turn,
    Wizard,
    check_trial,
    replay,
)
from onlooker.inference.errors import UnexplainedError
from onlooker.inference.parameters import TOLERANCE, Parameters, check_parameters
from onlooker.observers.decoding import Decoder
from onlooker.observers.foresight import Foresight
from onlooker.observers.kernels.parts import Appraisal, Trust
from onlooker.observers.kernels.questions import Question
from onlooker.observers.lattice import Lattice, lattices
from onlooker.observers.memory import Memory
from onlooker.observers.results import (
    Belief,
    Candidates,
    Decision,
    Goals,
    Leg,
    Particle,
    Result,
    Sight,
    Values,
    View,
)
from onlooker.observers.running import Parts, check_parts, result_of, run_packed
from onlooker.observers.stopping import with_reason
from onlooker.planning import Steps, starting_points, taken_path
from onlooker.planning.packing import NONE, Packed, pack
from onlooker.support.arrays import FloatArray


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
    >>> trial.open_colours, engine.belief(engine.opening)
    (('blue',), {'blue': {'w1': 0.5, 'w2': 0.5}})
    >>> engine.c_self(engine.opening)
    40.0
    """

    def __init__(
        self,
        trial: Trial,
        parameters: Parameters | None = None,
        warn: bool = True,
        budget_rule: BudgetRule = "paper",
    ) -> None:
        self.trial = check_trial(trial)
        self.parameters = check_parameters(parameters)
        self.budget_rule, self.warns = budget_rule, warn
        # What an observer stores with this engine, until either is deleted.
        self.kept: WeakKeyDictionary[object, Any] = WeakKeyDictionary()
        for caution in self.cautions if warn else ():
            warnings.warn(caution, stacklevel=2)

    @cached_property
    def cautions(self) -> tuple[str, ...]:
        """What is unusual about the parameters on this trial, in words."""
        prune, wizards_of = self.parameters.prune, self.trial.map.wizards_of
        return tuple(
            f"{self.trial.label}: prune={prune} is above 1/{len(wizards_of[colour])}, so at the"
            f" start it would prune all {len(wizards_of[colour])} {colour} wizards but the first"
            for colour in pruned(self.trial, prune)
        )

    # -- the trial itself ----------------------------------------------------------------------

    @cached_property
    def packed(self) -> Packed:
        """The trial as compiled functions read it."""
        return pack([self.trial])

    @cached_property
    def decoder(self) -> Decoder:
        """The names behind the numbers."""
        return Decoder(self.trial)

    @cached_property
    def paths(self) -> tuple[Steps, ...]:
        """What each NPC really does."""
        actions = (
            [seen.action for seen in known if seen.action is not None]
            for known in self._memory.histories
        )
        costs = self.parameters.costs
        return tuple(
            taken_path(self.trial, npc, taken, costs)
            for npc, taken in zip(self.trial.npcs, actions, strict=True)
        )

    @cached_property
    def budget(self) -> int:
        """The points that a player starts with."""
        return starting_points(self.trial, self.budget_rule, self.least_cost)

    def least_cost(self, holders: Holders) -> float:
        """The cost of the main agent's way if it knows that these are the holders."""
        number = self.decoder.hypotheses.holders.index(dict(holders))
        return self._memory.ask(Question.LEAST_COST, assignment=number).points

    @cached_property
    def stage(self) -> Stage:
        """The trial ready to be played."""
        scripts = tuple(tuple(taken.action for taken in path) for path in self.paths)
        return Stage(self.trial, scripts, self.budget, self.parameters.costs)

    # -- views ---------------------------------------------------------------------------------

    @cached_property
    def opening(self) -> View:
        """What is known before the first step."""
        histories = tuple(known[0] for known in self._memory.histories)
        own = np.zeros(len(self.decoder.hypotheses.holders))
        return View(histories, State(self.trial.main.at), own)

    def arrived(self, view: View, npc: int) -> bool:
        """Whether an NPC has arrived, or has no actions left."""
        last = self._memory.histories[self._memory.npc(npc)][-1]
        return view.histories[npc].steps >= last.steps

    def observe(self, view: View, npc: int) -> View:
        """The view after one more step of an NPC."""
        if self.arrived(view, npc):
            who = f"{self.trial.label}: {self.trial.npcs[npc].id}"
            raise ValueError(f"{who} has arrived and cannot be observed any more")
        after = self._memory.histories[npc][view.histories[npc].steps + 1]
        seen = replace(view, histories=(*view.histories[:npc], after, *view.histories[npc + 1 :]))
        if not self._memory.ask(Question.EXPLAINED, seen).number:
            raise UnexplainedError(self.trial, self.trial.npcs[npc].id, after.steps)
        return seen

    def after(self, view: View, turn: Turn) -> View:
        """The view after one more turn of a player; its own interactions are evidence too."""
        if isinstance(turn.choice, Observe):
            return self.observe(view, self.trial.npc_index(turn.choice.npc))
        own = view.own_evidence
        if isinstance(turn.event, Interaction):
            hypotheses = self.decoder.hypotheses
            wizard = hypotheses.wizard_index[turn.event.wizard]
            own = np.where(hypotheses.holds[:, wizard] == turn.event.gave, own, -np.inf)
        return replace(view, main=turn.situation.main, own_evidence=own)

    def views(self, turns: Iterable[Turn]) -> Iterator[View]:
        """What a player knows at the start and after each of its turns."""
        view = self.opening
        yield view
        for turn in turns:
            view = self.after(view, turn)
            yield view

    def view_at(self, steps: Sequence[int]) -> View:
        """The view of a player that has only watched: this many steps of each NPC."""
        known = self._memory.histories
        if all(0 <= count < len(known[npc]) for npc, count in enumerate(steps)):
            seen = tuple(known[npc][count] for npc, count in enumerate(steps))
            view = replace(self.opening, histories=seen)
            if self._memory.ask(Question.EXPLAINED, view).number:
                return view
        view = self.opening
        for npc, count in enumerate(steps):  # one by one, to name the step that cannot be seen
            for _ in range(count):
                view = self.observe(view, npc)
        return view

    def view_after(self, log: Iterable[Choice | str]) -> View:
        """What a player knows after a log of choices."""
        *_, last = self.views(replay(self.stage, log))
        return last

    def lacking(self, view: View) -> tuple[str, ...]:
        """The needed colours whose amulets the main agent does not hold."""
        return tuple(colour for colour in self.trial.needed if colour not in view.main.amulets)

    # -- belief --------------------------------------------------------------------------------

    def belief(self, view: View) -> Belief:
        """For each lacking colour, how likely each wizard is its holder."""
        self._memory.ask(Question.BELIEF, view)
        return self.decoder.belief(self._memory.thoughts.belief.tolist(), self.lacking(view))

    def goals(self, view: View, npc: int) -> Goals:
        """How likely each chest is an NPC's goal."""
        self._memory.ask(Question.BELIEF, view)
        return self.decoder.goals(self._memory.thoughts.goal_p.tolist())[self._memory.npc(npc)]

    def log_weights(self, view: View, npc: int) -> FloatArray:
        """How well each hypothesis explains what was seen of an NPC alone, as (goals, holders)."""
        node = view.histories[self._memory.npc(npc)].node
        self._memory.ask(Question.LOG_WEIGHTS, view, node=node)
        shape = self.decoder.hypotheses.shape
        weights: FloatArray = self._memory.thoughts.log_weight.reshape(shape).copy()
        return weights

    def settled(self, belief: Belief) -> bool:
        """Whether every colour has a wizard that is at least `converge` likely its holder."""
        amulets = self._memory.amulets(belief)
        return bool(self._memory.ask(Question.SETTLED, belief=belief, amulets=amulets).number)

    def candidates(self, belief: Belief) -> Candidates:
        """The wizards of each colour that are worth asking."""
        amulets = self._memory.amulets(belief)
        wizards = self._memory.ask(Question.CANDIDATES, belief=belief, amulets=amulets).number
        found = self.decoder.candidates(wizards, amulets)
        return {colour: found[colour] for colour in belief}

    def all_wizards(self, colours: Iterable[str]) -> Candidates:
        """Every wizard of some colours as a candidate."""
        return {c: tuple(wizard.id for wizard in self.trial.map.wizards_of[c]) for c in colours}

    # -- what acting alone costs ---------------------------------------------------------------

    def c_self(
        self, view: View, candidates: Candidates | None = None, belief: Belief | None = None
    ) -> float:
        """The cost of acting now with some candidates, by default those of the present belief."""
        if candidates is None:
            belief = self.belief(view)
            candidates = self.candidates(belief)
        wizards = self._memory.wizards(self.wizards(candidates))
        return self._memory.ask(Question.COST, view, belief, wizards=wizards).points

    def wizards(self, candidates: Candidates) -> tuple[Wizard, ...]:
        """The candidates of all colours in reading order."""
        wanted = {wizard for ids in candidates.values() for wizard in ids}
        return tuple(wizard for wizard in self.trial.map.wizards if wizard.id in wanted)

    def tour(self, start: State, wizards: Iterable[Wizard]) -> tuple[Wizard, ...]:
        """The order in which wizards are visited, nearest first.

        "chain" looks for the nearest from each stop, "fixed" sorts once from the first cell. An
        amulet is counted as held when all wizards of its colour have been visited.
        """
        (cell, amulets), wanted = self._memory.standing(start), self._memory.wizards(wizards)
        count = self._memory.ask(Question.TOUR, cell=cell, amulets=amulets, wizards=wanted).number
        order = self._memory.thoughts.order[:count].tolist()
        return tuple(self.trial.map.wizards[wizard] for wizard in order)

    def leg(self, start: State, target: Chest | Wizard) -> Leg:
        """The best walk from where an agent stands that asks nobody but its target."""
        (cell, amulets), number = self._memory.standing(start), self._memory.target(target)
        end = self._memory.ask(Question.LEG, target=number, cell=cell, amulets=amulets).number
        if end < 0:
            return Leg(inf, (), None)
        actions, asks = self._memory.route(), isinstance(target, Wizard)
        cost = self.parameters.costs.total(0, len(actions) - asks, asks)
        return Leg(cost, actions, replace(start, cell=self._memory.place(end)))

    def act(self, candidates: Candidates) -> tuple[tuple[Action, ...], int]:
        """What the main agent does from its start to its chest, and how many are interactions.

        It goes for the candidates in the tour's order, then for other wizards if need be. A colour
        is skipped once its amulet is held, and a wizard that cannot be reached when its turn comes
        is left for later.
        """
        wizards = self._memory.wizards(self.wizards(candidates))
        interactions = self._memory.ask(Question.ACT, wizards=wizards).number
        return self._memory.route(), interactions

    # -- what watching would bring -------------------------------------------------------------

    def worth(self, view: View, npc: int) -> tuple[float, tuple[Particle, ...]]:
        """What watching an NPC and then acting would cost, and the particles behind it."""
        q_obs = self._memory.ask(Question.WATCHING, view, npc=self._memory.npc(npc)).points
        ingredients = self._memory.ingredients(Appraisal.IMAGINED_COSTS)
        return q_obs, self.decoder.particles(ingredients, npc)

    def distance(self, view: View, npc: int) -> float:
        """How far watching an NPC to its arrival could move the belief over the open colours."""
        return self._memory.ask(Question.DISTANCE, view, npc=self._memory.npc(npc)).points

    def future(
        self,
        view: View,
        npc: int,
        goal: str,
        holders: Mapping[str, str],
        expertise: Expertise | None = None,
    ) -> list[Action]:
        """What an NPC would do from now on under a hypothesis, to its arrival.

        Its expertise is part of a hypothesis only where the observer is not told.
        """
        npc = self._memory.npc(npc)
        who = self.trial.npcs[npc]
        if len(self.decoder.kinds) == 1 and expertise not in (None, who.label):
            raise ValueError(
                f"{self.trial.label}: the observer is told that {who.id} is {who.label} and does"
                f" not imagine it as {expertise}"
            )
        lane = self.decoder.hypotheses.lane(goal, holders, expertise)
        node = view.histories[npc].node
        self._memory.ask(Question.FUTURE, view, node=node, lane=lane)
        return list(self._memory.route())

    # -- composed observers --------------------------------------------------------------------

    def decide(self, parts: Parts, view: View, last: str | None = None) -> Decision:
        """What an observer of some parts decides at a view, after the NPC it watched last."""
        before = NONE if last is None else self.trial.npc_index(last)
        choice, appraisal = self._memory.decide(parts, view, before), parts.appraisal
        began = any(history.steps for history in view.histories)
        ingredients, lacking = self._memory.ingredients(appraisal), self.lacking(view)
        decision = self.decoder.decision(appraisal, choice, ingredients, lacking, first=not began)
        return with_reason(decision, self.trial, self.parameters, began, appraisal.plans_ahead)

    def trusted(self, trust: Trust, view: View) -> Candidates:
        """The wizards that an observer goes for at a view, for each colour that is lacking."""
        wizards = self._memory.ask(Question.WANTED, view, trust=trust).number
        return self.decoder.candidates(wizards, self._memory.amulets(self.lacking(view)))

    def values(self, parts: Parts, view: View) -> Values:
        """What acting and watching each NPC are worth to an observer at a view."""
        self._memory.decide(parts, view)
        act, *watch = self._memory.thoughts.value.tolist()
        there = (None if self.arrived(view, n) else value for n, value in enumerate(watch))
        return Values(act, tuple(there))

    def run(self, parts: Parts, name: str) -> Result:
        """What an observer of these parts and of that name does in the whole trial."""
        found = run_packed([self.trial], self.packed, self.parameters, [parts], True, True)
        return result_of(self.decoder, name, parts, self.parameters, found, row=0, column=0)

    def sights(self, view: View, npc: int) -> Sight:
        """What could be seen of an NPC from now on, and where watching it would no longer pay.

        It has no children where there is nothing to learn, and once the NPC has arrived.

        >>> from onlooker.game import load_trial
        >>> engine = Engine(load_trial("examples/early-turn.map"))
        >>> root = engine.sights(engine.opening, 0)
        >>> [(str(child.action), child.p, child.stops) for child in root.children]
        [('up', 1.0, False)]
        """
        return self._memory.sights(view, npc)

    def lattice(self, parts: Parts) -> Lattice:
        """The values and choices at every combination of steps seen."""
        (found,) = lattices([self.trial], self.packed, self.parameters, check_parts(parts))
        return found

    # -- the ideal observer --------------------------------------------------------------------

    @cached_property
    def foresight(self) -> Foresight:
        """Everything that could be seen, weighed as the ideal observer does."""
        return Foresight(self.trial, self.parameters, self.packed)

    @cached_property
    def _memory(self) -> Memory:
        return Memory(self.trial, self.packed, self.parameters, self.decoder.hypotheses)


def pruned(trial: Trial, prune: float) -> list[str]:
    """The open colours of which a threshold prunes all wizards but the first at the start."""
    return [
        colour
        for colour, wizards in trial.map.wizards_of.items()
        # Which colours are open takes long to compute, so it is asked last.
        if prune > 1 / len(wizards) + TOLERANCE and colour in trial.open_colours
    ]
