"""The paper's claims beside data that meets them, misses them or lacks what they need."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from onlooker.analysis.argument.argue import evidence
from onlooker.analysis.argument.claims.claim import FAILS, HOLDS, OPEN, UNDECIDED, judged, side
from onlooker.analysis.argument.verdict import verdicts
from onlooker.analysis.comparison import compare, paired, predictions_frame
from onlooker.analysis.human import HumanMeans, read_human
from onlooker.analysis.readings import predict_both_readings
from onlooker.experiments.archive import read_archive
from onlooker.inference import Parameters

PAPER = Path(__file__).parents[4] / "shared" / "paper-data"


@pytest.mark.parametrize(
    ("value", "low", "high", "expected"),
    [
        (0.9, 0.85, 0.95, HOLDS),
        (0.9, 0.904, 0.95, HOLDS),  # the paper rounds
        (0.9, 0.91, 0.95, FAILS),
        (0.9, np.nan, np.nan, OPEN),
    ],
)
def test_a_value(value: float, low: float, high: float, expected: str) -> None:
    assert judged(value, low, high) == expected


@pytest.mark.parametrize(
    ("sign", "low", "high", "expected"),
    [
        (1, 0.1, 0.2, HOLDS),
        (1, -0.1, 0.2, UNDECIDED),
        (1, -0.2, -0.1, FAILS),
        (-1, -0.2, -0.1, HOLDS),
        (-1, np.nan, np.nan, OPEN),
    ],
)
def test_a_direction(sign: int, low: float, high: float, expected: str) -> None:
    assert side(sign, low, high)[0] == expected


@pytest.mark.skipif(not PAPER.is_dir(), reason="the authors' data is not beside the project")
def test_the_papers_people_in_two_experiments() -> None:
    trials = list(read_archive(PAPER).trials)
    predictions = predictions_frame(predict_both_readings(trials, Parameters()))
    human = read_human(PAPER / "human_means.csv", predictions)
    comparison = compare(predictions, human, resamples=500)
    pairs = paired(predictions, human)
    found = verdicts(evidence(comparison, pairs, predictions)).set_index("claim")
    assert found.loc["Rational Mentalizing: r, Exp. 1", "verdict"] == HOLDS
    assert found.loc["Rational Mentalizing: r, Exp. 2", "verdict"] == HOLDS
    assert found.loc["Naive Observer: r, Exp. 2", "verdict"] == FAILS
    assert found.loc["Naive Observer, meeting=any: r, Exp. 2", "verdict"] == HOLDS
    assert (
        found.loc["Rational Mentalizing: r, Exp. 4, novice", "reason"] == "needs people of Exp. 4"
    )
    pooled = found.loc["Rational Mentalizing: CCC of observation steps, all experiments"]
    assert pooled["verdict"] == OPEN
    assert "Exp. 3, 4" in pooled["reason"]
    invented = HumanMeans(human.means, simulated=True)
    pretended = compare(predictions, invented, resamples=20)
    assert verdicts(evidence(pretended, pairs, predictions)).empty
