"""Reading tables of predictions, whoever made them."""

from __future__ import annotations

import os
import re
from typing import Any

import pandas as pd

from onlooker.experiments.predictions import COLUMNS, LABELS, MAP, SPREAD, Prediction
from onlooker.experiments.schema import OBSERVATIONS, Column, TableSchema
from onlooker.experiments.tables import read_table
from onlooker.experiments.variants import Variant
from onlooker.game import ExperimentName

PREDICTIONS = TableSchema(
    "predictions",
    "an NPC of a trial that an observer was run on",
    ("experiment", "level", "observer", "agent"),
    (
        Column("experiment", "text", "Number or name of the experiment.", empty=True),
        Column("level", "text", "Name of the trial."),
        Column("observer", "text", "The observer, with the parameters of a variant."),
        Column("agent", "text", "Id of the NPC."),
        OBSERVATIONS.column("expertise"),
        *(Column(name, "number", "", least=0) for name in COLUMNS if name not in LABELS),
        Column(SPREAD, "number", "", required=False, empty=True, least=0),
        Column(MAP, "text", "The first trial on the same base map.", required=False, empty=True),
    ),
)


def read_predictions(path: str | os.PathLike[str] | pd.DataFrame) -> list[Prediction]:
    """The rows of predictions in a CSV or a data frame; DataError names line and column of errors.

    Columns may stand in any order, and others beside them are not read.
    """
    table = read_table(path, PREDICTIONS, more_columns=True)
    return [_prediction(dict(row)) for row in table.to_dict("records")]  # type: ignore[arg-type]


def _prediction(row: dict[str, Any]) -> Prediction:
    variant = Variant.read(row.pop("observer"))
    experiment = _experiment(row.pop("experiment"))
    for name in (SPREAD, MAP):
        if name in row and pd.isna(row[name]):
            row[name] = None
    return Prediction(
        **row,
        experiment=experiment,
        observer=variant.observer,
        parameters=variant.parameters,
    )


def _experiment(text: Any) -> ExperimentName | None:
    """The number or the name that stands in a table."""
    if pd.isna(text):
        return None
    return int(text) if re.fullmatch("[0-9]{1,9}", str(text)) else str(text)
