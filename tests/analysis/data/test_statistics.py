"""The measures of agreement and their intervals."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from onlooker.analysis.data.statistics import (
    Pairs,
    band,
    fit,
    interval,
    seed_sequence,
    stimulus_weights,
)

SET_1 = (
    [494, 395, 516, 434, 476, 557, 413, 442, 650, 433, 417, 656, 267, 478, 178, 423, 427],
    [512, 430, 520, 428, 500, 600, 364, 380, 658, 445, 432, 626, 260, 477, 259, 350, 451],
)
SET_2 = ([1, 2, 3, 4, 5], [2, 2, 4, 5, 7])
SET_3 = (
    [0, 0, 1, 2, 2, 3, 4, 5, 6, 6, 8, 9],
    [0.4, 0.9, 1.1, 1.6, 2.9, 2.5, 3.2, 4.6, 4.1, 5.8, 6.3, 6.9],
)


@pytest.mark.parametrize(
    ("data", "r", "ccc", "squared", "mae", "slope"),
    [
        (SET_1, 0.943279446891, 0.942742431427, 24120 / 17, 492 / 17, None),
        (SET_2, 0.968962790250, 26 / 33, 7 / 5, 1, 13 / 10),
        (SET_3, 0.972450010298, 0.910337439743, 93 / 80, 10.3 / 12, 4249 / 5980),
    ],
)
def test_worked_values(data, r, ccc, squared, mae, slope) -> None:
    pairs = Pairs.of(*data)
    near = {"abs": 1e-9, "rel": 0}
    assert pairs.pearson()[0] == pytest.approx(r, **near)
    assert pairs.ccc()[0] == pytest.approx(ccc, **near)
    assert pairs.rmse()[0] ** 2 == pytest.approx(squared, **near)
    assert pairs.mae()[0] == pytest.approx(mae, **near)
    if slope:
        assert pairs.slope()[0] == pytest.approx(slope, **near)


def test_the_difference_is_the_models_minus_peoples() -> None:
    assert Pairs.of([3, 5], [1, 2]).mean_difference()[0] == 2.5


def test_the_line_is_that_of_least_squares() -> None:
    slope, intercept = np.polyfit(*SET_3, 1)
    line = Pairs.of(*SET_3).line([0, 10])[0]
    assert line == pytest.approx([intercept, intercept + 10 * slope])


NUMBERS = st.floats(-100, 100).map(lambda value: round(value, 3))
ROWS = st.lists(st.tuples(NUMBERS, NUMBERS), min_size=2, max_size=20)


@given(ROWS)
def test_properties(rows) -> None:
    x, y = np.array(rows).T
    pairs, swapped = Pairs.of(x, y), Pairs.of(y, x)
    r, ccc = pairs.pearson()[0], pairs.ccc()[0]
    assert np.isnan(r) == (np.ptp(x) == 0 or np.ptp(y) == 0)
    assert swapped.ccc()[0] == pytest.approx(ccc, nan_ok=True)
    assert np.isnan(ccc) == (np.ptp([x, y]) == 0)
    if not np.isnan(r):
        assert abs(ccc) <= abs(r) + 1e-9
        assert abs(r) <= 1
    assert abs(pairs.mean_difference()[0]) <= pairs.mae()[0] + 1e-9
    assert pairs.mae()[0] <= pairs.rmse()[0] + 1e-9


@given(ROWS, st.integers(0, 99))
def test_weights_count_as_repeated_rows_do(rows, seed) -> None:
    x, y = np.array(rows).T
    stimuli = [str(index // 2) for index in range(len(x))]
    weights = stimulus_weights(stimuli, 5, seed_sequence(seed))
    drawn = Pairs.of(x, y, weights)
    for index, counts in enumerate(weights):
        times = counts.astype(int)
        again = Pairs.of(np.repeat(x, times), np.repeat(y, times))
        for name in ("rmse", "mae", "mean_difference"):
            assert getattr(drawn, name)()[index] == pytest.approx(getattr(again, name)()[0])
        for name in ("pearson", "ccc", "slope"):
            ours, theirs = getattr(drawn, name)()[index], getattr(again, name)()[0]
            if np.ptp(np.repeat(x, times)) > 0.1 and np.ptp(np.repeat(y, times)) > 0.1:
                assert ours == pytest.approx(theirs, abs=1e-6)


def test_a_stimulus_is_drawn_with_all_its_values() -> None:
    weights = stimulus_weights(["a", "b", "a", "c"], 200, seed_sequence(3))
    assert (weights[:, 0] == weights[:, 2]).all()
    assert (weights[:, [0, 1, 3]].sum(axis=1) == 3).all()


def test_the_order_of_values_does_not_matter() -> None:
    one = stimulus_weights(["a", "b", "c"], 50, seed_sequence(3, "x"))
    other = stimulus_weights(["c", "a", "b"], 50, seed_sequence(3, "x"))
    assert (one == other[:, [1, 2, 0]]).all()
    assert (one != stimulus_weights(["a", "b", "c"], 50, seed_sequence(3, "y"))).any()
    assert (one != stimulus_weights(["a", "b", "c"], 50, seed_sequence(4, "x"))).any()


def test_the_interval_agrees_with_a_plain_loop() -> None:
    x, y = map(np.array, SET_3)
    weights = stimulus_weights(range(12), 4000, seed_sequence(5))
    found = fit(x, y, range(12), weights)
    rng = np.random.default_rng(6)
    drawn = (rng.integers(0, 12, 12) for _ in range(4000))
    low, high = np.percentile([np.corrcoef(x[i], y[i])[0, 1] for i in drawn], [2.5, 97.5])
    assert (found.r_low, found.r_high) == pytest.approx((low, high), abs=0.01)


def test_constant_resamples_are_dropped_and_counted() -> None:
    values = np.array([np.nan, 0.1, 0.2, 0.3])
    assert interval(values).dropped == 1
    assert interval(values).low == pytest.approx(0.105)
    assert np.isnan(interval(np.array([np.nan, np.nan, np.nan, 0.3])).low)


@pytest.mark.parametrize(
    ("x", "y", "reason"),
    [
        ([2] * 4, [1, 2, 4, 5], "the predictions are all 2"),
        ([1, 2, 4, 5], [2] * 4, "the participants' means are all 2"),
        ([5] * 4, [5] * 4, "the predictions are all 5; the participants' means are all 5"),
    ],
)
def test_constants_have_a_reason_and_no_r(x, y, reason) -> None:
    found = fit(x, y, "abcd", stimulus_weights("abcd", 99, seed_sequence(1)))
    assert np.isnan([found.r, found.r_low, found.r_high]).all()
    assert found.reason == reason
    assert found.resamples_dropped == 99
    assert found.rmse >= 0


def test_one_stimulus_has_no_interval() -> None:
    x = [1, 2, 3, 4]
    found = fit(x, x, "aaaa", stimulus_weights("aaaa", 99, seed_sequence(1)))
    assert found.r == pytest.approx(1)
    assert found.maps == 1
    assert found.r_low == pytest.approx(1)  # the same map each time
    alone = fit([1], [2], "a", stimulus_weights("a", 99, seed_sequence(1)))
    assert np.isnan(alone.r)
    assert alone.rmse == 1


def test_bands() -> None:
    lines = np.array([[0.0, 1.0], [2.0, 3.0], [np.nan, np.nan]])
    low, high = band(lines)
    assert (low <= high).all()
    assert np.isnan(band(np.full((3, 2), np.nan))[0]).all()


def test_what_is_refused() -> None:
    with pytest.raises(ValueError, match="one length, not"):
        Pairs.of([1, 2], [1])
    with pytest.raises(ValueError, match="finite"):
        Pairs.of([1, np.nan], [1, 2])
    with pytest.raises(ValueError, match="seed must be a whole number from 0 up, not -1"):
        seed_sequence(-1)


def test_a_constant_resample_has_no_r_and_no_warning() -> None:
    rng = np.random.default_rng(1)
    x = np.array([0.1, 0.1, 0.1, 0.7, 0.3])
    y = rng.normal(size=5) * 1e-9 + 1 / 3
    weights = np.array([[1, 1, 1, 0, 0], [2, 0, 1, 0, 0], [1, 1, 1, 1, 1]])
    r = Pairs.of(x, y, weights).pearson()
    assert np.isnan(r[:2]).all()
    assert np.isfinite(r[2])
