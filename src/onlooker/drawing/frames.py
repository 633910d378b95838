"""Pictures of a trial as it is played, as arrays: the map is drawn once, the agents each time."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import numpy.typing as npt

from onlooker.drawing.artists import Group, cut
from onlooker.drawing.figure import draw_agents, draw_things
from onlooker.drawing.pieces import AGENT_LAYER, draw_ground
from onlooker.drawing.style import MAIN, PAPER
from onlooker.game import PlayerView
from onlooker.support.extras import figures_extra

with figures_extra():
    from matplotlib.axes import Axes
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

DPI = 64
CELL = 0.5  # inches
LARGEST = 640  # pixels along one side; the cells of large maps are smaller
CAPTION = 1.0  # cells above the map
NARROWEST = 8  # cells across, so that the caption has room


class Frames:
    """Draws views of trials, all in pictures of the same size.

    No figure is registered with pyplot, and only that of the current trial is kept.
    """

    def __init__(self, width: int, height: int) -> None:
        """Make room for maps of at most so many cells."""
        across, down = max(width, NARROWEST) + 0.2, height + 0.2 + CAPTION
        cell = min(CELL, LARGEST / DPI / max(across, down))
        self._size = cell * across, cell * down
        self._across, self._down = across, down
        self._drawn: tuple[object, ...] | None = None

    def frame(self, view: PlayerView) -> npt.NDArray[np.uint8]:
        """The picture of a view: rows × columns × red, green, blue."""
        if self._drawn != (view.map, view.main.goal):
            self._draw_map(view)
        canvas = self._canvas
        canvas.restore_region(self._ground)
        before = set(self._ax.artists)
        draw_agents(self._ax, view, {MAIN: view.main.at} | {npc.id: npc.at for npc in view.npcs})
        _draw_caption(self._ax, view, self._across)
        for artist in sorted(set(self._ax.artists) - before, key=lambda each: each.get_gid() or ""):
            artist.draw(canvas.get_renderer())
            artist.remove()
        picture: npt.NDArray[np.uint8] = np.asarray(canvas.buffer_rgba())[..., :3].copy()
        return picture

    def _draw_map(self, view: PlayerView) -> None:
        """Draw what stays as it is."""
        figure = Figure(figsize=self._size, dpi=DPI, facecolor=PAPER)
        self._canvas = cast(Any, FigureCanvasAgg(figure))  # it has no types
        self._ax = figure.add_axes((0.0, 0.0, 1.0, 1.0))
        self._ax.set_axis_off()
        left, top = -0.6, -0.6 - CAPTION
        self._ax.set(xlim=(left, left + self._across), ylim=(top + self._down, top))
        draw_ground(self._ax, view.map)
        draw_things(self._ax, view)
        self._canvas.draw()
        self._ground = self._canvas.copy_from_bbox(figure.bbox)
        self._drawn = view.map, view.main.goal


def _draw_caption(ax: Axes, view: PlayerView, across: float) -> None:
    """Write above the map how many points are left and what the main agent holds."""
    held = "".join(f", {colour} amulet" for colour in view.main.amulets)
    caption = cut(f"{view.left} of {view.budget} points left{held}", 60)
    size = min(0.55, 1.5 * across / len(caption))
    Group(ax, "caption", AGENT_LAYER).text(-0.5, -1.0, caption, size, ha="left")
