"""Pearson's correlation against numpy's."""

from __future__ import annotations

import numpy as np
import pytest

from onlooker.support.arrays import pearson

RNG = np.random.default_rng(1)
ROWS, OTHER = RNG.integers(0, 9, (5, 20)).astype(float), RNG.random(20)


def test_many_rows_with_one() -> None:
    expected = [np.corrcoef(row, OTHER)[0, 1] for row in ROWS]
    assert pearson(ROWS, OTHER) == pytest.approx(expected)
    assert float(pearson(ROWS[0], OTHER)) == pytest.approx(expected[0])
    assert np.isnan(pearson(ROWS, np.ones(20))).all()


def test_a_weight_is_how_often_a_pair_counts() -> None:
    counts = RNG.integers(0, 4, (6, 20))
    expected = [np.corrcoef(np.repeat(ROWS[0], row), np.repeat(OTHER, row))[0, 1] for row in counts]
    assert pearson(ROWS[0], OTHER, counts) == pytest.approx(expected)


def test_what_does_not_count_may_be_anything() -> None:
    x, weights = ROWS.copy(), np.ones_like(ROWS)
    x[:, 3], weights[:, 3] = np.nan, 0
    rest = np.delete(np.arange(20), 3)
    assert pearson(x, OTHER, weights) == pytest.approx(pearson(ROWS[:, rest], OTHER[rest]))


@pytest.mark.parametrize("weights", [None, [0, 0, 0], [1, 0, 0], [1, 1, 0]])
def test_what_does_not_vary_has_no_correlation(weights: list[int] | None) -> None:
    assert np.isnan(pearson([0.1, 0.1, 0.1 if weights is None else 7.0], [1, 2, 3], weights))


def test_no_values_have_no_correlation() -> None:
    assert np.isnan(pearson(np.empty((2, 0)), np.empty(0))).all()


def test_large_values_that_hardly_vary() -> None:
    assert float(pearson([1e9, 1e9 + 1, 1e9 + 2], [3.0, 2.0, 1.0], [2, 1, 2])) == pytest.approx(-1)
