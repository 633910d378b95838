"""Drawing: maps, paths and decisions as figures (SVG, PNG, PDF), maps as text in a terminal.

Figures need matplotlib, which is an optional part of the installation, so it is imported only
when one of the functions that draw with it is first asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from onlooker.support.extras import MissingExtraError, names_of

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
    "explain": ("explain_figure",),
    "figure": ("draw_map", "map_figure", "save_figure"),
    "terminal": ("map_text", "view_texts"),
}
__getattr__ = names_of(__name__, _HOMES)
