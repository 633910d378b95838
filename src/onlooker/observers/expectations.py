"""What somebody who chooses by a rule does in a trial: exact distributions, without sampling.

One pass over the lattice gives the probability that watching stops at each combination of steps
seen, and with it everything that is expected.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from onlooker.game import Costs
from onlooker.inference.parameters import Parameters
from onlooker.observers.choosing import ChoiceRule, choice_probabilities, skipping
from onlooker.observers.kernels.lattices import stop_chances
from onlooker.observers.lattice import Lattice
from onlooker.planning import NoPathError
from onlooker.planning.compiling import choose
from onlooker.support.arrays import FloatArray

PLAIN_CHANCE = 1e-6  # seconds for a probability where that is not compiled, about


def lattice_probabilities(lattice: Lattice, rule: ChoiceRule, parameters: Parameters) -> FloatArray:
    """The probability of each choice at each combination, as (…, last, choices).

    The axis of whom was watched last has one place where that makes no difference.
    """
    if rule is ChoiceRule.HARD:
        chosen = lattice.chosen if lattice.takes_turns else lattice.chosen[..., :1]
        return choice_probabilities(rule, parameters, lattice.values[..., None, :], chosen)
    return choice_probabilities(rule, parameters, lattice.values)[..., None, :]


def stopping(probabilities: FloatArray, npcs: int) -> FloatArray:
    """The probability of acting at each combination of steps seen, by one pass over the lattice.

    `probabilities` are those of the choices at each combination, as (…, steps of each NPC, last,
    choices). They may have any axes before the steps, for example draws of parameters, and the
    axis of whom was watched last may have one place.
    """
    *lead, lasts, choices = probabilities.shape
    shape = np.array(lead[len(lead) - npcs :], dtype=np.int64)
    flat = np.ascontiguousarray(probabilities, float).reshape(-1, shape.prod(), lasts, choices)
    [call] = choose(stop_chances, seconds=PLAIN_CHANCE * flat.size)
    stop: FloatArray = call(flat, shape - 1)
    return stop.reshape(lead)


@dataclass(frozen=True)
class Expectation:
    """What an observer that chooses by a rule is expected to do in a trial.

    >>> from onlooker.game import load_trial
    >>> from onlooker.observers import Batch
    >>> batch = Batch([load_trial("examples/early-turn.map")])
    >>> (found,) = batch.expect(observer="rational_mentalizing", rule="softmax")
    >>> found.observed[0] > 3, round(sum(found.distribution[0]), 9)
    (True, 1.0)
    """

    lattice: Lattice
    rule: ChoiceRule
    skip: float  # the chance of not watching at all
    stop: FloatArray  # (steps of each NPC): of acting there, for one who does not skip
    costs: Costs

    @classmethod
    def of(cls, lattice: Lattice, rule: ChoiceRule | str, parameters: Parameters) -> Expectation:
        """What is expected of an observer by its lattice."""
        rule = ChoiceRule(rule)
        stop = stopping(lattice_probabilities(lattice, rule, parameters), len(lattice.steps))
        return cls(lattice, rule, skipping(rule, parameters), stop, parameters.costs)

    @cached_property
    def probability(self) -> FloatArray:
        """(steps of each NPC): of acting there, for anybody."""
        found = (1 - self.skip) * self.stop
        found[(0,) * found.ndim] += self.skip
        return found

    @cached_property
    def distribution(self) -> tuple[tuple[float, ...], ...]:
        """For each NPC, the probability of watching 0, 1, 2 … of its steps."""
        axes = range(self.stop.ndim)
        return tuple(
            tuple(self.probability.sum(axis=tuple(a for a in axes if a != npc)).tolist())
            for npc in axes
        )

    @property
    def observed(self) -> tuple[float, ...]:
        """For each NPC, the expected number of steps watched."""
        return tuple(
            float(np.dot(chances, np.arange(len(chances)))) for chances in self.distribution
        )

    @property
    def observed_sd(self) -> tuple[float, ...]:
        """For each NPC, the standard deviation of the number of steps watched."""
        return tuple(
            float(np.sqrt(np.dot(chances, (np.arange(len(chances)) - mean) ** 2)))
            for chances, mean in zip(self.distribution, self.observed, strict=True)
        )

    @property
    def moves(self) -> float:
        """The expected number of the main agent's moves."""
        return self._mean(self.lattice.actions - self.lattice.interactions)

    @property
    def interactions(self) -> float:
        """The expected number of the main agent's interactions."""
        return self._mean(self.lattice.interactions)

    @property
    def cost(self) -> float:
        """The expected cost of watching, moving and interacting."""
        return float(self.costs.total(sum(self.observed), self.moves, self.interactions))

    def _mean(self, amount: Any) -> float:
        if (self.probability[self.lattice.actions < 0] > 0).any():
            label = self.lattice.trial.label
            raise NoPathError(f"{label}: the main agent cannot get to the wizards that it needs")
        return float((self.probability * amount).sum())

    def to_dict(self) -> dict[str, Any]:
        """As plain data; moves, interactions and cost are expectations."""
        return {
            "rule": str(self.rule),
            "expected": list(self.observed),
            "expected_sd": list(self.observed_sd),
            "distribution": [list(chances) for chances in self.distribution],
            "moves": self.moves,
            "interactions": self.interactions,
            "cost": self.cost,
        }

    def plain_lattice(self) -> dict[str, Any]:
        """The costs and the probability of acting at each combination, the last NPC fastest."""
        available = self.lattice.available
        rows, stop = [], []
        for steps in np.ndindex(self.stop.shape):
            costs = [
                _finite(-value) if there else None
                for value, there in zip(
                    self.lattice.values[steps].tolist(), available[steps].tolist(), strict=True
                )
            ]
            rows.append([list(steps), costs[0], costs[1:]])
            stop.append([list(steps), float(self.stop[steps])])
        return {"lattice": rows, "stop": stop}


def _finite(value: float) -> float | None:
    return value + 0.0 if np.isfinite(value) else None
