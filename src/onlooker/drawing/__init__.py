"""Drawing: maps and paths as figures (SVG, PNG, PDF) and as coloured text in a terminal.

Figures need matplotlib, which is an optional part of the installation, so it is imported only
when one of the functions that draw with it is first asked for.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from onlooker.drawing.extras import MissingExtraError

if TYPE_CHECKING:
    from onlooker.drawing.figure import draw_map, map_figure, save_figure
    from onlooker.drawing.terminal import map_text

__all__ = ["MissingExtraError", "draw_map", "map_figure", "map_text", "save_figure"]

_HOMES = {"draw_map": "figure", "map_figure": "figure", "save_figure": "figure"} | {
    "map_text": "terminal"
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
