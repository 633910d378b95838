from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from onlooker.inference import Parameters


def test_the_papers_values_are_the_defaults() -> None:
    assert Parameters() == Parameters(
        3, 5, 1, 0.5, 0.95, 0.1, 0.1, exploration="worst", order="chain", meeting="relevant"
    )


def test_parameters_do_not_change() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        Parameters().beta = 1.0  # type: ignore[misc]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("move", 0),
        ("interact", 2.5),
        ("observe", -1),
        ("beta", -0.1),
        ("beta", float("inf")),
        ("beta", "0.5"),
        ("converge", 0),
        ("converge", 1.01),
        ("prune", -0.1),
        ("prune", True),
        ("epsilon", float("nan")),
        ("exploration", "best"),
        ("order", None),
        ("meeting", 3),
    ],
)
def test_a_value_out_of_range_is_named(name: str, value: Any) -> None:
    with pytest.raises(ValueError, match=f"{name} must be .*, not"):
        Parameters(**{name: value})
