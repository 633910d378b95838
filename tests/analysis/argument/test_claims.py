"""The claims beside a made-up study in which people do a little more than the full model does."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import pytest

from analysis.studies import predictions, tables
from onlooker.analysis.argument.behaviour import hedging
from onlooker.analysis.argument.claims.claim import FAILS, HOLDS, OPEN
from onlooker.analysis.argument.claims.evidence import Evidence
from onlooker.analysis.argument.diagnosis import advantage
from onlooker.analysis.argument.reversal import reversal
from onlooker.analysis.argument.verdict import verdicts
from onlooker.analysis.argument.verdict_page import verdict_parts
from onlooker.analysis.comparison import compare, paired, predictions_frame
from onlooker.analysis.human import summarize
from onlooker.experiments.psych_ds import Dataset, Description

FULL = "Rational Mentalizing"
PEOPLE = Description("a study", "made up for a test", simulated=False)


def evidence(experiments: tuple[int, ...], *, demographics: bool = True) -> Evidence:
    """Predictions of four experiments; people of some. The other observer is the Rational one."""
    rows = [
        replace(row, observer="rational_observer") if row.observer == "mine" else row
        for row in predictions((1, 2, 3, 4), levels=12)
    ]
    played = tables(predictions(experiments, levels=12), trials=10)
    if not demographics:
        played["participants"] = played["participants"].drop(columns=["age", "gender"])
    frame = predictions_frame(rows)
    human = summarize(Dataset(played, PEOPLE), frame[frame["experiment"].isin(experiments)])
    comparison = compare(frame, human, resamples=300, splits=20)
    pairs = paired(frame, human)
    parts = (hedging(comparison, pairs), reversal(comparison, pairs), advantage(comparison, pairs))
    return Evidence(comparison, pairs, frame, *parts)


@pytest.fixture(scope="module")
def all_four() -> pd.DataFrame:
    return verdicts(evidence((1, 2, 3, 4))).set_index("claim")


def test_people_of_all_experiments_leave_little_unchecked(all_four: pd.DataFrame) -> None:
    unchecked = all_four[all_four["verdict"] == OPEN]
    assert unchecked.index.str.contains("Mentalizing Observer|Naive Observer").all()


@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_total_steps(all_four: pd.DataFrame, number: int) -> None:
    pattern = f"{FULL} follows people's total steps over trials, Exp. {number}"
    assert all_four.loc[pattern, "verdict"] == HOLDS  # the made-up people add a few steps at random
    fewer = f"{FULL} takes fewer total steps than people, Exp. {number}"
    assert all_four.loc[fewer, "verdict"] == HOLDS


def test_intervals_that_do_not_overlap(all_four: pd.DataFrame) -> None:
    row = all_four.loc["Rational Observer: its interval of CCC lies below the model's"]
    assert (row["paper"], row["verdict"]) == ("no overlap", HOLDS)


def test_the_preference_reverses(all_four: pd.DataFrame) -> None:
    for whom in ("expert", "novice"):
        row = all_four.loc[f"People watch the {whom} more where {FULL} does, Exp. 4"]
        assert row["verdict"] == HOLDS
        assert "trials" in row["reason"]


def test_total_cost(all_four: pd.DataFrame) -> None:
    # The other observer's costs are random numbers: they reproduce nobody's.
    rows = all_four[all_four.index.str.startswith("All observers reproduce total cost")]
    assert set(rows["verdict"]) == {FAILS}
    row = all_four.loc["Counts tell the model and Rational Observer apart better than total cost"]
    assert row["verdict"] != OPEN
    assert row["ours"].startswith("lead in r larger by ")


def test_demographics(all_four: pd.DataFrame) -> None:
    # Ages 20 to 31: mean 25.5, SD √13. A third is female; letter case and spaces do not matter.
    assert all_four.loc["Exp. 1: mean age", "ours"] == "25.5"
    assert all_four.loc["Exp. 1: SD of age", "ours"] == "3.6"
    assert all_four.loc["Exp. 1: gender", ["paper", "ours"]].tolist() == [
        "male 34, female 23",
        "male 8, female 4",
    ]
    assert all_four.loc["Exp. 1: gender", "verdict"] == FAILS


def test_what_is_missing_is_said() -> None:
    found = verdicts(evidence((1, 3), demographics=False)).set_index("claim")
    reasons = found.loc[found["verdict"] == OPEN, "reason"]
    assert reasons["Exp. 1: gender"] == "needs the participants' gender"
    assert reasons["Exp. 1: SD of age"] == "needs the participants' age"
    assert reasons["Exp. 2: participants"] == "needs data of each participant (a Psych-DS folder)"
    assert (
        reasons[f"{FULL} takes fewer total steps than people, Exp. 4"] == "needs people of Exp. 4"
    )
    assert reasons[f"People watch the novice more where {FULL} does, Exp. 4"] == (
        "needs people of Exp. 4"
    )
    page = "".join(verdict_parts(found.reset_index()))
    assert f"{len(found)} claims of the paper" in page
    assert "need people of other experiments" in page
