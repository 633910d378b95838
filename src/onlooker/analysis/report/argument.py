"""Everything that the report argues with, computed in one go."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pandas as pd

from onlooker.analysis.claims import Evidence, verdicts
from onlooker.analysis.data.human import HumanMeans
from onlooker.analysis.tables.behaviour import contrasts, hedging, influence, whom
from onlooker.analysis.tables.calibration import Calibration, calibrate
from onlooker.analysis.tables.comparison import Comparison, predictions_frame
from onlooker.analysis.tables.diagnosis import advantage, likeness
from onlooker.analysis.tables.published import Published, published
from onlooker.analysis.tables.reversal import preferences, reversal, reversal_trials
from onlooker.analysis.tables.whether import people_table, whether_when
from onlooker.experiments.predictions import Prediction
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
    calibration: Calibration

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


def argue(
    rows: Sequence[Prediction],
    human: HumanMeans,
    comparison: Comparison,
    pairs: pd.DataFrame,
    parameters: Parameters,
) -> Argument:
    """The argument of a comparison."""
    calibration = calibrate(rows, human, parameters, comparison.resampler)
    predictions = predictions_frame(rows)
    authors = published(comparison, pairs, human)
    found = evidence(comparison, pairs, predictions, authors)
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
        calibration=calibration,
    )


def evidence(
    comparison: Comparison,
    pairs: pd.DataFrame,
    predictions: pd.DataFrame,
    authors: Published | None = None,
) -> Evidence:
    """What the claims are judged by."""
    return Evidence(
        comparison,
        pairs,
        predictions,
        hedging(comparison, pairs),
        reversal(comparison, pairs),
        advantage(comparison, pairs),
        None if authors is None else authors.agreement,
    )
