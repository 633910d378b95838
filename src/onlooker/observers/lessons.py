"""What teachers would do, for people to look at and for those who play or draw a trial."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from math import inf
from typing import Any, NamedTuple

from onlooker.game import ACTIONS, Action, Expertise, Holders, Interaction, Trial, check_trial
from onlooker.inference.errors import failure
from onlooker.inference.hypotheses import Hypotheses
from onlooker.inference.kernels.tree import Tree
from onlooker.inference.parameters import Parameters, check_parameters
from onlooker.observers.kernels.lessons import FIRST, LEARNER, LOOKS, OWN
from onlooker.observers.teaching import Teacher, watched_alone
from onlooker.planning import Steps, taken_path
from onlooker.planning.packing import pack


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

    `care` is the NPC's own where the trial says it, else the parameter, unless it is given.

    >>> from onlooker.game import load_trial
    >>> [(plan.looks, plan.own, plan.learner) for plan in
    ...  plans(load_trial("examples/early-turn.map"), "agent2")][:1]
    [(3, 53, 77)]
    """
    parameters, index = check_parameters(parameters), check_trial(trial).npc_index(npc)
    who, hypotheses = trial.npcs[index], Hypotheses(trial.map)
    if care is None:
        care = parameters.care if who.care is None else who.care
    teacher = Teacher(watched_alone(pack([trial]), 0, index), parameters.settings, care)
    lengths, actions, facts = teacher.plans()
    tree = teacher.room[Tree]
    if tree.error:
        raise failure(trial, parameters, tree.error, index)
    found = []
    for lane, (goal, holders) in enumerate(product(hypotheses.goals, hypotheses.holders)):
        taken = [ACTIONS[action] for action in actions[lane, : lengths[lane]].tolist()]
        under = replace(trial, holders=holders)
        path = taken_path(under, replace(who, goal=goal), taken, parameters.costs)
        first = facts[lane, FIRST:].tolist()
        found.append(
            Plan(
                goal,
                holders,
                path,
                int(facts[lane, LOOKS]),
                int(facts[lane, OWN]),
                int(facts[lane, LEARNER]),
                {a: q for a, q in zip(ACTIONS, first, strict=True) if q < inf},
            )
        )
    return found


def with_lessons(trial: Trial, parameters: Parameters | None = None) -> Trial:
    """The same trial with the actions of its teachers fixed, for those who only play or draw it."""
    npcs = []
    for npc in trial.npcs:
        if npc.expertise is Expertise.TEACHER and npc.actions is None:
            [plan] = (
                plan
                for plan in plans(trial, npc.id, parameters)
                if plan.goal == npc.goal and dict(plan.holders) == dict(trial.holders)
            )
            npc = replace(npc, actions=tuple(taken.action for taken in plan.path))
        npcs.append(npc)
    return replace(trial, npcs=tuple(npcs))
