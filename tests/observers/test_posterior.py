from __future__ import annotations

import math
from itertools import groupby
from pathlib import Path

import pytest
from hypothesis import assume, given

from maps import STUCK_BUT_MOVING
from onlooker.game import Trial, load_trial, read_map_text
from onlooker.inference import Parameters, UnexplainedError
from onlooker.observers import posterior
from onlooker.planning import NoPathError
from strategies import trials

EXAMPLES = Path(__file__).parents[2] / "examples"


@given(trials())
def test_the_tables_sum_to_one(trial: Trial) -> None:
    try:
        tables = posterior(trial)
    except NoPathError:
        assume(False)
    for _, goals in groupby(tables.goals, key=lambda row: (row.agent, row.step)):
        assert sum(row.p for row in goals) == pytest.approx(1)
    for _, rows in groupby(tables.holders, key=lambda row: (row.agent, row.step, row.goal)):
        total = sum(row.p for row in rows)
        assert math.isnan(total) or total == pytest.approx(1)


@given(trials())
def test_the_truth_is_never_ruled_out(trial: Trial) -> None:
    try:
        tables = posterior(trial)
    except NoPathError:
        assume(False)
    goal_of = {npc.id: npc.goal for npc in trial.npcs}
    assert all(row.p > 0 for row in tables.goals if row.goal == goal_of[row.agent])
    for row in tables.holders:
        if row.goal == goal_of[row.agent] and row.holders == trial.holders:
            assert row.p > 0


def test_a_revealed_outcome_settles_the_holder() -> None:
    tables = posterior(load_trial(EXAMPLES / "early-turn.map"))
    met = [row for row in tables.holders if row.step == 7]
    assert [(row.holders["blue"], row.p) for row in met] == [("w1", 1.0), ("w2", 0.0)]


def test_a_hidden_outcome_does_not() -> None:
    tables = posterior(load_trial(EXAMPLES / "expert-and-novice.map"))
    met = [row for row in tables.holders if (row.agent, row.step, row.goal) == ("agent3", 1, "A")]
    assert [row.p for row in met] == pytest.approx([0.5, 0.5])


def test_beta_zero_learns_from_outcomes_alone() -> None:
    trial = load_trial(EXAMPLES / "early-turn.map")
    tables = posterior(trial, Parameters(beta=0))
    turn = [row.p for row in tables.holders if row.step == 3]
    assert turn == pytest.approx([0.5, 0.5])


def test_an_action_that_nothing_explains_is_named() -> None:
    with pytest.raises(UnexplainedError, match="stuck: no hypothesis explains step 2 of agent2"):
        posterior(read_map_text(STUCK_BUT_MOVING))
