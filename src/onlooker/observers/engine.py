"""The one engine: what an observer knows, believes and could learn, at any point of a trial.

It is made once for a trial and its parameters. What costs time is compiled (`kernels`): tables,
histories and tours are kept there, so that observers, NPCs and steps share them and a future that
was imagined is not worked out again when the NPC follows it.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from onlooker.game import Choice, Interaction, Observe, Stage, State, Trial, Wizard, replay
from onlooker.inference.errors import UnexplainedError
from onlooker.inference.history import History
from onlooker.inference.kernels import ASSESS, EXPLAINED
from onlooker.inference.parameters import SMALLEST, TOLERANCE, Parameters
from onlooker.inference.workspace import Workspace
from onlooker.observers import kernels
from onlooker.observers.exploration import Exploration
from onlooker.observers.results import Belief, Candidates, Goals, Particle
from onlooker.planning import Path, Tables, budget, taken_path
from onlooker.planning.memory import NONE
from onlooker.support.arrays import FloatArray


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
        self.workspace = Workspace(trial, self.parameters)
        self.hypotheses = self.workspace.hypotheses
        self.exploration = Exploration(self.workspace)
        needed = self.workspace.number("needed")
        self.needed = tuple(c for bit, c in enumerate(trial.map.colours) if needed >> bit & 1)
        for colour in pruned(trial, self.parameters.prune, self.open_colours):
            count = len(trial.map.wizards_of[colour])
            warnings.warn(
                f"{trial.label}: prune={self.parameters.prune} is above 1/{count}, so at"
                f" the start it would prune all {count} {colour} wizards but the first",
                stacklevel=2,
            )

    # -- the trial itself ----------------------------------------------------------------------

    @cached_property
    def tables(self) -> Tables:
        """The costs-to-go of agents on the map."""
        return Tables(self.trial.map, self.parameters.costs)

    @cached_property
    def paths(self) -> tuple[Path, ...]:
        """What each NPC really does."""
        actions = (
            [History(self.workspace, node).action for node in nodes[1:]]
            for nodes in self.workspace.paths
        )
        return tuple(
            taken_path(self.trial, npc, taken, self.parameters.costs)
            for npc, taken in zip(self.trial.npcs, actions, strict=True)
        )

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
        histories = tuple(History(self.workspace, npc) for npc in range(len(self.trial.npcs)))
        own = np.zeros(len(self.hypotheses.holders))
        return View(histories, State(self.trial.main.at), own)

    def arrived(self, view: View, npc: int) -> bool:
        """Whether an NPC has arrived, or done everything it does."""
        if not 0 <= npc < len(view.histories):
            raise IndexError(f"{self.trial.label}: there is no NPC {npc}; the first one is 0")
        return view.histories[npc].steps >= len(self.workspace.paths[npc]) - 1

    def observe(self, view: View, npc: int) -> View:
        """The view after one more step of an NPC."""
        if self.arrived(view, npc):
            who = f"{self.trial.label}: {self.trial.npcs[npc].id}"
            raise ValueError(f"{who} has arrived and cannot be observed any more")
        steps = view.histories[npc].steps + 1
        after = History(self.workspace, self.workspace.paths[npc][steps])
        histories = (*view.histories[:npc], after, *view.histories[npc + 1 :])
        seen = replace(view, histories=histories)
        self._stand(seen)
        if not self.workspace.infer(EXPLAINED, after.node):
            raise UnexplainedError(self.trial, self.trial.npcs[npc].id, steps)
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

    def _stand(self, view: View) -> None:
        nodes = [history.node for history in view.histories]
        self.workspace.stand(nodes, view.main, view.own)

    # -- belief --------------------------------------------------------------------------------

    def belief(self, view: View) -> Belief:
        """For each lacking colour, how likely each wizard is its holder."""
        self._stand(view)
        node = view.histories[0].node if view.histories else 0
        self.workspace.infer(ASSESS, node)
        chances = self.workspace.section("belief")[node].tolist()
        index = self.hypotheses.wizard_index
        return {
            colour: {w.id: chances[index[w.id]] for w in self.trial.map.wizards_of[colour]}
            for colour in self.lacking(view)
        }

    def goals(self, view: View, npc: int) -> Goals:
        """How likely each chest is an NPC's goal."""
        self._stand(view)
        self.workspace.infer(ASSESS, view.histories[npc].node)
        goals = self.workspace.section("goal_p").tolist()
        return dict(zip(self.hypotheses.goals, goals, strict=True))

    def settled(self, belief: Belief) -> bool:
        """Whether every colour has a wizard that is surely enough its holder."""
        converge = self.parameters.converge - TOLERANCE
        return all(max(ps.values()) >= converge for ps in belief.values())

    def candidates(self, belief: Belief) -> Candidates:
        """The wizards of each colour that are worth going to."""
        return {colour: self._likely(ps) for colour, ps in belief.items()}

    def all_wizards(self, colours: Iterable[str]) -> Candidates:
        """Every wizard of some colours as a candidate."""
        return {c: tuple(wizard.id for wizard in self.trial.map.wizards_of[c]) for c in colours}

    def _likely(self, chances: Mapping[str, float]) -> tuple[str, ...]:
        top = max(chances.values())
        first = next(wizard for wizard, p in chances.items() if p >= top - TOLERANCE)
        if top >= self.parameters.converge - TOLERANCE:
            return (first,)
        prune = max(self.parameters.prune - TOLERANCE, SMALLEST)
        return tuple(wizard for wizard, p in chances.items() if p >= prune) or (first,)

    # -- what acting alone costs ---------------------------------------------------------------

    def c_self(
        self, view: View, candidates: Candidates | None = None, belief: Belief | None = None
    ) -> float:
        """What acting now costs, going for some candidates (those of the present belief)."""
        if candidates is None:
            belief = self.belief(view)
            candidates = self.candidates(belief)
        self._stand(view)
        place = int(NONE)
        if belief is not None:
            place = self.workspace.number("told")
            told = self.workspace.section("told")
            for chances in belief.values():
                for wizard, p in chances.items():
                    told[self.hypotheses.wizard_index[wizard]] = p
        return self.ask(kernels.COST, self.exploration.bits(self.wizards(candidates)), place)

    def wizards(self, candidates: Candidates) -> tuple[Wizard, ...]:
        """The candidates of all colours in reading order."""
        wanted = {wizard for ids in candidates.values() for wizard in ids}
        return tuple(wizard for wizard in self.trial.map.wizards if wizard.id in wanted)

    # -- what watching would bring -------------------------------------------------------------

    def worth(self, view: View, npc: int) -> tuple[float, tuple[Particle, ...]]:
        """What watching an NPC and then acting would cost, and the particles behind it."""
        self._stand(view)
        q_obs = self.ask(kernels.WORTH, npc)
        hypotheses, section = self.hypotheses, self.workspace.section
        p, steps, left = map(section, ("particle_p", "particle_steps", "particle_residual"))
        particles = []
        for lane in np.flatnonzero(p).tolist():
            goal, holders = divmod(lane, len(hypotheses.holders))
            particles.append(
                Particle(
                    goal=hypotheses.goals[goal],
                    holders=hypotheses.holders[holders],
                    p=float(p[lane]),
                    steps=int(steps[lane]),
                    residual=float(left[lane]),
                )
            )
        return q_obs, tuple(particles)

    def distance(self, view: View, npc: int) -> float:
        """How far watching an NPC to its arrival could move the belief over the open colours."""
        self._stand(view)
        return self.ask(kernels.DISTANCE, npc)

    def ask(self, what: int, a: int, b: int = 0, d: int = 0) -> float:
        """Ask the compiled observers for something; the view that was used last holds."""
        return float(self.workspace.call(kernels.decide, what, a, b, d))


def pruned(trial: Trial, prune: float, colours: Iterable[str]) -> list[str]:
    """The colours of which a threshold prunes all wizards but the first before the first step."""
    wizards_of = trial.map.wizards_of
    return [c for c in colours if prune > 1 / len(wizards_of[c]) + TOLERANCE]
