"""The model, a straight line on it, and graded choices, on the same means."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from onlooker.analysis.data.human import read_human
from onlooker.analysis.data.resampling import Resampler, bootstrap_statistics, paired_difference
from onlooker.analysis.tables.calibration import (
    GRADED,
    HELD_OUT,
    LINE,
    MODEL,
    calibrate,
    fitted_on,
    with_lines,
)
from onlooker.analysis.tables.comparison import predictions_frame
from onlooker.experiments.archive import read_archive
from onlooker.experiments.predictions import predict
from onlooker.inference import Parameters
from onlooker.observers import GradedMentalizing, RationalMentalizing
from own_archive import MEANS


def points(numbers: tuple[int, ...] = (1, 2)) -> pd.DataFrame:
    rng = np.random.default_rng(3)
    rows = [(number, f"m{level}", "agent2") for number in numbers for level in range(10)]
    frame = pd.DataFrame(rows, columns=["experiment", "level", "agent"])
    frame[MODEL] = rng.integers(0, 9, len(frame)).astype(float)
    return frame.assign(people=1 + 0.5 * frame[MODEL] + rng.normal(0, 0.3, len(frame)))


def test_a_line_is_fitted_on_all_and_the_held_out_one_on_the_others() -> None:
    data = points()
    found, lines = with_lines(data)
    slope, intercept = np.polyfit(data[MODEL], data["people"], 1)
    np.testing.assert_allclose(found[LINE], intercept + slope * data[MODEL])
    first, second = (data["experiment"] == number for number in (1, 2))
    slope, intercept = np.polyfit(data.loc[second, MODEL], data.loc[second, "people"], 1)
    np.testing.assert_allclose(found.loc[first, HELD_OUT], intercept + slope * data[MODEL][first])
    assert list(lines["fitted_on"]) == ["1, 2", "1, 2", "2", "1"]


def test_one_experiment_has_no_line_of_the_others() -> None:
    found, lines = with_lines(points((1,)))
    assert HELD_OUT not in found
    assert list(lines["model"]) == [LINE]


def test_a_model_that_never_changes_gets_a_flat_line() -> None:
    data = points((1,)).assign(**{MODEL: 2.0})
    found, _ = with_lines(data)
    np.testing.assert_allclose(found[LINE], data["people"].mean())


def test_a_line_leaves_r_alone_and_differences_are_paired() -> None:
    data, _ = with_lines(points((1,)))
    weights = Resampler(1, 500).weights(data)
    line, model = (
        bootstrap_statistics(data[name], data["people"], weights) for name in (LINE, MODEL)
    )
    same = paired_difference(line["r"], model["r"])
    assert same == {"difference": 0, "low": 0, "high": 0}
    better = paired_difference(line["rmse"], model["rmse"])
    assert better["low"] <= better["difference"] <= better["high"] < 0


def test_what_was_fitted_on_what() -> None:
    words = fitted_on([1, 2, 3], Parameters(), simulated=False)
    assert "Exp. 1, 2, 3 together" in words[LINE]
    assert "Exp. 3 had no part in it" in words[GRADED]
    assert "in Exp. 1 and 2 that is the data shown" in words[GRADED]
    assert "simulated" in fitted_on([1], Parameters(), simulated=True)[GRADED]
    assert "--set" in fitted_on([1], Parameters(skip=0.1), simulated=False)[GRADED]


def test_people_who_are_graded(own_archive: Path) -> None:
    """The people of this archive choose by graded choices, so that these describe them best."""
    trials = list(read_archive(own_archive, [1, 2]).trials)
    rows = predict(trials, [RationalMentalizing(), GradedMentalizing()])
    human = read_human(own_archive / MEANS, predictions_frame(rows))
    found = calibrate(predictions_frame(rows), human, Parameters(), Resampler(1, 500))
    pooled = found.fits[found.fits["experiment"] == "pooled"].set_index("model")
    assert pooled["rmse"].idxmin() == pooled["ccc"].idxmax() == GRADED
    assert pooled.loc[MODEL, "rmse"] > pooled.loc[HELD_OUT, "rmse"] > pooled.loc[LINE, "rmse"]
    assert pooled.loc[LINE, "r"] == pytest.approx(pooled.loc[MODEL, "r"])
    people = human.means.set_index(["experiment", "level"])["observed"]
    for name, observer in ((MODEL, "rational_mentalizing"), (GRADED, "graded_mentalizing")):
        mine = [row for row in rows if row.observer == observer]
        off = [row.observed - people[row.experiment, row.level] for row in mine]
        assert pooled.loc[name, "rmse"] == pytest.approx(np.sqrt(np.mean(np.square(off))))
