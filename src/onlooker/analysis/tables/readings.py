"""What each option of the readings changes: how many predictions, and the fit to people."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from onlooker.analysis.data.human import HumanBehaviour
from onlooker.analysis.tables.comparison import paired, predictions_frame
from onlooker.experiments.predictions import Prediction, predict
from onlooker.experiments.variants import Variant
from onlooker.game import Trial, TrialError
from onlooker.inference import Parameters
from onlooker.observers import OBSERVERS, GradedMentalizing
from onlooker.support.arrays import pearson


@dataclass(frozen=True, slots=True)
class Reading:
    """One option that the paper leaves open."""

    parameter: str
    value: str
    observers: tuple[str, ...]  # whom it concerns
    meaning: str

    @property
    def setting(self) -> str:
        """The option as `--set` takes it."""
        return f"{self.parameter}={self.value}"

    def apply(self, parameters: Parameters) -> Parameters:
        """The parameters with this option."""
        change: dict[str, Any] = {self.parameter: self.value}
        return replace(parameters, **change)


READINGS = (
    Reading(
        "order",
        "fixed",
        tuple(OBSERVERS),
        "the tour visits candidates in the order of their distance from the start,"
        " not from each stop",
    ),
    Reading(
        "exploration",
        "expected",
        tuple(OBSERVERS),
        "acting alone costs what it does on average, not as if the last candidate always were"
        " the holder",
    ),
    Reading(
        "meeting",
        "any",
        ("naive_observer",),
        "the Naive Observer watches novices too and waits for any wizard",
    ),
)


def predict_both_readings(
    trials: Sequence[Trial],
    parameters: Parameters,
    progress: Callable[[Trial], object] | None = None,
) -> list[Prediction]:
    """All observers' predictions, the Naive Observer's in both readings, and Graded Mentalizing's.

    The last is left out where a trial has too much to be seen for it.
    """
    rows = predict(trials, [observer() for observer in OBSERVERS.values()], parameters, progress)
    *_, any_meeting = READINGS
    naive = predict(trials, [OBSERVERS["naive_observer"]()], any_meeting.apply(parameters))
    changes = ((any_meeting.parameter, any_meeting.value),)
    graded: list[Prediction] = []
    with suppress(TrialError):
        graded = predict(trials, [GradedMentalizing()], parameters)
    return [*rows, *(replace(row, parameters=changes) for row in naive), *graded]


def readings_table(
    trials: Sequence[Trial],
    base: Sequence[Prediction],
    human: HumanBehaviour | None,
    parameters: Parameters,
    progress: Callable[[Trial], object] | None = None,
) -> pd.DataFrame:
    """A row for each option and observer: how many counts change, and r with and without it."""
    known = {row.key: row.observed for row in base}
    rows: list[dict[str, Any]] = []
    for reading in READINGS:
        changed = predict(
            trials,
            [OBSERVERS[name]() for name in reading.observers],
            reading.apply(parameters),
            progress,
        )
        for name in reading.observers:
            mine = [row for row in changed if row.observer == name]
            before = [row for row in base if row.variant == Variant(name)]
            differing = sum(row.observed != known[row.key] for row in mine)
            rows.append(
                {
                    "option": reading.setting,
                    "meaning": reading.meaning,
                    "observer": name,
                    "predictions": len(mine),
                    "differ": differing,
                    "r_default": _pooled_r(before, human),
                    "r_option": _pooled_r(mine, human),
                }
            )
    return pd.DataFrame(rows)


def _pooled_r(rows: Sequence[Prediction], human: HumanBehaviour | None) -> float | None:
    """r of observation steps over all experiments that people played; None without people."""
    if human is None:
        return None
    pairs = paired(predictions_frame(rows), human)
    r = float(pearson(pairs["model_observed"], pairs["human_observed"]))
    return None if np.isnan(r) else r
