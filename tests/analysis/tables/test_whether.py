"""What people do, and whether and when, worked out by hand."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from onlooker.analysis.data.resampling import Resampler
from onlooker.analysis.tables.whether import people_table, whether_when

COMPARISON: Any = SimpleNamespace(data="human", resampler=Resampler(1, 500, least=2))


def pairs() -> pd.DataFrame:
    """Six trials of Exp. 1, two of Exp. 3 with two NPCs; the model skips three of all."""
    rows = [
        (1, "a", "agent2", 0, 0.5),
        (1, "b", "agent2", 0, 1.5),
        (1, "c", "agent2", 2, 3.0),
        (1, "d", "agent2", 4, 4.0),
        (1, "e", "agent2", 6, 7.0),
        (1, "f", "agent2", 8, 8.0),
        (3, "a", "agent2", 0, 0.25),
        (3, "a", "agent3", 0, 0.75),
        (3, "b", "agent2", 3, 2.0),
        (3, "b", "agent3", 1, 2.0),
    ]
    names = ["experiment", "level", "agent", "model_observed", "human_observed"]
    frame = pd.DataFrame(rows, columns=names).assign(observer="mine")
    return frame.assign(human_total_steps=30.0, human_cost_total=np.nan, n=range(20, 30))


def test_how_long_people_watch() -> None:
    found = people_table(COMPARISON, pairs()).set_index("experiment")
    assert found.loc[1, ["trials", "n", "mean", "least", "most"]].tolist() == [6, 6, 4, 0.5, 8]
    assert found.loc[3, ["trials", "n", "mean", "hardly"]].tolist() == [2, 4, 1.25, 2]
    assert found.loc["pooled", ["hardly", "people"]].tolist() == [3, "20–29"]
    assert found.loc[3, "sd"] == pytest.approx(np.sqrt((1 + 0.25 + 2 * 0.5625) / 4))
    assert found.loc["pooled", "total_steps"] == 30
    assert np.isnan(found.loc["pooled", "cost_total"])


def test_whether_and_when_are_told_apart() -> None:
    found = whether_when(COMPARISON, pairs()).set_index("experiment")
    one, both = found.loc[1], found.loc["pooled"]
    assert one[["n", "skips", "people_skip", "people_watch"]].tolist() == [6, 2, 1, 5.5]
    assert one["difference"] == 4.5
    assert 0 < one["low"] <= 4.5 <= one["high"]
    assert one["r"] == pytest.approx(np.corrcoef([2, 4, 6, 8], [3, 4, 7, 8])[0, 1])
    # Counts are summed over the NPCs of a trial: 0.25 + 0.75 where the model skips.
    assert both[["n", "skips", "people_skip"]].tolist() == [8, 3, 1]
    assert both["people_watch"] == pytest.approx((22 + 4) / 5)
    assert np.isnan(found.loc[3, "r"])  # it watches in one trial only
    assert found.loc[3, "difference"] == 3


def test_an_observer_that_always_watches_has_nothing_to_compare() -> None:
    found = whether_when(COMPARISON, pairs().assign(model_observed=range(1, 11)))
    assert found["difference"].isna().all()
    assert found["low"].isna().all()
    assert found.set_index("experiment").loc["pooled", "r"] <= 1


def test_a_group_of_few_maps_has_no_interval() -> None:
    comparison: Any = SimpleNamespace(data="human", resampler=Resampler(1, 500, least=3))
    one = whether_when(comparison, pairs()).set_index("experiment").loc[1]
    assert one["difference"] == 4.5  # of two maps and four
    assert np.isnan(one["low"])
    assert np.isnan(one["high"])
