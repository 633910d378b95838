"""What a reproduction found: everything that the report is written from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pandas as pd

from onlooker.analysis.figures.plate import Plate
from onlooker.analysis.report.pictures import Picture
from onlooker.analysis.tables.comparison import Comparison
from onlooker.analysis.tables.logs import Logs
from onlooker.analysis.tables.results import Results
from onlooker.analysis.tables.teachers import Teaching
from onlooker.experiments.predictions import Prediction
from onlooker.experiments.psych_ds import Dataset
from onlooker.experiments.regret import Regret

if TYPE_CHECKING:  # they need more libraries than a report does
    from onlooker.analysis.report.individual import Individual
    from onlooker.analysis.tables.sensitivity import Sensitivity


@dataclass(frozen=True)
class Reproduction:
    """What a reproduction found."""

    title: str
    lead: str
    predictions: list[Prediction]
    results: Results
    verdicts: pd.DataFrame  # a claim of the paper
    plates: list[Plate]
    left_out: list[str]  # figures that the data does not allow, in words
    readings: pd.DataFrame
    inventory: list[list[str]]
    provenance: dict[str, Any]
    simulated: Dataset | None  # the participants that were made up
    regrets: Sequence[Regret] = ()
    sensitivity: Sensitivity | None = None
    without_sensitivity: str = ""  # why there is none
    individual: Individual | None = None
    without_individual: str = ""  # why there is none
    counting: pd.DataFrame = field(default_factory=pd.DataFrame)  # the paper's way beside ours
    logs: Logs | None = None
    without_logs: str = ""  # why there are none
    sheets: Sequence[Picture] = ()  # every trial
    teaching: Teaching | None = None  # trials with teachers
    told: Dataset | None = None  # participants in these that were made up

    @property
    def comparison(self) -> Comparison:
        """The statistics of people against observers."""
        return self.results.comparison

    def title_of(self, observer: str) -> str:
        """What pages call an observer."""
        return self.comparison.titles().get(observer, observer)
