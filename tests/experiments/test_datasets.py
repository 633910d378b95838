"""Tables and Psych-DS folders: written, read, and refused with a full account."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from analysis.studies import SIMULATED, STUDY, predictions, tables
from onlooker.analysis import DataError
from onlooker.experiments.dataset import table_csv
from onlooker.experiments.psych_ds import DESCRIPTION, Description, dataset_of, read_dataset
from onlooker.experiments.schema import ACTIONS, OBSERVATIONS, PARTICIPANTS, TABLES
from onlooker.experiments.tables import check_table, read_table

HEAD = "participant,experiment,level,agent,expertise,observed,cost_observation"
GOOD = "p1,1,m1,agent2,expert,3,3"


def refused(call, *words, **settings) -> list[str]:
    with pytest.raises(DataError) as error:
        call(*words, **settings)
    return error.value.lines()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return dataset_of(STUDY, SIMULATED).write(tmp_path / "study")


def edit(file: Path, old: str, new: str, count: int = 1) -> None:
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new, count))


# -- tables ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", TABLES)
def test_a_table_reads_back(tmp_path: Path, name: str) -> None:
    checked = check_table(STUDY[name], TABLES[name])
    file = tmp_path / "table.csv"
    file.write_text(table_csv(TABLES[name], STUDY[name].to_dict("records")))
    again = read_table(file, TABLES[name])
    assert again.index[0] == (str(file), 2)
    pd.testing.assert_frame_equal(again.reset_index(drop=True), checked)


def test_kinds_and_empty_cells(tmp_path: Path) -> None:
    file = tmp_path / "table.csv"
    file.write_bytes("\ufeffage,participant,experiment,ordering,completed\r\n 34.0 ,p1,1,1,TRUE\r\n\r\n,p2,1,2,no\r\n".encode())  # fmt: skip
    frame = read_table(file, PARTICIPANTS)
    assert list(frame["completed"]) == [True, False]
    assert frame["age"].iloc[0] == 34
    assert pd.isna(frame["age"].iloc[1])
    assert [line for _, line in frame.index] == [2, 4]
    assert list(frame) == ["participant", "experiment", "ordering", "completed", "age"]


def test_times(tmp_path: Path) -> None:
    rows = STUDY["actions"].head(2).assign(time=["2025-01-31T13:00:00+01:00", None])
    frame = check_table(rows, ACTIONS)
    assert frame["time"].iloc[0] == pd.Timestamp("2025-01-31T12:00:00Z")
    [line] = refused(check_table, rows.assign(time="noon").head(1), ACTIONS)
    assert (
        line
        == "table actions: row 1, column time: expected a time such as 2025-01-31T12:00:00Z, or nothing, not 'noon'"
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ["line 1: there is nothing; expected the columns participant, experiment"]),
        (f"{HEAD}\n{GOOD.replace(',3,3', ',three,3')}", ["line 2, column observed: expected a whole number from 0 up, not 'three'"]),
        (f"{HEAD}\n{GOOD.replace(',3,3', ',2.5,nan')}", ["line 2, column observed: expected a whole number from 0 up, not '2.5'", "line 2, column cost_observation: expected a number from 0 to 1e15, not 'nan'"]),
        (f"{HEAD}\n{GOOD.replace(',3,3', ',-1,1e999')}", ["line 2, column observed: expected a whole number from 0 up, not '-1'", "line 2, column cost_observation: expected a number from 0 to 1e15, not '1e999'"]),
        (f"{HEAD}\n{GOOD.replace('expert', 'wise')}", ["line 2, column expertise: expected expert or novice or teacher, not 'wise'"]),
        (f"{HEAD}\n{GOOD.replace('p1', ' ')}", ["line 2, column participant: expected a text, not ''"]),
        (f"{HEAD}\n{GOOD.replace('p1,1', 'p1,0')}", ["line 2, column experiment: expected a whole number from 1 up or a name such as pilot, of letters and digits, not '0'"]),
        (f"{HEAD}\n{GOOD}\n\n{GOOD}", ["line 4: participant p1, level m1, agent agent2 comes twice, first at "]),
        (f"{HEAD}\n{GOOD},1", ["line 2: 8 values; the header has 7"]),
        (f"{HEAD},Age\n{GOOD},1", ["line 1: unknown columns: Age; expected participant"]),
        (f"{HEAD},level\n{GOOD},1", ["line 1: columns that come twice: level"]),
        ("participant;level\n1;2\n", ["line 1: the columns are separated by ';'; expected commas"]),
        (f'{HEAD}\n"p1', ["not CSV: unexpected end of data"]),
    ],
)  # fmt: skip
def test_a_table_that_cannot_be_read(tmp_path: Path, text: str, expected: list[str]) -> None:
    file = tmp_path / "table.csv"
    file.write_text(text)
    lines = refused(read_table, file, OBSERVATIONS)
    assert len(lines) == len(expected)
    for line, start in zip(lines, expected, strict=True):
        assert line.startswith(f"{file}: {start}")


def test_files_that_are_no_text(tmp_path: Path) -> None:
    file = tmp_path / "table.csv"
    assert refused(read_table, file, OBSERVATIONS) == [f"{file}: there is no such file"]
    file.write_bytes(b"\xff\xfe")
    assert refused(read_table, file, OBSERVATIONS) == [f"{file}: byte 0: not UTF-8 text"]
    assert refused(read_table, tmp_path, OBSERVATIONS)[0].startswith(f"{tmp_path}: cannot be read")


def test_very_many_problems_are_told_shortly() -> None:
    trials = STUDY["trials"]
    [line] = refused(check_table, trials.assign(moves="x"), TABLES["trials"])
    assert line.startswith("table trials: row 1, column moves: ")
    assert line.endswith(f"(and at {len(trials) - 1} other places)")
    lines = refused(
        check_table, trials.assign(moves=[f"x{n}" for n in range(len(trials))]), TABLES["trials"]
    )
    assert len(lines) == 11
    assert re.fullmatch(r"and \d+ more problems", lines[-1])


def test_values_of_other_kinds() -> None:
    rows = STUDY["observations"].head(2)
    assert (
        check_table(rows.assign(observed=np.float64(3)), OBSERVATIONS)["observed"].dtype == "int64"
    )
    assert "column observed" in refused(check_table, rows.assign(observed=None), OBSERVATIONS)[0]
    assert (
        "not 'maybe'"
        in refused(
            check_table, STUDY["participants"].head(1).assign(completed="maybe"), PARTICIPANTS
        )[0]
    )


def test_the_dictionary_says_what_the_files_say() -> None:
    kinds = {column.name: column.kind for column in PARTICIPANTS.columns}
    people = STUDY["participants"].head(1).to_dict("records")
    [written] = csv.DictReader(io.StringIO(table_csv(PARTICIPANTS, people)))
    assert written["completed"] in kinds["completed"].split("-")
    assert written["completed"] in PARTICIPANTS.column("completed").expected()


def test_numbers_and_truths_in_other_words() -> None:
    rows = pd.DataFrame({"participant": ["a", "b"], "experiment": [1, "1e0"], "ordering": [1.0, "2.0"], "completed": ["YES", np.False_], "age": [None, pd.NA]})  # fmt: skip
    frame = check_table(rows, PARTICIPANTS)
    assert frame["experiment"].tolist() == [1, 1]
    assert frame["completed"].tolist() == [True, False]
    assert frame.dtypes.astype(str).tolist()[1:] == ["object", "int64", "bool", "Int64"]
    for wrong in ("0x1", "1_0", "inf", "nan", "True", "", None):
        [line] = refused(check_table, rows.assign(ordering=[1, wrong]), PARTICIPANTS)
        assert line == (
            f"table participants: row 2, column ordering: expected a whole number from 1 up,"
            f" not {wrong or ''!r}"
        )


# -- datasets --------------------------------------------------------------------------------------


def test_a_dataset_reads_back(folder: Path) -> None:
    names = sorted(path.name for path in (folder / "data").iterdir())
    assert names == sorted(f"study-exp{n}_desc-{t}_data.csv" for n in (1, 3, 4) for t in TABLES)
    again = read_dataset(folder)
    assert again.description == SIMULATED
    for name, schema in TABLES.items():
        ours = check_table(STUDY[name], schema)
        pd.testing.assert_frame_equal(again.tables[name].reset_index(drop=True), ours)


def test_the_description(folder: Path) -> None:
    told = json.loads((folder / DESCRIPTION).read_text())
    assert told["@type"] == "Dataset"
    assert told["simulated"] is True
    columns = {name for table in STUDY.values() for name in table}
    assert {each["name"] for each in told["variableMeasured"]} == columns
    observed = next(each for each in told["variableMeasured"] if each["name"] == "observed")
    assert observed["description"].startswith("In trials: Steps watched of all NPCs together. In o")


def test_people_are_the_default_and_more_fields_stay(tmp_path: Path) -> None:
    told = Description("n", "d", more={"license": "CC0"})
    folder = dataset_of(STUDY, told).write(tmp_path / "study")
    assert read_dataset(folder).description == told
    edit(folder / DESCRIPTION, '  "simulated": false,\n', "")
    assert read_dataset(folder).description.simulated is False
    clash = Description("n", "d", more={"name": "m"})
    with pytest.raises(ValueError, match="extra fields may not have the name name"):
        dataset_of(STUDY, clash).write(tmp_path / "x")


def test_actions_and_age_may_be_absent(tmp_path: Path) -> None:
    some = {name: frame for name, frame in STUDY.items() if name != "actions"}
    some["participants"] = some["participants"].drop(columns=["age", "gender"])
    folder = dataset_of(some, SIMULATED).write(tmp_path / "study")
    assert "age" not in read_dataset(folder).tables["participants"]
    assert '"age"' not in (folder / DESCRIPTION).read_text()


def test_a_column_that_only_some_files_have(folder: Path) -> None:
    file = folder / "data" / "study-exp3_desc-participants_data.csv"
    frame = pd.read_csv(file).drop(columns=["age"])
    frame.to_csv(file, index=False)
    ages = read_dataset(folder).tables["participants"].set_index("experiment")["age"]
    assert ages.loc[3].isna().all()
    assert ages.loc[[1, 4]].notna().all()


def test_rows_are_checked_before_they_are_a_dataset() -> None:
    bad = STUDY | {"trials": STUDY["trials"].assign(moves=-1)}
    assert "column moves" in refused(dataset_of, bad, SIMULATED)[0]


def test_written_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path, text: str) -> None:
        if "trials" in str(path):
            raise OSError(28, "No space left on device")

    monkeypatch.setattr("onlooker.support.folders.write_file", full)
    with pytest.raises(OSError, match="No space left"):
        dataset_of(STUDY, SIMULATED).write(tmp_path / "study")
    assert not list(tmp_path.iterdir())


def test_a_dataset_is_kept_unless_it_is_to_be_replaced(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="study: there is a dataset already; it is not replaced"):
        dataset_of(STUDY, SIMULATED).write(folder)
    fewer = tables(predictions((1,)))
    dataset_of(fewer, SIMULATED).write(folder, replace=True)
    assert len(list((folder / "data").iterdir())) == 4
    assert [path.name for path in tmp_path.iterdir()] == ["study"]
    other = tmp_path / "other"
    other.mkdir()
    dataset_of(fewer, SIMULATED).write(other)  # an empty folder
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("precious")
    with pytest.raises(ValueError, match="something that is not a dataset"):
        dataset_of(fewer, SIMULATED).write(tmp_path / "mine", replace=True)


def test_missing_or_unknown_tables() -> None:
    some = {"trials": STUDY["trials"], "extra": STUDY["trials"]}
    assert refused(dataset_of, some, SIMULATED) == [
        "table extra: there is no such table; there are participants, trials, observations, actions",
        "table participants: missing",
        "table observations: missing",
    ]
    nobody = {name: frame.head(0) for name, frame in STUDY.items()}
    assert refused(dataset_of, nobody, SIMULATED) == [
        "table participants: expected participants; there is no row"
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (None, ": there is no such file"),
        ("{", ": not JSON: "),
        ("[]", ": expected an object, not []"),
        ('{"name": 3, "description": "d", "variableMeasured": []}', ": name: expected a text, not 3"),
        ('{"name": "n", "description": "d"}', ": variableMeasured: expected a list of the columns, not nothing"),
        ('{"name": "n", "description": "d", "simulated": "yes", "variableMeasured": []}', ': simulated: expected true or false, not "yes"'),
    ],
)  # fmt: skip
def test_bad_descriptions(folder: Path, text: str | None, expected: str) -> None:
    file = folder / DESCRIPTION
    file.unlink()
    if text is not None:
        file.write_text(text)
    assert refused(read_dataset, folder)[0].startswith(f"{file}{expected}")


def test_columns_must_be_described(folder: Path) -> None:
    edit(folder / DESCRIPTION, '"name": "position"', '"name": "place"')
    file = folder / "data" / "study-exp1_desc-trials_data.csv"
    assert (
        refused(read_dataset, folder)[0]
        == f"{file}: column position is not in variableMeasured of {DESCRIPTION}"
    )


def test_no_folder_and_no_files(folder: Path, tmp_path: Path) -> None:
    assert refused(read_dataset, tmp_path / "none") == [
        f"{tmp_path / 'none'}: expected the folder of a Psych-DS dataset"
    ]
    for file in (folder / "data").glob("*trials*"):
        file.unlink()
    assert refused(read_dataset, folder) == [
        f"{folder / 'data'}: there is no study-expN_desc-trials_data.csv"
    ]


def test_all_problems_of_all_files_are_told(folder: Path) -> None:
    one, two = (folder / "data" / f"study-exp{n}_desc-trials_data.csv" for n in (1, 3))
    edit(one, "e1p0,1,tutorial,1", "e1p0,1,tutorial,first")
    edit(two, "e3p0,3,tutorial,1", "e3p0,3,tutorial,0")
    assert refused(read_dataset, folder) == [
        f"{one}: line 2, column position: expected a whole number from 1 up, not 'first'",
        f"{two}: line 2, column position: expected a whole number from 1 up, not '0'",
    ]


def test_tables_that_contradict_each_other(folder: Path) -> None:
    data = folder / "data"
    edit(data / "study-exp1_desc-participants_data.csv", "e1p0,", "e1p99,")
    file = data / "study-exp1_desc-trials_data.csv"
    lines = refused(read_dataset, folder)
    unknown = "participant e1p0, experiment 1 is not in table participants"
    assert lines[0].startswith(f"{file}: line 2: {unknown} (and at ")
    assert (
        lines[-1]
        == f"{data / 'study-exp1_desc-participants_data.csv'}: line 2: e1p99 completed all trials, but table trials has none"
    )


@pytest.mark.parametrize(
    ("column", "value", "expected"),
    [
        ("observed", 77, "observed is 77, but table observations says otherwise"),
        ("cost_total", 1, "cost_total is 1, not the sum of the other two costs"),
        ("finished", False, "not finished, but e1p0 completed all trials"),
    ],
)
def test_rows_that_cannot_be(column: str, value: object, expected: str) -> None:
    trials = STUDY["trials"].copy()
    trials.loc[2, column] = value
    lines = refused(dataset_of, STUDY | {"trials": trials}, SIMULATED)
    assert lines == [f"table trials: row 3: {expected}"]


def test_the_experiment_is_that_of_the_files_name(folder: Path) -> None:
    file = folder / "data" / "study-exp1_desc-participants_data.csv"
    edit(file, "e1p0,1,", "e1p0,2,")
    assert refused(read_dataset, folder) == [
        f"{file}: line 2, column experiment: expected 1 as in the file's name"
    ]


def test_a_participant_in_two_files(folder: Path) -> None:
    file = folder / "data" / "study-exp3_desc-participants_data.csv"
    edit(file, "e3p0,", "e1p0,")
    first = folder / "data" / "study-exp1_desc-participants_data.csv"
    assert refused(read_dataset, folder) == [
        f"{file}: line 2: participant e1p0 comes twice, first at {first}: line 2"
    ]
