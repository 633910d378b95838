"""The probability of a choice: sums, limits, worked cases."""

from __future__ import annotations

from math import inf, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from onlooker.inference.parameters import Parameters
from onlooker.observers.choosing import (
    ChoiceRule,
    choice_probabilities,
    graded_choice,
    softmax_choice,
)

VALUE = st.floats(-300, 300)
VALUES = st.tuples(
    st.one_of(VALUE, st.just(-inf)), st.lists(st.one_of(VALUE, st.just(-inf)), max_size=4)
)
TEMPERATURE = st.floats(1e-3, 1e3)

# Costs of acting and of watching each NPC (None once it has arrived), and what was chosen.
PLAYED: list[tuple[list[float | None], int]] = [
    ([103, 77.5], 1), ([103, 76.5], 1), ([103, 75.5], 1), ([74, 75], 0),
    ([85, 233 / 3, 230 / 3], 2), ([85, 78.25, 60], 2), ([58, 59, 59], 1), ([58, 59, 59], 0),
    ([60, 64], 0), ([90, 88.5, 91], 0),
    ([120, 118, 97], 1), ([120, 116.5, 96], 2), ([120, 116.5, 95], 2), ([94, 95, 95], 0),
]  # fmt: skip


@pytest.mark.parametrize(
    ("temperature", "lapse", "bias", "expected"),
    [
        (2, 0.05, 0, -9.6117421660),
        (2, 0.05, 1, -10.6461933326),
        (0.5, 0.02, 0, -11.0069441557),
        (8, 0.001, -1, -9.1948881130),
        (0.05, 0.05, 0, -12.6130319313),
        (0.05, 0, 0, -470.0000000165),
    ],
)
def test_the_likelihood_of_some_choices(
    temperature: float, lapse: float, bias: float, expected: float
) -> None:
    total = 0.0
    for costs, choice in PLAYED:
        values = [-inf if cost is None else -cost for cost in costs]
        total += softmax_choice(values, temperature, lapse, bias)[choice]
    assert total == pytest.approx(expected, abs=1e-9)


@given(VALUES, TEMPERATURE, st.floats(0, 1), st.floats(-5, 5), st.floats(-5, 5), st.integers(-1, 3))
def test_softmax_gives_each_available_choice_a_share(
    values: tuple[float, list[float]],
    temperature: float,
    lapse: float,
    bias: float,
    perseveration: float,
    last: int,
) -> None:
    v = np.array([values[0], *values[1]])
    p = np.exp(softmax_choice(v, temperature, lapse, bias, perseveration, last))
    assert p.sum() == pytest.approx(1)
    assert not p[1:][v[1:] == -inf].any()
    assert (p[v > -inf] >= lapse / (1 + (v[1:] > -inf).sum()) - 1e-12).all()


@given(VALUES, TEMPERATURE, st.floats(-5, 5))
def test_graded_weighs_the_best_look_against_acting(
    values: tuple[float, list[float]], temperature: float, curiosity: float
) -> None:
    v = np.array([values[0], *values[1]])
    p = np.exp(graded_choice(v, temperature, curiosity))
    assert p.sum() == pytest.approx(1)
    assert not p[1:][v[1:] == -inf].any()
    if len(v) > 1 and np.isfinite(v[0]) and np.isfinite(v[1:].max()):
        eager = (v[1:].max() - v[0] + curiosity) / temperature
        assert p[0] == pytest.approx(1 / (1 + np.exp(np.clip(eager, -700, 700))), abs=1e-12)


def test_parameters_broadcast_against_the_values() -> None:
    values = np.array([[-10.0, -9.0, -inf], [-4.0, -8.0, -5.0]])
    temperatures = np.array([0.5, 1, 2])[:, None]
    together = softmax_choice(values, temperatures, 0.1, last=np.array([0, 1]), perseveration=0.3)
    assert together.shape == (3, 2, 3)
    alone = softmax_choice(values[1], 2.0, 0.1, last=1, perseveration=0.3)
    assert together[2, 1] == pytest.approx(alone)
    assert graded_choice(values, temperatures, 2.0)[1, 0] == pytest.approx(
        graded_choice(values[0], 1.0, 2.0)
    )


def test_nothing_to_watch_is_to_act() -> None:
    assert softmax_choice([-3.0], 1.0).tolist() == [0.0]
    assert graded_choice([-3.0], 1.0, 2.0).tolist() == [0.0]
    assert graded_choice([-3.0, -inf], 1.0, 2.0).tolist() == [0.0, -inf]
    assert np.exp(softmax_choice([-inf, -inf], 1.0, 0.5)).tolist() == [1.0, 0.0]


def test_alternating_is_a_perseveration_below_zero() -> None:
    p = softmax_choice([-9.0, -5.0, -5.0], 1.0, perseveration=-2.0, last=0)
    assert p[2] - p[1] == pytest.approx(2)
    assert softmax_choice([-5.0, -5.0], 1.0, bias=log(3))[1] == pytest.approx(log(0.75))


def test_a_rule_may_be_given_by_its_name() -> None:
    values = [-74.0, -75.0]
    named = choice_probabilities("softmax", Parameters(), values)
    assert named.tolist() == choice_probabilities(ChoiceRule.SOFTMAX, Parameters(), values).tolist()
    with pytest.raises(ValueError, match="rule must be hard, softmax or graded, not 'soft'"):
        choice_probabilities("soft", Parameters(), values)
