"""Trials with teachers: predictions beside people, by what these are told."""

from __future__ import annotations

import pandas as pd
import pytest

from onlooker.analysis.data.words import Source
from onlooker.analysis.figures.teachers import teacher_plates
from onlooker.analysis.tables.teachers import attributed, looked_at, teaching
from onlooker.experiments.stimuli import stimuli
from onlooker.game import Expertise

TRIALS = [next(t for t in stimuli(5) if t.scenario == kind) for kind in ("feint", "pair")]
FEINT = TRIALS[0]
TABLES = {
    "participants": pd.DataFrame(
        {"participant": ["a", "b", "c"], "label": ["expert", "expert", "teacher"]}
    ),
    "observations": pd.DataFrame(
        {
            "participant": ["a", "b", "c"],
            "level": FEINT.label,
            "agent": FEINT.npcs[0].id,
            "expertise": "teacher",
            "observed": [2, 4, 3],
        }
    ),
    "answers": pd.DataFrame(
        {
            "participant": ["a", "b", "c"],
            "level": FEINT.label,
            "question": "chest",
            "answer": ["A", "B", FEINT.npcs[0].goal],
        }
    ),
}


def test_people_stand_beside_predictions() -> None:
    found = teaching(TRIALS, TABLES, Source.HUMAN)
    assert found is not None
    looks = looked_at(found, Expertise.TEACHER).set_index(["scenario", "label"])
    assert looks.loc[("feint", "expert"), "mean"] == pytest.approx(3.0)
    assert looks.loc[("feint", "expert"), "se"] == pytest.approx(1.0)
    assert pd.isna(looks.loc[("pair", "expert"), "mean"])
    said = attributed(found).set_index(["scenario", "label"])["mean"]
    assert (said["feint", "expert"], said["feint", "teacher"]) == (0, 1)


def test_there_are_four_figures() -> None:
    found = teaching(TRIALS, TABLES, Source.SIMULATED)
    assert found is not None
    plates = list(teacher_plates(found))
    names = ["teachers-paths", "teachers-looks", "teachers-kinds", "teachers-goals"]
    assert [plate.name for plate in plates] == names
    assert all(not frame.empty for plate in plates for frame in plate.sources.values())
    assert "no evidence about people" in plates[1].caption


def test_without_teachers_there_is_nothing_to_say() -> None:
    assert teaching(stimuli(1)[:1], {}, Source.HUMAN) is None
