"""Names, styles and the table of parameters."""

from __future__ import annotations

from dataclasses import fields

import pytest

from onlooker.analysis.data.words import observer_names
from onlooker.analysis.figures.plate import slugs
from onlooker.analysis.figures.style import experiment_style, limits, number, ranged
from onlooker.analysis.report.sections.details import parameters_rows
from onlooker.experiments.variants import Variant
from onlooker.inference.parameters import Parameters


def test_experiments_differ_in_colour_and_in_marker() -> None:
    styles = [experiment_style(number) for number in range(1, 8)]
    assert len({style.colour for style in styles}) == len(styles)
    assert len({style.marker for style in styles}) == len(styles)


def test_observers_stand_in_one_order_whatever_order_they_come_in() -> None:
    names = observer_names(map(Variant, ["mine", "naive_observer", "rational_mentalizing", "mine"]))
    assert list(names) == ["rational_mentalizing", "naive_observer", "mine"]
    shorts = observer_names(map(Variant, ["mentalizing_observer", "my_own", "my other"])).values()
    assert [name.short for name in shorts] == ["MO", "MO2", "MO3"]


@pytest.mark.parametrize(
    ("value", "written"),
    [(0.414, "0.41"), (-0.001, "0.00"), (-1.5, "−1.50"), (float("nan"), "–")],
)
def test_numbers(value, written) -> None:
    assert number(value) == written


def test_coefficients_without_an_interval() -> None:
    assert ranged(0.5, float("nan"), float("nan")) == ".50"
    assert ranged(float("nan"), float("nan"), float("nan")) == "–"


def test_scales_have_room_even_for_one_value() -> None:
    assert limits([3.0]) == (2.0, 4.0)
    low, high = limits([1.0, float("nan"), 5.0], zero=True)
    assert low < 0 < 5 < high


def test_panels_of_the_same_name_keep_files_of_their_own() -> None:
    assert slugs(["a b", "a/b", "?"]) == ["a-b", "a-b-2", "panel"]


def test_every_parameter_is_in_the_table() -> None:
    names = [field.name for field in fields(Parameters)]
    head, *rows = parameters_rows(Parameters(beta=0.25, order="fixed"))
    assert head == ["parameter", "symbol", "name", "value", "unit"]
    table = {row[2]: row[3] for row in rows}
    assert list(table) == names
    assert (table["beta"], table["order"], table["move"]) == ("0.25", "fixed", "3")
