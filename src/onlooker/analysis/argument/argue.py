"""Everything that the report argues with, computed in one go."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pandas as pd

from onlooker.analysis.argument.behaviour import contrasts, hedging, influence, whom
from onlooker.analysis.argument.calibration import Calibration, calibrate
from onlooker.analysis.argument.claims.evidence import Evidence
from onlooker.analysis.argument.diagnosis import advantage, likeness
from onlooker.analysis.argument.published import Published, published
from onlooker.analysis.argument.reversal import preferences, reversal, reversal_trials
from onlooker.analysis.argument.verdict import verdicts
from onlooker.analysis.argument.whether import people_table, whether_when
from onlooker.analysis.comparison import Comparison, predictions_frame
from onlooker.analysis.figures.calibration import calibration_plate
from onlooker.analysis.figures.plate import Plate, Who
from onlooker.analysis.figures.published import published_plate
from onlooker.analysis.human import HumanMeans
from onlooker.experiments.predictions import Prediction
from onlooker.game import Trial
from onlooker.inference import Parameters


@dataclass(frozen=True)
class Argument:
    """What the report argues with."""

    verdicts: pd.DataFrame  # a claim of the paper
    contrasts: pd.DataFrame  # experiment × two observers × statistic
    people: pd.DataFrame  # experiment
    whether: pd.DataFrame  # experiment × observer
    preferences: pd.DataFrame  # experiment × observer
    whom: pd.DataFrame  # experiment × observer
    reversal: pd.DataFrame  # experiment × observer × whom it prefers
    reversal_trials: pd.DataFrame  # trial with an expert and a novice
    hedging: pd.DataFrame  # experiment × what the model watches
    influence: pd.DataFrame  # experiment × observer
    likeness: pd.DataFrame  # experiment × observer
    advantage: pd.DataFrame  # experiment × observer
    published: Published | None
    published_plate: Plate | None
    calibration: Calibration
    calibration_plate: Plate | None

    def tables(self) -> Iterator[tuple[str, pd.DataFrame]]:
        """Its tables that are there, by the names of their files."""
        parts = {
            "verdicts": self.verdicts,
            "contrasts": self.contrasts,
            "people": self.people,
            "whether": self.whether,
            "preferences": self.preferences,
            "whom": self.whom,
            "reversal": self.reversal,
            "reversal-trials": self.reversal_trials,
            "hedging": self.hedging,
            "influence": self.influence,
            "likeness": self.likeness,
            "advantage": self.advantage,
            "calibration": self.calibration.fits,
            "calibration-differences": self.calibration.differences,
            "calibration-lines": self.calibration.lines,
        }
        if self.published is not None:
            parts["authors-agreement"] = self.published.agreement
            parts["authors-counts"] = self.published.counts
        yield from ((name, frame) for name, frame in parts.items() if not frame.empty)

    def plates(self) -> list[Plate]:
        """Its figures."""
        both = (self.published_plate, self.calibration_plate)
        return [plate for plate in both if plate is not None]


def argue(
    trials: Sequence[Trial],
    rows: Sequence[Prediction],
    human: HumanMeans,
    comparison: Comparison,
    pairs: pd.DataFrame,
    parameters: Parameters,
) -> Argument:
    """The argument of a comparison."""
    seed, resamples = comparison.seed, comparison.resamples
    calibration = calibrate(trials, rows, human, parameters, seed=seed, resamples=resamples)
    plate = None
    if not calibration.left_out:
        plate = calibration_plate(calibration, Who(human.simulated, human.artificial))
    predictions = predictions_frame(rows)
    found = evidence(comparison, pairs, predictions)
    authors = published(comparison, pairs, human)
    return Argument(
        verdicts=verdicts(found),
        contrasts=contrasts(comparison, pairs),
        people=people_table(comparison, pairs),
        whether=whether_when(comparison, pairs),
        preferences=preferences(predictions),
        whom=whom(comparison, pairs),
        reversal=found.reversal,
        reversal_trials=reversal_trials(pairs, human),
        hedging=found.hedging,
        influence=influence(comparison, pairs),
        likeness=likeness(comparison, predictions),
        advantage=found.advantage,
        published=authors,
        published_plate=published_plate(authors, trials) if authors is not None else None,
        calibration=calibration,
        calibration_plate=plate,
    )


def evidence(comparison: Comparison, pairs: pd.DataFrame, predictions: pd.DataFrame) -> Evidence:
    """What the claims are judged by."""
    return Evidence(
        comparison,
        pairs,
        predictions,
        hedging(comparison, pairs),
        reversal(comparison, pairs),
        advantage(comparison, pairs),
    )
