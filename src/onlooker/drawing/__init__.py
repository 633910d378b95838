"""Drawing: maps, paths and decisions as figures (SVG, PNG, PDF), maps as text in a terminal.

Figures need matplotlib, which is an optional part of the installation, so it is imported only
when one of the functions that draw with it is first asked for.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from onlooker.support.extras import MissingExtraError

if TYPE_CHECKING:
    from onlooker.drawing.explain import explain_figure
    from onlooker.drawing.figure import draw_map, map_figure, save_figure
    from onlooker.drawing.terminal import map_text, view_texts

__all__ = [
    "MissingExtraError",
    "draw_map",
    "explain_figure",
    "map_figure",
    "map_text",
    "save_figure",
    "view_texts",
]

_HOMES = {
    "draw_map": "figure",
    "explain_figure": "explain",
    "map_figure": "figure",
    "map_text": "terminal",
    "save_figure": "figure",
    "view_texts": "terminal",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
