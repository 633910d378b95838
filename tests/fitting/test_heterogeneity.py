"""Whether people who share a value are told from people who do not."""

from __future__ import annotations

import numpy as np
import pytest

from onlooker.fitting.heterogeneity import _own_or_shared
from onlooker.fitting.individual import grid_of
from onlooker.fitting.models import model_of
from onlooker.support.arrays import FloatArray

MODEL = model_of("rational_mentalizing", fixed={"lapse": 0.05})
[TEMPERATURE] = MODEL.space.free
GRID = grid_of(MODEL.space)
SD = 0.4  # of what one person's choices say


def posteriors(values: FloatArray) -> list[tuple[FloatArray, FloatArray]]:
    """The posterior of people whose choices say a value each, up to SD."""
    [axis] = GRID.axes
    found = []
    for value in values:
        joint = np.exp(GRID.log_weight - 0.5 * ((axis - value) / SD) ** 2)
        found.append((axis, joint / joint.sum()))
    return found


def log_bayes(values: FloatArray) -> float:
    """The same by normal distributions, which give it exactly."""
    m, prior, n = TEMPERATURE.mean, TEMPERATURE.sd**2, len(values)
    centred = values - m
    own = -0.5 * (n * np.log(1 + prior / SD**2) + (centred**2).sum() / (prior + SD**2))
    precision = n / SD**2 + 1 / prior
    shared = -0.5 * (np.log(prior * precision) + (centred**2).sum() / SD**2)
    shared += 0.5 * (centred.sum() / SD**2) ** 2 / precision
    return float(own - shared)


@pytest.mark.parametrize(("people", "spread"), [(5, 0.0), (5, 1.5), (80, 0.1), (300, 0.02)])
def test_it_is_what_normal_distributions_give(people: int, spread: float) -> None:
    rng = np.random.default_rng(1)
    values = TEMPERATURE.mean + spread * rng.standard_normal(people)
    found = _own_or_shared(TEMPERATURE, posteriors(values))
    assert found == pytest.approx(log_bayes(values), rel=0.02, abs=0.1)
    assert (found > 0) == (spread > 1)
