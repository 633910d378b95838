"""Steps watched under many settings."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from onlooker.analysis.data.scopes import POOLED
from onlooker.experiments.naming import in_order
from onlooker.game import ExperimentName
from onlooker.inference import Parameters
from onlooker.support.arrays import BoolArray

LABELS = ["experiment", "level", "observer", "agent", "expertise"]


@dataclass(frozen=True)
class StepCounts:
    """Steps watched under many settings, of each NPC of each trial by each observer."""

    settings: tuple[Parameters, ...]
    rows: pd.DataFrame  # LABELS of what was counted; `experiment` is a number, a name or None
    observed: NDArray[np.int32] | NDArray[np.float64]  # (settings, rows): counts, or expected ones

    @cached_property
    def places(self) -> dict[Parameters, int]:
        """Where each setting stands."""
        return {setting: place for place, setting in enumerate(self.settings)}

    def part(self, observer: str, experiment: ExperimentName) -> BoolArray:
        """Which rows are an observer's in an experiment, or in all of them together."""
        mine = self.rows["observer"] == observer
        if experiment != POOLED:
            mine &= self.rows["experiment"] == experiment
        return mine.to_numpy()

    @property
    def scopes(self) -> list[tuple[str, ExperimentName]]:
        """Observers and experiments: numbers, then names, and all together last."""
        observers = list(dict.fromkeys(self.rows["observer"]))
        named = {each for each in self.rows["experiment"] if not pd.isna(each)}
        ordered = in_order(named)
        return [(who, each) for who in observers for each in (*ordered, POOLED)]
