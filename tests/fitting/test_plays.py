"""The choices that count, out of a study's actions."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from fitting.studies import SIMULATED, dataset, trials
from onlooker.experiments.psych_ds import Dataset, dataset_of
from onlooker.experiments.records import Records, record_participant, record_trial
from onlooker.experiments.stimuli import stimuli
from onlooker.fitting.choices import Appraiser, choices_of
from onlooker.fitting.plays import (
    Play,
    as_seen,
    left_out,
    read_plays,
    trials_by_name,
)
from onlooker.fitting.rules import RULES
from onlooker.game import Act, choices, opening
from onlooker.inference import Parameters
from onlooker.observers import Engine, find_observer
from onlooker.observers.observer import values_of
from onlooker.planning import stage
from onlooker.support.problems import DataError

TRIALS = trials()
GAME = stage(TRIALS[1])


def changed(table: str, edit) -> Dataset:
    frame = dataset().tables[table].copy()
    edit(frame)
    return Dataset({**dataset().tables, table: frame}, dataset().description)


def refused(study: Dataset, **settings) -> str:
    with pytest.raises(DataError) as error:
        read_plays(study, TRIALS, everyone=True, **settings)
    return "\n".join(error.value.lines())


def test_what_was_watched_before_the_first_action() -> None:
    plays = read_plays(dataset(), TRIALS, everyone=True)
    assert len(plays) == 12
    table = dataset().tables["observations"].set_index(["participant", "level", "agent"])
    known = trials_by_name(TRIALS)
    for play in plays:
        assert play.acted and not play.late  # noqa: PT018
        for index, npc in enumerate(known[play.trial].npcs):
            observed = table.loc[(play.participant, play.level, npc.id), "observed"]
            assert play.watched.count(index) == observed


def test_observations_after_acting_are_late() -> None:
    records = Records()
    step = str(next(c for c in choices(GAME, opening(GAME)) if isinstance(c, Act)))
    record_trial(records, "late", 3, 1, GAME, ["observe agent3", step, "observe agent2"])
    record_participant(records, "late", 3, 1, False)
    [play] = read_plays(dataset_of(records.tables(), SIMULATED), TRIALS, everyone=True)
    assert (play.watched, play.acted, play.late) == ((1,), True, 1)


@pytest.mark.parametrize(
    ("observer", "rule"),
    [
        ("rational_mentalizing", "softmax"),
        ("mentalizing_observer", "choice"),
        ("graded_mentalizing", "graded"),
    ],
)
def test_choices_after_the_first_action_count_if_they_are_wanted(observer: str, rule: str) -> None:
    records = Records()
    step = str(next(c for c in choices(GAME, opening(GAME)) if isinstance(c, Act)))
    log = ["observe agent3", step, "observe agent2", "observe agent2"]
    record_trial(records, "late", 3, 1, GAME, log)
    record_participant(records, "late", 3, 1, False)
    study = dataset_of(records.tables(), SIMULATED)
    [play] = read_plays(study, TRIALS, everyone=True)
    [late] = read_plays(study, TRIALS, everyone=True, late=True)
    assert (play.after, late.after) == ((), tuple(log[1:]))
    appraiser = Appraiser(
        find_observer(observer), trials_by_name(TRIALS), Parameters(), RULES[rule]
    )
    before, _ = choices_of([play], appraiser)
    both, _ = choices_of([play, late], appraiser)
    assert before.scored.tolist() == [2]
    assert both.scored.tolist() == [2, 4]
    assert both.values[: len(before.values)] == pytest.approx(before.values)
    assert both.chosen[both.member[[1]].indices].tolist() == [2, 0, 1, 1]
    assert both.last.tolist() == [-1, 1, -1, 0]  # whom it watched just before
    engine = Engine(TRIALS[1])
    for number in (2, 3):
        view = engine.view_after(log[:number])
        if rule == "choice":
            decided = find_observer(observer).decide(engine, view, ["agent3"]).choice
            ids = ["act", *(npc.id for npc in TRIALS[1].npcs)]
            assert ids[int(both.values[number].argmax())] == decided
        else:
            values = values_of(find_observer(observer), engine, view, ["agent3"])
            assert both.values[number] == pytest.approx(values)


def test_who_watches_only_later_has_not_skipped() -> None:
    step = str(next(c for c in choices(GAME, opening(GAME)) if isinstance(c, Act)))
    level = TRIALS[1].label
    appraiser = Appraiser(
        find_observer("rational_mentalizing"), trials_by_name(TRIALS), Parameters()
    )
    for after, unwatched in (((step,), True), ((step, "observe agent2"), False)):
        play = Play("p", 3, level, 1, (), True, len(after) - 1, after)
        found, _ = choices_of([play], appraiser)
        assert found.unwatched.tolist() == [unwatched]


def test_choices_beyond_the_end_of_the_game_are_left_out() -> None:
    level = TRIALS[1].label
    appraiser = Appraiser(
        find_observer("rational_mentalizing"), trials_by_name(TRIALS), Parameters()
    )
    play = Play("p", 3, level, 1, (), True, 0, ("up",) * 99)
    found, _ = choices_of([play], appraiser)
    assert found.scored.tolist() == [1]


def test_choices_that_the_game_does_not_allow_are_refused() -> None:
    def edit(actions: pd.DataFrame) -> None:
        actions.loc[actions.index[0], "choice"] = "jump"

    text = refused(changed("actions", edit))
    assert "table actions: row 1, column choice: expected up, down, left, right or" in text


def test_unknown_trials_and_missing_actions_are_refused() -> None:
    text = refused(changed("trials", lambda t: t.__setitem__("level", "m999")))
    assert "the stimuli have no trial 'm999' of Experiment 3" in text
    none = Dataset(
        {k: v for k, v in dataset().tables.items() if k != "actions"}, dataset().description
    )
    assert "there is no table actions" in refused(none)
    assert "no data of Experiment 2" in refused(dataset(), experiment=2)


def test_everybody_who_is_left_out_is_named_with_the_reason() -> None:
    records = Records()
    for name, log in (("some", ["observe agent2"]), ("none", [])):
        record_trial(records, name, 3, 1, GAME, log)
        record_participant(records, name, 3, 1, False)
    study = dataset_of(records.tables(), SIMULATED)
    plays = read_plays(study, TRIALS, everyone=True)
    assert left_out(study, plays) == {"none": "did not complete all trials"}
    assert set(left_out(study, [])) == {"some", "none"}
    first = dataset().tables["participants"]["participant"].iloc[0]
    scores = dataset().tables["trials"].copy()
    scores.loc[scores["participant"] == first, "unspent"] -= 1000
    spent = Dataset({**dataset().tables, "trials": scores}, dataset().description)
    plays = [
        play for play in read_plays(dataset(), TRIALS, everyone=True) if play.participant != first
    ]
    assert list(left_out(spent, plays)) == [first]
    assert left_out(spent, plays)[first].startswith("score below the cut (-")
    assert left_out(spent, plays, experiment=2) == {}


def test_forced_and_censored_choices() -> None:
    key = (3, "early-turn")
    steps = len(Engine(TRIALS[0]).paths[0])
    whole = Play("a", *key, 1, (0,) * steps)
    broken = Play("b", *key, 1, (0, 0), acted=False)
    none = Play("c", *key, 1, ())
    appraiser = Appraiser(find_observer("rational_mentalizing"), {key: TRIALS[0]}, Parameters())
    choices, which = choices_of([whole, broken, none], appraiser)
    assert choices.scored[which].tolist() == [steps, 2, 1]
    assert choices.forced[which].tolist() == [1, 0, 0]
    assert choices.unwatched[which].tolist() == [False, False, True]
    assert choices.chance()[which] == pytest.approx(
        [-steps * np.log(2), -2 * np.log(2), -np.log(2)]
    )


def test_people_meet_in_the_same_places_whatever_the_order() -> None:
    key = (3, "two-experts")
    appraiser = Appraiser(find_observer("rational_mentalizing"), {key: TRIALS[1]}, Parameters())
    plays = [
        Play(str(i), *key, 1, each) for i, each in enumerate([(0, 1, 1), (1, 0, 1), (0, 1, 1)])
    ]
    choices, which = choices_of(plays, appraiser)
    assert which.tolist() == [0, 1, 0]
    assert len(choices.values) < 8  # 0, then one of each, then (1, 1) after either, then (1, 2)
    engine = Engine(TRIALS[1])
    view = engine.observe(engine.observe(engine.opening, 0), 1)
    values = find_observer("rational_mentalizing").values(engine, view)
    expected = [values.act, *values.watch]
    assert any(row == pytest.approx(expected) for row in choices.values.tolist())


def test_other_costs_leave_what_people_saw_as_it_was() -> None:
    assert all(as_seen(trial, Parameters()) is trial for trial in TRIALS)
    [trial] = (each for each in stimuli(4) if each.label == "m407_1")
    dear, key = Parameters(move=1, interact=20), (4, trial.label)
    real, supposed = (Engine(trial, p, warn=False).paths for p in (Parameters(), dear))
    assert len(supposed[0]) > len(real[0])  # who pays more for asking walks on
    # In fits, in recovery and where fitted people play again.
    appraiser = Appraiser(find_observer("rational_mentalizing"), {key: trial}, dear)
    assert appraiser.lattices[key].steps == tuple(map(len, real))
