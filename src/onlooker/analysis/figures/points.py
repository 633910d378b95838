"""Panels of people against predictions: their scales, and points that do not hide each other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from math import hypot, sqrt
from typing import Any

import numpy as np
import pandas as pd

from onlooker.analysis.figures.style import STEPS, experiment_style, limits
from onlooker.drawing.page import Look
from onlooker.drawing.style import FAINT_INK, PAPER
from onlooker.support.extras import figures_extra

with figures_extra():
    from matplotlib.axes import Axes
    from matplotlib.ticker import MaxNLocator, MultipleLocator

RATIO = 0.8  # of panels: height divided by width
FARTHEST = 0.4  # of a step: how far a point is moved aside at the most
MOVED = "Points that would hide each other are moved sideways by less than half a step."


@dataclass(frozen=True, slots=True)
class Window:
    """What of the plane a panel shows: both axes to the same scale, so that agreement is 45°."""

    x: tuple[float, float]
    y: tuple[float, float]

    @classmethod
    def of(cls, points: pd.DataFrame, *, zero: bool = True, ratio: float = RATIO) -> Window:
        """A window that some points fit in; from 0 up, unless `zero` is not wanted."""
        (left, right), (low, high) = (
            limits(points[side], zero=zero) for side in ("model", "people")
        )
        corner = min(left, low)
        side = max(right - corner, (high - corner) / ratio)
        return cls((corner, corner + side), (corner, corner + ratio * side))

    def apply(self, ax: Axes, ticks: int = 8) -> None:
        """Set the scales of a panel, with steps of one size on both, and draw the identity."""
        ax.set(xlim=self.x, ylim=self.y)
        steps = MaxNLocator(ticks, steps=STEPS, integer=True).tick_values(*self.x)
        for axis in (ax.xaxis, ax.yaxis):
            axis.set_major_locator(MultipleLocator(steps[1] - steps[0]))
        low, high = max(self.x[0], self.y[0]), min(self.x[1], self.y[1])
        look: Look = {"color": FAINT_INK, "linewidth": 0.8, "linestyle": (0, (4, 2.5))}
        ax.plot([low, high], [low, high], zorder=1, gid=f"{ax.get_gid()}:identity", **look)


def draw_points(ax: Axes, points: pd.DataFrame, size: float) -> None:
    """The points of a panel whose scales are set, those of each experiment in its style.

    Experiments with fewer points lie above those with more.
    """
    inches = ax.get_window_extent().width / ax.figure.dpi
    left, right = ax.get_xlim()
    places = moved_apart(points, sqrt(size) / 72 * (right - left) / inches)
    numbers = points["experiment"].value_counts(sort=False).sort_index()
    for layer, found in enumerate(numbers.sort_values(ascending=False, kind="stable").index):
        mine = points["experiment"] == found
        style = experiment_style(int(str(found)))
        ax.scatter(
            places[mine],
            points.loc[mine, "people"],
            s=size,
            marker=style.marker,
            facecolor=style.colour,
            edgecolor=PAPER,
            linewidth=0.35,
            alpha=0.75,
            gid=f"{ax.get_gid()}:experiment:{found}",
            zorder=3 + layer / 10,
        )


def moved_apart(points: pd.DataFrame, width: float) -> pd.Series:
    """Where points of one prediction stand so that marks of a width hide each other least.

    >>> table = pd.DataFrame({"model": [3, 3, 5], "people": [1.0, 1.0, 1.0]})
    >>> [float(place) for place in moved_apart(table, 0.3)]
    [3.0, 3.3, 5.0]
    """
    models, people = (points[name].to_numpy(dtype=float) for name in ("model", "people"))
    places = models.copy()
    for model in np.unique(models):
        taken: list[tuple[float, float]] = []
        [mine] = np.nonzero(models == model)
        for index in mine[np.argsort(people[mine], kind="stable")]:
            height, options = float(people[index]), list(_asides(width))
            gaps = [
                min((hypot(x - a, height - y) for a, y in taken), default=width) for x in options
            ]
            free = (x for x, gap in zip(options, gaps, strict=True) if gap >= 0.9 * width)
            aside = next(free, options[gaps.index(max(gaps))])
            taken.append((aside, height))
            places[index] = model + aside
    return pd.Series(places, points.index)


def _asides(width: float) -> Iterator[float]:
    """How far a mark may be moved: not at all, then ever farther to the right and to the left."""
    yield 0.0
    for number in count(1):
        aside = number * min(width, FARTHEST)
        if aside > FARTHEST:
            return
        yield from (aside, -aside)


def marker_look(experiment: int) -> dict[str, Any]:
    """An experiment's marker in a key."""
    style = experiment_style(experiment)
    look = {"marker": style.marker, "color": style.colour, "linestyle": "none"}
    return look | {"markersize": 5.5, "markeredgecolor": PAPER, "markeredgewidth": 0.5}
