"""The command that compares people with observers."""

from __future__ import annotations

import csv
import io
import json
import sys
from pathlib import Path

import pytest
from rich.console import Console

from analysis.studies import OBSERVERS, SIMULATED, predictions, tables
from onlooker import analysis
from onlooker.analysis.data.human import read_human
from onlooker.analysis.data.predictions import read_predictions
from onlooker.analysis.tables.comparison import compare, predictions_frame
from onlooker.cli.compare import _print
from onlooker.experiments.predictions import dump_predictions
from onlooker.experiments.psych_ds import Description, dataset_of
from running import onlooker

ROWS = predictions((1, 4))


@pytest.fixture
def table(tmp_path: Path) -> Path:
    file = tmp_path / "predictions.csv"
    file.write_text(dump_predictions(ROWS))
    return file


@pytest.fixture
def means(tmp_path: Path) -> Path:
    mine = [row for row in ROWS if row.observer == OBSERVERS[0]]
    lines = [f"{row.experiment},{row.level},{row.agent},{row.observed + 0.5},20" for row in mine]
    file = tmp_path / "means.csv"
    file.write_text(
        "\n".join(["experiment,level,agent,human_mean_observed,n_participants", *lines])
    )
    return file


def test_means(table: Path, means: Path) -> None:
    printed, complaints = onlooker(
        "compare", "--predictions", table, "--human", means, "--seed", "7"
    )
    assert not complaints
    assert "human against model: observation steps" in printed
    assert "1.00 [1.00, 1.00]" in printed
    assert "0.94 [0.86, 0.98]" in printed  # the paper's
    assert (
        "human against model: total cost: needs data of each participant (a Psych-DS folder)\n"
        in printed
    )
    assert "percentile bootstrap over maps" in printed
    assert printed.endswith("seed 7\n")
    assert "simulated" not in printed


def test_simulated_data_is_called_so(table: Path, tmp_path: Path) -> None:
    folder = dataset_of(tables(ROWS), SIMULATED).write(tmp_path / "study")
    printed, _ = onlooker("compare", "--predictions", table, "--human", folder)
    for title in (
        "against model: observation steps",
        "against model: total cost",
        "and model: observation cost on execution cost",
        ": participants",
    ):
        assert f"simulated {title}" in printed or f"simulated{title}" in printed
    assert "paper" not in printed
    assert "human" not in printed
    assert "ceiling" in printed
    again = json.loads(onlooker("compare", "--predictions", table, "--human", folder, "--json")[0])
    assert again["data"] == "simulated"
    assert "paper" not in json.dumps(again)


def test_json_has_everything(table: Path, tmp_path: Path) -> None:
    folder = dataset_of(tables(ROWS), Description("n", "d")).write(tmp_path / "study")
    words = ("compare", "--predictions", table, "--human", folder, "--json")
    printed, _ = onlooker(*words)
    told = json.loads(printed)
    assert (told["data"], told["seed"], told["resamples"], told["splits"]) == (
        "human",
        1,
        10_000,
        1000,
    )
    assert {row["observer"] for row in told["fits"]} == set(OBSERVERS)
    assert told["sample"][0]["gender"] == "male 8, female 4"
    assert {"slopes", "bands", "reliability", "exclusions", "notes"} <= set(told)
    assert told["fits"][0]["paper_r"] == 0.94
    assert printed == json.dumps(told, ensure_ascii=False) + "\n"


def test_reasons_are_told(means: Path, table: Path) -> None:
    lines = means.read_text().splitlines()
    means.write_text(
        "\n".join([lines[0], *(line.rsplit(",", 2)[0] + ",2,20" for line in lines[1:])])
    )
    printed, _ = onlooker("compare", "--predictions", table, "--human", means)
    said = [line for line in printed.splitlines() if "the participants' means are all 2" in line]
    which = "Exp. 1, 4, pooled; observation steps, observation cost"
    assert said == [f"{which}: the participants' means are all 2"]
    assert printed.count("there is no interval of fewer than 10 maps") <= 1


@pytest.mark.parametrize("power", ["e14", "e-200"])
def test_json_of_very_large_and_very_small_means(table: Path, means: Path, power: str) -> None:
    means.write_text(means.read_text().replace(",20", f"{power},20"))
    printed, _ = onlooker("compare", "--predictions", table, "--human", means, "--json")
    assert json.loads(printed)["fits"]


def test_what_is_refused(table: Path, means: Path, tmp_path: Path) -> None:
    text = means.read_text()
    means.write_text(text.replace("1,m1,agent2,", "1,m1,agent2,x", 1))
    printed, complaints = onlooker("compare", "--predictions", table, "--human", means, status=2)
    assert not printed
    assert complaints.startswith(
        f"{means}: line 2, column human_mean_observed: expected a number from 0 to 1e15, not 'x"
    )
    means.write_text(text.replace(",20", "e200,20"))
    _, complaints = onlooker(
        "compare", "--predictions", table, "--human", means, "--json", status=2
    )
    assert complaints.startswith(
        f"{means}: line 2, column human_mean_observed: expected a number from 0 to 1e15, not '"
    )
    means.write_text("")
    _, complaints = onlooker("compare", "--predictions", table, "--human", means, status=2)
    assert complaints.startswith(
        f"{means}: line 1: there is nothing; expected the columns experiment"
    )
    _, complaints = onlooker(
        "compare", "--predictions", table, "--human", tmp_path / "no", status=2
    )
    assert complaints == f"{tmp_path / 'no'}: there is no such file\n"
    _, complaints = onlooker(
        "compare", "--predictions", tmp_path / "no", "--human", means, status=2
    )
    assert complaints == f"{tmp_path / 'no'}: there is no such file\n"
    zipped = tmp_path / "data.zip"
    zipped.write_bytes(b"PK\x03\x04\xff")
    _, complaints = onlooker("compare", "--predictions", table, "--human", zipped, status=2)
    assert complaints.startswith(f"{zipped}: a zip archive: unpack it")
    _, complaints = onlooker("compare", "--predictions", table, "--human", tmp_path, status=2)
    assert complaints == f"{tmp_path / 'dataset_description.json'}: there is no such file\n"
    _, complaints = onlooker(
        "compare", "--predictions", table, "--human", means, "--seed", "-1", status=2
    )
    assert "--seed" in complaints
    for option, value in {"--alpha0": "2", "--method": "vb"}.items():
        words = ("--predictions", table, "--human", means, option, value)
        _, complaints = onlooker("compare", *words, status=2)
        assert complaints == f"{option} requires --individual\n"


def test_without_the_libraries(table: Path, means: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("onlooker.analysis.")]:
        monkeypatch.delitem(sys.modules, name)
    for name in ("comparison", "human"):
        monkeypatch.delattr(analysis, name, raising=False)
    monkeypatch.setitem(sys.modules, "pandas", None)
    _, complaints = onlooker("compare", "--predictions", table, "--human", means, status=2)
    assert complaints == "the analysis needs pandas: pip install 'onlooker[analysis]'\n"


def test_tables_fit_a_terminal_of_eighty_columns(table: Path, means: Path) -> None:
    frame = predictions_frame(read_predictions(table))
    found = compare(frame, read_human(means, frame), resamples=50, splits=20)
    out = io.StringIO()
    _print(found, Console(file=out, width=80, highlight=False))
    lines = out.getvalue().splitlines()
    assert max(map(len, lines)) <= 80
    heads = " ".join(line for line in lines if line.startswith("exp."))
    for name in ("NPC", "observer", "n ", "r ", "CCC", "RMSE", "MAE", "difference", "paper's r"):
        assert name in heads
    # Each part of the table says what its rows are of, and no cell is cut.
    assert sum(line.startswith("exp.") for line in lines) >= 3
    assert "…" not in out.getvalue()
    assert "rational_mentalizing" in out.getvalue()


def test_tables_are_written(table: Path, means: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    onlooker("compare", "--predictions", table, "--human", means, "-o", out)
    with (out / "fits.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert {row["observer"] for row in rows} == set(OBSERVERS)
    assert {row["seed"] for row in rows} == {"1"}
    told = json.loads((out / "provenance.json").read_text())
    assert [entry["name"] for entry in told["inputs"]] == ["predictions.csv", "means.csv"]
    assert (out / "slopes.csv").is_file()
