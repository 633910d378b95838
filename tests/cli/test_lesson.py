"""`onlooker lesson`, and other commands on a trial with a teacher."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from comparing import same
from running import ROOT, onlooker
from vectors import TEACHING

FEINT = ROOT / "examples" / "teachers" / "feint.map"


def test_the_plans_as_in_the_worked_case() -> None:
    printed, _ = onlooker("lesson", FEINT, "--json")
    expected = json.loads((TEACHING / "feint-w2.json").read_text("utf-8"))["expect"]["plans"]
    assert same(json.loads(printed)["agent2"]["plans"], expected)


def test_experts_frontiers_and_the_worth_of_teaching_as_data() -> None:
    found = json.loads(onlooker("lesson", FEINT, "--json")[0])["agent2"]
    assert list(found) == ["care", "plans", "expert", "frontier", "worth_of_teaching"]
    assert found["expert"][3] | {"own": 15, "learner": 95, "looks": 1} == found["expert"][3]
    points = [(offer["own"], offer["learner"]) for offer in found["frontier"][3]]
    assert points == [(15, 95), (33, 68)]
    assert same(found["frontier"][3][1]["care"], 18 / 27)
    assert found["worth_of_teaching"] == {"taught": 67.5, "untaught": 75.25, "points": 7.75}


def test_a_figure_for_each_teacher(tmp_path: Path) -> None:
    made = tmp_path / "feint.svg"
    assert onlooker("lesson", FEINT, "--svg", made)[0].strip() == str(made)
    drawn = made.read_text("utf-8")
    for part in ("0:teacher/path:agent2", "3:expert/leaves", "3:frontier"):
        assert f'id="{part}"' in drawn
    two = tmp_path / "two.map"
    text = FEINT.read_text("utf-8").replace("...........", "..........3", 1)
    two.write_text(text.replace("$ = blue", "3 = teacher agent3, goal A\n$ = blue"))
    printed, _ = onlooker("lesson", two, "--png", tmp_path / "two.png")
    assert printed.split() == [str(tmp_path / f"two-agent{n}.png") for n in (2, 3)]
    assert all(Path(name).read_bytes().startswith(b"\x89PNG") for name in printed.split())


def test_what_teaching_is_worth_is_left_open_where_the_trial_is_too_large(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("onlooker.observers.foresight.MOST_STATES", 1)
    assert "cannot be said: feint:" in onlooker("lesson", FEINT)[0]
    found = json.loads(onlooker("lesson", FEINT, "--json")[0])
    assert found["agent2"]["worth_of_teaching"] is None


def test_teacher_and_expert_side_by_side() -> None:
    printed, _ = onlooker("lesson", FEINT)
    assert "0.667: 33/68" in printed
    assert "Teaching is worth 7.75 points" in printed
    assert "feint: agent2, care 1" in printed
    assert "↑↑→|←↓↓→→→→→" in printed.replace(" ", "")


def test_a_trial_without_teachers_is_refused() -> None:
    _, complaints = onlooker("lesson", ROOT / "examples" / "two-experts.map", status=2)
    assert "expected a trial with a teacher" in complaints


def test_care_is_a_parameter() -> None:
    words = ("run", FEINT, "--observer", "rational_mentalizing", "--json")
    much, little = (
        json.loads(onlooker(*words, "--set", f"care={care}")[0])[0] for care in ("1", "0")
    )
    assert much != little


def test_other_commands_take_teachers(tmp_path: Path) -> None:
    assert "teacher" in onlooker("show", FEINT, "--path", "all")[0]
    assert "3 steps of agent2" in onlooker("explain", FEINT)[0]
    onlooker("posterior", FEINT, "-o", tmp_path / "tables")
    onlooker("check", FEINT)
    _, complaints = onlooker("convert", FEINT, "--to", "pddl", "-o", tmp_path / "p", status=2)
    assert "PDDL cannot express that" in complaints
    made = tmp_path / "feint.json"
    onlooker("convert", FEINT, "-o", made)
    assert onlooker("convert", made, "--to", "map")[0] == FEINT.read_text("utf-8")
