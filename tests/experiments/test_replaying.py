"""Every choice of a dataset is replayed on the game."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from onlooker.experiments.dataset import data_file, write_dataset
from onlooker.experiments.psych_ds import NO_ACTIONS, NO_TRIALS, Dataset, read_dataset
from onlooker.experiments.records import Records, record_participant, record_trial
from onlooker.game import ACTIONS, Act, Costs, choices, load_trial, replay
from onlooker.planning import Tables, main_path, stage
from onlooker.support.problems import DataError
from running import ROOT

TRIAL = replace(load_trial(ROOT / "examples" / "two-experts.map"), experiment=3, name="two")
OTHER = replace(load_trial(ROOT / "examples" / "early-turn.map"), experiment=3, name="one")
WAY = [str(taken.action) for taken in main_path(Tables(TRIAL.map), TRIAL)]
CHOSEN, PLAYED, WATCHED = (data_file(3, name) for name in ("actions", "trials", "observations"))
LAST = 1 + 2 + len(WAY)  # the line of the last choice of the first trial

Edit = Callable[[list[str]], list[str]]


def study(folder: Path, people: int = 1, costs: Costs | None = None) -> Path:
    """A dataset of people who watched twice and then went straight to the chest."""
    records = Records()
    for number in range(1, people + 1):
        who = f"p{number:04}"
        watched = ["observe agent2", "observe agent3"]
        record_trial(records, who, 3, 1, stage(TRIAL, costs), [*watched, *WAY])
        record_trial(records, who, 3, 2, stage(OTHER, costs), watched[:1])
        record_participant(records, who, 3, 1, False)
    return write_dataset(folder, records.tables(), "a study", "made up")


def change(folder: Path, file: str, line: int, edit: Edit) -> str:
    """Change the values of a line; where it is."""
    place = folder / file
    lines = place.read_text().splitlines()
    lines[line - 1] = ",".join(edit(lines[line - 1].split(",")))
    place.write_text("\n".join(lines) + "\n")
    return f"{place}: line {line}"


def having(**values: object) -> Edit:
    """An edit of a row of table actions."""
    names = (
        "participant",
        "experiment",
        "level",
        "number",
        "choice",
        "event",
        "cost",
        "points_left",
    )

    def edit(row: list[str]) -> list[str]:
        changed = dict(zip(names, row, strict=False)) | {k: str(v) for k, v in values.items()}
        return [*changed.values(), *row[len(names) :]]

    return edit


def complaint(folder: Path) -> str:
    with pytest.raises(DataError) as error:
        read_dataset(folder, [TRIAL, OTHER])
    [line] = error.value.lines()
    return line


def test_a_study_that_was_played_is_read(tmp_path: Path) -> None:
    found = read_dataset(study(tmp_path / "s"), [TRIAL, OTHER])
    assert found.checked
    assert found.notes == ()


@pytest.mark.parametrize(
    ("line", "edit", "expected"),
    [
        (3, having(choice=WAY[0]), "expected event (move|interaction), cost [35], points_left"),
        (3, having(choice="observe agent9"), "agent9.*; expected .*or observe agent2"),
        (3, having(choice="jump"), "expected up, down, left, right or 'observe ID', not 'jump'"),
        (4, having(cost=4), "choice 3 of p0001 in two .*: expected cost 3, not 4"),
        (3, having(event="move"), "expected event observation, not move"),
        (4, having(points_left=7), r"expected points_left \d+, not 7"),
        (LAST, having(number=400), "expected .*, the next choice of p0001 in two, not 400"),
    ],
)
def test_a_row_that_contradicts_the_game_is_named(
    tmp_path: Path, line: int, edit: Edit, expected: str
) -> None:
    folder = study(tmp_path / "s")
    place = change(folder, CHOSEN, line, edit)
    text = complaint(folder)
    assert text.startswith(f"{place}, column")
    assert re.search(expected, text), text


def test_a_step_into_a_wall_is_named(tmp_path: Path) -> None:
    folder, game = study(tmp_path / "s"), stage(TRIAL)
    turns = replay(game, ["observe agent2", "observe agent3", *WAY])
    number, wall = next(
        (number, action)
        for number, turn in enumerate(turns[:-1], start=2)
        for action in ACTIONS
        if Act(action) not in choices(game, turn.situation)
    )
    place = change(folder, CHOSEN, 1 + number, having(choice=wall))
    text = complaint(folder)
    what = f"choice {number} of p0001 in two ({wall}): {wall} leads"
    assert text.startswith(f"{place}, column choice: {what}")
    assert "; expected " in text


def test_choices_after_the_end_and_missing_ones_are_named(tmp_path: Path) -> None:
    folder = study(tmp_path / "s")
    file = folder / CHOSEN
    lines = file.read_text().splitlines()
    row = having(number=LAST, choice="observe agent2", event="observation", cost=1)
    more = ",".join(row(lines[LAST - 1].split(",")))
    file.write_text("\n".join([*lines[:LAST], more, *lines[LAST:]]) + "\n")
    assert "the trial is over; expected no more" in complaint(folder)
    file.write_text("\n".join([*lines[: LAST - 1], *lines[LAST:]]) + "\n")
    text = complaint(folder)
    assert text.startswith(f"{folder / PLAYED}: line 2, columns moves")
    assert "finished false" in text


def test_tables_that_contradict_the_choices_are_named(tmp_path: Path) -> None:
    folder = study(tmp_path / "s")
    place = change(folder, PLAYED, 2, lambda row: [*row[:6], "200", *row[7:]])
    assert complaint(folder).startswith(f"{place}, column budget: expected ")
    folder = study(tmp_path / "t")
    change(folder, WATCHED, 2, lambda row: [*row[:5], "2", "2"])
    change(folder, WATCHED, 3, lambda row: [*row[:5], "0", "0"])
    text = complaint(folder)
    assert f"{folder / WATCHED}: line 2, columns observed, cost_observation" in text


def test_many_equal_errors_are_ten_and_a_count(tmp_path: Path) -> None:
    folder = study(tmp_path / "s", people=20)
    file = folder / CHOSEN
    file.write_text(file.read_text().replace(",observation,1,", ",observation,2,"))
    with pytest.raises(DataError) as error:
        read_dataset(folder, [TRIAL, OTHER])
    lines = error.value.lines()
    assert len(lines) == 11
    assert "30 more" in lines[-1]


def test_trials_that_are_not_at_hand_are_told(tmp_path: Path) -> None:
    folder = study(tmp_path / "s")
    assert read_dataset(folder).notes == (NO_TRIALS,)
    with pytest.raises(DataError, match="line 3, column level: the stimuli have no trial 'one'"):
        read_dataset(folder, [TRIAL])
    [note] = read_dataset(folder, [TRIAL], complete=False).notes
    assert note.endswith("1 plays of trials that the stimuli do not have: one")
    [note] = read_dataset(folder, [replace(TRIAL, experiment=1)]).notes
    assert "2 plays of trials that the stimuli do not have: two, one" in note
    (folder / CHOSEN).unlink()
    assert read_dataset(folder, [TRIAL, OTHER]).notes == (NO_ACTIONS,)


def levels(dataset: Dataset, table: str) -> set[tuple[str, str]]:
    frame = dataset.tables[table]
    return set(zip(frame["participant"], frame["level"], strict=True))


def test_bad_trials_are_left_out_and_whose_is_told(tmp_path: Path) -> None:
    folder = study(tmp_path / "s", people=2)
    change(folder, CHOSEN, 4, having(cost=4))
    found = read_dataset(folder, [TRIAL, OTHER], skip_bad=True)
    kept = {("p0001", "one"), ("p0002", "two"), ("p0002", "one")}
    assert all(levels(found, name) == kept for name in ("trials", "observations", "actions"))
    assert found.notes[0] == "left out: 1 trial that contradicts the rules of the game"
    assert found.notes[1].startswith(f"  p0001, two: {folder / CHOSEN}: line 4, column cost")
    change(folder, CHOSEN, LAST + 1, having(cost=4))
    found = read_dataset(folder, [TRIAL, OTHER], skip_bad=True)
    assert found.notes[-1] == "left out, as none of its trials is left: p0001"
    assert list(found.tables["participants"]["participant"]) == ["p0002"]


def saying(folder: Path, **fields: object) -> Path:
    """The dataset with more fields in its description."""
    file = folder / "dataset_description.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | fields))
    return folder


def test_the_rules_are_those_that_the_description_says(tmp_path: Path) -> None:
    dear = saying(study(tmp_path / "dear", costs=Costs(move=9)), costs={"move": 9})
    assert read_dataset(dear, [TRIAL, OTHER]).checked
    with pytest.raises(DataError, match="column budget: expected"):
        read_dataset(study(tmp_path / "unsaid", costs=Costs(move=9)), [TRIAL, OTHER])
    folder = study(tmp_path / "s")
    for fields, words in (
        ({"costs": {"jump": 2}}, "costs: expected numbers for move, interact, observe"),
        ({"onEmpty": "stop"}, "onEmpty: expected continue or end, not 'stop'"),
        ({"budgetRule": 3}, "budgetRule: expected paper or map, not 3"),
    ):
        assert words in complaint(saying(folder, **{"costs": {}, "onEmpty": None} | fields))
