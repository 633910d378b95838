"""What the claims are judged by."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import pandas as pd

from onlooker.analysis.comparison import Comparison
from onlooker.analysis.reported import EXPERIMENTS
from onlooker.experiments.variants import Variant


@dataclass(frozen=True)
class Evidence:
    """A comparison and the tables of the argument that claims are about.

    `predictions` are of all trials, also of those that no people of the data at hand played.
    """

    comparison: Comparison
    pairs: pd.DataFrame
    predictions: pd.DataFrame
    hedging: pd.DataFrame
    reversal: pd.DataFrame
    advantage: pd.DataFrame

    @cached_property
    def people(self) -> list[int]:
        """The experiments that people of the data at hand took part in."""
        return sorted(set(self.comparison.sample["experiment"]))

    @property
    def lacking(self) -> list[int]:
        """The paper's experiments of which there are no people."""
        return [number for number in EXPERIMENTS if number not in self.people]

    @cached_property
    def titles(self) -> dict[str, str]:
        """What the observers are called."""
        return {label: variant.title for label, variant in self.variants.items()}

    @cached_property
    def variants(self) -> dict[str, Variant]:
        """All observers that are predicted, by the labels that the tables have."""
        return dict(zip(self.predictions["observer"], self.predictions["variant"], strict=True))

    def labels(self, observer: str) -> list[str]:
        """The labels of an observer's variants."""
        return [label for label, each in self.variants.items() if each.observer == observer]


def needs_people(numbers: list[int]) -> str:
    """That people of some experiments are missing.

    >>> needs_people([3, 4])
    'needs people of Exp. 3, 4'
    """
    return f"needs people of Exp. {', '.join(map(str, numbers))}"
