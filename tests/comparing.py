"""Comparing what observers did: numbers to a tolerance, everything else exactly."""

from __future__ import annotations

import copy
from typing import Any

import pytest


def same(found: Any, expected: Any, tolerance: float = 1e-9) -> bool:
    """Whether two pieces of plain data agree, all that is expected being found.

    Reasons for stopping follow from the numbers; vectors and the plain reference have none.
    """
    if isinstance(expected, dict):
        return found.keys() - {"reason"} == expected.keys() and all(
            same(found[key], expected[key], tolerance) for key in expected
        )
    if isinstance(expected, list):
        return len(found) == len(expected) and all(
            same(a, b, tolerance) for a, b in zip(found, expected, strict=True)
        )
    if isinstance(expected, float) or isinstance(found, float):
        return found == pytest.approx(expected, abs=tolerance, rel=0)
    return bool(found == expected)


def in_order(result: dict[str, Any]) -> dict[str, Any]:
    """A result whose particles stand in one order, so that any order compares equal."""
    result = copy.deepcopy(result)
    for decision in result.get("trace", ()):
        decision["particles"] = [
            sorted(of_npc, key=lambda p: (p["goal"], sorted(p["holders"].items())))
            for of_npc in decision["particles"]
        ]
    return result
