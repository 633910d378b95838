"""Numbers and names as the pages' tables write them."""

from __future__ import annotations

import re
from typing import Any

import pandas as pd

from onlooker.support.rounding import rounded


def people_word(simulated: bool, artificial: bool = False) -> str:
    """What those are called whose behaviour is compared with the observers'.

    >>> people_word(False), people_word(True), people_word(True, artificial=True)
    ('people', 'simulated participants', 'artificial players')
    """
    if not simulated:
        return "people"
    return "artificial players" if artificial else "simulated participants"


def number(value: Any, digits: int = 2, *, zero: bool = False) -> str:
    """A number as the tables write it; nothing for a missing one.

    Coefficients have no zero before the point; amounts, such as steps, do (`zero`).

    >>> number(0.9511), number(-0.41), number(float("nan")), number(0.25, 1, zero=True)
    ('.95', '−.41', '', '0.3')
    """
    if value is None or pd.isna(value):
        return ""
    text = rounded(value, digits)
    if digits and not zero:
        text = re.sub(r"^(-?)0\.", r"\1.", text)
    return text.replace("-", "−")


def ranged(
    value: Any, low: Any, high: Any, digits: int = 2, *, mark: bool = False, zero: bool = False
) -> str:
    """A value with its interval; a mark where the interval leaves 0 out.

    Amounts, such as steps, have a zero before the point (`zero`).

    >>> ranged(0.5, 0.25, 0.75, mark=True), ranged(0.5, None, None)
    ('.50 [.25, .75] ✱', '.50')
    """
    text = number(value, digits, zero=zero)
    if not text or pd.isna(low) or pd.isna(high):
        return text
    sign = " ✱" if mark and (low > 0 or high < 0) else ""
    ends = ", ".join(number(each, digits, zero=zero) for each in (low, high))
    return f"{text} [{ends}]{sign}"


def records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """The rows of a table."""
    return frame.to_dict("records")  # type: ignore[return-value]
