"""Fits of data frames."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

import onlooker
import onlooker.fitting.folders
from fitting.studies import dataset, records, trials
from onlooker.experiments.dataset import write_dataset
from onlooker.fitting import compare_people
from onlooker.fitting.models import model_of
from onlooker.fitting.parameters import ModelError
from onlooker.fitting.plays import read_plays
from onlooker.fitting.study import fit_study
from onlooker.support.problems import DataError

OBSERVERS = ["rational_mentalizing", "naive_observer"]


def frame() -> pd.DataFrame:
    return pd.DataFrame(records().actions)[["participant", "level", "choice"]]


def fit(choices: object = None, **options: object) -> onlooker.fitting.folders.Fits:
    choices = frame() if choices is None else choices
    return onlooker.fit(choices, trials(), OBSERVERS, nodes=7, everyone=True, **options)  # type: ignore[arg-type]


def test_a_frame_is_fitted_as_a_dataset_is(tmp_path: Path) -> None:
    found = fit(simulated=True)
    models = [model_of(name) for name in OBSERVERS]
    plays = read_plays(dataset(), trials(), everyone=True)
    expected = fit_study(plays, trials(), models, "simulated", nodes=7)
    pd.testing.assert_frame_equal(found.tables["fits"], expected.tables["fits"])
    write_dataset(tmp_path / "study", records().tables(), "a study", "made up", simulated=True)
    frame().to_csv(tmp_path / "choices.csv", index=False)
    of_folder, of_file = fit(tmp_path / "study"), fit(tmp_path / "choices.csv", simulated=True)
    pd.testing.assert_frame_equal(of_folder.tables["fits"], expected.tables["fits"])
    pd.testing.assert_frame_equal(of_file.tables["fits"], expected.tables["fits"])
    assert "<td>naive_observer</td><td>4</td>" in found._repr_html_()
    chosen = compare_people(found)
    assert set(chosen.tables["selection"]["observer"]) == set(OBSERVERS)


def test_columns_of_other_names_priors_and_those_left_out() -> None:
    named = frame().rename(columns={"participant": "subject"})
    found = fit(
        named,
        columns={"participant": "subject"},
        priors={"temperature": (3.0, 1.0), "naive_observer.temperature": (0.7, 1.0)},
    )
    prior = found.tables["fits"].groupby("observer")["prior"].first()
    assert "N(log 3, 1²)" in prior["rational_mentalizing"]
    assert "N(log 0.7, 1²)" in prior["naive_observer"]
    assert found.data == "human"
    assert found.about["left_out"] == {}


def test_what_is_missing_or_wrong_is_named() -> None:
    choices = frame()
    with pytest.raises(DataError, match="data frame: missing columns: choice; there are"):
        fit(choices.drop(columns="choice"))
    with pytest.raises(DataError, match="data frame: line 2, column level: the stimuli have no"):
        fit(choices.assign(level=[choices["level"][0], "elsewhere", *choices["level"][2:]]))
    with pytest.raises(DataError, match="data frame: expected choices, a row each; there is none"):
        fit(choices[:0])
    with pytest.raises(ModelError, match="there is no parameter 'tau'"):
        fit(free=["tau"])
