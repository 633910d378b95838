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
