"""Scores of players, worked out by hand on a few trials."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

from onlooker.analysis import DataError
from onlooker.analysis.data.statistics import Pairs
from onlooker.analysis.tables.benchmark.scoring import (
    Score,
    check_played,
    expected_means,
    marks_of,
    means_of,
    score,
)
from onlooker.experiments.stimuli import stimuli
from onlooker.inference import Parameters
from onlooker.observers import Batch, Engine, IdealObserver
from onlooker.players.playing import let_play
from onlooker.players.registry import find_entrant

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
        {"participant": who, "experiment": 4, "level": level, "finished": done, "budget": 80, "cost_total": cost, "observed": a + b, "tutorial": False}
        for who, level, done, cost, a, b in plays
    ]  # fmt: skip
    watched = [
        {"participant": who, "experiment": 4, "level": level, "agent": agent, "observed": steps}
        for who, level, _, _, a, b in plays
        for agent, steps in (("a", a), ("b", b))
    ]
    return {"trials": pd.DataFrame(trials), "observations": pd.DataFrame(watched)}


def score_of(plays: dict[str, pd.DataFrame], *more: pd.DataFrame) -> Score:
    return score("p", means_of(plays), MARKS, *more)


def test_scores_by_hand() -> None:
    found = score_of(
        tables(
            ("p1", "one", True, 54, 4, 0),
            ("p2", "one", True, 58, 2, 2),
            ("p1", "two", True, 59, 0, 0),
            ("p2", "two", True, 61, 0, 3),
        ),
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
    found = score_of(tables(given_up, ("p1", "two", True, 66, 1, 0)))
    assert (found.trials, found.plays, found.finished) == (2, 2, 0.5)
    assert found.regret.value == pytest.approx(((1 + 80 - 50) + 6) / 2)  # 80 is the budget
    assert found.cost == pytest.approx((81 + 66) / 2)
    none = score_of(tables(given_up))
    assert (none.finished, none.regret.value) == (0, 31)
    assert none.to_dict()["skips"] == {"value": None, "of": 0}


@pytest.mark.parametrize("spent", [0, 1, 40, 300])
def test_stopping_early_never_looks_better_than_going_on_well(spent: int) -> None:
    stopped = score_of(tables(("p1", "one", False, spent, 0, 0)))
    went_on = score_of(tables(("p1", "one", True, spent + 79, 0, 0)))
    assert stopped.regret.value > went_on.regret.value


def test_expectations_are_those_of_the_model_and_close_to_plays() -> None:
    trials = stimuli(4)[:4]
    found = Batch(trials).expect(observer="graded_mentalizing")
    means = expected_means(trials, found)
    assert means.trials["cost"].tolist() == pytest.approx([each.cost for each in found])
    assert means.trials["observed"].tolist() == pytest.approx(
        [sum(each.observed) for each in found]
    )
    assert means.plays == 0
    exact = score("g", means, marks_of(trials, Parameters()))
    assert exact.cost == pytest.approx(means.trials["cost"].mean())
    stages = [Engine(trial, budget_rule="map").stage for trial in trials]
    playing = let_play(find_entrant("graded_mentalizing"), stages, repeats=60)
    sampled = pd.DataFrame(playing.records.trials)
    apart = sampled.groupby("level")["observed"].mean() - means.trials["observed"].droplevel(0)
    assert apart.abs().max() < 1.5


def test_two_who_are_watched_equally_are_half_right() -> None:
    found = score_of(tables(("p1", "one", True, 50, 2, 2)))
    assert (found.whom.value, found.whom.of) == (0.5, 1)


def test_agreement_with_people_is_on_the_trials_they_played() -> None:
    people = pd.DataFrame(
        [(4, "one", "a", 2.5), (4, "one", "b", 0.5)],
        columns=["experiment", "level", "agent", "observed"],
    )
    plays = tables(("p1", "one", True, 50, 3, 1), ("p1", "two", True, 60, 9, 9))
    found = score_of(plays, people)
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
