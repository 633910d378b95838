"""How a parameter is declared: its default, range, scale and prior, and what it means.

The parameters that all observers share are declared in `Parameters`; an observer declares its own
as attributes of its class. Options, sweeps, fits, tables and sliders read these declarations.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, TypeVar

Scale = Literal["plain", "log", "logit"]
Value = int | float | str
T = TypeVar("T", int, float, str)

# The range of estimates where a prior names none.
_ESTIMATES: dict[Scale, tuple[float, float]] = {
    "plain": (-100.0, 100.0),
    "log": (1e-3, 1e4),
    "logit": (1e-6, 1 - 1e-6),
}


@dataclass(frozen=True, slots=True)
class Prior:
    """A normal prior on a parameter's scale: of its logarithm or log odds, where it has such."""

    median: float
    sd: float
    bounds: tuple[float, float] | None = None  # of estimates


@dataclass(frozen=True, slots=True)
class Unit:
    """What the values of an observer are measured in.

    `noise` is the temperature that one would expect in it: the median of its prior. Biases are as
    large as that.
    """

    name: str
    noise: float
    two_levels: bool = False  # noise of one kind then cannot be told from noise of the other


POINTS = Unit("points", 2.0)
PRESCRIBED = Unit("1 for what the observer would do, 0 for all else", 0.5, two_levels=True)


@dataclass(frozen=True, slots=True)
class Parameter(Generic[T]):
    """A declared parameter: a whole number, a number or a word, as its default is.

    >>> class Anybody:
    ...     patience = Parameter(6, "steps at most", low=1, high=20)
    >>> Anybody.patience.parse("0")
    Traceback (most recent call last):
    ValueError: patience must be a whole number from 1 to 20, not 0
    """

    default: T
    meaning: str = ""
    low: float = -math.inf
    high: float = math.inf
    words: tuple[str, ...] = ()  # that it can be, if it is a word
    scale: Scale = "plain"
    prior: Prior | None = None  # only what has one can be estimated
    above: bool = False  # the lower end itself is not allowed
    symbol: str = ""
    unit: str = ""
    shown: tuple[float, float] | None = None  # the range of its slider, if it has no other
    only: str = ""  # the one observer of ours that depends on it
    name: str = field(default="", kw_only=True)  # that of the attribute it is declared as

    def __set_name__(self, owner: type, name: str) -> None:
        object.__setattr__(self, "name", name)

    def of(self, knowing: Any) -> T:
        """Its value to whoever knows the `parameters`, such as an engine."""
        value: T = getattr(knowing.parameters, self.name, self.default)
        return value

    @property
    def kind(self) -> Any:
        """The type of its values."""
        return Literal[self.words] if self.words else type(self.default)

    @property
    def whole(self) -> bool:
        """Whether it is a whole number."""
        return type(self.default) is int

    @property
    def range(self) -> tuple[float, float]:
        """From where to where it is shown and varied."""
        return self.shown or (self.low, self.high)

    @property
    def bounds(self) -> tuple[float, float]:
        """The range of its estimates."""
        return (self.prior and self.prior.bounds) or _ESTIMATES[self.scale]

    @property
    def expected(self) -> str:
        """What its values are to be, in words."""
        if self.words:
            return " or ".join(repr(word) for word in self.words)
        whole = "a whole number " if self.whole else ""
        if math.isfinite(self.low) and math.isfinite(self.high):
            ends = (
                f"above {self.low:g} and at most {self.high:g}"
                if self.above
                else f"from {self.low:g} to {self.high:g}"
            )
            return whole + ends
        if math.isfinite(self.low):
            return f"{whole}{'above' if self.above else 'at least'} {self.low:g}"
        return whole.strip() or "a number"

    def check(self, value: object) -> None:
        """ValueError if it cannot have a value."""
        if not self._allows(value):
            raise ValueError(f"{self.name} must be {self.expected}, not {value!r}")

    def _allows(self, value: object) -> bool:
        if self.words:
            return value in self.words
        if isinstance(value, bool) or not isinstance(value, int if self.whole else (int, float)):
            return False
        return math.isfinite(value) and (
            self.low < value <= self.high if self.above else self.low <= value <= self.high
        )

    def parse(self, word: str) -> Value:
        """The value of a word; ValueError names what is wrong."""
        value: Value = word
        if not self.words:
            try:
                value = int(word) if self.whole else float(word)
            except ValueError:
                what = "a whole number" if self.whole else "a number"
                raise ValueError(f"{self.name} must be {what}, not {word!r}") from None
        self.check(value)
        return value
