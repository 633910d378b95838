"""Observers against each other, whom people watch, hedging and single trials."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from onlooker.analysis.data.resampling import PeopleDraws, Resampler
from onlooker.analysis.data.words import MODEL
from onlooker.analysis.tables.behaviour import (
    contrasts,
    hedging,
    influence,
    npc_preference_agreement,
)
from onlooker.analysis.tables.reversal import reversal
from onlooker.analysis.tables.whether import whether_when

COMPARISON: Any = SimpleNamespace(data="human", resampler=Resampler(1, 300, least=2))


def pairs(other: str = "mine") -> pd.DataFrame:
    """Two NPCs in each of ten trials; people do what the model does and one step more."""
    rng = np.random.default_rng(5)
    rows = []
    for level in range(10):
        model = [int(rng.integers(1, 9)), 0] if level else [0, 0]
        model = model[::-1] if level % 3 == 0 else model
        for place, agent in enumerate(("agent2", "agent3")):
            for observer, steps in ((MODEL, model[place]), (other, int(rng.integers(0, 9)))):
                rows.append((4, f"m{level}", agent, observer, steps, model[place] + 1.0))
    names = ["experiment", "level", "agent", "observer", "model_observed", "human_observed"]
    frame = pd.DataFrame(rows, columns=names)
    return frame.assign(expertise=frame["agent"].map({"agent2": "novice", "agent3": "expert"}))


def test_the_better_observer_is_better_in_the_same_resamples() -> None:
    found = contrasts(COMPARISON, pairs()).set_index("statistic")
    assert found.loc["r", "low"] > 0
    assert found.loc["rmse", "high"] < 0
    assert set(found["experiment"]) == {4}  # pooled would be the same data


def test_people_hedge_by_one_step_wherever_the_model_looks() -> None:
    found = hedging(COMPARISON, pairs()).set_index("model_watches")
    assert dict(found["n"]) == {"nobody": 2, "the other NPC": 9, "this NPC": 9}
    assert set(found["difference"]) == {1.0}
    assert set(found["low"].dropna()) == {1.0}


def test_whom_is_the_expert_first() -> None:
    found = npc_preference_agreement(COMPARISON, pairs()).set_index("observer").loc[MODEL]
    assert found["r"] == pytest.approx(1)
    assert (found["n"], found["prefers"], found["agree"]) == (10, 9, 1)
    assert (found["people_first"], found["people_last"]) == (3, 6)  # the expert is agent3


def test_trials_with_one_npc_say_nothing_of_whom() -> None:
    data = pairs()
    assert npc_preference_agreement(COMPARISON, data[data["agent"] == "agent2"]).empty


def test_one_odd_trial_is_found() -> None:
    data = pairs()
    data.loc[(data["level"] == "m5") & (data["agent"] == "agent2"), "human_observed"] = 60.0
    found = influence(COMPARISON, data).set_index("observer").loc[MODEL]
    assert found["trial"] == "Exp. 4, m5"
    assert found["r_without"] == pytest.approx(1) == found["r_most"]


def test_intervals_contain_what_people_differ_in() -> None:
    rows = pairs()
    mine = rows[rows["observer"] == MODEL].merge(pd.DataFrame({"participant": range(8)}), "cross")
    # Half of the people watch the expert for four steps more, the others for four fewer, always.
    extra = np.where(mine["participant"] % 2, 4, -4) * (mine["expertise"] == "expert")
    drawn = PeopleDraws(mine.assign(observed=mine["human_observed"] + extra), 1, 300)
    people: Any = SimpleNamespace(data="human", resampler=Resampler(1, 300, least=2, people=drawn))

    def widths(comparison: Any) -> dict[str, float]:
        def wide(found: pd.DataFrame, low: str = "low", high: str = "high") -> float:
            return float((found[high] - found[low]).iloc[-1])

        whom = npc_preference_agreement(comparison, rows)
        return {
            "hedging": wide(hedging(comparison, rows)),
            "reversal": wide(
                reversal(comparison, rows).query("observer == @MODEL and prefers == 'novice'")
            ),
            "whether": wide(whether_when(comparison, rows[rows["observer"] == MODEL])),
            "contrasts": wide(contrasts(comparison, rows)),
            "whom": wide(whom[whom["observer"] == MODEL], "ccc_low", "ccc_high"),
        }

    maps, both = widths(COMPARISON), widths(people)
    assert all(both[name] > maps[name] for name in maps if not np.isnan(maps[name])), (maps, both)
    assert both["reversal"] > maps["reversal"] + 1
