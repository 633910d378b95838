"""Scores of players, worked out by hand on a few trials."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

from onlooker.analysis import DataError
from onlooker.analysis.data.statistics import Pairs
from onlooker.analysis.tables.benchmark.marks import marks_of
from onlooker.analysis.tables.benchmark.scoring import check_played, score
from onlooker.experiments.stimuli import stimuli
from onlooker.inference import Parameters
from onlooker.observers import Engine, IdealObserver

# Two trials with an expert (a) and a novice (b); the ideal observer skips the second.
MARKS = pd.DataFrame(
    [
        (4, "one", "a", "expert", 3.0, 50.0, 4.0, ""),
        (4, "one", "b", "novice", 1.0, 50.0, 4.0, ""),
        (4, "two", "a", "expert", 0.0, 60.0, 0.0, ""),
        (4, "two", "b", "novice", 2.0, 60.0, 0.0, ""),
    ],
    columns=["experiment", "level", "agent", "expertise", "model", "ideal_cost", "ideal_observed", "reason"],
)  # fmt: skip


def tables(*plays: tuple[str, str, bool, float, int, int]) -> dict[str, pd.DataFrame]:
    """Plays as (participant, level, finished, cost, looks at a, looks at b)."""
    trials = [
        {"participant": who, "experiment": 4, "level": level, "finished": done, "cost_total": cost, "observed": a + b, "tutorial": False}
        for who, level, done, cost, a, b in plays
    ]  # fmt: skip
    watched = [
        {"participant": who, "experiment": 4, "level": level, "agent": agent, "observed": steps}
        for who, level, _, _, a, b in plays
        for agent, steps in (("a", a), ("b", b))
    ]
    return {"trials": pd.DataFrame(trials), "observations": pd.DataFrame(watched)}


def test_scores_by_hand() -> None:
    found = score(
        "p",
        tables(
            ("p1", "one", True, 54, 4, 0),
            ("p2", "one", True, 58, 2, 2),
            ("p1", "two", True, 59, 0, 0),
            ("p2", "two", True, 61, 0, 3),
        ),
        MARKS,
    )
    assert (found.trials, found.plays, found.finished) == (2, 4, 1.0)
    assert found.cost == pytest.approx((56 + 60) / 2)
    assert found.observed == pytest.approx((4 + 1.5) / 2)
    assert found.regret.value == pytest.approx((6 + 0) / 2)  # 56 - 50 and 60 - 60
    assert math.isnan(found.regret.low)  # of two trials there is no interval
    assert (found.skips.value, found.skips.of) == (0.5, 1)
    assert (found.looks.value, found.looks.of) == (1.0, 1)
    assert (found.whom.value, found.whom.of) == (1.0, 2)  # 3 against 1, and 0 against 1.5
    assert found.experts.value == pytest.approx(3 / (4 + 1.5))
    mine, model = np.array([3, 1, 0, 1.5]), np.array([3.0, 1, 0, 2])
    assert found.r_model.value == pytest.approx(np.corrcoef(mine, model)[0, 1])
    assert found.ccc_model.value == pytest.approx(float(Pairs.of(mine, model).ccc()[0]))
    assert math.isnan(found.ccc_people.value)


def test_a_play_that_was_given_up_is_no_cheap_one() -> None:
    given_up = ("p1", "one", False, 1.0, 1, 0)
    found = score("p", tables(given_up, ("p1", "two", True, 66, 1, 0)), MARKS)
    assert (found.trials, found.plays, found.finished) == (1, 2, 0.5)
    assert found.regret.value == pytest.approx(6)
    none = score("p", tables(given_up), MARKS)
    assert none.finished == 0
    plain = none.to_dict()
    assert plain["regret"] == {"value": None, "low": None, "high": None}
    assert plain["skips"] == {"value": None, "of": 0}


def test_two_who_are_watched_equally_are_half_right() -> None:
    found = score("p", tables(("p1", "one", True, 50, 2, 2)), MARKS)
    assert (found.whom.value, found.whom.of) == (0.5, 1)


def test_agreement_with_people_is_on_the_trials_they_played() -> None:
    people = pd.DataFrame(
        [(4, "one", "a", 2.5), (4, "one", "b", 0.5)],
        columns=["experiment", "level", "agent", "observed"],
    )
    plays = tables(("p1", "one", True, 50, 3, 1), ("p1", "two", True, 60, 9, 9))
    found = score("p", plays, MARKS, people)
    expected = Pairs.of([3.0, 1.0], [2.5, 0.5]).ccc()[0]
    assert found.ccc_people.value == pytest.approx(float(expected))


def test_data_of_other_trials_is_refused() -> None:
    known = [(4, "one"), (4, "two")]
    check_played("here", tables(("p1", "one", True, 1, 0, 0)), known)
    with pytest.raises(
        DataError, match="here: experiment 4, level three: expected a trial of this"
    ):
        check_played("here", tables(("p1", "three", True, 1, 0, 0)), known)


def test_marks_are_the_ideal_observers_and_the_models() -> None:
    trials = stimuli(3)[:3]
    marks = marks_of(trials, Parameters())
    assert list(marks["level"].unique()) == [trial.name for trial in trials]
    ideal = IdealObserver().run(Engine(trials[1]))
    mine = marks[marks["level"] == trials[1].name].iloc[0]
    assert (mine["ideal_cost"], mine["ideal_observed"]) == (ideal.cost, sum(ideal.observed))
    model = Engine(trials[1])
    from onlooker.observers import find_observer

    observed = find_observer("rational_mentalizing").run(model).observed
    assert tuple(marks[marks["level"] == trials[1].name]["model"]) == observed
