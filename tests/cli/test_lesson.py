"""`onlooker lesson`, and other commands on a trial with a teacher."""

from __future__ import annotations

import json
from pathlib import Path

from comparing import same
from running import ROOT, onlooker
from vectors import TEACHING

FEINT = ROOT / "examples" / "teachers" / "feint.map"


def test_the_plans_as_in_the_worked_case() -> None:
    printed, _ = onlooker("lesson", FEINT, "--json")
    expected = json.loads((TEACHING / "feint-w2.json").read_text("utf-8"))["expect"]["plans"]
    assert same(json.loads(printed)["agent2"]["plans"], expected)


def test_teacher_and_expert_side_by_side() -> None:
    printed, _ = onlooker("lesson", FEINT)
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
