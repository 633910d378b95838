"""What observers predict, and the table it is kept in."""

from __future__ import annotations

import csv
import re
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

from onlooker.analysis.data.predictions import read_predictions
from onlooker.experiments.archive import read_archive
from onlooker.experiments.predictions import COLUMNS, MORE, dump_predictions, predict
from onlooker.game import Expertise, TrialError, load_trial
from onlooker.inference import Parameters
from onlooker.observers import (
    KNOWN_OBSERVERS,
    OBSERVERS,
    ChoiceRule,
    Engine,
    Observer,
    RationalMentalizing,
    find_observer,
)
from own_archive import MEANS, OTHER_COUNTS
from running import ROOT
from vectors import MODEL, load

TWO = load_trial(ROOT / "examples" / "two-experts.map")
ALL = [find_observer(name) for name in OBSERVERS]


def test_the_columns() -> None:
    assert COLUMNS == (
        "experiment", "level", "observer", "agent", "expertise", "observed", "cost_observation",
        "moves", "interactions", "cost_execution", "cost_total",
    )  # fmt: skip
    page = (ROOT / "docs" / "formats.md").read_text().partition("## Predictions")[2]
    first = re.findall(r"^\| (`.+?`) \|", page.partition("\n## ")[0], re.MULTILINE)
    assert re.findall(r"`(\w+)`", " ".join(first)) == [*COLUMNS, *MORE]


@pytest.mark.parametrize("name", ["random_exp1_1", "random_exp3_2", "random_exp4_2"])
def test_predictions_are_what_the_vectors_say(name: str) -> None:
    vector = load(MODEL / f"{name}.json")
    trial = replace(vector.trial, name="a level", experiment=4)
    rows = predict([trial], ALL, Parameters(**vector.params))
    assert len(rows) == 4 * len(trial.npcs)
    costs = vector.costs
    for row in rows:
        expected = vector.expect["observers"][row.observer]
        index = trial.npc_index(row.agent)
        assert (row.experiment, row.level) == (4, "a level")
        assert row.expertise == trial.npcs[index].expertise
        assert row.observed == expected["observed"][index]
        assert row.cost_observation == costs.observe * row.observed
        assert (row.moves, row.interactions) == (expected["moves"], expected["interactions"])
        assert row.cost_execution == costs.move * row.moves + costs.interact * row.interactions
        assert row.cost_total == expected["cost"]


def test_one_engine_serves_all_observers_of_a_trial() -> None:
    class Spy(Observer):
        name, title = "spy", "Spy"
        engines: ClassVar[list[Engine]] = []

        def run(self, engine):  # type: ignore[no-untyped-def]
            self.engines.append(engine)
            return RationalMentalizing().run(engine)

        def decide(self, engine, view, choices):  # type: ignore[no-untyped-def]
            raise NotImplementedError

    class Other(Spy):
        name = "other"

    predict([TWO], [Spy(), Other()])
    first, second = Spy.engines
    assert first is second


def test_tutorials_and_trials_without_npcs_are_warned_of() -> None:
    done: list[str] = []
    trials = [replace(TWO, tutorial=True), replace(TWO, npcs=(), name="lonely"), TWO]
    with pytest.warns(UserWarning, match="left out") as told:
        rows = predict(trials, ALL[:1], progress=lambda trial: done.append(trial.label))
    assert [str(warning.message) for warning in told] == [
        "tutorial trials are left out: two experts",
        "trials without an NPC are left out: lonely",
    ]
    assert done == ["two experts", "lonely", "two experts"]
    assert [(row.experiment, row.level, row.agent) for row in rows] == [
        (3, "two experts", "agent2"),
        (3, "two experts", "agent3"),
    ]


def test_nothing_may_come_twice() -> None:
    with pytest.raises(TrialError, match="two experts: the name of two trials of the same exper"):
        predict([TWO, TWO], ALL)
    assert predict([TWO, replace(TWO, experiment=1)], ALL[:1])
    with pytest.raises(ValueError, match="two observers are called 'naive_observer'"):
        predict([TWO], [*ALL, find_observer("naive_observer")])


def test_a_trial_that_cannot_be_planned_is_named() -> None:
    stuck = replace(TWO, npcs=(replace(TWO.npcs[0], expertise=Expertise.EXPERT, actions=()),))
    assert predict([stuck], ALL)  # an NPC that never acts is fine
    trial = load_trial(ROOT / "examples" / "early-turn.map")
    [barrier] = trial.map.barriers  # the only way to the chest
    map = replace(trial.map, walls=trial.map.walls | {barrier.at}, barriers=())
    closed = replace(trial, name="closed", map=map)
    with pytest.raises(TrialError, match=r"^closed: npcs: .*there is no way"):
        predict([closed], ALL)


# -- people --------------------------------------------------------------------------------------


def test_the_full_model_on_an_archive_gives_the_published_counts(own_archive: Path) -> None:
    with (own_archive / MEANS).open() as file:
        people = {
            (int(row["experiment"]), row["level"], row["agent"]): row
            for row in csv.DictReader(file)
        }
    rows = predict(read_archive(own_archive, [1, 4]).trials, [RationalMentalizing()])
    keys = [(row.experiment, row.level, row.agent) for row in rows]
    assert set(keys) == {key for key in people if key[0] in (1, 4)}
    for key, row in zip(keys, rows, strict=True):
        assert float(people[key]["published_model"]) - row.observed == OTHER_COUNTS.get(key, 0)
    # The people are noisy versions of a model that is close to this one.
    theirs = [float(people[key]["human_mean_observed"]) for key in keys]
    assert np.corrcoef([row.observed for row in rows], theirs)[0, 1] > 0.7


def test_soft_predictions_are_written_and_read_back(tmp_path: Path) -> None:
    names = ["rational_mentalizing", "graded_mentalizing"]
    rows = predict([TWO], [find_observer(name) for name in names])
    assert [row.observed_sd is None for row in rows] == [True, True, False, False]
    file = tmp_path / "predictions.csv"
    file.write_text(dump_predictions(rows))
    assert file.read_text().splitlines()[0] == ",".join([*COLUMNS, "observed_sd"])
    assert read_predictions(file) == rows
    hard = [row for row in rows if row.observed_sd is None]
    file.write_text(dump_predictions(hard))
    assert file.read_text().splitlines()[0] == ",".join(COLUMNS)
    assert read_predictions(file) == hard


def test_every_observer_can_be_predicted_by_every_rule() -> None:
    observers = [find_observer(name) for name in KNOWN_OBSERVERS]
    for rule in ChoiceRule:
        rows = predict([TWO], observers, rule=rule)
        assert len(rows) == 2 * len(observers)
        for row in rows:
            assert (row.observed_sd is None) == (rule == "hard")
            assert row.cost_execution == pytest.approx(3 * row.moves + 5 * row.interactions)
