"""The parameters of all observers: one set serves every experiment."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal, NamedTuple, get_args, get_type_hints

import numpy as np

from onlooker.game import Costs, Expertise

TOLERANCE = 1e-12  # what counts as equal to a threshold, or as equally likely
MARGIN = 1e-9  # points: what counts as equally good; watching must be better than acting by more
SMALLEST = 5e-324  # the least number above 0

Exploration = Literal["worst", "expected"]
Order = Literal["chain", "fixed"]
Meeting = Literal["relevant", "any"]
Kinds = Literal["expert,novice", "expert,teacher", "novice,teacher", "expert,novice,teacher"]


# What only soft choice rules and Graded Mentalizing use: the paper's observers depend on none of it
SOFT = ("temperature", "lapse", "curiosity", "skip", "caution")
# What matters only where there are teachers, or where it is not told who is what
OF_KINDS = ("kinds", "care")


class Settings(NamedTuple):
    """The parameters as compiled functions take them: thresholds with what counts as equal."""

    move: int
    interact: int
    observe: int
    beta: float
    converge: float
    prune: float
    epsilon: float
    expected: bool  # exploration
    fixed: bool  # order
    anyone: bool  # meeting
    caution: float
    care: float


@dataclass(frozen=True, slots=True)
class Parameters:
    """What the observers assume and care about; the defaults are the paper's where it has them.

    >>> Parameters(beta=0.2).beta
    0.2
    >>> Parameters(converge=1.5)
    Traceback (most recent call last):
    ValueError: converge must be above 0 and at most 1, not 1.5
    """

    move: int = 3  # points
    interact: int = 5
    observe: int = 1
    beta: float = 0.5  # per point: how surely agents take the better action
    converge: float = 0.95  # a colour is settled when a wizard is that likely its holder
    prune: float = 0.1  # what is less likely is left out of the imagination
    epsilon: float = 0.1  # Mentalizing Observer: how far a belief must move to count
    exploration: Exploration = "worst"  # how the cost of acting alone is computed
    order: Order = "chain"  # nearest from each stop, or sorted once from the start
    meeting: Meeting = "relevant"  # Naive Observer: which interactions it waits for
    # soft choice rules (`observers.choosing`) and Graded Mentalizing; the paper has none of them
    temperature: float = 1.0  # softmax temperature, in points
    lapse: float = 0.05  # softmax: how often the choice is uniformly random
    curiosity: float = 2.0  # graded: points that a look is worth in itself
    skip: float = 0.3  # graded: the chance of not watching in a trial
    caution: float = 0.5  # Graded Mentalizing: between the expected cost (0) and the worst case (1)
    kinds: Kinds = "expert,novice"  # that an NPC may be, to somebody who is not told
    care: float = 1.0  # teachers: points of their own that they give for one of the learner's

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, np.generic):  # a number out of an array
                object.__setattr__(self, field.name, value.item())
        self.costs  # noqa: B018 - checks the three costs
        _require("beta", self.beta, "at least 0", lambda value: value >= 0)
        _require("converge", self.converge, "above 0 and at most 1", lambda v: 0 < v <= 1)
        _require("prune", self.prune, "from 0 to 1", lambda value: 0 <= value <= 1)
        _require("epsilon", self.epsilon, "at least 0", lambda value: value >= 0)
        _require("temperature", self.temperature, "above 0", lambda value: value > 0)
        _require("care", self.care, "from 0 to 1000", lambda value: 0 <= value <= 1000)
        _require("curiosity", self.curiosity, "a number", lambda value: True)
        for name in ("lapse", "skip", "caution"):
            _require(name, getattr(self, name), "from 0 to 1", lambda value: 0 <= value <= 1)
        for name in ("exploration", "order", "meeting", "kinds"):
            words = get_args(_HINTS[name])
            if getattr(self, name) not in words:
                expected = " or ".join(repr(word) for word in words)
                raise ValueError(f"{name} must be {expected}, not {getattr(self, name)!r}")

    @property
    def npc_kinds(self) -> tuple[Expertise, ...]:
        """The kinds that an NPC may be, to somebody who is not told."""
        return tuple(map(Expertise, self.kinds.split(",")))

    @property
    def costs(self) -> Costs:
        """The costs of the actions."""
        return Costs(self.move, self.interact, self.observe)

    @property
    def settings(self) -> Settings:
        """The same as compiled functions of all observers take them."""
        return Settings(
            self.move,
            self.interact,
            self.observe,
            float(self.beta),
            self.converge - TOLERANCE,
            # What is impossible is never kept, even where nothing else is pruned.
            max(self.prune - TOLERANCE, SMALLEST),
            float(self.epsilon),
            self.exploration == "expected",
            self.order == "fixed",
            self.meeting == "any",
            float(self.caution),
            float(self.care),
        )

    @classmethod
    def parse(cls, settings: Mapping[str, str]) -> Parameters:
        """Parameters from words such as {"beta": "0.2"}; ValueError names what is wrong.

        >>> Parameters.parse({"beta": "0.2", "order": "fixed"}).order
        'fixed'
        """
        values: dict[str, Any] = {}
        for name, word in settings.items():
            if name not in _HINTS:
                known = ", ".join(field.name for field in fields(cls))
                raise ValueError(f"there is no parameter {name!r}; the parameters are {known}")
            kind = _HINTS[name]
            if kind not in (int, float):
                values[name] = word
                continue
            try:
                values[name] = kind(word)
            except ValueError:
                what = "a whole number" if kind is int else "a number"
                raise ValueError(f"{name} must be {what}, not {word!r}") from None
        return cls(**values)


def _require(name: str, value: object, expected: str, holds: Any) -> None:
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not number or not math.isfinite(value) or not holds(value):  # type: ignore[arg-type]
        raise ValueError(f"{name} must be {expected}, not {value!r}")


_HINTS = get_type_hints(Parameters)
DEFAULT = Parameters()


def check_parameters(parameters: object) -> Parameters:
    """The parameters, the default ones if there are none; TypeError if they are something else.

    >>> check_parameters({"beta": 0.2})
    Traceback (most recent call last):
    TypeError: expected Parameters, such as Parameters(beta=0.2), not {'beta': 0.2}
    """
    if parameters is None:
        return DEFAULT
    if isinstance(parameters, Parameters):
        return parameters
    raise TypeError(f"expected Parameters, such as Parameters(beta=0.2), not {parameters!r}")
