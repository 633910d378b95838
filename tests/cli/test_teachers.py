"""A study with teachers, from simulated people to fits and a benchmark."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from running import ROOT, onlooker

TEACHERS = ROOT / "examples" / "teachers"


@pytest.fixture(scope="module")
def trials(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The examples as trials of an experiment."""
    folder = tmp_path_factory.mktemp("teachers")
    for file in TEACHERS.glob("*.map"):
        text = file.read_text("utf-8").replace("outcomes:", "experiment: 1\noutcomes:", 1)
        (folder / file.name).write_text(text, "utf-8")
    return folder


@pytest.fixture(scope="module")
def people(trials: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Simulated people, who suppose that teachers care much."""
    folder = tmp_path_factory.mktemp("people") / "data"
    onlooker(
        "simulate", trials, "--participants", "4", "--lapse", "0", "--temperature", "0.5",
        "--set", "care=3", "-o", folder,
    )  # fmt: skip
    return folder


def test_what_is_supposed_of_teachers_can_be_fitted(
    trials: Path, people: Path, tmp_path: Path
) -> None:
    for care in ("3", "0.1"):
        onlooker(
            "fit", "--human", people, "--stimuli", trials, "--observer", "rational_mentalizing",
            "--everyone", "--nodes", "7", "--jobs", "1", "--set", f"care={care}",
            "-o", tmp_path / care,
        )  # fmt: skip
        with (tmp_path / care / "fits.csv").open(encoding="utf-8") as file:
            assert len([*csv.DictReader(file)]) == 4


def test_players_are_compared_on_trials_with_teachers(
    trials: Path, people: Path, tmp_path: Path
) -> None:
    printed, _ = onlooker(
        "benchmark", trials, "--data", f"people={people}", "--repeats", "1", "-o", tmp_path,
        "--set", "care=3",
    )  # fmt: skip
    assert "Ideal Observer" in printed


def test_predictions_name_teachers(trials: Path, tmp_path: Path) -> None:
    onlooker("predict", trials, "-o", tmp_path / "table.csv")
    with (tmp_path / "table.csv").open(encoding="utf-8") as file:
        rows = [*csv.DictReader(file)]
    assert {row["expertise"] for row in rows} == {"teacher"}
    assert len(rows) == 4 * len(list(trials.glob("*.map")))


def test_a_sequence_says_who_teaches(tmp_path: Path) -> None:
    words = ("run", "--sequence", ROOT / "examples" / "teachers.sequence")
    untold = ("--observer", "untold_mentalizing", "--set", "kinds=expert,teacher")
    picture = tmp_path / "sequence.svg"
    printed, _ = onlooker(*words, *untold, "--svg", picture, "--json")
    found = [row["observers"]["untold_mentalizing"] for row in json.loads(printed)]
    teacher = [each["state"]["kinds"]["agent2"]["teacher"] for each in found[1:]]
    assert teacher == sorted(teacher)
    assert 'id="panel:teacher"' in picture.read_text("utf-8")


def test_explanations_say_what_a_teacher_expects_and_what_it_is_taken_for() -> None:
    feint = TEACHERS / "feint.map"
    assert "for an expert to watch 3 steps" in onlooker("explain", feint)[0]
    untold, _ = onlooker(
        "explain", feint, "--observer", "untold_mentalizing", "--set", "kinds=expert,teacher"
    )
    assert "agent2 is a teacher: 50 %." in untold
    assert "agent2 (teacher)" not in untold
    careless, _ = onlooker("explain", feint, "--set", "care=0")
    assert "teaches" not in careless


def test_teachers_are_played_at_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("o\no\no\nq\n"))
    printed, _ = onlooker("play", TEACHERS / "feint.map")
    assert "Agent 2 moved right." in printed


def test_teachers_that_are_not_considered_are_warned_of_once() -> None:
    _, warned = onlooker(
        "run", *sorted(TEACHERS.glob("*.map")), "--observer", "untold_mentalizing"
    )  # fmt: skip
    assert warned.count("warning:") == 1
    assert "Set kinds=expert,teacher" in warned


def test_what_players_are_told_of_an_npc_is_shown(tmp_path: Path) -> None:
    file, picture = tmp_path / "told.map", tmp_path / "told.svg"
    text = (TEACHERS / "feint.map").read_text("utf-8")
    file.write_text(text.replace("goal C", "goal C, told expert"), "utf-8")
    shown, _ = onlooker("show", file)
    assert "E2 teacher agent2 at (5, 4), goal C, told expert" in shown
    onlooker("show", file, "--svg", picture)
    assert "teacher agent2, goal C, told expert" in picture.read_text("utf-8")
    ran, _ = onlooker("run", file, "--observer", "rational_mentalizing")
    assert "told expert" in ran
    explained, _ = onlooker("explain", file)
    assert "agent2 (teacher, told expert) wants: " in explained
    assert "told" not in onlooker("show", TEACHERS / "feint.map")[0]
