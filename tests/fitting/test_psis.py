"""Smoothed importance weights against the worked case."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy.special import ndtri

from onlooker.fitting.group import left_out
from vectors import FITTING

CASE = json.loads(FITTING.read_text())["psis"]


def test_the_worked_case() -> None:
    s, i = np.arange(400)[:, None], np.arange(5)
    z = ndtri(np.mod(0.5 + (s + 1) * 0.6180339887498949, 1))
    y = ndtri(np.mod(0.5 + (s + 1) * 0.7548776662466927, 1))
    log_p = -2 - 0.5 * i + 0.15 * (i + 1) * z - 0.1 * (i + 1) * z**2 + 0.2 * y * (i % 2)
    assert log_p.sum() == pytest.approx(CASE["sum"])
    found = np.array([left_out(each) for each in log_p.T])
    assert found[:, 0] == pytest.approx(np.array(CASE["elpd_i"]), abs=1e-7)
    assert found[:, 0].sum() == pytest.approx(CASE["elpd_loo"], abs=1e-8)
    assert found[:, 1] == pytest.approx(np.array(CASE["pareto_k"]), abs=1e-7)
