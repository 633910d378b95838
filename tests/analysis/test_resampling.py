"""The same data has the same interval, whatever it is called."""

from __future__ import annotations

import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from analysis.studies import SIMULATED, predictions, tables
from onlooker.analysis.comparison import compare, predictions_frame
from onlooker.analysis.human import summarize
from onlooker.analysis.resampling import resample
from onlooker.analysis.scopes import MEASURES, scopes
from onlooker.experiments.psych_ds import Dataset

INTERVALS = ["r", "r_low", "r_high", "ccc", "ccc_low", "ccc_high"]


@given(st.permutations(range(8)), st.integers(0, 9))
def test_the_order_of_rows_does_not_matter(order: list[int], seed: int) -> None:
    rows = pd.DataFrame({"experiment": 1, "level": [f"m{n // 2}" for n in range(8)]})
    shuffled = resample(rows.iloc[order], seed, 20)
    np.testing.assert_array_equal(shuffled, resample(rows, seed, 20)[:, order])


def test_one_experiment_and_all_of_them_are_the_same_data() -> None:
    rows = predictions((3,))
    frame = predictions_frame(rows)
    human = summarize(Dataset(tables(rows), SIMULATED), frame)
    fits = compare(frame, human, resamples=200, splits=50).fits
    fits = fits[(fits["measure"] == "observed") & (fits["npc"] == "")]
    alone, pooled = (fits[fits["experiment"] == which] for which in (3, "pooled"))
    np.testing.assert_array_equal(alone[INTERVALS], pooled[INTERVALS])


def test_an_npc_that_always_has_one_role_has_one_row() -> None:
    rows = pd.DataFrame(
        {
            "experiment": [4] * 4,
            "agent": ["agent2", "agent3"] * 2,
            "expertise": ["expert", "novice"] * 2,
        }
    )
    found = list(scopes(rows, MEASURES[0]))
    assert [(scope.npc, scope.role) for scope in found] == [
        (None, None),
        (None, "expert"),
        (None, "novice"),
        (None, None),
    ]
    swapped = rows.assign(expertise=["expert", "novice", "novice", "expert"])
    assert len(list(scopes(swapped, MEASURES[0]))) == 6
