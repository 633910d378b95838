"""Predictions and comparisons of data frames."""

from __future__ import annotations

import pandas as pd
import pytest

import onlooker
from onlooker.analysis import DataError
from onlooker.experiments.predictions import COLUMNS, dump_predictions
from onlooker.experiments.predictions import predict as predicted
from onlooker.experiments.stimuli import stimuli

TRIALS = stimuli(1)[:12]
FRAME = onlooker.predict(TRIALS)


def people() -> pd.DataFrame:
    mine = FRAME[FRAME["observer"] == "rational_mentalizing"]
    means = mine[["experiment", "level", "agent"]].copy()
    means["human_mean_observed"] = mine["observed"] + 0.25
    means["n_participants"] = 10
    return means


def test_predictions_have_the_columns_of_the_file() -> None:
    assert tuple(FRAME.columns) == COLUMNS
    assert len(FRAME) == len(TRIALS) * len(onlooker.OBSERVERS)
    one = onlooker.predict(TRIALS[0], ["naive_observer"])
    assert one["level"].tolist() == [TRIALS[0].name]


def test_frames_are_compared_as_files_are(tmp_path) -> None:
    (tmp_path / "predictions.csv").write_text(
        dump_predictions(predicted(TRIALS, list(onlooker.OBSERVERS)))
    )
    people().to_csv(tmp_path / "people.csv", index=False)
    of_frames = onlooker.compare(FRAME, people())
    of_files = onlooker.compare(tmp_path / "predictions.csv", tmp_path / "people.csv")
    pd.testing.assert_frame_equal(of_frames.fits, of_files.fits)
    best = of_frames.fits[of_frames.fits["measure"] == "observed"].set_index("observer")["r"]
    assert best["rational_mentalizing"].max() == pytest.approx(1)


def test_missing_columns_and_wrong_values_are_named() -> None:
    with pytest.raises(DataError, match="data frame: missing columns: n_participants; there are"):
        onlooker.compare(FRAME, people().drop(columns="n_participants"))
    with pytest.raises(DataError, match="data frame: missing columns: observed, moves; there are"):
        onlooker.compare(FRAME.drop(columns=["moves", "observed"]), people())
    wrong = people().astype({"human_mean_observed": object}).reset_index(drop=True)
    wrong.loc[2, "human_mean_observed"] = "many"
    with pytest.raises(DataError, match="data frame: line 3, column human_mean_observed"):
        onlooker.compare(FRAME, wrong)
