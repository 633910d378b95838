"""Every figure of a report, in the order of a paper."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from onlooker.analysis.figures.agreement import (
    COST_OBSERVATION,
    COST_TOTAL,
    OBSERVED,
    TOTAL_STEPS,
    calibration_plate,
    fit_plates,
    scatter_plate,
)
from onlooker.analysis.figures.game_figure import game_plate
from onlooker.analysis.figures.logs import logs_plates
from onlooker.analysis.figures.plate import MissingFigure, Plate
from onlooker.analysis.figures.published import published_plate
from onlooker.analysis.figures.qualitative import qualitative_plates
from onlooker.analysis.figures.regret import regret_plate
from onlooker.analysis.figures.schematic import schematic_plate
from onlooker.analysis.figures.teachers import teacher_plates
from onlooker.analysis.figures.tradeoff import tradeoff_by_experiment_plate, tradeoff_plate
from onlooker.analysis.tables.logs import Logs
from onlooker.analysis.tables.results import Results
from onlooker.analysis.tables.teachers import Teaching
from onlooker.experiments.regret import Regret
from onlooker.game import Trial


def draw_plates(
    study: Results,
    trials: Sequence[Trial] = (),
    *,
    teaching: Teaching | None = None,
    regrets: Sequence[Regret] = (),
    logs: Logs | None = None,
) -> Iterator[Plate | MissingFigure]:
    """All figures, one at a time, and in their places those for which data is lacking.

    `trials` are the maps that people played, for examples.
    """
    among = trials or None
    yield game_plate(parameters=study.parameters, among=among)
    yield schematic_plate(parameters=study.parameters, among=among)
    yield scatter_plate(study)
    yield tradeoff_plate(study)
    yield from qualitative_plates(study, trials)
    for measure in (OBSERVED, COST_OBSERVATION, TOTAL_STEPS, COST_TOTAL):
        yield from fit_plates(study, measure)
    yield tradeoff_by_experiment_plate(study)
    if study.published is not None and (plate := published_plate(study.published, trials)):
        yield plate
    if not study.calibration.left_out:
        yield calibration_plate(study.calibration, study.human.source)
    if teaching is not None:
        yield from teacher_plates(teaching)
    if any(row.regret is not None for row in regrets):
        yield regret_plate(regrets)
    if logs is not None:
        yield from logs_plates(logs, study.human.source)
