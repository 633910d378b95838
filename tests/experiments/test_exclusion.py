"""Who is left out."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from onlooker.experiments.exclusion import INCOMPLETE, OUTLIER, exclude, outlier_cut, sample_table

SCORES = [1, 10, 11, 12, 12, 13, 14, 15, 16, 40]


def study(scores: list[float], experiment: int = 1) -> tuple[pd.DataFrame, pd.DataFrame]:
    names = [f"e{experiment}p{index}" for index in range(len(scores))]
    people = pd.DataFrame({"participant": names, "experiment": experiment, "completed": True})
    trials = pd.DataFrame({"participant": names, "experiment": experiment, "unspent": scores, "tutorial": False})  # fmt: skip
    return people, trials


def test_worked_values() -> None:
    cut = outlier_cut(SCORES)
    assert (cut.q1, cut.q3, cut.score) == pytest.approx((11.25, 14.75, 6.0), abs=1e-9)
    found = exclude(*study(SCORES))
    assert found.table.to_dict("records") == [
        {"participant": "e1p0", "experiment": 1, "score": 1, "cut": 6.0, "reason": OUTLIER}
    ]
    assert list(found.kept["participant"]) == [f"e1p{index}" for index in range(1, 10)]


def test_a_score_at_the_cut_stays() -> None:
    scores = [6.0, 10, 11, 12, 12, 13, 14, 15, 16, 40]  # the quartiles are the same
    assert outlier_cut(scores).score == 6.0
    assert exclude(*study(scores)).table.empty


def test_tutorials_do_not_count_and_experiments_stand_alone() -> None:
    people, trials = zip(study(SCORES), study([n + 1000 for n in SCORES], 2), strict=True)
    practice = trials[0].assign(unspent=500, tutorial=True)
    found = exclude(pd.concat(people), pd.concat([*trials, practice]))
    assert list(found.table["participant"]) == ["e1p0", "e2p0"]
    assert list(found.table["cut"]) == [6.0, 1006.0]


def test_the_incomplete_are_out_and_do_not_move_the_cut() -> None:
    people, trials = study([*SCORES, -900, -900])
    people["completed"] = people.index < 10
    found = exclude(people, trials).table
    assert list(found["reason"]) == [OUTLIER, INCOMPLETE, INCOMPLETE]
    assert set(found["cut"]) == {6.0}


def test_one_participant_or_none_complete() -> None:
    assert exclude(*study([7])).table.empty
    people, trials = study([7])
    found = exclude(people.assign(completed=False), trials)
    assert found.kept.empty
    assert np.isnan(found.table["cut"]).all()
    with pytest.raises(ValueError, match="at least one number"):
        outlier_cut([])


def test_the_sample() -> None:
    people, trials = study([*SCORES, 3])
    people["completed"] = people.index < 10
    people["age"] = pd.array([20, 30, None, *[40] * 8], dtype="Int64")
    people["gender"] = ["Female", "male", None, *["female "] * 8]
    [row] = sample_table(people, exclude(people, trials).table).to_dict("records")
    assert (row["began"], row["completed"], row["excluded"], row["kept"]) == (11, 10, 1, 9)
    ages = [20, 30, *[40] * 7]
    assert row["age_known"] == 9
    assert row["age_mean"] == pytest.approx(np.mean(ages))
    assert row["age_sd"] == pytest.approx(np.std(ages, ddof=1))
    assert row["gender"] == "female 8, male 1"
    [row] = sample_table(
        people.drop(columns=["age", "gender"]), exclude(people, trials).table
    ).to_dict("records")
    assert row["gender"] == ""
    assert np.isnan(row["age_mean"])
