"""The commands that import the authors' archive and predict."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from maps import STUCK_BUT_MOVING
from onlooker.analysis.data.predictions import read_predictions
from onlooker.experiments.archive import MAPS
from running import ROOT, onlooker

EXAMPLES = ROOT / "examples"
MAP = "e...b\nWW.WW\nXM.BG\n"  # our own


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    folder = tmp_path / "archive" / "problems_exp1"
    folder.mkdir(parents=True)
    for name in MAPS[1]:
        (folder / f"{name}.txt").write_text(MAP)
    return tmp_path / "archive"


def test_import_and_predict(archive: Path, tmp_path: Path) -> None:
    (archive / "problems_exp1" / "s999.txt").write_text("?")
    (archive / "problems_exp1" / "s311.txt").write_text(MAP.replace("...b", ".M.b"))
    out = tmp_path / "trials"
    printed, complaints = onlooker("import", archive, "-o", out)
    assert "Experiment 1: 20 trials\n" in printed
    assert "Missing: maps of Experiment 2 (no folder problems_exp2)\n" in printed
    assert "Missing: people (no folder exp1 … exp4 with logs u….csv)\n" in printed
    assert "  problems_exp1/s999.txt\n" in printed
    assert printed.endswith(f"20 trials, 0 people in {out}\n")
    assert complaints.startswith("warning: problems_exp1/s311.txt: 2 M on the map")
    assert len(list(out.rglob("*.json"))) == 21

    table = out / "predictions.csv"
    words = ("--observer", "naive_observer", "--set", "observe=2")
    printed, complaints = onlooker("predict", out, "-o", table, *words)
    assert not complaints
    assert re.match(r"rows 20, trials 20, observers 1, experiments 1, seconds [0-9.]+\n", printed)
    rows = read_predictions(table)
    assert [row.level for row in rows] == [f"{name}_1" for name in MAPS[1]]
    assert all(row.cost_observation == 2 * row.observed > 0 for row in rows)
    told = json.loads((out / "predictions.csv.provenance.json").read_text())
    assert told["config"]["parameters"]["observe"] == 2
    assert list(told["config"]["observers"]) == ["naive_observer"]
    assert [entry["name"] for entry in told["inputs"]] == [f"exp1/{n}_1.json" for n in MAPS[1]]


def test_all_observers_run_by_default(tmp_path: Path) -> None:
    table = tmp_path / "deep" / "predictions.csv"
    onlooker("predict", EXAMPLES / "two-experts.map", EXAMPLES / "early-turn.map", "-o", table)
    rows = read_predictions(table)
    assert len(rows) == 4 * (2 + 1)
    assert len({row.observer for row in rows}) == 4


def test_import_writes_nothing_if_anything_is_wrong(archive: Path, tmp_path: Path) -> None:
    folder = archive / "problems_exp1"
    (folder / "s544.txt").write_text(MAP.replace("G", "!"))
    (folder / "s543.txt").unlink()
    _, complaints = onlooker("import", archive, "-o", tmp_path / "out", status=2)
    assert complaints.splitlines() == [
        f"{folder}: maps of Experiment 1 are missing: s543",
        f"{folder / 's544.txt'}: line 3, column 5: unknown character '!';"
        " expected one of W . e b r B R g G M X Y",
        f"{folder / 's544.txt'}: there is no G on the map, the main agent's chest",
    ]
    assert not (tmp_path / "out").exists()


def test_import_refuses(archive: Path, tmp_path: Path) -> None:
    words = ("-o", tmp_path / "out")
    _, complaints = onlooker("import", archive, *words, "--experiment", "2", status=2)
    assert complaints == f"{archive}: found no folder problems_exp2 in it\n"
    _, complaints = onlooker("import", archive / "none", *words, status=2)
    assert "expected the folder of the authors' archive" in complaints
    _, complaints = onlooker("import", archive, *words, "--experiment", "5", status=2)
    assert "--experiment" in complaints
    (tmp_path / "out").write_text("a file")
    _, complaints = onlooker("import", archive, *words, status=2)
    assert "Traceback" not in complaints


def test_predict_refuses(tmp_path: Path) -> None:
    example, table = EXAMPLES / "early-turn.map", tmp_path / "p.csv"
    _, complaints = onlooker("predict", tmp_path, "-o", table, status=2)
    assert complaints == f"{tmp_path}: no .map or .json files in it\n"
    _, complaints = onlooker("predict", example, "-o", tmp_path, status=2)
    assert complaints == f"{tmp_path}: expected the name of a CSV file, not a folder\n"
    _, complaints = onlooker("predict", example, example, "-o", table, status=2)
    assert complaints == f"{example}: given twice\n"
    own = "onlooker.observers:NaiveObserver"
    words = ("--observer", "naive_observer", "--observer", own)
    _, complaints = onlooker("predict", example, "-o", table, *words, status=2)
    assert complaints == "--observer: two of them have the same name\n"
    broken = tmp_path / "broken.map"
    broken.write_text("map:\n@.\n")
    _, complaints = onlooker("predict", example, broken, "-o", table, status=2)
    assert complaints.startswith(f"{broken}: line 2, column 1: unknown character '@'")
    assert not table.exists()


def test_predict_tells_of_tutorials(tmp_path: Path) -> None:
    text = (EXAMPLES / "early-turn.map").read_text()
    tutorial, table = tmp_path / "tutorial.map", tmp_path / "p.csv"
    tutorial.write_text("tutorial: yes\n" + text)
    _, complaints = onlooker("predict", tutorial, "-o", table, status=2)
    assert complaints == (
        "warning: tutorial trials are left out: early turn\n"
        "no trial with NPCs that is not a tutorial: there is nothing to predict\n"
    )
    onlooker("predict", tutorial, EXAMPLES / "early-turn.map", "-o", table)
    assert len(read_predictions(table)) == 4


def test_predict_names_the_file_that_cannot_be_played(tmp_path: Path) -> None:
    odd = tmp_path / "odd.map"
    odd.write_text(STUCK_BUT_MOVING)
    words = (EXAMPLES / "early-turn.map", odd, "-o", tmp_path / "p.csv")
    _, complaints = onlooker("predict", *words, "--observer", "mentalizing_observer", status=2)
    assert complaints.startswith(f"{odd}: npcs: stuck: ")
    assert not (tmp_path / "p.csv").exists()
