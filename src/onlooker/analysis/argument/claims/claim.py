"""A claim of the paper, and the rules by which one is judged."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

# What a claim is about, in the order of the argument.
SAMPLE, WHETHER, WHOM = "what people do", "whether and when", "whom"
ABLATIONS, MISSES, COSTS = "why the ablations fail", "what the model misses", "what that costs"
ABOUT = (SAMPLE, WHETHER, WHOM, ABLATIONS, MISSES, COSTS)

HOLDS, FAILS = "holds", "does not hold"
UNDECIDED, OPEN = "undecided", "cannot be checked"
BEHAVIOUR, DISCUSSION, PEOPLE = "Results", "Discussion", "Participants"
SUPPLEMENT = "Supplement"
ROUNDED = 0.005  # the paper gives two decimals
FULL = "rational_mentalizing"


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim, where the paper makes it, and what became of it."""

    about: str
    claim: str
    place: str
    paper: str
    ours: str
    verdict: str
    reason: str = ""


def judged(value: float, low: float, high: float) -> str:
    """Whether a value that was rounded to two decimals lies in an interval.

    >>> judged(0.9, 0.8, 0.95), judged(0.5, 0.8, 0.95), judged(0.9, float("nan"), 1)
    ('holds', 'does not hold', 'cannot be checked')
    """
    if np.isnan(low) or np.isnan(high):
        return OPEN
    return HOLDS if low - ROUNDED <= value <= high + ROUNDED else FAILS


def side(sign: int, low: float, high: float) -> tuple[str, str]:
    """Whether an interval lies above 0 (sign 1) or below it (−1), and what to add."""
    if np.isnan(low) or np.isnan(high):
        return OPEN, "there is no interval"
    if low <= 0 <= high:
        return UNDECIDED, "the interval includes 0"
    return (HOLDS, "") if (low > 0) == (sign > 0) else (FAILS, "the other direction")


def listed(numbers: list[Any]) -> str:
    """Numbers as a sentence names them."""
    return ", ".join(map(str, numbers))
