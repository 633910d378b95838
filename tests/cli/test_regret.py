"""The command that compares observers with the ideal one, and the ideal one in the others."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from comparing import same
from onlooker.game import dump_document, load_trial
from running import ROOT, onlooker
from vectors import BEYOND

EXAMPLES = ROOT / "examples"


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_regret_writes_a_row_for_each_trial_and_observer(tmp_path: Path) -> None:
    table, figure = tmp_path / "regret.csv", tmp_path / "regret.svg"
    trial = EXAMPLES / "two-experts.map"
    printed, _ = onlooker(
        "regret", trial, EXAMPLES / "early-turn.map", "-o", table, "--svg", figure,
        "--observer", "naive_observer", "--observer", "ideal_observer",
    )  # fmt: skip
    rows = rows_of(table)
    assert [(row["level"], row["observer"]) for row in rows] == [
        ("two experts", "naive_observer"),
        ("two experts", "ideal_observer"),
        ("early turn", "naive_observer"),
        ("early turn", "ideal_observer"),
    ]
    assert float(rows[0]["expected_cost"]) == 65
    assert float(rows[0]["regret"]) == pytest.approx(338 / 18)
    assert [float(row["regret"]) for row in rows[1::2]] == [pytest.approx(0, abs=1e-9)] * 2
    assert [float(row["regret_actual"]) for row in rows] == [20, 0, 4, 0]
    assert all(row["reason"] == "" for row in rows)
    assert "Naive Observer" in printed
    assert printed.splitlines()[-3:] == [str(table), f"{table}.provenance.json", str(figure)]
    assert figure.read_text().startswith("<?xml")


def test_an_observer_of_ones_own_has_regret(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    own = "examples.own_observer:Satisficer"
    table = tmp_path / "regret.csv"
    onlooker("regret", EXAMPLES / "early-turn.map", "-o", table, "--observer", own)
    [row] = rows_of(table)
    assert float(row["regret"]) >= 0


@pytest.fixture
def crowded(tmp_path: Path) -> Path:
    """A trial with more wizards of the needed colour than can be searched."""
    line = "h" + "b" * 12
    path = tmp_path / "crowded.map"
    path.write_text(
        f"map:\n@{'.' * 12}2=A\n#{line}##\n\nlegend:\n@ = main agent, goal A\n"
        "2 = expert agent2, goal A\nb = blue wizard\nh = blue wizard, holder\n= = blue barrier\n"
    )
    return path


def test_a_refused_trial_has_a_reason(crowded: Path, tmp_path: Path) -> None:
    table = tmp_path / "regret.csv"
    printed, _ = onlooker("regret", crowded, "-o", table, "--observer", "naive_observer")
    [row] = rows_of(table)
    assert "13 wizards of the needed colours are more than 12" in row["reason"]
    assert row["regret"] == row["regret_actual"] == row["expected_cost"] == ""
    assert "13 wizards" in printed


def test_too_many_wizards_are_refused(crowded: Path, tmp_path: Path) -> None:
    reason = "13 wizards of the needed colours are more than 12"
    ideal, table = (crowded, "--observer", "ideal_observer"), tmp_path / "out.csv"
    [row] = json.loads(onlooker("run", *ideal, "--json", status=3)[0])
    assert row["file"] == str(crowded)
    assert reason in row["observers"]["ideal_observer"]["refused"]
    _, complaints = onlooker("predict", *ideal, "-o", table, status=3)
    assert f"{crowded}: ideal_observer refused: " in complaints
    assert reason in complaints
    assert not table.exists()


def test_regret_refuses_bad_input(tmp_path: Path) -> None:
    table = tmp_path / "regret.csv"
    _, complaints = onlooker("regret", tmp_path / "absent.map", "-o", table, status=2)
    assert "absent.map" in complaints
    example = EXAMPLES / "early-turn.map"
    _, complaints = onlooker("regret", example, "-o", tmp_path, status=2)
    assert complaints == f"{tmp_path}: expected the name of a CSV file, not a folder\n"
    _, complaints = onlooker("regret", example, "-o", table, "--png", "a.svg", status=2)
    assert "expected a name that ends in .png" in complaints
    twice = tmp_path / "twice.json"
    twice.write_text(dump_document(load_trial(example)))
    _, complaints = onlooker("regret", example, twice, "-o", table, status=2)
    assert "its name 'early turn' is that of" in complaints
    assert not table.exists()


@pytest.mark.parametrize("case", ["exp3_1", "exp4_3", "nothing_open", "wide_4"])
def test_run_gives_what_the_worked_cases_say(case: str, tmp_path: Path) -> None:
    document = json.loads((BEYOND / f"{case}.json").read_text())
    trial = tmp_path / "trial.json"
    trial.write_text(json.dumps(document["trial"]))
    settings = [w for name, v in document["params"].items() for w in ("--set", f"{name}={v}")]
    printed, _ = onlooker(
        "run", trial, "--observer", "ideal_observer", "--json", "--trace", *settings
    )
    [found] = json.loads(printed)
    result, expected = found["observers"]["ideal_observer"], document["expect"]["ideal"]
    result["trace"] = [{"act": row["act"], "watch": row["watch"]} for row in result["trace"]]
    assert same({key: result[key] for key in expected}, expected)


def test_the_ideal_observer_is_explained_in_words() -> None:
    printed, _ = onlooker("explain", EXAMPLES / "early-turn.map", "--observer", "ideal_observer")
    assert "Ideal Observer on early turn" in printed
    assert "Acting now would cost 88.5 on average." in printed
    assert "It observes agent2: 77 is less than 88.5." in printed
    shown, _ = onlooker(
        "run", EXAMPLES / "early-turn.map", "--observer", "ideal_observer", "--trace"
    )
    assert "watch agent2" in shown
