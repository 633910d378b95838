"""Values of parameters in words: `beta=0.1:2:log20`, `order=chain,fixed`."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Any, get_args, get_type_hints

from onlooker.inference import Parameters
from onlooker.sweep import SweepError

Value = int | float | str
Kind = Any  # int, float, or a Literal of words

KINDS: dict[str, Kind] = get_type_hints(Parameters)
NAMES = tuple(field.name for field in fields(Parameters))
DIGITS = 12  # significant ones that a computed value keeps: 0.3, not 0.30000000000000004
MOST = 1_000_000  # values of one parameter


@dataclass(frozen=True, slots=True)
class Axis:
    """A parameter with the values that a grid gives it."""

    name: str
    values: tuple[Value, ...]


def parse_axis(text: str) -> Axis:
    """The values of `NAME=a,b,c`, `NAME=LO:HI:N` (evenly spaced) or `NAME=LO:HI:logN`.

    Spaced values of a whole-number parameter are rounded, and those that become the same are one.

    >>> parse_axis("beta=0.1:10:log3").values, parse_axis("observe=1:3:9").values
    ((0.1, 1.0, 10.0), (1, 2, 3))
    """
    name, words = _split(text)
    if ":" not in words:
        values = [_value(text, name, word) for word in words.split(",")]
        if len(set(values)) < len(values):
            raise SweepError(f"{text}: a value comes twice")
        return Axis(name, tuple(values))
    parts = words.split(":")
    found = re.fullmatch("(log)?([0-9]{1,9})", parts[2].strip()) if len(parts) == 3 else None
    if found is None:
        raise SweepError(f"{text}: expected LO:HI:N or LO:HI:logN, such as 0.1:2:log20")
    low, high = _ends(text, name, *parts[:2])
    count = int(found[2])
    if not 2 <= count <= MOST:
        raise SweepError(f"{text}: expected 2 to {MOST:,} values, not {count}")
    return Axis(name, tuple(dict.fromkeys(spaced(name, low, high, count, log=bool(found[1])))))


@dataclass(frozen=True, slots=True)
class Range:
    """A parameter with the values that a design draws from."""

    name: str
    low: float = 0.0
    high: float = 0.0
    log: bool = False
    words: tuple[str, ...] = ()  # instead of a range, for an option

    def at(self, share: float) -> Value:
        """The value at a share of the way from 0 up to 1: all are equally likely.

        >>> Range("beta", 0.1, 10, log=True).at(0.5), Range("observe", 1, 4).at(0.99)
        (1.0, 4)
        """
        if self.words:
            return self.words[min(int(share * len(self.words)), len(self.words) - 1)]
        whole = KINDS[self.name] is int
        # A whole number has a share of its own, as wide as that of any other.
        low, high = (self.low - 0.5, self.high + 0.5) if whole else (self.low, self.high)
        if self.log:
            value = math.exp(math.log(low) + share * (math.log(high) - math.log(low)))
        else:
            value = low + share * (high - low)
        return _kept(self.name, min(max(value, self.low), self.high))


def parse_range(text: str) -> Range:
    """The range of `NAME=LO:HI`, `NAME=LO:HI:log` or, for an option, `NAME=a,b`.

    >>> parse_range("beta=0.1:2:log")
    Range(name='beta', low=0.1, high=2.0, log=True, words=())
    """
    name, words = _split(text)
    if KINDS[name] not in (int, float):
        return Range(name, words=tuple(str(value) for value in parse_axis(text).values))
    parts = words.split(":")
    if len(parts) not in (2, 3) or parts[2:] not in ([], ["log"]):
        raise SweepError(f"{text}: expected LO:HI or LO:HI:log, such as 0.1:2:log")
    low, high = _ends(text, name, *parts[:2])
    log = len(parts) == 3
    if log and low - (0.5 if KINDS[name] is int else 0.0) <= 0:
        raise SweepError(f"{text}: a logarithmic range begins above 0")
    return Range(name, low, high, log)


def spaced(name: str, low: float, high: float, count: int, *, log: bool) -> Iterable[Value]:
    """Values from one end to the other, both included."""
    if log and low <= 0:
        raise SweepError(f"{name}={low:g}:{high:g}: a logarithmic range begins above 0")
    for index in range(count):
        share = index / (count - 1)
        if index in (0, count - 1):
            yield _kept(name, (low, high)[index > 0])
        elif log:
            yield _kept(name, low * (high / low) ** share)
        else:
            yield _kept(name, low + share * (high - low))


def _split(text: str) -> tuple[str, str]:
    name, equals, words = text.partition("=")
    name = name.strip()
    if not equals or not words.strip():
        raise SweepError(f"{text}: expected NAME=VALUES, such as beta=0.1:2:log20")
    if name not in NAMES:
        raise SweepError(f"{text}: there is no parameter {name!r}; there are {', '.join(NAMES)}")
    return name, words.strip()


def _value(text: str, name: str, word: str) -> Value:
    """A value that the parameters take."""
    try:
        found: Value = getattr(Parameters.parse({name: word.strip()}), name)
    except ValueError as error:
        raise SweepError(f"{text}: {error}") from None
    return found


def _ends(text: str, name: str, low: str, high: str) -> tuple[float, float]:
    if KINDS[name] not in (int, float):
        words = ",".join(get_args(KINDS[name]))
        raise SweepError(f"{text}: expected words, such as {name}={words}")
    ends = float(_value(text, name, low)), float(_value(text, name, high))
    if ends[0] >= ends[1]:
        raise SweepError(f"{text}: expected the lower end first, not {low} to {high}")
    return ends


def _kept(name: str, value: float) -> Value:
    return round(value) if KINDS[name] is int else float(f"{value:.{DIGITS}g}")
