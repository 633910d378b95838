"""Everything that the report argues with, computed in one go."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pandas as pd

from onlooker.analysis.argument.behaviour import contrasts, hedging, influence, whom
from onlooker.analysis.argument.calibration import Calibration, calibrate
from onlooker.analysis.argument.verdict import verdicts
from onlooker.analysis.comparison import Comparison, predictions_frame
from onlooker.analysis.figures.calibration import calibration_plate
from onlooker.analysis.figures.plate import Plate, Who
from onlooker.analysis.human import HumanMeans
from onlooker.experiments.predictions import Prediction
from onlooker.game import Trial
from onlooker.inference import Parameters


@dataclass(frozen=True)
class Argument:
    """What the report argues with."""

    verdicts: pd.DataFrame  # a claim of the paper
    contrasts: pd.DataFrame  # experiment × two observers × statistic
    whom: pd.DataFrame  # experiment × observer
    hedging: pd.DataFrame  # experiment × what the model watches
    influence: pd.DataFrame  # experiment × observer
    calibration: Calibration
    calibration_plate: Plate | None

    def tables(self) -> Iterator[tuple[str, pd.DataFrame]]:
        """Its tables that are there, by the names of their files."""
        parts = {
            "verdicts": self.verdicts,
            "contrasts": self.contrasts,
            "whom": self.whom,
            "hedging": self.hedging,
            "influence": self.influence,
            "calibration": self.calibration.fits,
            "calibration-differences": self.calibration.differences,
            "calibration-lines": self.calibration.lines,
        }
        yield from ((name, frame) for name, frame in parts.items() if not frame.empty)

    def plates(self) -> list[Plate]:
        """Its figures."""
        return [plate for plate in (self.calibration_plate,) if plate is not None]


def argue(
    trials: Sequence[Trial],
    predictions: Sequence[Prediction],
    human: HumanMeans,
    comparison: Comparison,
    pairs: pd.DataFrame,
    parameters: Parameters,
) -> Argument:
    """The argument of a comparison."""
    seed, resamples = comparison.seed, comparison.resamples
    calibration = calibrate(trials, predictions, human, parameters, seed=seed, resamples=resamples)
    plate = None
    if not calibration.left_out:
        plate = calibration_plate(calibration, Who(human.simulated, human.artificial))
    judged = verdicts(comparison, pairs, predictions_frame(predictions))
    return Argument(
        verdicts=judged,
        contrasts=contrasts(comparison, pairs),
        whom=whom(comparison, pairs),
        hedging=hedging(comparison, pairs),
        influence=influence(comparison, pairs),
        calibration=calibration,
        calibration_plate=plate,
    )
