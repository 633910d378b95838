"""Artists whose sizes are given in cells, so that a map looks the same at every size."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from onlooker.drawing.style import INK
from onlooker.support.extras import figures_extra

with figures_extra():
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.backend_bases import RendererBase
    from matplotlib.font_manager import FontProperties
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path as Outline
    from matplotlib.text import Text

FONT = "DejaVu Sans"  # comes with matplotlib, so figures are the same on every machine


def cut(text: str, longest: int = 24) -> str:
    """A text, shortened if it is longer than there is room for.

    >>> cut("gandalf", 5)
    'gand…'
    """
    return text if len(text) <= longest else text[: longest - 1] + "…"


def points_per_cell(axes: Axes) -> float:
    """How many points wide a cell is on the page."""
    (left, _), (right, _) = axes.transData.transform([(0.0, 0.0), (1.0, 0.0)])
    return float(abs(right - left)) * 72.0 / axes.figure.dpi


class CellText(Text):
    """A text whose height is given in cells."""

    def __init__(self, x: float, y: float, text: str, size: float, **look: Any) -> None:
        self.size_in_cells = size
        weight = look.pop("weight", "normal")
        font = FontProperties(family=FONT, weight=weight, size=1)
        look = {"ha": "center", "va": "center_baseline", "color": INK} | look
        super().__init__(x, y, text, fontproperties=font, parse_math=False, **look)

    def draw(self, renderer: RendererBase) -> None:
        """Draw it at the size that cells have now."""
        if isinstance(self.axes, Axes):
            self.set_fontsize(self.size_in_cells * points_per_cell(self.axes))
        super().draw(renderer)


class CellPatch(PathPatch):
    """A shape whose outline's width is given in cells."""

    def __init__(self, path: Outline, edge_width: float = 0.0, **look: Any) -> None:
        self.edge_in_cells = edge_width
        look = {"facecolor": "none", "edgecolor": "none", "joinstyle": "round"} | look
        super().__init__(path, linewidth=1.0, **look)

    def draw(self, renderer: RendererBase) -> None:
        """Draw it with the outline that cells of this size want."""
        if isinstance(self.axes, Axes):
            self.set_linewidth(self.edge_in_cells * points_per_cell(self.axes))
        super().draw(renderer)


class Group(Artist):
    """Several artists that make one thing, in an SVG one addressable element.

    Where the Axes has a gid, the things on it have that before their own: `map7/wizard:w1`.
    """

    def __init__(self, axes: Axes, gid: str, zorder: float) -> None:
        super().__init__()
        self.parts: list[Artist] = []
        self._prefix = f"{axes.get_gid()}/" if axes.get_gid() else ""
        self.set_gid(self._prefix + gid)
        self.set_zorder(zorder)
        self.set_in_layout(False)
        axes.add_artist(self)

    def add(self, part: Artist) -> None:
        """Put an artist on top of those already in the group."""
        assert self.axes is not None
        assert self.figure is not None
        part.set_figure(self.figure)
        part.axes = self.axes
        part.set_transform(self.axes.transData)
        if part.get_gid():
            part.set_gid(f"{self._prefix}{part.get_gid()}")
        self.parts.append(part)

    def fill(self, path: Outline, colour: str) -> None:
        """Add a filled shape."""
        self.add(CellPatch(path, facecolor=colour))

    def shape(self, path: Outline, colour: str, edge: str, width: float) -> None:
        """Add a filled shape with an outline."""
        self.add(CellPatch(path, width, facecolor=colour, edgecolor=edge))

    def stroke(
        self, path: Outline, colour: str, width: float, dashes: Sequence[float] = (), **look: Any
    ) -> None:
        """Add a line."""
        style = (0.0, tuple(dashes)) if dashes else "solid"
        look = {"capstyle": "butt" if dashes else "round", "linestyle": style} | look
        self.add(CellPatch(path, width, edgecolor=colour, fill=False, **look))

    def text(self, x: float, y: float, text: str, size: float, **look: Any) -> None:
        """Add a text; its size is in cells."""
        self.add(CellText(x, y, text, size, **look))

    def get_children(self) -> list[Artist]:
        """The artists it is made of."""
        return self.parts

    def draw(self, renderer: RendererBase) -> None:
        """Draw its artists, the first at the bottom."""
        if not self.get_visible():
            return
        renderer.open_group("thing", gid=self.get_gid())
        for part in self.parts:
            part.draw(renderer)
        renderer.close_group("thing")
