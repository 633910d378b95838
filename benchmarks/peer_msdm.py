"""The posterior by msdm: a tabular MDP for each hypothesis, and its value iteration."""

from __future__ import annotations

import math
from itertools import product
from typing import Any

from msdm.algorithms.valueiteration import ValueIteration
from msdm.core.distributions import DictDistribution
from msdm.core.mdp import TabularMarkovDecisionProcess

DELTAS = ((0, -1), (0, 1), (-1, 0), (1, 0))

Problem = dict[str, Any]


class Expert(TabularMarkovDecisionProcess):
    """An agent that knows the holder; a state is (x, y, holds the amulet)."""

    discount_rate = 1.0

    def __init__(self, problem: Problem, chest: Any, holder: Any) -> None:
        self.size = problem["width"], problem["height"]
        self.walls = {tuple(cell) for cell in problem["walls"]}
        self.barriers = {tuple(cell) for cell in problem["barriers"]}
        self.wizards = {tuple(cell) for cell in problem["wizards"]}
        self.start, self.chest, self.holder = problem["start"], tuple(chest), tuple(holder)
        self.move, self.interact = problem["move"], problem["interact"]

    def initial_state_dist(self) -> Any:
        """Where it starts."""
        return DictDistribution({(*self.start, False): 1.0})

    def is_absorbing(self, s: Any) -> bool:
        """Whether it has arrived."""
        return s[:2] == self.chest

    def actions(self, s: Any) -> Any:
        """What it can do."""
        return tuple(a for a in DELTAS if self.effect(s, a) != "blocked")

    def effect(self, s: Any, a: Any) -> str:
        """What heading somewhere does: blocked, ask or move."""
        there = s[0] + a[0], s[1] + a[1]
        inside = 0 <= there[0] < self.size[0] and 0 <= there[1] < self.size[1]
        if not inside or there in self.walls or (there in self.barriers and not s[2]):
            return "blocked"
        return "ask" if there in self.wizards and not s[2] else "move"

    def next_state_dist(self, s: Any, a: Any) -> Any:
        """Where an action leads, for sure."""
        if self.is_absorbing(s):
            return DictDistribution({s: 1.0})
        there = s[0] + a[0], s[1] + a[1]
        if self.effect(s, a) == "ask":
            return DictDistribution({(s[0], s[1], there == self.holder): 1.0})
        return DictDistribution({(*there, s[2]): 1.0})

    def reward(self, s: Any, a: Any, ns: Any) -> float:
        """What an action costs, below zero."""
        if self.is_absorbing(s):
            return 0
        return -self.interact if s[:2] == ns[:2] else -self.move


class System:
    """Plans on all hypotheses, one after the other."""

    def prepare(self, problem: Problem) -> Any:
        """The MDPs with their matrices."""
        models = [
            Expert(problem, chest, holder)
            for chest, holder in product(problem["chests"], problem["wizards"])
        ]
        for model in models:
            model.state_action_reward_matrix, model._unable_to_reach_absorbing  # noqa: B018
        return problem, models

    def posterior(self, prepared: Any) -> list[float]:
        """Plan, and weigh every hypothesis by what was seen."""
        problem, models = prepared
        logs = []
        for model in models:
            q = ValueIteration().plan_on(model).action_value
            logs.append(log_weight(problem, model, q))
        top = max(logs)
        weights = [math.exp(log - top) for log in logs]
        return [weight / sum(weights) for weight in weights]


def log_weight(problem: Problem, model: Any, q: Any) -> float:
    """The log probability of what was seen under one hypothesis."""
    beta, state, total = problem["beta"], (*problem["start"], False), 0.0
    for seen in problem["steps"]:
        action = DELTAS[seen["action"]]
        effect = model.effect(state, action)
        if effect != ("ask" if seen["asked"] else "move"):
            return -math.inf
        following = next(iter(model.next_state_dist(state, action).support))
        if seen["asked"] and following[2] != seen["gave"]:
            return -math.inf
        values = [beta * float(q[state][a]) for a in model.actions(state)]
        top = max(values)
        norm = top + math.log(sum(math.exp(value - top) for value in values))
        total += beta * float(q[state][action]) - norm
        state = following
        if model.is_absorbing(state) != seen["arrived"]:
            return -math.inf
    return total
