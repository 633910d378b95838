"""Which settings show how predictions depend on the parameters.

One at a time: each parameter takes some values, all others stay. All together: two sets of points A
and B over ranges of all parameters, and for each parameter A with that parameter's values of B, as
the estimators of Sobol' indices want it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import exp, log
from typing import Any

import numpy as np

from onlooker.inference.declaring import Parameter, Value
from onlooker.inference.parameters import Parameters
from onlooker.support.extras import needs_extra

with needs_extra("sweep", "a sensitivity analysis", "scipy"):
    from scipy.stats import qmc

# The values that are tried one at a time; the setting's base_value value is always among them.
VALUES: dict[str, tuple[Value, ...]] = {
    "beta": (0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0, 5.0),
    "converge": (0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 0.97, 0.99, 0.999),
    "prune": (0.0, 0.02, 0.05, 0.08, 0.1, 0.12, 0.15, 0.2, 0.25, 0.3),
    "epsilon": (0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0),
    "observe": (0, 1, 2, 3, 4, 5, 6),
    "move": (1, 2, 3, 4, 5, 6),
    "interact": (1, 3, 5, 7, 10, 15, 20),
    "exploration": ("worst", "expected"),
    "order": ("chain", "fixed"),
    "meeting": ("relevant", "any"),
}
NAMES = tuple(VALUES)
# Those beyond the paper, which only some observers and choice rules depend on.
SOFT_VALUES: dict[str, tuple[Value, ...]] = {
    "temperature": (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0),
    "lapse": (0.0, 0.02, 0.05, 0.1, 0.2, 0.5),
    "curiosity": (-2.0, -1.0, 0.0, 1.0, 2.0, 3.0, 4.0),
    "skip": (0.0, 0.1, 0.2, 0.3, 0.4, 0.5),
    "caution": (0.0, 0.25, 0.5, 0.75, 1.0),
}
OWN = 7  # values of a number that an observer declares


@dataclass(frozen=True, slots=True)
class Span:
    """From where to where a parameter is varied when all are; every value is as likely."""

    low: float = 0.0
    high: float = 0.0
    kind: str = "even"  # even, log, whole or words
    words: tuple[str, ...] = ()

    def at(self, share: float) -> Value:
        """The value at a share of the way, from 0 up to 1."""
        if self.kind == "words":
            return self.words[int(share * len(self.words))]
        if self.kind == "whole":
            return int(self.low + share * (self.high - self.low + 1))
        if self.kind == "log":
            return exp(log(self.low) + share * (log(self.high) - log(self.low)))
        return self.low + share * (self.high - self.low)

    def __str__(self) -> str:
        if self.kind == "words":
            return " or ".join(self.words)
        scale = {"log": ", logarithmic", "whole": ", whole numbers"}.get(self.kind, "")
        return f"{self.low:g} to {self.high:g}{scale}"


SPANS: dict[str, Span] = {
    "beta": Span(0.1, 2.0, "log"),
    "converge": Span(0.8, 0.99),
    "prune": Span(0.02, 0.2),
    "epsilon": Span(0.02, 0.3),
    "observe": Span(1, 3, "whole"),
    "move": Span(2, 4, "whole"),
    "interact": Span(3, 8, "whole"),
    "exploration": Span(kind="words", words=("worst", "expected")),
    "order": Span(kind="words", words=("chain", "fixed")),
    "meeting": Span(kind="words", words=("relevant", "any")),
}
SOFT_SPANS: dict[str, Span] = {
    "temperature": Span(0.3, 3.0, "log"),
    "lapse": Span(0.0, 0.2),
    "curiosity": Span(0.0, 4.0),
    "skip": Span(0.0, 0.5),
    "caution": Span(0.0, 1.0),
}


def spans_of(more: Sequence[str] = (), of: type[Parameters] = Parameters) -> dict[str, Span]:
    """The ranges of the paper's parameters and of some beyond it."""
    return SPANS | {name: SOFT_SPANS.get(name) or _span(of.declared()[name]) for name in more}


def _span(own: Parameter[Any]) -> Span:
    """The whole range of a parameter that an observer declares."""
    if own.words:
        return Span(kind="words", words=own.words)
    return Span(*own.range, "whole" if own.whole else "log" if own.scale == "log" else "even")


def values_of(more: Sequence[str], of: type[Parameters]) -> dict[str, tuple[Value, ...]]:
    """The values that are tried of the paper's parameters and of some beyond it."""
    return VALUES | {name: SOFT_VALUES.get(name) or _values(of.declared()[name]) for name in more}


def _values(own: Parameter[Any]) -> tuple[Value, ...]:
    """Values over the range of a parameter that an observer declares."""
    span = _span(own)
    if own.words:
        return own.words
    low, high = span.low, span.high
    spread = np.geomspace(low, high, OWN) if span.kind == "log" else np.linspace(low, high, OWN)
    rounded = (round(each) if own.whole else float(f"{each:.3g}") for each in spread.tolist())
    return tuple(dict.fromkeys(rounded))


@dataclass(frozen=True, slots=True)
class Point:
    """A setting that differs from the base in one parameter, or in none."""

    parameter: str
    value: Value
    setting: Parameters


def one_at_a_time(base: Parameters, more: Sequence[str] = ()) -> list[Point]:
    """The points of all curves, each curve with the setting that it goes out from.

    `more` are the parameters beyond the paper's that are varied too.

    >>> [point.value for point in one_at_a_time(Parameters(move=9)) if point.parameter == "move"]
    [1, 2, 3, 4, 5, 6, 9]
    """
    points = []
    for name, values in values_of(more, type(base)).items():
        base_value = getattr(base, name)
        numbers = not base.declared()[name].words
        every = (
            sorted({*values, base_value})
            if numbers
            else [base_value, *(v for v in values if v != base_value)]
        )
        for value in every:
            change: dict[str, Any] = {name: value}
            points.append(Point(name, value, replace(base, **change)))
    return points


@dataclass(frozen=True)
class SobolDesign:
    """The settings for Sobol' indices: A, B, and for each parameter A with its values of B."""

    a: Sequence[Parameters]
    b: Sequence[Parameters]
    mixed: Sequence[Sequence[Parameters]]  # (parameters, samples)

    @property
    def settings(self) -> list[Parameters]:
        """All of them, some of which are the same."""
        return [*self.a, *self.b, *(each for row in self.mixed for each in row)]


def sobol_design(
    samples: int, seed: int, more: Sequence[str] = (), of: type[Parameters] = Parameters
) -> SobolDesign:
    """Settings over the ranges; `samples` is a power of two.

    For each sample there are two settings, and one more for each parameter.

    >>> design = sobol_design(4, seed=1)
    >>> len(design.settings), design.mixed[0][2].beta == design.b[2].beta
    (48, True)
    """
    if samples < 2 or samples & (samples - 1):
        raise ValueError(f"samples must be a power of two, not {samples}")
    spans = spans_of(more, of)
    count = len(spans)
    sampler = qmc.Sobol(2 * count, scramble=True, seed=np.random.default_rng(seed))
    shares = sampler.random(samples)
    a, b = shares[:, :count], shares[:, count:]
    mixed = []
    for index in range(count):
        both = a.copy()
        both[:, index] = b[:, index]
        mixed.append(_settings(of, spans, both))
    return SobolDesign(_settings(of, spans, a), _settings(of, spans, b), mixed)


def _settings(of: type[Parameters], spans: dict[str, Span], rows: Any) -> list[Parameters]:
    return [_setting(of, spans, row) for row in rows]


def _setting(of: type[Parameters], spans: dict[str, Span], row: Any) -> Parameters:
    values: dict[str, Any] = {
        name: span.at(float(share)) for (name, span), share in zip(spans.items(), row, strict=True)
    }
    return of(**values)
