"""What observers predict, and the table it is kept in."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

from onlooker.experiments.archive import read_archive
from onlooker.experiments.predictions import (
    COLUMNS,
    Prediction,
    dump_predictions,
    predict,
    read_predictions,
)
from onlooker.game import Expertise, TrialError, load_trial
from onlooker.inference import Parameters
from onlooker.observers import OBSERVERS, Engine, Observer, RationalMentalizing, find_observer
from running import ROOT
from vectors import GOLDEN, SHARED, load

PAPER_DATA = SHARED.parents[1] / "paper-data"
TWO = load_trial(ROOT / "examples" / "two-experts.map")
ALL = [find_observer(name) for name in OBSERVERS]


def test_the_columns() -> None:
    assert COLUMNS == (
        "experiment", "level", "observer", "agent", "expertise", "observed", "cost_observation",
        "moves", "interactions", "cost_execution", "cost_total",
    )  # fmt: skip
    documented = (ROOT / "docs" / "archive.md").read_text()
    for column in COLUMNS:
        assert f"| `{column}` |" in documented


@pytest.mark.parametrize("name", ["random_exp1_1", "random_exp3_2", "random_exp4_2"])
def test_predictions_are_what_the_vectors_say(name: str) -> None:
    vector = load(GOLDEN / f"{name}.json")
    trial = replace(vector.trial, name="a level", experiment=4)
    rows = predict([trial], ALL, Parameters(**vector.params))
    assert len(rows) == 4 * len(trial.npcs)
    costs = vector.costs
    for row in rows:
        expected = vector.expect["observers"][row.observer]
        index = trial.npc_index(row.agent)
        assert (row.experiment, row.level) == ("4", "a level")
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
    with pytest.warns(UserWarning, match="left out|no row") as told:
        rows = predict(trials, ALL[:1], progress=lambda trial: done.append(trial.label))
    assert [str(warning.message) for warning in told] == [
        "tutorial trials are left out: two experts",
        "lonely: no row, as it has no NPC to watch",
    ]
    assert done == ["two experts", "lonely", "two experts"]
    assert [(row.experiment, row.level, row.agent) for row in rows] == [
        ("3", "two experts", "agent2"),
        ("3", "two experts", "agent3"),
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
    vector = load(GOLDEN / "random_exp1_1.json")
    walls = vector.trial.map.walls | {chest.at for chest in vector.trial.map.chests}
    closed = replace(vector.trial, name="closed", map=replace(vector.trial.map, walls=walls))
    with pytest.raises(TrialError, match=r"^closed: npcs: .*there is no way"):
        predict([closed], ALL)


# -- the table -----------------------------------------------------------------------------------


def test_the_table_reads_back(tmp_path: Path) -> None:
    rows = predict(
        [replace(TWO, experiment=None), replace(TWO, experiment=2, name='odd, "name"')], ALL
    )
    file = tmp_path / "predictions.csv"
    file.write_text(dump_predictions(rows))
    assert read_predictions(file) == rows
    with file.open() as opened:
        assert tuple(next(csv.reader(opened))) == COLUMNS


def test_other_peoples_tables_may_have_means_and_more_columns(tmp_path: Path) -> None:
    file = tmp_path / "predictions.csv"
    head = ",".join(["note", *COLUMNS])
    file.write_bytes(f"\ufeff{head}\r\nhm,1,s1,mine,agent2,novice,2.5,2.5,3,1,14,16.5\r\n".encode())
    assert read_predictions(file) == [
        Prediction("1", "s1", "mine", "agent2", "novice", 2.5, 2.5, 3, 1, 14, 16.5)
    ]


GOOD = "1,s1,naive_observer,agent2,expert,3,3,10,1,35,38"


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ([GOOD.replace("expert,3", "expert,three")], "line 2, column observed: expected a number from 0 to 1e15, not 'three'"),
        ([GOOD.replace("expert,3", "expert,nan")], "line 2, column observed: expected a number from 0 to 1e15, not 'nan'"),
        ([GOOD.replace("agent2", "novice")], "line 2, column agent: expected the id of an NPC; 'novice' is reserved"),
        ([GOOD.replace("expert,3", "expert,-3")], "line 2, column observed: expected a number from 0 to 1e15, not '-3'"),
        ([GOOD.replace("expert,3", "expert,1e200")], "line 2, column observed: expected a number from 0 to 1e15, not '1e200'"),
        ([GOOD.replace("35", "")], "line 2, column cost_execution: expected a number from 0 to 1e15, not ''"),
        ([GOOD, GOOD.replace("s1", " ")], "line 3, column level: expected a name, not nothing"),
        ([GOOD.replace("expert", "wise")], "line 2, column expertise: expected expert or novice, not 'wise'"),
        ([GOOD, "", GOOD], "line 4: the same trial, observer and NPC as in line 2"),
        ([GOOD + ",1"], "line 2: 12 cells; the header has 11"),
        (['1,"s1'], "not CSV: unexpected end of data"),
    ],
)  # fmt: skip
def test_a_table_that_cannot_be_read(tmp_path: Path, lines: list[str], expected: str) -> None:
    file = tmp_path / "predictions.csv"
    file.write_text("\n".join([",".join(COLUMNS), *lines]) + "\n")
    with pytest.raises(TrialError) as refused:
        read_predictions(file)
    assert refused.value.lines() == [f"{file}: {expected}"]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"level;observer\n", ": line 1: missing columns: experiment, level, observer"),
        (b"", ": line 1: missing columns: experiment"),
        (b"\xff\xfe", ": byte 0: not UTF-8 text"),
        (None, ": there is no such file"),
    ],
)
def test_a_file_that_is_no_such_table(tmp_path: Path, content: bytes | None, expected: str) -> None:
    file = tmp_path / "predictions.csv"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(TrialError) as refused:
        read_predictions(file)
    assert str(refused.value).startswith(f"{file}{expected}")


def test_a_column_of_words_is_told_shortly(tmp_path: Path) -> None:
    file = tmp_path / "predictions.csv"
    lines = [GOOD.replace("s1", f"s{n}").replace("expert,3", "expert,x") for n in range(100)]
    file.write_text("\n".join([",".join(COLUMNS), *lines]))
    with pytest.raises(TrialError, match="and 90 more problems"):
        read_predictions(file)


# -- people --------------------------------------------------------------------------------------


@pytest.mark.skipif(not PAPER_DATA.is_dir(), reason="the authors' archive is not here")
@pytest.mark.parametrize(
    ("experiment", "levels", "least_r", "as_published"), [(1, 20, 0.945, 17), (2, 48, 0.905, 47)]
)
def test_the_full_model_watches_as_long_as_people_do(
    experiment: int, levels: int, least_r: float, as_published: int
) -> None:
    with (PAPER_DATA / "human_means.csv").open() as file:
        people = [row for row in csv.DictReader(file) if row["experiment"] == str(experiment)]
    rows = predict(read_archive(PAPER_DATA, [experiment]).trials, [RationalMentalizing()])
    observed = {(row.level, row.agent): row.observed for row in rows}
    assert len(people) == len(rows) == levels
    ours = [observed[row["level"], row["agent"]] for row in people]
    theirs = [float(row["human_mean_observed"]) for row in people]
    assert np.corrcoef(ours, theirs)[0, 1] >= least_r
    published = [float(row["published_model"]) for row in people]
    assert sum(a == b for a, b in zip(ours, published, strict=True)) >= as_published
