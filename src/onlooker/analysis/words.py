"""Numbers and names as the pages' tables write them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pandas as pd

from onlooker.analysis.readings import ANY
from onlooker.observers import OBSERVERS

TITLES = {name: observer.title for name, observer in OBSERVERS.items()} | {
    ANY: "Naive Observer, any meeting"
}


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


def titles(observers: Iterable[str]) -> dict[str, str]:
    """What each observer is called; one that is not ours by its name."""
    return {name: TITLES.get(name, name) for name in observers}
