"""What teachers would do, for commands, pages and pictures, and for trials that are played."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict, replace
from functools import cache
from math import inf
from typing import Any, NamedTuple

from onlooker.game import (
    ACTIONS,
    Action,
    Costs,
    Expertise,
    Holders,
    Interaction,
    Npc,
    Trial,
    check_trial,
)
from onlooker.game.problems import MAX_CARE
from onlooker.inference.errors import TooLargeError, failure
from onlooker.inference.hypotheses import Hypotheses
from onlooker.inference.kernels.tree import OUTCOMES, Tree
from onlooker.inference.parameters import MARGIN, Parameters, check_parameters
from onlooker.observers.engine import Engine
from onlooker.observers.foresight import Foresight
from onlooker.observers.results import View
from onlooker.observers.teaching import Teacher, seen_up_to, watched_alone
from onlooker.planning import NoPathError, Steps, path_cost, taken_path
from onlooker.planning.errors import no_way
from onlooker.planning.packing import NONE, pack


class Plan(NamedTuple):
    """What a teacher does if it wants a chest and the holders are these."""

    goal: str
    holders: Holders
    path: Steps
    looks: int  # steps to the first point at which the literal learner leaves
    own: int  # points of the whole path
    learner: int  # points of the looks and of what the learner does then
    first: dict[Action, float]  # Q_T at the start

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "goal": self.goal,
            "holders": dict(self.holders),
            "path": [str(taken.action) for taken in self.path],
            "asked": [t.event.wizard for t in self.path if isinstance(t.event, Interaction)],
            "looks": self.looks,
            "own": self.own,
            "learner": self.learner,
            "first": {str(action): q for action, q in self.first.items()},
        }


def plans(
    trial: Trial, npc: str, parameters: Parameters | None = None, care: float | None = None
) -> list[Plan]:
    """What an NPC would do as a teacher, under every goal and holders.

    Without `care` the NPC cares as much as the trial says, or else as much as the parameter says.

    >>> from onlooker.game import load_trial
    >>> [(plan.looks, plan.own, plan.learner) for plan in
    ...  plans(load_trial("examples/early-turn.map"), "agent2")][:1]
    [(3, 53, 77)]
    """
    parameters, index = check_parameters(parameters), check_trial(trial).npc_index(npc)
    care = care_of(trial.npcs[index], parameters) if care is None else care
    return [*_plans(trial, index, parameters, care)]


def care_of(npc: Npc, parameters: Parameters) -> float:
    """How much an NPC cares as a teacher: as the trial says, or else as the parameter says."""
    return parameters.care if npc.care is None else npc.care


def teacher_path(trial: Trial, npc: Npc, costs: Costs) -> Steps:
    """What a teacher does in a trial that is played; NoPathError if that cannot be computed."""
    parameters = Parameters(**asdict(costs))
    lane = Hypotheses(trial.map).lane(npc.goal, trial.holders)
    try:
        [plan] = _plans(trial, trial.npcs.index(npc), parameters, care_of(npc, parameters), lane)
    except TooLargeError as error:
        raise NoPathError(str(error)) from None
    if not plan.path or not plan.path[-1].state.arrived:
        raise no_way(trial.map, npc.at, npc.goal, holders=trial.holders)
    return plan.path


def _plans(
    trial: Trial, npc: int, parameters: Parameters, care: float, only: int = NONE
) -> Iterator[Plan]:
    """What an NPC would do under every hypothesis, or under one of them."""
    who = trial.npcs[npc]
    teacher = Teacher(watched_alone(pack([trial]), 0, npc), parameters.settings, care)
    found, tree = teacher.plan(only), teacher.room[Tree]
    if tree.error:
        raise failure(trial, parameters, tree.error, npc)
    for lane, (goal, _, holders) in enumerate(Hypotheses(trial.map).lanes):
        if only not in (NONE, lane):
            continue
        taken = [ACTIONS[seen // OUTCOMES] for seen in seen_up_to(tree, int(found.end[lane]))]
        under = replace(trial, holders=holders)
        path = taken_path(under, replace(who, goal=goal), taken, parameters.costs)
        yield Plan(
            goal,
            holders,
            path,
            int(found.looks[lane]),
            path_cost(path),
            int(found.learner[lane]),
            {a: q for a, q in zip(ACTIONS, found.q[lane].tolist(), strict=True) if q < inf},
        )


class LiteralLearner:
    """The learner that a teacher acts for: it takes the teacher for an expert and watches no other.

    >>> from onlooker.game import load_trial
    >>> learner = LiteralLearner(Engine(load_trial("examples/teachers/feint.map")), "agent2")
    >>> learner.leaves, learner.pays, learner.candidates
    (3, 68, {'blue': ('w2',)})
    >>> [round(belief["blue"]["w2"], 3) for belief in learner.beliefs]
    [0.5, 0.5, 0.5, 0.952]
    """

    def __init__(self, engine: Engine, npc: str) -> None:
        index = engine.trial.npc_index(npc)
        actions = tuple(taken.action for taken in engine.paths[index])
        who = replace(engine.trial.npcs[index], actions=actions, told=None, care=None)
        expert = replace(who, expertise=Expertise.EXPERT)
        self.engine = Engine(replace(engine.trial, npcs=(expert,)), engine.parameters, warn=False)
        view = self.engine.opening
        # after each step of the NPC, none first, until it leaves
        self.beliefs = [self.engine.belief(view)]
        while not self._leaves_at(view):
            view = self.engine.observe(view, 0)
            self.beliefs.append(self.engine.belief(view))
        self.leaves = len(self.beliefs) - 1
        self.candidates = self.engine.candidates(self.beliefs[-1])
        route, interactions = self.engine.act(self.candidates)
        costs = engine.parameters.costs  # points, for its looks and for what it then does
        self.pays = costs.total(self.leaves, len(route) - interactions, interactions)

    def _leaves_at(self, view: View) -> bool:
        """Whether it would learn no more: what it imagines ends right here."""
        if self.engine.arrived(view, 0):
            return True
        _, particles = self.engine.worth(view, 0)
        return all(particle.steps == 0 for particle in particles)


class Offer(NamedTuple):
    """A plan, and the least care with which a teacher chooses it."""

    care: float
    plan: Plan

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        found = self.plan.to_dict()
        return {"care": self.care} | {
            key: found[key] for key in ("own", "learner", "looks", "path")
        }


def frontiers(trial: Trial, npc: str, parameters: Parameters | None = None) -> list[list[Offer]]:
    """What an NPC would do as a teacher as it cares more, for every goal and holders.

    The first offer of each is the expert's, with care 0. Each later offer costs the teacher more
    and the learner less, or only the learner less (its care is 0 too: any care above 0 is enough).

    >>> from onlooker.game import load_trial
    >>> *_, last = frontiers(load_trial("examples/teachers/feint.map"), "agent2")
    >>> [(round(offer.care, 3), offer.plan.own, offer.plan.learner) for offer in last]
    [(0, 15, 95), (0.667, 33, 68)]
    """

    @cache
    def found(care: float) -> list[Plan]:
        return plans(trial, npc, parameters, care)

    def offers(lane: int) -> list[Offer]:
        expert = found(0)[lane]
        most = found(MAX_CARE)[lane]
        return [Offer(0, expert), *_offers(expert, most, lambda care: found(care)[lane])]

    return [offers(lane) for lane in range(len(found(0)))]


def _offers(less: Plan, more: Plan, found: Callable[[float], Plan]) -> list[Offer]:
    """What is chosen with increasing care, after one plan and up to another.

    A plan costs own + care · learner, a line over care, and a teacher chooses the lowest line. So
    where the lines of two choices cross, either a third lies below, or one follows the other.
    """
    if less.learner == more.learner:
        return []
    care = (more.own - less.own) / (less.learner - more.learner)
    between = found(care) if care else more
    crossing = more.own + care * more.learner
    if between.own + care * between.learner < crossing - MARGIN:
        return [*_offers(less, between, found), *_offers(between, more, found)]
    return [Offer(care, more)]


class Worth(NamedTuple):
    """What teaching is worth to the ideal observer of a trial, in points."""

    taught: float  # what it expects to pay
    untaught: float  # the same if all teachers were experts

    @property
    def points(self) -> float:
        """What it expects to save."""
        return self.untaught - self.taught


def teaches_in(engine: Engine, npc: Npc) -> bool:
    """Whether an NPC really acts for those who watch it, whatever they are told."""
    return npc.expertise is Expertise.TEACHER and care_of(npc, engine.parameters) > 0


def worth_of_teaching(trial: Trial, parameters: Parameters | None = None) -> Worth:
    """What the teachers of a trial are worth to the ideal observer, compared with experts.

    >>> from onlooker.game import load_trial
    >>> worth = worth_of_teaching(load_trial("examples/teachers/feint.map"))
    >>> worth, worth.points
    (Worth(taught=67.5, untaught=75.25), 7.75)
    """
    parameters = check_parameters(parameters)
    as_it_is, without = (
        Foresight(each, parameters).expected_cost for each in (check_trial(trial), untaught(trial))
    )
    return Worth(as_it_is, without)


def untaught(trial: Trial) -> Trial:
    """The trial with experts in place of its teachers; they plan their actions themselves."""
    npcs = (
        replace(npc, expertise=Expertise.EXPERT, care=None, told=None, actions=None)
        if npc.expertise is Expertise.TEACHER
        else npc
        for npc in trial.npcs
    )
    return replace(trial, npcs=tuple(npcs))
