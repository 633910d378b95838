"""The rules by which fitted people choose: each says its parameters and the chance of each option.

The probabilities themselves are `observers.choosing`'s, which simulations use too. A new rule is an
entry of `RULES`, and a declaration in `parameters.CHOOSING` for each parameter that is new.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from onlooker.observers import Observer
from onlooker.observers.choosing import graded_choice, softmax_choice
from onlooker.observers.observer import has_values
from onlooker.support.arrays import FloatArray, IntArray

Theta = Mapping[str, FloatArray]  # parameters by name, and `charged`: points paid for a look


@dataclass(frozen=True)
class DecisionPoints:
    """Places where somebody chooses, along any axes."""

    values: FloatArray  # (points, options): acting, then each NPC; −inf if it cannot be watched
    expected_steps: FloatArray  # (points, options): that watching is expected to take
    last: IntArray  # (points): the NPC watched before, −1 for nobody

    @cached_property
    def options(self) -> IntArray:
        """How many options each has."""
        return np.asarray(np.isfinite(self.values[..., 1:]).sum(axis=-1) + 1)


@dataclass(frozen=True)
class Rule:
    """How values become choices, and which parameters that has."""

    name: str
    parameters: tuple[str, ...]
    free: tuple[str, ...]  # those that are free unless the user says otherwise
    # The log probability of each option, not counting `skip`, which is of whole trials. Parameters
    # have axes that broadcast against those of the points.
    log_options: Callable[[DecisionPoints, Theta], FloatArray]
    # The parameter that mixes finished probabilities: those of choices with a random option
    # (`lapse`), or those of whole trials with not watching at all (`skip`).
    mixing: Literal["lapse", "skip"]
    prescribed: bool = False  # what the observer would do is worth 1, and everything else 0

    def check(self, observer: Observer) -> None:
        """ValueError if an observer has no values and the rule needs them."""
        if not self.prescribed and not has_values(observer):
            raise ValueError(
                f"observer {observer.name!r} has no method values(engine, view, choices), which the"
                f" {self.name} rule needs: expected one that returns Values(act, watch), or the"
                " rule choice, which only needs what it would do"
            )


def _softmax(points: DecisionPoints, theta: Theta) -> FloatArray:
    values = points.values
    if "observe" in theta:
        extra = theta["observe"] - theta["charged"]
        values = values - extra[..., None] * points.expected_steps
    return softmax_choice(
        values,
        theta["temperature"],
        theta["lapse"],
        theta.get("bias", 0.0),
        theta.get("perseveration", 0.0),
        points.last,
    )


def _graded(points: DecisionPoints, theta: Theta) -> FloatArray:
    return graded_choice(points.values, theta["temperature"], theta["curiosity"])


RULES: dict[str, Rule] = {
    rule.name: rule
    for rule in (
        Rule(
            "softmax",
            ("temperature", "lapse", "bias", "perseveration", "observe"),
            ("temperature", "lapse"),
            _softmax,
            "lapse",
        ),
        Rule(
            "graded",
            ("temperature", "curiosity", "skip"),
            ("temperature", "curiosity", "skip"),
            _graded,
            "skip",
        ),
        Rule(
            "choice",
            ("temperature", "lapse"),
            ("temperature",),
            _softmax,
            "lapse",
            prescribed=True,
        ),
    )
}
