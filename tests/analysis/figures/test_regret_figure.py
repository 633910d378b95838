"""The figure of regret: what it draws is what the rows say."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from matplotlib.lines import Line2D

from drawings import by_gid, texts, texts_that_meet
from onlooker.analysis.figures.plate import save_plate
from onlooker.analysis.figures.regret import regret_plate
from onlooker.experiments.regret import Regret, regrets
from onlooker.game import load_trial
from onlooker.observers import OBSERVERS
from running import ROOT

TRIALS = [
    load_trial(ROOT / "examples" / f"{name}.map")
    for name in ("early-turn", "two-experts", "three-goals", "near-wizards")
]


@pytest.fixture(scope="module")
def rows() -> list[Regret]:
    return regrets(TRIALS, [observer() for observer in OBSERVERS.values()])


def test_the_lines_are_the_shares_of_trials(rows: list[Regret]) -> None:
    plate = regret_plate(rows)
    artists = by_gid(plate.figure)
    line = artists["shares:naive_observer"]
    assert isinstance(line, Line2D)
    lost = sorted(row.regret or 0 for row in rows if row.observer == "naive_observer")
    x, y = (values[1:-1] for values in line.get_data())
    assert list(x) == pytest.approx(sorted(set(lost)))
    assert list(y) == pytest.approx([sum(v <= place + 1e-6 for v in lost) / 4 for place in x])
    assert plate.sources["means"]["count"].sum() == 16
    mean = sum(lost) / 4
    assert f"mean {mean:.2f}" in texts(plate.figure)
    assert {"RM", "MO", "RO", "NO"} <= set(texts(artists["panel:means"]))
    assert texts_that_meet(plate.figure) == []


def test_refused_trials_are_left_out(rows: list[Regret]) -> None:
    refused = replace(rows[0], level="odd", regret=None, regret_actual=None, reason="too large")
    assert "of 4 trials" in regret_plate([*rows, refused]).caption


def test_one_trial_of_no_experiment_is_enough(rows: list[Regret], tmp_path: Path) -> None:
    only = [replace(row, experiment=None) for row in rows[:1]]
    plate = regret_plate(only)
    assert [path.name for path in save_plate(plate, tmp_path)] == [
        "regret.svg",
        "regret.png",
        "regret-shares.csv",
        "regret-means.csv",
    ]
