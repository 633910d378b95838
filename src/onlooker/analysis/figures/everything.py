"""Every figure of a comparison, in the order of a paper."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pandas as pd

from onlooker.analysis.data.human import HumanMeans
from onlooker.analysis.figures.agreement import (
    COST_OBSERVATION,
    COST_TOTAL,
    OBSERVED,
    TOTAL_STEPS,
    fit_plates,
    scatter_plate,
)
from onlooker.analysis.figures.game_figure import game_plate
from onlooker.analysis.figures.plate import LeftOut, Plate, Study
from onlooker.analysis.figures.qualitative import Levels, qualitative_plates
from onlooker.analysis.figures.schematic import schematic_plate
from onlooker.analysis.figures.tradeoff import tradeoff_by_experiment_plate, tradeoff_plate
from onlooker.analysis.tables.comparison import Comparison
from onlooker.game import Trial
from onlooker.inference.parameters import Parameters


def draw_plates(
    predictions: pd.DataFrame,
    human: HumanMeans,
    comparison: Comparison,
    trials: Sequence[Trial] = (),
    levels: Levels | None = None,
    parameters: Parameters | None = None,
) -> Iterator[Plate | LeftOut]:
    """All figures, one at a time, and in their places those for which data is lacking.

    `trials` are the maps that people played, for examples; `levels` names the ones to show.
    """
    study = Study(predictions, human, comparison)
    among = trials or None
    yield game_plate(parameters=parameters, among=among)
    yield schematic_plate(parameters=parameters, among=among)
    yield scatter_plate(study)
    yield tradeoff_plate(study)
    yield from qualitative_plates(study, trials, levels)
    yield from fit_plates(study, OBSERVED)
    yield from fit_plates(study, COST_OBSERVATION)
    yield from fit_plates(study, TOTAL_STEPS)
    yield from fit_plates(study, COST_TOTAL)
    yield tradeoff_by_experiment_plate(study)
