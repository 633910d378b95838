"""A panel of values with their intervals, one under the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isnan
from typing import NamedTuple

from onlooker.analysis.figures.style import axis_name, scales
from onlooker.drawing.page import Look
from onlooker.drawing.style import FAINT_INK, PAPER
from onlooker.support.extras import figures_extra

with figures_extra():
    from matplotlib.axes import Axes
    from matplotlib.ticker import FixedLocator, MaxNLocator

APART = 0.26  # of a row: between two values of one name


class Interval(NamedTuple):
    """A value, its interval, and how it looks."""

    value: float
    low: float
    high: float
    look: Look


def draw_intervals(ax: Axes, rows: Mapping[str, Sequence[Interval]], name: str) -> None:
    """Draw the values of each name in its row, with a line at 0; `name` is the axis's."""
    scales(ax)
    ax.yaxis.grid(visible=False)
    ax.axvline(0, color=FAINT_INK, linewidth=0.8, zorder=1)
    for row, values in enumerate(rows.values()):
        for place, (value, low, high, look) in enumerate(values):
            if isnan(value):
                continue
            y = row + APART * (place - (len(values) - 1) / 2)
            if not (isnan(low) or isnan(high)):
                ax.plot([low, high], [y, y], color=look["color"], linewidth=1.3, zorder=2)
            mark: Look = {"markersize": 4.2, "markeredgewidth": 1.0} | look
            ax.plot([value], [y], zorder=3, gid=f"{ax.get_gid()}:{row}:{place}", **mark)
    ax.set_ylim(len(rows) - 0.45, -0.55)
    ax.yaxis.set_major_locator(FixedLocator(range(len(rows))))
    ax.set_yticklabels(list(rows))
    ax.tick_params(axis="y", length=0)
    ax.xaxis.set_major_locator(MaxNLocator(5))
    axis_name(ax, name, side="bottom")


def hollow(look: Look) -> Look:
    """The same mark, not filled."""
    return look | {"markerfacecolor": PAPER}
