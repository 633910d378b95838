"""Numbers and names as the pages' tables write them."""

from __future__ import annotations

from typing import Any

import pandas as pd


def number(value: Any, digits: int = 2) -> str:
    """A number as the tables write it; nothing for a missing one.

    >>> number(0.9511), number(-0.41), number(float("nan")), number(12, 0)
    ('.95', '−.41', '', '12')
    """
    if value is None or pd.isna(value):
        return ""
    text = f"{abs(value):.{digits}f}"
    if abs(value) < 1 and digits and text.startswith("0"):
        text = text[1:]
    return f"−{text}" if value < 0 and float(f"{value:.{digits}f}") != 0 else text
