"""Numbers as they are written in tables, figures and messages."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal


def rounded(value: float, digits: int) -> str:
    """A finite number with exactly so many digits behind the point; half is rounded away from 0.

    >>> rounded(37.125, 2), rounded(0.5, 0), rounded(-0.001, 2), rounded(-2.5, 0)
    ('37.13', '1', '0.00', '-3')
    """
    text = f"{Decimal(value).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP):f}"
    return text.removeprefix("-") if not float(text) else text


def short(value: float, digits: int) -> str:
    """A finite number with at most so many digits behind the point.

    >>> short(58.0, 2), short(60.16666, 2), short(74.25, 1), short(100.0, 0)
    ('58', '60.17', '74.3', '100')
    """
    text = rounded(value, digits)
    return text.rstrip("0").rstrip(".") if digits else text


def points(value: float | None, digits: int = 2) -> str:
    """A cost as people write it; a dash where there is none.

    >>> points(58.0), points(60.16666), points(37.125), points(float("inf")), points(None)
    ('58', '60.17', '37.13', '∞', '–')
    """
    if value is None or value != value:
        return "–"
    return "∞" if value == float("inf") else short(value, digits)


def percent(p: float) -> str:
    """A probability as people write it.

    >>> percent(1 / 3), percent(0.125), percent(0.9991), percent(1e-9), percent(1.0)
    ('33 %', '13 %', '99.9 %', '<0.1 %', '100 %')
    """
    if 0 < p < 0.001:
        return "<0.1 %"
    return short(100 * p, 1 if p > 0.99 or p < 0.01 else 0) + " %"


def counted(number: int, noun: str) -> str:
    """A number of things.

    >>> counted(1, "step"), counted(3, "step")
    ('1 step', '3 steps')
    """
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
