"""Split-half reliability."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd
import pytest

from onlooker.analysis.data.statistics import seed_sequence
from onlooker.analysis.tables.reliability import (
    random_halves,
    reliability,
    spearman_brown,
    split_half,
)

PEOPLE = np.array([[3, 1, 4, 2, 6], [2, 1, 5, 2, 5], [4, 2, 4, 1, 7], [1, 0, 3, 3, 4], [3, 2, 6, 2, 8], [2, 0, 2, 4, 5]], float)  # fmt: skip
HALVES = np.array([[p == 0 or p in two for p in range(6)] for two in combinations(range(1, 6), 2)])
NEAR = {"abs": 1e-9, "rel": 0}


def test_worked_values_over_all_splits() -> None:
    assert len(HALVES) == 10
    found = split_half(PEOPLE, HALVES)
    assert found.mean_r == pytest.approx(0.910037862772, **NEAR)
    assert found.reliability == pytest.approx(0.952900338270, **NEAR)
    assert found.mean_corrected == pytest.approx(0.951479991408, **NEAR)
    assert (found.splits, found.splits_dropped, found.stimuli_dropped) == (10, 0, 0)


def test_worked_values_of_one_split() -> None:
    found = split_half(PEOPLE, [[True] * 3 + [False] * 3])
    assert found.mean_r == pytest.approx(0.882404312027, **NEAR)
    assert found.reliability == pytest.approx(0.937528995646, **NEAR)
    assert found.mean_corrected == pytest.approx(found.reliability, **NEAR)


def test_worked_values_with_unseen_stimuli() -> None:
    holes = PEOPLE.copy()
    for place in ((0, 0), (1, 3), (2, 1), (3, 4), (4, 2), (5, 0)):
        holes[place] = np.nan
    found = split_half(holes, HALVES)
    assert found.mean_r == pytest.approx(0.868869782869, **NEAR)
    assert found.reliability == pytest.approx(0.929834481603, **NEAR)


def test_a_stimulus_that_a_half_has_not_seen_is_dropped_and_counted() -> None:
    holes = PEOPLE.copy()
    holes[:3, 0] = np.nan
    found = split_half(holes, [[True] * 3 + [False] * 3, [True, False] * 3])
    assert found.stimuli_dropped == 0.5
    without = split_half(PEOPLE[:, 1:], [[True] * 3 + [False] * 3])
    assert split_half(holes, [[True] * 3 + [False] * 3]).mean_r == pytest.approx(without.mean_r)


def test_splits_without_a_value_are_dropped_and_counted() -> None:
    flat = PEOPLE.copy()
    flat[:3] = 2.0
    found = split_half(flat, [[True] * 3 + [False] * 3, [True, False] * 3])
    assert found.splits_dropped == 1
    nothing = split_half(np.ones((4, 5)), [[True, True, False, False]])
    assert np.isnan(nothing.reliability)
    assert nothing.splits_dropped == 1


def test_halves() -> None:
    halves = random_halves(7, 500, seed_sequence(1))
    assert (halves.sum(axis=1) == 3).all()
    assert halves.mean(axis=0) == pytest.approx(3 / 7, abs=0.1)
    assert (halves == random_halves(7, 500, seed_sequence(1))).all()


def test_spearman_brown() -> None:
    assert spearman_brown(0.0) == 0
    assert spearman_brown(1.0) == 1
    assert np.isnan(spearman_brown(-1.0))
    assert np.isnan(spearman_brown(-0.46))  # 2r / (1 + r) would be −1.70


def test_of_a_table() -> None:
    rows = [
        {"participant": f"p{p}", "level": f"m{s}", "observed": PEOPLE[p, s]}
        for p in range(6)
        for s in range(5)
    ]
    frame = pd.DataFrame(rows)
    found = reliability(frame, "observed", ["level"], seed_sequence(1))
    again = reliability(
        frame.sample(frac=1, random_state=3), "observed", ["level"], seed_sequence(1)
    )
    assert found == again
    assert found.reliability == pytest.approx(0.9529, abs=0.01)
    assert (
        reliability(frame[frame["participant"] == "p1"], "observed", ["level"], seed_sequence(1))
        is None
    )


def test_there_is_none_where_halves_disagree() -> None:
    people = np.array([[0, 1, 2, 3], [3, 2, 1, 0.5]])
    found = split_half(people, [[True, False], [False, True]])
    assert found.mean_r < -0.9
    assert np.isnan([found.reliability, found.mean_corrected]).all()
    assert found.splits_dropped == 0
