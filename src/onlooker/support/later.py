"""What early layers leave to later ones: functions that are imported only when they are needed.

This is the only place that names a layer to the right of the one that asks.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, cast

HOMES = {
    "map_svg": "onlooker.drawing.figure",  # values draw nothing, and need no matplotlib
    "teacher_path": "onlooker.observers.lessons",  # a teacher's actions follow from beliefs
}


def later(name: str) -> Callable[..., Any]:
    """The function of that name, out of the layer that has it."""
    return cast(Callable[..., Any], getattr(import_module(HOMES[name]), name))
