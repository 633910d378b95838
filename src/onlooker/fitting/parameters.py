"""The parameters that can be fitted: their scale, their prior and their range.

Fits work on an unbounded scale: the logarithm of temperatures and costs, the log odds of chances.
Priors are normal there. They are declared with the parameters (`inference.parameters`, and those of
an observer's own in its class); every output of a fit prints those it used.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import log
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit, logit
from scipy.stats import norm

from onlooker.fitting.rules import RULES, Rule
from onlooker.inference.declaring import POINTS, PRESCRIBED, Parameter, Prior, Scale, Value
from onlooker.inference.parameters import Parameters
from onlooker.observers import Observer
from onlooker.observers.registry import observer_of
from onlooker.support.arrays import FloatArray


@dataclass(frozen=True, slots=True)
class Estimated:
    """A parameter that is estimated, with a normal prior on its unbounded scale."""

    name: str
    scale: Scale
    middle: float  # median of the prior
    sd: float  # of the prior, on the unbounded scale
    low: float  # the range of estimates
    high: float

    @classmethod
    def of(cls, declared: Parameter[Any], prior: tuple[float, float] | None = None) -> Estimated:
        """As it is declared, with another prior if one is given."""
        if prior is None and declared.prior is None:
            raise ModelError(
                f"{declared.name} has no prior: expected --prior {declared.name}=MEDIAN:SD to"
                f" estimate it, or --grid {declared.name}=VALUES"
            )
        median, sd = prior or (declared.prior.median, declared.prior.sd)  # type: ignore[union-attr]
        return cls(declared.name, declared.scale, median, sd, *declared.bounds)

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


# Those of the choice rules; only fits have the two that are declared here.
CHOOSING: dict[str, Parameter[Any]] = {
    name: Parameters.declared().get(name)
    # As large as the noise; most people watch no more and no less than values say.
    or Parameter(0.0, prior=Prior(0.0, POINTS.noise), name=name)
    for name in (
        "temperature",
        "lapse",
        "bias",
        "perseveration",
        "observe",
        "curiosity",
        "skip",
    )
}
IN_THE_UNIT = ("bias", "perseveration", "curiosity")  # of the values, besides the temperature


class ModelError(ValueError):
    """A model that cannot be fitted; the text says what was expected."""


@dataclass(frozen=True)
class Space:
    """The parameters of a model: which are free, and the values of those that are not."""

    rule: Rule
    free: tuple[Estimated, ...]
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
    observer: Observer | str,
    rule: Rule,
    free: Sequence[str] | None = None,
    fixed: Mapping[str, float] | None = None,
    priors: Mapping[str, tuple[float, float]] | None = None,
    parameters: Parameters | None = None,
    priced: bool = True,
) -> Space:
    """The parameters of an observer's choices under a rule.

    `free` names the free ones, `fixed` the values of others, `priors` medians and SDs. What is
    neither free nor fixed has its value from `parameters`. `priced` says whether the cost of
    observing can be free; where it cannot, it is not. Names of other parameters are left to
    others.
    """
    parameters = parameters or Parameters()
    observer = observer_of(observer)
    known, fixed = rule.parameters, dict(fixed or {})
    wanted = list(dict.fromkeys(free if free is not None else rule.free))
    every = {**CHOOSING, **parameters.declared()}
    for name in [*wanted, *fixed, *(priors or {})]:
        if name not in every:
            raise ModelError(f"there is no parameter {name!r}; there are {', '.join(every)}")
    wanted = [name for name in wanted if name in known and name not in fixed]
    if "observe" in wanted and not priced:
        wanted.remove("observe")
    unit = PRESCRIBED if rule.prescribed else observer.unit
    if unit.two_levels and {"temperature", "lapse"} <= {*wanted}:
        wanted.remove("lapse")
    if not wanted and not {*rule.free} <= {*fixed}:
        raise nothing_free(observer.name, rule)
    found = {name: Estimated.of(CHOOSING[name]) for name in known}
    found["temperature"] = replace(found["temperature"], middle=unit.noise)
    for name in {*IN_THE_UNIT} & {*found}:
        found[name] = replace(found[name], sd=unit.noise)
    if "observe" in found:
        found["observe"] = replace(found["observe"], middle=float(parameters.observe))
    for name, (median, sd) in (priors or {}).items():
        if name in found:
            found[name] = checked(replace(found[name], middle=median, sd=sd))
    values = {
        name: float(getattr(parameters, name, found[name].middle))
        for name in known
        if name not in wanted
    }
    for name, value in fixed.items():
        if name in found:
            values[name] = _possible(replace(found[name], middle=value)).middle
    return Space(rule, tuple(found[name] for name in known if name in wanted), values)


def nothing_free(observer: str, rule: Rule) -> ModelError:
    """The error for a model that leaves nothing to fit."""
    known = ", ".join(rule.parameters)
    return ModelError(f"{observer}: no parameter is free; rule {rule.name} has {known}")


def spread(parameter: Parameter[Any], prior: Estimated, count: int) -> list[Value]:
    """Values of a parameter that are equally probable by its prior, within its range.

    >>> threshold = Parameter(0.1, low=0.01, high=1, scale="log", name="threshold")
    >>> spread(threshold, Estimated.of(threshold, (0.1, 1.0)), 3)
    [0.0391, 0.1, 0.256]
    """
    with np.errstate(divide="ignore"):
        ends = (prior.free([parameter.low, parameter.high]) - prior.mean) / prior.sd
    below, above = norm.cdf(ends)
    shares = below + (np.arange(count) + 0.5) / count * (above - below)
    values = prior.natural(prior.mean + prior.sd * norm.ppf(shares)).tolist()
    return [round(value) if parameter.whole else float(f"{value:.3g}") for value in values]


def checked(parameter: Estimated) -> Estimated:
    """A parameter whose prior is possible."""
    if parameter.scale == "logit" and not parameter.middle > 0:
        name, median = parameter.name, parameter.middle
        raise ModelError(f"the median of {name}'s prior must be above 0, not {median:g}")
    return _possible(parameter)


def _possible(parameter: Estimated) -> Estimated:
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
