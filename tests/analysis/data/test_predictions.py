"""Reading tables of predictions."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import pytest

from onlooker.analysis import DataError
from onlooker.analysis.data.predictions import PREDICTIONS, read_predictions
from onlooker.experiments.predictions import COLUMNS, Prediction, dump_predictions, predict
from onlooker.game import load_trial
from onlooker.observers import OBSERVERS, find_observer
from running import ROOT

TWO = load_trial(ROOT / "examples" / "two-experts.map")
ALL = [find_observer(name) for name in OBSERVERS]


def test_the_schema_has_the_columns_that_are_written() -> None:
    names = tuple(column.name for column in PREDICTIONS.columns)
    assert tuple(name for name in names if name not in ("observed_sd", "map")) == COLUMNS


def test_a_variant_reads_back(tmp_path: Path) -> None:
    [row, *_] = predict([TWO], ALL[-1:])
    rows = [row, replace(row, parameters=(("meeting", "any"), ("beta", "0.2")))]
    file = tmp_path / "predictions.csv"
    file.write_text(dump_predictions(rows))
    assert "naive_observer (meeting=any, beta=0.2)" in file.read_text()
    assert read_predictions(file) == rows


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
        Prediction(1, "s1", "mine", "agent2", "novice", 2.5, 2.5, 3, 1, 14, 16.5)
    ]


GOOD = "1,s1,naive_observer,agent2,expert,3,3,10,1,35,38"


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ([GOOD.replace("expert,3", "expert,three")], "line 2, column observed: expected a number from 0 to 1e15, not 'three'"),
        ([GOOD.replace("expert,3", "expert,nan")], "line 2, column observed: expected a number from 0 to 1e15, not 'nan'"),
        ([GOOD.replace("expert,3", "expert,-3")], "line 2, column observed: expected a number from 0 to 1e15, not '-3'"),
        ([GOOD.replace("expert,3", "expert,1e200")], "line 2, column observed: expected a number from 0 to 1e15, not '1e200'"),
        ([GOOD.replace("35", "")], "line 2, column cost_execution: expected a number from 0 to 1e15, not ''"),
        ([GOOD, GOOD.replace("s1", " ")], "line 3, column level: expected a text, not ''"),
        ([GOOD.replace("expert", "wise")], "line 2, column expertise: expected expert or novice or teacher, not 'wise'"),
        ([GOOD, "", GOOD], "line 4: experiment 1, level s1, observer naive_observer, agent agent2 comes twice, first at {file}: line 2"),
        ([GOOD + ",1"], "line 2: 12 values; the header has 11"),
        (['1,"s1'], "not CSV: unexpected end of data"),
    ],
)  # fmt: skip
def test_a_table_that_cannot_be_read(tmp_path: Path, lines: list[str], expected: str) -> None:
    file = tmp_path / "predictions.csv"
    file.write_text("\n".join([",".join(COLUMNS), *lines]) + "\n")
    with pytest.raises(DataError) as refused:
        read_predictions(file)
    assert refused.value.lines() == [f"{file}: {expected.format(file=file)}"]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"level;observer\n", ": line 1: the columns are separated by ';'; expected commas"),
        (b"", ": line 1: there is nothing; expected the columns experiment"),
        (b"\xff\xfe", ": byte 0: not UTF-8 text"),
        (None, ": there is no such file"),
    ],
)
def test_a_file_that_is_no_such_table(tmp_path: Path, content: bytes | None, expected: str) -> None:
    file = tmp_path / "predictions.csv"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(DataError) as refused:
        read_predictions(file)
    assert str(refused.value).startswith(f"{file}{expected}")


def test_a_column_of_words_is_told_shortly(tmp_path: Path) -> None:
    file = tmp_path / "predictions.csv"
    lines = [GOOD.replace("s1", f"s{n}").replace("expert,3", "expert,x") for n in range(100)]
    file.write_text("\n".join([",".join(COLUMNS), *lines]))
    with pytest.raises(DataError, match=r"line 2, .* \(and at 99 other places\)"):
        read_predictions(file)
