"""The parameters of all observers: one set serves every experiment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, make_dataclass, replace
from functools import cache
from typing import Any, Literal, NamedTuple, Self, get_args

import numpy as np

from onlooker.game import Costs, Expertise
from onlooker.inference.declaring import POINTS, Parameter, Prior

TOLERANCE = 1e-12  # what counts as equal to a threshold, or as equally likely
MARGIN = 1e-9  # points: what counts as equally good; watching must be better than acting by more
SMALLEST = 5e-324  # the least number above 0

Exploration = Literal["worst", "expected"]
Order = Literal["chain", "fixed"]
Meeting = Literal["relevant", "any"]
Kinds = Literal["expert,novice", "expert,teacher", "novice,teacher", "expert,novice,teacher"]


# What only soft choice rules and Graded Mentalizing use: the paper's observers depend on none of it
SOFT = ("temperature", "lapse", "curiosity", "skip", "caution")


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


def _declared(default: Any, meaning: str, **how: Any) -> Any:
    """A field of `Parameters` that declares a parameter."""
    return field(default=default, metadata={"declared": Parameter(default, meaning, **how)})


@dataclass(frozen=True, slots=True)
class Parameters:
    """What the observers assume and care about; the defaults are the paper's where it has them.

    >>> Parameters(beta=0.2).beta
    0.2
    >>> Parameters(converge=1.5)
    Traceback (most recent call last):
    ValueError: converge must be above 0 and at most 1, not 1.5
    """

    move: int = _declared(3, "cost of a move", symbol="c_move", unit="points", shown=(1, 20))
    interact: int = _declared(
        5, "cost of asking a wizard", symbol="c_int", unit="points", shown=(1, 40)
    )
    observe: int = _declared(
        1,
        "cost of watching one step",
        symbol="c_obs",
        unit="points",
        shown=(0, 20),
        scale="log",
        prior=Prior(1.0, 0.75, (1e-3, 1e3)),  # about what the game charges
    )
    beta: float = _declared(
        0.5,
        "how surely agents take the better action",
        low=0,
        symbol="β",
        unit="per point",
        shown=(0, 3),
        scale="log",
    )
    converge: float = _declared(
        0.95,
        "a holder is settled from this probability on",
        low=0,
        high=1,
        above=True,
        shown=(0.5, 1),
    )
    prune: float = _declared(
        0.1, "hypotheses below this probability are left out", low=0, high=1, shown=(0, 0.5)
    )
    epsilon: float = _declared(
        0.1,
        "Mentalizing Observer: least change of belief that counts",
        low=0,
        symbol="ε",
        shown=(0, 1),
        only="mentalizing_observer",
    )
    exploration: Exploration = _declared(
        "worst", "what acting alone is assumed to cost", words=get_args(Exploration)
    )
    order: Order = _declared("chain", "in which order wizards are asked", words=get_args(Order))
    meeting: Meeting = _declared(
        "relevant",
        "Naive Observer: which interactions it waits for",
        words=get_args(Meeting),
        only="naive_observer",
    )
    # soft choice rules (`observers.choosing`) and Graded Mentalizing; the paper has none of them
    temperature: float = _declared(
        1.0,
        "soft rules: how sharply values decide",
        low=0,
        above=True,
        symbol="τ",
        unit="points",
        shown=(0.1, 10),
        scale="log",
        # 4 to 8 in a fit to the paper's means. 5 to 95 %: 0.26 to 15.6 points.
        prior=Prior(POINTS.noise, 1.25),
    )
    lapse: float = _declared(
        0.05,
        "softmax: share of choices made at random",
        low=0,
        high=1,
        symbol="λ",
        scale="logit",
        prior=Prior(0.05, 1.25),  # 5 to 95 %: 0.7 to 29 % of choices
    )
    curiosity: float = _declared(
        2.0,
        "graded: what a look is worth in itself",
        unit="points",
        shown=(-5, 10),
        # The part of a bias, with the same prior. The 2 of a fit to the paper's means is one SD
        # away.
        prior=Prior(0.0, POINTS.noise),
    )
    skip: float = _declared(
        0.3,
        "graded: chance of not watching in a trial",
        low=0,
        high=1,
        scale="logit",
        # 5 to 95 %: 3 to 66 % of trials; 30 % in a fit to the paper's means is close to the median.
        prior=Prior(0.2, 1.25),
    )
    caution: float = _declared(
        0.5,
        "Graded Mentalizing: from expected (0) to worst case (1)",
        low=0,
        high=1,
        symbol="ρ",
        scale="logit",
        only="graded_mentalizing",
    )
    kinds: Kinds = _declared(
        "expert,novice", "Untold Mentalizing: what an NPC may be", words=get_args(Kinds)
    )
    care: float = _declared(
        1.0,
        "teachers: own points for one of the learner's",
        low=0,
        high=1000,
        shown=(0, 10),
        scale="log",
        prior=Prior(1.0, 1.0),  # 5 to 95 %: 0.19 to 5.2 points for one of the learner's
    )

    def __post_init__(self) -> None:
        for name in self.declared():
            value = getattr(self, name)
            if isinstance(value, np.generic):  # a number out of an array
                object.__setattr__(self, name, value.item())
        self.costs  # noqa: B018 - checks the three costs
        for name, parameter in self.declared().items():
            parameter.check(getattr(self, name))

    @classmethod
    def declared(cls) -> Mapping[str, Parameter[Any]]:
        """The declarations by name: those of all observers, then those of observers' own."""
        return _declarations(cls)  # type: ignore[arg-type]  # mypy sees the hash of an instance

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
    def parse(cls, settings: Mapping[str, str]) -> Self:
        """Parameters from words such as {"beta": "0.2"}; ValueError names what is wrong.

        >>> Parameters.parse({"beta": "0.2", "order": "fixed"}).order
        'fixed'
        """
        values: dict[str, Any] = {}
        for name, word in settings.items():
            if name not in cls.declared():
                known = ", ".join(cls.declared())
                raise ValueError(f"there is no parameter {name!r}; the parameters are {known}")
            values[name] = cls.declared()[name].parse(word)
        return cls(**values)


@cache
def _declarations(of: type[Parameters]) -> Mapping[str, Parameter[Any]]:
    return {each.name: replace(each.metadata["declared"], name=each.name) for each in fields(of)}


@cache
def extended(own: tuple[Parameter[Any], ...]) -> type[Parameters]:
    """The class `Parameters` with more parameters, which observers have declared.

    >>> more = extended((Parameter(0.1, "nats", low=0, high=1, name="threshold"),))
    >>> more(threshold=0.2).threshold, more().beta
    (0.2, 0.5)
    """
    if not own:
        return Parameters
    columns = [
        (each.name, each.kind, field(default=each.default, metadata={"declared": each}))
        for each in own
    ]
    found: type[Parameters] = make_dataclass(
        "Parameters",
        columns,
        bases=(Parameters,),
        namespace={"__reduce__": lambda self: (_remade, (own, asdict(self)))},
        frozen=True,
        slots=True,
    )
    return found


def _remade(own: tuple[Parameter[Any], ...], values: dict[str, Any]) -> Parameters:
    """Parameters of a class that was made while the program ran, in another process."""
    return extended(own)(**values)


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
