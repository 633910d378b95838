"""The parameters of choices that can be fitted: their scale, their prior and their range.

Fits work on an unbounded scale: the logarithm of temperatures and costs, the log odds of chances.
Priors are normal there. `PRIORS` names them; every output of a fit prints those it used.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import log
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit, logit

from onlooker.fitting.rules import RULES, Rule
from onlooker.inference.parameters import Parameters
from onlooker.support.arrays import FloatArray

Scale = Literal["log", "logit", "plain"]


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of choices, with a normal prior on its unbounded scale."""

    name: str
    scale: Scale
    middle: float  # median of the prior
    sd: float  # of the prior, on the unbounded scale
    low: float  # the range of estimates
    high: float

    @property
    def mean(self) -> float:
        """The mean of the prior on the unbounded scale."""
        return float(self.free(self.middle))

    def free(self, value: ArrayLike) -> FloatArray:
        """Values on the unbounded scale."""
        v = np.asarray(value, float)
        return np.asarray(
            np.log(v) if self.scale == "log" else logit(v) if self.scale == "logit" else v
        )

    def natural(self, x: ArrayLike) -> FloatArray:
        """Values of the parameter itself."""
        y = np.asarray(x, float)
        return np.asarray(
            np.exp(y) if self.scale == "log" else expit(y) if self.scale == "logit" else y
        )

    @property
    def bounds(self) -> tuple[float, float]:
        """The range of estimates on the unbounded scale."""
        return float(self.free(self.low)), float(self.free(self.high))

    def words(self) -> str:
        """The prior in words, such as 'log temperature ~ N(log 2, 1.25²)'."""
        name = self.name if self.scale == "plain" else f"{self.scale} {self.name}"
        middle = f"{self.middle:g}" if self.scale == "plain" else f"{self.scale} {self.middle:g}"
        return f"{name} ~ N({middle}, {self.sd:g}²)"


PRIORS: dict[str, Parameter] = {
    parameter.name: parameter
    for parameter in (
        # Points; of 4 to 8 in a fit to the paper's means. 5 to 95 %: 0.26 to 15.6 points.
        Parameter("temperature", "log", 2.0, 1.25, 1e-3, 1e4),
        # 5 to 95 %: 0.7 to 29 % of choices.
        Parameter("lapse", "logit", 0.05, 1.25, 1e-6, 1 - 1e-6),
        # Points; most people watch no more and no less than values say.
        Parameter("bias", "plain", 0.0, 2.0, -100.0, 100.0),
        Parameter("perseveration", "plain", 0.0, 2.0, -100.0, 100.0),
        # Points for a look, about what the game charges.
        Parameter("observe", "log", 1.0, 0.75, 1e-3, 1e3),
        # Points; the part of a bias, with the same prior. The 2 of a fit to the paper's means is
        # one SD away.
        Parameter("curiosity", "plain", 0.0, 2.0, -100.0, 100.0),
        # 5 to 95 %: 3 to 66 % of trials; 30 % in a fit to the paper's means is close to the median.
        Parameter("skip", "logit", 0.2, 1.25, 1e-6, 1 - 1e-6),
    )
}
# What is different for some observers.
TEMPERATURES = {  # medians where values are not points
    "mentalizing_observer": 0.2,  # distances between beliefs
    "naive_observer": 0.5,  # 1 and −1
}
PRESCRIBED = 0.5  # and where they are 1 and 0
# Two levels of value cannot tell noise of one kind from noise of the other.
TWO_LEVELS = ("naive_observer",)
# Parameters that only one of our observers has; for the others they would count as free in vain.
ONLY = {
    "caution": "graded_mentalizing",
    "epsilon": "mentalizing_observer",
    "meeting": "naive_observer",
}


class ModelError(ValueError):
    """A model that cannot be fitted; the text says what was expected."""


@dataclass(frozen=True)
class Space:
    """The parameters of a model: which are free, and the values of those that are not."""

    rule: Rule
    free: tuple[Parameter, ...]
    fixed: Mapping[str, float]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the free parameters."""
        return tuple(parameter.name for parameter in self.free)

    def natural(self, x: ArrayLike) -> dict[str, FloatArray]:
        """All parameters at points of the unbounded scale, the last axis being the free ones."""
        points = np.asarray(x, float)
        found = {
            parameter.name: parameter.natural(points[..., index])
            for index, parameter in enumerate(self.free)
        }
        shape = points.shape[:-1]
        return found | {name: np.full(shape, value) for name, value in self.fixed.items()}

    def log_prior(self, x: ArrayLike) -> FloatArray:
        """The log density of the prior on the unbounded scale."""
        points = np.asarray(x, float)
        total = np.zeros(points.shape[:-1])
        for index, parameter in enumerate(self.free):
            z = (points[..., index] - parameter.mean) / parameter.sd
            total += -0.5 * z**2 - log(parameter.sd) - 0.5 * log(2 * np.pi)
        return total

    def words(self) -> str:
        """Priors and fixed values in words."""
        fixed = [f"{name} = {value:g}" for name, value in self.fixed.items()]
        return "; ".join([*(parameter.words() for parameter in self.free), *fixed])

    def widened(self, factor: float) -> Space:
        """The same with all SDs of the priors multiplied."""
        free = tuple(replace(parameter, sd=parameter.sd * factor) for parameter in self.free)
        return replace(self, free=free)


def rule_named(name: str) -> Rule:
    """The rule of that name."""
    if name not in RULES:
        *others, last = RULES
        raise ModelError(f"rule must be {', '.join(others)} or {last}, not {name!r}")
    return RULES[name]


def space_of(
    observer: str,
    rule: Rule,
    free: Sequence[str] | None = None,
    fixed: Mapping[str, float] | None = None,
    priors: Mapping[str, tuple[float, float]] | None = None,
    parameters: Parameters | None = None,
    priced: bool = True,
) -> Space:
    """The parameters of an observer under a rule.

    `free` names the free ones, `fixed` the values of others, `priors` medians and SDs. What is
    neither free nor fixed has its value from `parameters`. `priced` says whether the cost of
    observing can be free; where it cannot, it is not.
    """
    parameters = parameters or Parameters()
    known, fixed = rule.parameters, dict(fixed or {})
    wanted = list(dict.fromkeys(free if free is not None else rule.free))
    for name in [*wanted, *fixed, *(priors or {})]:
        if name not in PRIORS:
            raise ModelError(f"there is no parameter {name!r}; there are {', '.join(PRIORS)}")
    wanted = [name for name in wanted if name in known and name not in fixed]
    if "observe" in wanted and not priced:
        wanted.remove("observe")
    if (observer in TWO_LEVELS or rule.prescribed) and {"temperature", "lapse"} <= {*wanted}:
        wanted.remove("lapse")
    if not wanted:
        raise ModelError(
            f"{observer}: no parameter is free; rule {rule.name} has {', '.join(known)}"
        )
    found = {name: PRIORS[name] for name in known}
    middle = PRESCRIBED if rule.prescribed else TEMPERATURES.get(observer)
    if middle is not None:
        found["temperature"] = replace(found["temperature"], middle=middle)
        for name in {"bias", "perseveration"} & {*found}:  # in the unit of the values too
            found[name] = replace(found[name], sd=middle)
    if "observe" in found:
        found["observe"] = replace(found["observe"], middle=float(parameters.observe))
    for name, (median, sd) in (priors or {}).items():
        if name in found:
            if found[name].scale == "logit" and not median > 0:
                raise ModelError(f"the median of {name}'s prior must be above 0, not {median:g}")
            found[name] = _checked(replace(found[name], middle=median, sd=sd))
    values = {
        name: float(getattr(parameters, name, found[name].middle))
        for name in known
        if name not in wanted
    }
    for name, value in fixed.items():
        if name in found:
            values[name] = _checked(replace(found[name], middle=value)).middle
    return Space(rule, tuple(found[name] for name in known if name in wanted), values)


def _checked(parameter: Parameter) -> Parameter:
    """A parameter whose median and SD are possible."""
    name, middle = parameter.name, parameter.middle
    if not np.isfinite(middle):
        raise ModelError(f"{name} must be a number, not {middle}")
    if parameter.scale == "log" and not middle > 0:
        raise ModelError(f"{name} must be above 0, not {middle:g}")
    if parameter.scale == "logit" and not 0 <= middle < 1:
        raise ModelError(f"{name} must be from 0 to 1, not {middle:g}")
    if not (np.isfinite(parameter.sd) and parameter.sd > 0):
        raise ModelError(f"the SD of {name}'s prior must be above 0, not {parameter.sd:g}")
    return parameter
