"""Data figures: panels that matplotlib lays out, and the few kinds of marks that are in them.

A figure is a `canvas` of panels in rows, each with a `heading` and one of the marks below. Figures
with maps, which need inches, stand on a `drawing.page.Page` instead.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from math import ceil, hypot, isnan, sqrt
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from onlooker.analysis.data.words import Source
from onlooker.analysis.figures import style
from onlooker.analysis.figures.style import SMALL, STEPS, TEXT, WIDTH, limits
from onlooker.drawing.artists import FONT
from onlooker.drawing.page import ArtistStyle, text_width, wrap_text
from onlooker.drawing.style import FAINT_INK, GRID, INK, PAPER
from onlooker.experiments.naming import in_order
from onlooker.game import ExperimentName
from onlooker.support.extras import figures_extra

with figures_extra():
    import matplotlib as mpl
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine
    from matplotlib.lines import Line2D
    from matplotlib.ticker import FixedLocator, MaxNLocator, MultipleLocator

RATIO = 0.8  # of panels of agreement: height divided by width
ROW = 0.25  # inches: a row of the legend, or the stamp
LINE = 9.0  # points: from line to line of what stands over a panel
APART = 0.26  # of a row: between two values of one name
FARTHEST = 0.4  # of a step: how far a point is moved aside at the most
MOVED = "Points that would hide each other are moved sideways by less than half a step."
SETTINGS: Any = {
    "font.family": FONT,
    "font.size": SMALL,
    "axes.titlesize": TEXT,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.titley": 1.0,  # else it is looked for whenever something is drawn
    "axes.labelsize": SMALL + 0.4,
    "axes.edgecolor": FAINT_INK,
    "axes.labelcolor": INK,
    "axes.linewidth": 0.7,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": GRID,
    "grid.linewidth": 0.5,
    "hatch.linewidth": 0.5,
    "legend.frameon": False,
    "legend.fontsize": TEXT,
    "svg.hashsalt": "onlooker",
    "text.color": INK,
    "text.parse_math": False,
    **{f"{side}tick.{name}": value for side in "xy" for name, value in (
        ("color", FAINT_INK), ("labelcolor", INK), ("major.size", 2.5), ("major.width", 0.6),
        ("major.pad", 2.0), ("minor.size", 1.5), ("minor.width", 0.5),
    )},
}  # fmt: skip


@dataclass(frozen=True)
class Canvas:
    """A figure with panels in rows."""

    figure: Figure
    panels: Sequence[Sequence[Axes]]

    @property
    def flat(self) -> list[Axes]:
        """All panels, row by row."""
        return [ax for row in self.panels for ax in row]

    @property
    def room(self) -> float:
        """How many inches wide a panel is with its scale."""
        return self.figure.get_figwidth() / len(self.panels[0])

    def take(self, places: int) -> Iterator[Axes]:
        """So many panels, row by row; the others are hidden."""
        for ax in self.flat[places:]:
            ax.set_axis_off()
        return iter(self.flat[:places])

    def merge(self, row: int, columns: slice) -> Axes:
        """One panel in the place of several of a row."""
        for ax in self.panels[row][columns]:
            ax.remove()
        grid = self.flat[0].get_gridspec()
        assert grid is not None
        return self.figure.add_subplot(grid[row, columns])


@contextmanager
def canvas(
    rows: int,
    columns: int,
    height: float,
    source: Source = Source.HUMAN,
    *,
    legend: Mapping[str, ArtistStyle] | None = None,
    width: float = WIDTH,
    widths: Sequence[float] | None = None,
) -> Iterator[Canvas]:
    """A figure of panels, each row so many inches high, with the stamp and a legend above them.

    What is written says whose data it is where that is not people's.
    """
    stamp = text_width(source.stamp, SMALL, "bold") + 0.25 if source.stamp else 0.0
    across = _legend_columns(legend or {}, width - stamp)
    lines = ceil(len(legend) / across) if legend else bool(source.stamp)
    top = ROW * lines + 0.02
    whole = rows * height + top
    with style.plain_style(), mpl.rc_context(SETTINGS):
        engine = ConstrainedLayoutEngine(rect=(0, 0, 1, 1 - top / whole))
        figure = Figure(figsize=(width, whole), facecolor=PAPER, layout=engine)
        ratios = {"width_ratios": widths} if widths else {}
        panels = figure.subplots(rows, columns, squeeze=False, gridspec_kw=ratios)
        if legend:
            place = ArtistStyle(loc="upper left", borderpad=0.3, borderaxespad=0.2)
            figure.legend(*_entries(legend), ncols=across, **place).set_gid("legend")
        if source.stamp:
            box = {"boxstyle": "round,pad=0.3", "facecolor": PAPER, "edgecolor": style.STAMP}
            look = ArtistStyle(color=style.STAMP, weight="bold", bbox=box, gid="stamp")
            x, y = 1 - 0.08 / width, 1 - 0.08 / whole
            figure.text(x, y, source.stamp, ha="right", va="top", **look)
        yield Canvas(figure, panels.tolist())
        for axis in (axis for ax in figure.axes for axis in (ax.xaxis, ax.yaxis)):
            if not axis.get_label_text():
                axis.set_label_coords(0, 0)  # else its place is looked for in every drawing
        # Laid out once for all formats.
        engine.execute(figure)
        figure.set_layout_engine(None)  # any engine, "none" too, has each file drawn twice


def _legend_columns(entries: Mapping[str, ArtistStyle], room: float) -> int:
    widths = [text_width(text, TEXT) + 0.55 for text in entries] or [1.0]
    return len(widths) if sum(widths) < room else max(1, int(room / max(widths)))


def _entries(entries: Mapping[str, ArtistStyle]) -> tuple[list[Line2D], list[str]]:
    thick = ArtistStyle(linewidth=1.4)
    return [Line2D([], [], **(thick | look)) for look in entries.values()], [*entries]


def legend_below(page: Canvas, entries: Mapping[str, ArtistStyle]) -> None:
    """A second legend, under the panels."""
    columns = _legend_columns(entries, page.figure.get_figwidth())
    page.figure.legend(*_entries(entries), loc="outside lower right", ncols=columns)


# -- words of a panel ------------------------------------------------------------------------------


def heading(
    ax: Axes, title: str, lines: Sequence[str] = (), *, letter: int | None = None, room: float = 2.3
) -> None:
    """A panel's letter and title, wrapped to fit so many inches, and small lines below them."""
    if letter is not None:
        title = f"{style.panel_letter(letter)} {title}"
    above = "\n".join(wrap_text(title, room - (0.25 if letter is None else 0.5), TEXT, "bold"))
    # A blank title keeps room for the lines, which may be wider than the panel.
    ax.set_title(
        above.replace(" ", "  ", letter is not None) or " ",
        pad=LINE * len(lines) + (5 if above else -4),
    )
    if lines:
        at = ArtistStyle(xycoords="axes fraction", textcoords="offset points", va="bottom")
        look = ArtistStyle(linespacing=1.1, fontsize=SMALL, in_layout=False)
        ax.annotate("\n".join(lines), (0, 1), (0, 3), **at, **look)


def note(ax: Axes, text: str, room: float) -> None:
    """Say in the middle of a panel why there is nothing in it."""
    ax.set_axis_off()
    look = ArtistStyle(ha="center", va="center", color=FAINT_INK, transform=ax.transAxes)
    ax.text(0.5, 0.5, "\n".join(wrap_text(text, room - 0.6, SMALL)), **look)


def corner(ax: Axes, text: str, room: float) -> None:
    """Say something in a panel's upper right corner."""
    ground = ArtistStyle(facecolor=PAPER, edgecolor="none", pad=1.0)
    look = ArtistStyle(ha="right", va="top", color=FAINT_INK, bbox=ground, zorder=9)
    lines = "\n".join(wrap_text(text, 0.72 * (room - 0.5), SMALL))
    ax.text(0.98, 0.97, lines, transform=ax.transAxes, **look)


def whole_ticks(ax: Axes, ticks: int = 5) -> None:
    """Numbers at few whole values of both scales."""
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_locator(MaxNLocator(ticks, steps=STEPS, integer=True))


def name_rows(ax: Axes, names: Sequence[str]) -> None:
    """A row for each name, from the top down."""
    ax.set_ylim(len(names) - 0.45, -0.55)
    ax.yaxis.set_major_locator(FixedLocator(range(len(names))))
    ax.set_yticklabels(names)
    ax.tick_params(axis="y", length=0)
    ax.yaxis.grid(visible=False)


# -- marks -----------------------------------------------------------------------------------------


def marker_look(experiment: ExperimentName) -> ArtistStyle:
    """An experiment's marker in a legend."""
    found = style.experiment_style(experiment)
    look = ArtistStyle(marker=found.marker, color=found.colour, linestyle="none")
    return look | {"markersize": 5.5, "markeredgecolor": PAPER, "markeredgewidth": 0.5}


def experiments_legend(names: Iterable[ExperimentName]) -> dict[str, ArtistStyle]:
    """The markers of some experiments."""
    return {style.experiment_style(n).title: marker_look(n) for n in in_order(names)}


def identity_scatter(
    ax: Axes,
    points: pd.DataFrame,
    size: float,
    room: float,
    *,
    zero: bool = True,
    within: pd.DataFrame | None = None,
    ticks: int = 8,
) -> None:
    """`people` over `model`, with the line where both are the same.

    Both axes have one scale, wide enough for the points, or for those `within`; from 0 up, unless
    `zero` is not wanted. Experiments with fewer points lie above those with more.
    """
    frame = points if within is None else within
    (left, right), (low, high) = (limits(frame[side], zero=zero) for side in ("model", "people"))
    corner = min(left, low)
    side = max(right - corner, (high - corner) / RATIO)
    ax.set(xlim=(corner, corner + side), ylim=(corner, corner + RATIO * side))
    ax.set_box_aspect(RATIO)
    steps = MaxNLocator(ticks, steps=STEPS, integer=True).tick_values(*ax.get_xlim())
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_locator(MultipleLocator(steps[1] - steps[0]))
    ends = [corner, corner + RATIO * side]
    line = ArtistStyle(color=FAINT_INK, linewidth=0.8, linestyle=(0, (4, 2.5)))
    ax.plot(ends, ends, zorder=1, gid=f"{ax.get_gid()}:identity", **line)
    places = moved_apart(points, sqrt(size) / 72 * side / (room - 0.6))
    counts = Counter(points["experiment"])
    for layer, name in enumerate(sorted(in_order(counts), key=lambda each: -counts[each])):
        mine = points["experiment"] == name
        look = style.experiment_style(name)
        ax.scatter(
            places[mine],
            points.loc[mine, "people"],
            s=size,
            marker=look.marker,
            facecolor=look.colour,
            edgecolor=PAPER,
            linewidth=0.35,
            alpha=0.75,
            gid=f"{ax.get_gid()}:experiment:{name}",
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


class Interval(NamedTuple):
    """A value, its interval, and how it looks."""

    value: float
    low: float
    high: float
    look: ArtistStyle


def interval_rows(ax: Axes, rows: Mapping[str, Sequence[Interval]], name: str = "") -> None:
    """The values of each name in its row, with a line at 0; `name` is the axis's."""
    name_rows(ax, list(rows))
    ax.axvline(0, color=FAINT_INK, linewidth=0.8, zorder=1)
    for row, values in enumerate(rows.values()):
        for place, (value, low, high, look) in enumerate(values):
            if isnan(value):
                continue
            y = row + APART * (place - (len(values) - 1) / 2)
            if not (isnan(low) or isnan(high)):
                ax.plot([low, high], [y, y], color=look["color"], linewidth=1.3, zorder=2)
            mark = ArtistStyle(markersize=4.5, markeredgewidth=1.0, linestyle="none") | look
            ax.plot([value], [y], zorder=3, gid=f"{ax.get_gid()}:{row}:{place}", **mark)
    ax.xaxis.set_major_locator(MaxNLocator(5))
    ax.set_xlabel(name)


def hollow(look: ArtistStyle) -> ArtistStyle:
    """The same mark, not filled."""
    return look | {"markerfacecolor": PAPER}


def line_band(ax: Axes, line: pd.DataFrame, look: ArtistStyle, x: str = "x", y: str = "y") -> None:
    """A line with the band of its columns low and high around it."""
    ends = ArtistStyle(color=look["color"], alpha=0.18, linewidth=0)
    ends["zorder"] = look.get("zorder", 3) - 1
    ax.fill_between(line[x], line["low"], line["high"], **ends)
    thick = ArtistStyle(linewidth=1.5)
    ax.plot(line[x], line[y], **(thick | look))


def heat(
    ax: Axes, matrix: np.ndarray, rows: list[str], columns: list[str], low: float, colours: str
) -> None:
    """A matrix as colours, with its numbers in the cells."""
    ax.imshow(matrix, cmap=colours, vmin=low, vmax=1)
    ax.spines[:].set_visible(False)
    ax.grid(visible=False)
    ax.set_xticks(range(len(columns)), columns)
    ax.set_yticks(range(len(rows)), rows)
    ax.tick_params(length=0)
    for (row, column), value in np.ndenumerate(matrix):
        if not np.isnan(value):
            ink = "white" if abs(value) > 0.6 else "black"
            ax.text(column, row, style.number(value), ha="center", va="center", color=ink)
