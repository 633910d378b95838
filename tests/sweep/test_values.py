"""Values and designs in words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onlooker.inference import Parameters
from onlooker.sweep import SweepError
from onlooker.sweep.design import Design
from onlooker.sweep.values import Axis, Range, parse_axis, parse_range


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("beta=0.5", (0.5,)),
        ("beta=1,0.2", (1.0, 0.2)),
        ("beta = 0:1:3", (0.0, 0.5, 1.0)),
        ("beta=0:0.3:4", (0.0, 0.1, 0.2, 0.3)),
        ("beta=0.01:1:log3", (0.01, 0.1, 1.0)),
        ("observe=1:4:4", (1, 2, 3, 4)),
        ("observe=1:3:7", (1, 2, 3)),
        ("move=1:16:log5", (1, 2, 4, 8, 16)),
        ("order=chain,fixed", ("chain", "fixed")),
    ],
)
def test_values(text: str, values: tuple[object, ...]) -> None:
    found = parse_axis(text).values
    assert found == values
    assert [type(value) for value in found] == [type(value) for value in values]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("beta", "beta: expected NAME=VALUES, such as beta=0.1:2:log20"),
        ("beta=", "beta=: expected NAME=VALUES"),
        ("bata=1", "bata=1: there is no parameter 'bata'; there are move, interact"),
        ("beta=1,x", "beta=1,x: beta must be a number, not 'x'"),
        ("beta=-1:2:3", "beta=-1:2:3: beta must be at least 0, not -1.0"),
        ("beta=2:1:3", "expected the lower end first, not 2 to 1"),
        ("beta=0:1:log3", "a logarithmic range begins above 0"),
        ("beta=0:1", "expected LO:HI:N or LO:HI:logN"),
        ("beta=0:1:ten", "expected LO:HI:N or LO:HI:logN"),
        ("beta=0:1:1", "expected 2 to 1,000,000 values, not 1"),
        ("beta=0:1:99999999", "expected 2 to 1,000,000 values, not 99999999"),
        ("beta=0.5,0.50", "a value comes twice"),
        ("observe=0.5,1", "observe must be a whole number, not '0.5'"),
        ("converge=0.5:2:3", "converge must be above 0 and at most 1, not 2.0"),
        ("order=chain:fixed:2", "expected words, such as order=chain,fixed"),
        ("order=sorted", "order must be 'chain' or 'fixed', not 'sorted'"),
    ],
)
def test_what_is_wrong_is_said(text: str, expected: str) -> None:
    with pytest.raises(SweepError) as refused:
        parse_axis(text)
    assert expected in str(refused.value)


@given(
    low=st.floats(0.001, 1), width=st.floats(0.001, 10), count=st.integers(2, 60), log=st.booleans()
)
def test_spaced_values_run_from_end_to_end(low: float, width: float, count: int, log: bool) -> None:
    low, high = float(f"{low:.6g}"), float(f"{low + width:.6g}")
    values = parse_axis(f"beta={low!r}:{high!r}:{'log' if log else ''}{count}").values
    assert values[0] == low
    assert values[-1] == high
    assert list(values) == sorted(set(values))
    assert len(values) == count


@given(st.text(max_size=30))
def test_any_text_gives_values_or_a_reason(text: str) -> None:
    for words in (text, f"beta={text}", f"order={text}", f"move={text}"):
        for parse in (parse_axis, parse_range):
            try:
                parse(words)
            except SweepError as error:
                assert str(error).startswith(words)


@given(st.floats(0, 1, exclude_max=True))
def test_a_range_gives_values_between_its_ends(share: float) -> None:
    assert 0.1 <= parse_range("beta=0.1:2:log").at(share) <= 2
    assert 0.02 <= parse_range("prune=0.02:0.2").at(share) <= 0.2
    assert parse_range("observe=1:3").at(share) == 1 + int(share * 3)
    assert parse_range("order=chain,fixed").at(share) == ("chain", "fixed")[share >= 0.5]
    Parameters(move=parse_range("move=1:9:log").at(share))


@pytest.mark.parametrize(
    "text", ["beta=0.1", "beta=0.1:2:log5", "beta=1:1", "beta=0:1:log", "order=a"]
)
def test_ranges_that_are_none(text: str) -> None:
    with pytest.raises(SweepError):
        parse_range(text)


def test_a_design_is_every_combination_with_every_point() -> None:
    base = Parameters(epsilon=0.3)
    axes = (Axis("order", ("chain", "fixed")), Axis("observe", (1, 2)))
    ranges = (Range("beta", 0.1, 2, log=True), Range("prune", 0, 0.2))
    settings = Design(base, axes, ranges, "latin", points=5).settings()
    assert len(settings) == 20
    assert {each.epsilon for each in settings} == {0.3}
    assert len({each.beta for each in settings}) == 5
    assert settings == Design(base, axes, ranges, "latin", points=5).settings()
    assert settings != Design(base, axes, ranges, "latin", points=5, seed=2).settings()


@pytest.mark.parametrize("method", ["sobol", "latin"])
def test_points_are_spread_evenly(method: str) -> None:
    design = Design(
        ranges=(Range("converge", 0.5, 1), Range("observe", 1, 4, whole=True)),
        method=method,
        points=64,
    )  # type: ignore[arg-type]
    settings = design.settings()
    for low in (0.5, 0.625, 0.75, 0.875):
        assert sum(low <= each.converge < low + 0.125 for each in settings) == 16
    assert {sum(each.observe == n for each in settings) for n in (1, 2, 3, 4)} == {16}


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (
            {"axes": (Axis("beta", (1.0,)), Axis("beta", (2.0,)))},
            "--grid, --range: beta is given twice",
        ),
        ({"points": 8}, "a design needs both"),
        ({"ranges": (Range("beta", 0, 1),)}, "a design needs both"),
        (
            {"ranges": (Range("beta", 0, 1),), "points": 100},
            "--sobol 100: expected a power of two, such as 64 or 128",
        ),
        (
            {"axes": (Axis("beta", tuple(range(2000))), Axis("prune", tuple(range(1000))))},
            "2,000,000 settings: that is more than the 1,000,000",
        ),
    ],
)
def test_designs_that_are_refused(words: dict[str, object], expected: str) -> None:
    with pytest.raises(SweepError, match=expected):
        Design(**words)  # type: ignore[arg-type]
