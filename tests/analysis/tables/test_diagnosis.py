"""Counts against total costs, and the preference between expert and novice."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from onlooker.analysis.data.human import HumanBehaviour
from onlooker.analysis.data.resampling import Resampler
from onlooker.analysis.data.words import Source
from onlooker.analysis.tables.diagnosis import MODEL, advantage, similarity_to_model
from onlooker.analysis.tables.reversal import preferences, reversal, reversal_trials, sure

COMPARISON: Any = SimpleNamespace(data="human", resampler=Resampler(1, 400, least=2))
# Steps watched of expert and novice, and total cost, in five trials: the full model, another
# observer, people.
FULL = [(3, 0, 50), (0, 4, 70), (5, 1, 60), (0, 2, 90), (1, 1, 40)]
OTHER = [(2, 0, 52), (6, 0, 71), (1, 0, 63), (7, 0, 88), (3, 0, 41)]
PEOPLE = [(2.5, 0.5, 51.0), (1.0, 3.0, 72.0), (4.0, 1.0, 62.0), (0.5, 2.5, 91.0), (2.0, 1.0, 43.0)]


def pairs() -> pd.DataFrame:
    rows = [
        {
            "experiment": 4,
            "level": f"m{trial}",
            "agent": agent,
            "expertise": expertise,
            "observer": observer,
            "model_observed": its[place],
            "model_cost_total": its[2],
            "human_observed": people[place],
            "human_cost_total": people[2],
        }
        for observer, values in ((MODEL, FULL), ("other", OTHER))
        for trial, (its, people) in enumerate(zip(values, PEOPLE, strict=True))
        # The expert is now the one, now the other NPC.
        for place, agent, expertise in [
            (0, f"agent{2 + trial % 2}", "expert"),
            (1, f"agent{3 - trial % 2}", "novice"),
        ]
    ]
    return pd.DataFrame(rows)


def counts(values: list[Any]) -> list[float]:
    return [expert + novice for expert, novice, _ in values]


def r(one: list[float], other: list[float]) -> float:
    return float(np.corrcoef(one, other)[0, 1])


def test_observers_beside_the_full_model() -> None:
    frame = pairs().rename(columns={f"model_{n}": n for n in ("observed", "cost_total")})
    [row] = similarity_to_model(COMPARISON, frame).to_dict("records")
    totals = [[value[2] for value in values] for values in (FULL, OTHER)]
    assert row["r_counts"] == pytest.approx(r(counts(FULL), counts(OTHER)))
    assert row["r_total"] == pytest.approx(r(*totals))
    assert row["difference"] == pytest.approx(row["r_counts"] - row["r_total"])
    assert row["high"] < 0  # the total costs are almost the same, the counts are not
    assert (row["experiment"], row["observer"], row["n"]) == (4, "other", 5)


def test_how_much_better_the_full_model_fits() -> None:
    [row] = advantage(COMPARISON, pairs()).to_dict("records")
    people = [value[2] for value in PEOPLE]
    full, other = ([value[2] for value in values] for values in (FULL, OTHER))
    by_counts = r(counts(FULL), counts(PEOPLE)) - r(counts(OTHER), counts(PEOPLE))
    by_total = r(full, people) - r(other, people)
    assert row["counts"] == pytest.approx(by_counts)
    assert row["total"] == pytest.approx(by_total)
    assert row["difference"] == pytest.approx(by_counts - by_total)
    assert row["low"] <= row["difference"] <= row["high"]
    assert row["r_total"] == pytest.approx(r(other, people))


def test_means_alone_have_no_total_cost_to_compare() -> None:
    assert advantage(COMPARISON, pairs().assign(human_cost_total=np.nan)).empty


def test_people_change_sides_with_the_model() -> None:
    found = reversal(COMPARISON, pairs()).set_index(["observer", "prefers"])
    # Expert minus novice of people is 2, −2, 3, −2, 1; the model prefers the expert in the first
    # and third trial, the novice in the second and fourth.
    assert found.loc[(MODEL, "expert"), ["n", "people", "low", "high"]].tolist() == [2, 2.5, 2, 3]
    assert found.loc[(MODEL, "novice"), ["n", "people", "low", "high"]].tolist() == [2, -2, -2, -2]
    assert found.loc[(MODEL, "neither"), ["n", "people"]].tolist() == [1, 1]
    other = found.loc[("other", "expert")]
    assert other[["n", "people_expert", "people_novice"]].tolist() == [5, 3, 2]
    assert other["people"] == pytest.approx(0.4)


def test_whom_observers_watch_more_needs_no_people() -> None:
    frame = pairs().rename(columns={"model_observed": "observed"}).drop(columns="human_observed")
    found = preferences(frame).set_index("observer")
    assert found.loc[MODEL, ["n", "first", "last", "alike"]].tolist() == [5, 2, 2, 1]
    assert found.loc["other", ["n", "first", "last", "alike"]].tolist() == [5, 5, 0, 0]
    assert list(found.index) == [MODEL, "other"]
    assert preferences(frame[frame["expertise"] == "expert"]).empty


def test_two_experts_cannot_change_roles() -> None:
    assert reversal(COMPARISON, pairs().assign(expertise="expert")).empty


def test_a_preference_is_sure_by_the_standard_error_over_participants() -> None:
    played = pd.DataFrame(
        [
            {
                "participant": f"p{number}",
                "experiment": 4,
                "level": f"m{trial}",
                "expertise": expertise,
                "observed": people[place] + (number if place == trial % 2 else 0),
            }
            for number in (-1, 0, 1)
            for trial, people in enumerate(PEOPLE)
            for place, expertise in enumerate(("expert", "novice"))
        ]
    )
    human = HumanBehaviour(pd.DataFrame(), Source.HUMAN, played=played)
    trials = reversal_trials(pairs(), human)
    assert trials["people"].tolist() == [2, -2, 3, -2, 1]
    assert trials["people_se"].tolist() == pytest.approx([1 / np.sqrt(3)] * 5)  # SD 1 of −1, 0, 1
    assert trials[MODEL].tolist() == [3, -4, 4, -2, 0]
    assert sure(trials) == (2, 2)  # 1 is fewer than two standard errors from 0
    unknown = reversal_trials(pairs(), HumanBehaviour(pd.DataFrame(), Source.HUMAN))
    assert unknown["people_se"].isna().all()
    assert sure(unknown) == (0, 0)
