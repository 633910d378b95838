"""Values of parameters in words: `beta=0.1:2:log20`, `order=chain,fixed`."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from onlooker.inference.declaring import Parameter, Value
from onlooker.inference.parameters import Parameters
from onlooker.sweep import SweepError

DIGITS = 12  # significant ones that a computed value keeps: 0.3, not 0.30000000000000004
MOST = 1_000_000  # values of one parameter


@dataclass(frozen=True, slots=True)
class Axis:
    """A parameter with the values that a grid gives it."""

    name: str
    values: tuple[Value, ...]


def parse_axis(text: str, of: type[Parameters] = Parameters) -> Axis:
    """The values of `NAME=a,b,c`, `NAME=LO:HI:N` (evenly spaced) or `NAME=LO:HI:logN`.

    `of` has the parameters that there are. Spaced values of a whole-number parameter are rounded,
    and those that become the same are one.

    >>> parse_axis("beta=0.1:10:log3").values, parse_axis("observe=1:3:9").values
    ((0.1, 1.0, 10.0), (1, 2, 3))
    """
    parameter, words = _split(text, of)
    if ":" not in words:
        values = [_value(text, parameter, word) for word in words.split(",")]
        if len(set(values)) < len(values):
            raise SweepError(f"{text}: a value comes twice")
        return Axis(parameter.name, tuple(values))
    parts = words.split(":")
    found = re.fullmatch("(log)?([0-9]{1,9})", parts[2].strip()) if len(parts) == 3 else None
    if found is None:
        raise SweepError(f"{text}: expected LO:HI:N or LO:HI:logN, such as 0.1:2:log20")
    low, high = _ends(text, parameter, *parts[:2])
    count = int(found[2])
    if not 2 <= count <= MOST:
        raise SweepError(f"{text}: expected 2 to {MOST:,} values, not {count}")
    values = list(spaced(parameter, low, high, count, log=bool(found[1])))
    return Axis(parameter.name, tuple(dict.fromkeys(values)))


@dataclass(frozen=True, slots=True)
class Range:
    """A parameter with the values that a design draws from."""

    name: str
    low: float = 0.0
    high: float = 0.0
    log: bool = False
    whole: bool = False
    words: tuple[str, ...] = ()  # instead of a range, for an option

    def at(self, share: float) -> Value:
        """The value at a share of the way from 0 up to 1: all are equally likely.

        >>> Range("beta", 0.1, 10, log=True).at(0.5), Range("observe", 1, 4, whole=True).at(0.99)
        (1.0, 4)
        """
        if self.words:
            return self.words[min(int(share * len(self.words)), len(self.words) - 1)]
        # A whole number has a share of its own, as wide as that of any other.
        low, high = (self.low - 0.5, self.high + 0.5) if self.whole else (self.low, self.high)
        if self.log:
            value = math.exp(math.log(low) + share * (math.log(high) - math.log(low)))
        else:
            value = low + share * (high - low)
        return _kept(min(max(value, self.low), self.high), self.whole)


def parse_range(text: str, of: type[Parameters] = Parameters) -> Range:
    """The range of `NAME=LO:HI`, `NAME=LO:HI:log` or, for an option, `NAME=a,b`.

    >>> parse_range("beta=0.1:2:log")
    Range(name='beta', low=0.1, high=2.0, log=True, whole=False, words=())
    """
    parameter, words = _split(text, of)
    name, whole = parameter.name, parameter.whole
    if parameter.words:
        return Range(name, words=tuple(str(value) for value in parse_axis(text, of).values))
    parts = words.split(":")
    if len(parts) not in (2, 3) or parts[2:] not in ([], ["log"]):
        raise SweepError(f"{text}: expected LO:HI or LO:HI:log, such as 0.1:2:log")
    low, high = _ends(text, parameter, *parts[:2])
    log = len(parts) == 3
    if log and low - (0.5 if whole else 0.0) <= 0:
        raise SweepError(f"{text}: a logarithmic range begins above 0")
    return Range(name, low, high, log, whole)


def spaced(
    parameter: Parameter[Any], low: float, high: float, count: int, *, log: bool
) -> Iterable[Value]:
    """Values of a parameter from one end to the other, both included."""
    if log and low <= 0:
        raise SweepError(f"{parameter.name}={low:g}:{high:g}: a logarithmic range begins above 0")
    for index in range(count):
        share = index / (count - 1)
        if index in (0, count - 1):
            yield _kept((low, high)[index > 0], parameter.whole)
        elif log:
            yield _kept(low * (high / low) ** share, parameter.whole)
        else:
            yield _kept(low + share * (high - low), parameter.whole)


def _split(text: str, of: type[Parameters]) -> tuple[Parameter[Any], str]:
    name, equals, words = text.partition("=")
    name = name.strip()
    if not equals or not words.strip():
        raise SweepError(f"{text}: expected NAME=VALUES, such as beta=0.1:2:log20")
    known = of.declared()
    if name not in known:
        raise SweepError(f"{text}: there is no parameter {name!r}; there are {', '.join(known)}")
    return known[name], words.strip()


def _value(text: str, parameter: Parameter[Any], word: str) -> Value:
    """A value that the parameter takes."""
    try:
        value = parameter.parse(word.strip())
        if parameter.name in Parameters.declared():  # costs have a check of their own
            Parameters(**{parameter.name: value})  # type: ignore[arg-type]
    except ValueError as error:
        raise SweepError(f"{text}: {error}") from None
    return value


def _ends(text: str, parameter: Parameter[Any], low: str, high: str) -> tuple[float, float]:
    if parameter.words:
        words = ",".join(parameter.words)
        raise SweepError(f"{text}: expected words, such as {parameter.name}={words}")
    ends = float(_value(text, parameter, low)), float(_value(text, parameter, high))
    if ends[0] >= ends[1]:
        raise SweepError(f"{text}: expected the lower end first, not {low} to {high}")
    return ends


def _kept(value: float, whole: bool) -> Value:
    return round(value) if whole else float(f"{value:.{DIGITS}g}")
