"""Random-effects selection: worked cases, and what must hold for any evidences."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from onlooker.fitting import bms, exceedance, fixed_effects
from onlooker.fitting.dirichlet import TooLargeError
from vectors import FITTING

CASES = json.loads(FITTING.read_text())


def evidences(case: dict[str, Any]) -> np.ndarray:
    return np.array([[-np.inf if v is None else v for v in row] for row in case["L"]])


@pytest.mark.parametrize("method", ["exact", "vb"])
@pytest.mark.parametrize("case", CASES["bms"], ids=lambda c: f"{c['name']}-{c['alpha0']:.2f}")
def test_worked_cases(case: dict[str, Any], method: Any) -> None:
    found, expected = bms(evidences(case), case["alpha0"], method), case[method]
    for name in {"alpha", "r", "xp", "bor", "pxp", "attributions"} & set(expected):
        assert getattr(found, name) == pytest.approx(np.array(expected[name]), abs=1e-9), name
    total = expected["F1"] if method == "vb" else expected["log_evidence"]
    assert found.log_evidence == pytest.approx(total, abs=1e-8)
    assert found.log_evidence_null == pytest.approx(case["vb"]["F0"], abs=1e-8)


@pytest.mark.parametrize("case", CASES["xp"], ids=lambda case: str(case["alpha"]))
def test_exceedance(case: dict[str, Any]) -> None:
    assert exceedance(case["alpha"]) == pytest.approx(np.array(case["xp"]), abs=1e-9, rel=1e-6)


def test_fixed_effects() -> None:
    case = next(case for case in CASES["bms"] if case["name"] == "C")
    assert fixed_effects(evidences(case)) == pytest.approx(
        [0.39069383, 0.28943311, 0.31987306], abs=1e-8
    )


@pytest.mark.parametrize("case", CASES["bms"], ids=lambda c: f"{c['name']}-{c['alpha0']:.2f}")
def test_sampling_gives_the_exact_answer_within_its_error(case: dict[str, Any]) -> None:
    found, expected = bms(evidences(case), case["alpha0"], "sampling"), case["exact"]
    assert 0 < found.error < 0.02
    assert found.log_evidence == pytest.approx(expected["log_evidence"], abs=5 * found.error)
    for name in {"r", "xp", "pxp", "attributions"} & set(expected):
        assert getattr(found, name) == pytest.approx(np.array(expected[name]), abs=0.01), name
    exact = bms(evidences(case), case["alpha0"])
    assert found.r_low == pytest.approx(exact.r_low, abs=0.01)
    assert found.r_high == pytest.approx(exact.r_high, abs=0.01)


def test_sampling_reaches_groups_for_which_the_sum_is_too_long() -> None:
    """Of two models the sum is short for any group; a third that nobody follows adds little."""
    rng = np.random.default_rng(8)
    evidence = rng.normal(-30, 2, (321, 2)) + np.array([1.0, 0.0])
    exact = bms(evidence)
    sampled = bms(evidence, method="sampling", draws=40_000)
    assert sampled.log_evidence == pytest.approx(exact.log_evidence, abs=5 * sampled.error)
    assert sampled.r == pytest.approx(exact.r, abs=0.005)
    assert sampled.bor == pytest.approx(exact.bor, abs=0.01)
    four = np.column_stack([evidence, np.full((321, 2), -60.0)])
    found = bms(four, method="sampling", draws=40_000)
    assert found.error < 0.02
    assert found.families({"two": [0, 1], "none": [2, 3]})["two"][0] > 0.98
    assert bms(four, method="vb").bor > found.bor or found.bor < 1e-6


@pytest.mark.parametrize("method", ["exact", "vb"])
def test_order_and_constants_change_nothing(method: Any) -> None:
    rng = np.random.default_rng(3)
    evidence = rng.normal(-30, 2, (9, 3))
    found = bms(evidence, method=method)
    assert found.attributions.sum(axis=0) + 1 == pytest.approx(found.alpha, abs=1e-9)
    assert found.r_low.tolist() < found.r.tolist() < found.r_high.tolist()
    rows, columns = rng.permutation(9), rng.permutation(3)
    other = bms((evidence + rng.normal(0, 50, (9, 1)))[rows][:, columns], method=method)
    assert other.alpha == pytest.approx(found.alpha[columns], abs=1e-9)
    assert other.xp == pytest.approx(found.xp[columns], abs=1e-9)
    assert other.bor == pytest.approx(found.bor, abs=1e-9)
    assert other.attributions == pytest.approx(found.attributions[rows][:, columns], abs=1e-9)


def test_exact_agrees_with_an_integral_over_the_frequency() -> None:
    evidence = np.random.default_rng(4).normal(-20, 1.5, (7, 2))
    r = (np.arange(20_000) + 0.5) / 20_000
    log_p = np.logaddexp(np.log(r) + evidence[:, :1], np.log1p(-r) + evidence[:, 1:])
    density = np.exp(log_p.sum(axis=0) - log_p.sum(axis=0).max())
    density /= density.sum()
    found = bms(evidence)
    assert found.r[0] == pytest.approx(density @ r, abs=1e-6)
    assert found.xp[0] == pytest.approx(density[r > 0.5].sum(), abs=1e-3)
    below = np.cumsum(density)
    assert found.r_low[0] == pytest.approx(np.interp(0.025, below, r), abs=1e-3)
    own = np.exp(np.log(r) + evidence[0, 0] - log_p[0])
    assert found.attributions[0, 0] == pytest.approx(density @ own, abs=1e-6)


def test_families_add_up() -> None:
    found = bms(np.random.default_rng(5).normal(-30, 2, (8, 4)))
    families = found.families({"first": [0, 1], "second": [2, 3]})
    assert families["first"][0] == pytest.approx(found.r[:2].sum())
    assert sum(xp for _, xp in families.values()) == pytest.approx(1)
    single = found.families({str(model): [model] for model in range(4)})
    assert [xp for _, xp in single.values()] == pytest.approx(found.xp)
    with pytest.raises(ValueError, match="in one family"):
        found.families({"first": [0, 1], "second": [1, 2, 3]})


@pytest.mark.parametrize(
    ("evidence", "words"),
    [
        (np.zeros((0, 2)), "at least one participant"),
        (np.zeros((3, 1)), "at least two models"),
        (np.zeros(3), "two axes"),
        ([["a", "b"]], "table of numbers"),
        ([[0.0, np.nan]], "participant 1, model 2: expected a log evidence, not nan"),
        ([[0.0, 1.0], [-np.inf, -np.inf]], "participant 2: every model has probability zero"),
    ],
)
def test_what_cannot_be_selected_from_is_refused(evidence: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        bms(evidence)


def test_settings_are_checked() -> None:
    with pytest.raises(ValueError, match="alpha0 must be"):
        bms(np.zeros((2, 2)), alpha0=0)
    with pytest.raises(ValueError, match="method must be"):
        bms(np.zeros((2, 2)), method="guessing")  # type: ignore[arg-type]
    with pytest.raises(TooLargeError, match="use the method sampling"):
        bms(np.zeros((400, 5)))
