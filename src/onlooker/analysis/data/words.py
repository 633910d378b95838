"""Whose data it is, what observers are called, and how tables write numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Any

import pandas as pd

from onlooker.experiments.variants import Variant
from onlooker.observers import KNOWN_OBSERVERS, RationalMentalizing
from onlooker.support.rounding import rounded

MODEL = RationalMentalizing.name  # the full model, with which others are compared


class Source(Enum):
    """Whose behaviour is compared with the observers', by what they are called.

    >>> Source.ARTIFICIAL.people, Source.ARTIFICIAL.data, Source.ARTIFICIAL.stamp
    ('artificial players', 'simulated', 'ARTIFICIAL PLAYERS')
    """

    HUMAN = "people"
    SIMULATED = "simulated participants"
    ARTIFICIAL = "artificial players"  # programs such as language models

    @classmethod
    def of(cls, *, simulated: bool, players: bool = False) -> Source:
        """The source of a dataset by what its description says."""
        if not simulated:
            return cls.HUMAN
        return cls.ARTIFICIAL if players else cls.SIMULATED

    @property
    def data(self) -> str:
        """What every table says that it is of."""
        return "human" if self is Source.HUMAN else "simulated"

    @property
    def people(self) -> str:
        """On axes and in sentences."""
        return self.value

    @property
    def short(self) -> str:
        """Where there is little room."""
        return self.value.partition(" ")[0]

    @property
    def stamp(self) -> str:
        """In the corner of a figure; empty if the data is of people."""
        return "" if self is Source.HUMAN else self.value.upper()

    @property
    def worth(self) -> str:
        """What comparing observers with them is, where it is not evidence about people."""
        about = "about these players" if self is Source.ARTIFICIAL else "a check of the machinery"
        return "" if self is Source.HUMAN else f"{about}, not evidence about people"

    def caption(self, text: str) -> str:
        """A caption that says whose data it is where that is not people's."""
        return text if self is Source.HUMAN else f"{self.value.capitalize()}, not people. {text}"


@dataclass(frozen=True, slots=True)
class ObserverName:
    """What an observer is called: in titles, and where there is little room."""

    title: str
    short: str

    @property
    def both(self) -> str:
        """The title with the short name behind it."""
        return f"{self.title} ({self.short})"


def observer_names(variants: Iterable[Variant]) -> dict[str, ObserverName]:
    """The names of observers by their labels: ours in their order, each with its variants, others.

    >>> some = [Variant("my_own"), Variant("naive_observer", (("meeting", "any"),))]
    >>> names = observer_names([*some, Variant("naive_observer")])
    >>> [found.both for found in names.values()]
    ['Naive Observer (NO)', 'Naive Observer, meeting=any (NO*)', 'My own (MO)']
    """
    there = list(dict.fromkeys(variants))
    by_label = sorted(there, key=lambda variant: variant.label)
    ordered = [each for name in KNOWN_OBSERVERS for each in by_label if each.observer == name]
    ordered += [each for each in there if each.observer not in KNOWN_OBSERVERS]
    found: dict[str, ObserverName] = {}
    for variant in ordered:
        title, short = _title_and_short(variant)
        taken = {other.short for other in found.values()}
        free = (f"{short}{number}" for number in ("", *range(2, len(there) + 2)))
        unused = next(each for each in free if each not in taken)
        found[variant.label] = ObserverName(title, unused)
    return found


def _title_and_short(variant: Variant) -> tuple[str, str]:
    title = variant.title
    if variant.observer not in KNOWN_OBSERVERS:
        words = " ".join(title.replace("_", " ").split()) or "?"
        title = words[0].upper() + words[1:]
    words_of_name = (
        Variant(variant.observer).title if variant.observer in KNOWN_OBSERVERS else title
    )
    initials = [word[0].upper() for word in words_of_name.split() if word[0].isalnum()]
    short = "".join(initials[:3]) or "X"
    return title, f"{short}*" if variant.parameters else short


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
