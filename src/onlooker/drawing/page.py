"""A page on which Axes and texts are placed in inches from its upper left corner."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, Literal

from onlooker.drawing.artists import FONT
from onlooker.drawing.style import FAINT_INK, GRID, INK, PAPER
from onlooker.support.extras import figures_extra

with figures_extra():
    from matplotlib.axes import Axes
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.font_manager import FontProperties
    from matplotlib.text import Text
    from matplotlib.textpath import text_to_path

ArtistStyle = dict[str, Any]  # matplotlib's keyword arguments of an artist
Box = tuple[float, float, float, float]  # left, top, width, height

QUESTION, READING = 9.6, 7.0  # points: sizes of headings


class Page:
    """A figure of a given size in inches; `cut` gives a height to one that has none yet."""

    def __init__(self, width: float, height: float = 1.0) -> None:
        self.width, self.height = width, height
        self.figure = Figure(figsize=(width, height), facecolor=PAPER)
        FigureCanvasAgg(self.figure)
        self._axes: list[tuple[Axes, Box]] = []
        self._texts: list[tuple[Text, float]] = []

    def cut(self, height: float) -> None:
        """Give the page its height, now that everything is in its place from the top."""
        self.height = height
        self.figure.set_size_inches(self.width, height)
        for ax, box in self._axes:
            ax.set_position(self._rectangle(box))
        for text, top in self._texts:
            text.set_y(1 - top / height)

    def _rectangle(self, box: Box) -> Box:
        """A box as matplotlib has it: shares of the figure, from the lower left corner."""
        left, top, width, height = box
        bottom = self.height - top - height
        return left / self.width, bottom / self.height, width / self.width, height / self.height

    def axes(self, left: float, top: float, width: float, height: float, *, gid: str = "") -> Axes:
        """Axes at a place, without frame, scales or background; `show_scales` gives them scales."""
        box = left, top, width, height
        ax = self.figure.add_axes(self._rectangle(box))
        self._axes.append((ax, box))
        ax.set_axis_off()
        if gid:
            ax.set_gid(gid)
        return ax

    def cells(
        self, left: float, top: float, width: float, height: float, cell: float, *, gid: str = ""
    ) -> Axes:
        """Axes to draw pieces on, a cell being so many inches; y points down from the top."""
        ax = self.axes(left, top, width, height, gid=gid)
        ax.set(xlim=(0, width / cell), ylim=(height / cell, 0))
        return ax

    def text(self, left: float, top: float, text: str, size: float, **look: Any) -> Text:
        """Write with the baseline's start at a place; the size is in points."""
        x, y = left / self.width, 1 - top / self.height
        written = self.figure.text(x, y, text, **_written(size, look))
        self._texts.append((written, top))
        return written

    def heading(self, left: float, top: float, heading: Heading) -> None:
        """Write a panel's question, and beneath it how the panel is read."""
        y = top
        for line in heading.questions:
            y += 0.165
            self.text(left, y, line, QUESTION, weight="bold")
        y += 0.03
        for line in heading.readings:
            y += 0.115
            self.text(left, y, line, READING, color=FAINT_INK)


@dataclass(frozen=True)
class Heading:
    """A panel's question and how the panel is read, wrapped to fit a width in inches."""

    question: str
    reading: str
    width: float

    @cached_property
    def questions(self) -> list[str]:
        """The lines of the question."""
        return wrap_text(self.question, 0.88 * self.width, QUESTION, "bold")

    @cached_property
    def readings(self) -> list[str]:
        """The lines of the reading."""
        return wrap_text(self.reading, self.width, READING)

    @property
    def height(self) -> float:
        """Inches from its top to the end of its last line."""
        return 0.165 * len(self.questions) + 0.115 * len(self.readings) + 0.07


def write(ax: Axes, x: float, y: float, text: str, size: float, **look: Any) -> Text:
    """Write at a place of the data; the size is in points."""
    return ax.text(x, y, text, **_written(size, look))


def show_scales(ax: Axes, which: Literal["both", "x", "y"] = "both") -> None:
    """Show numbers on the scales and light lines at the values that are read there."""
    ax.set_axis_on()
    ax.set_facecolor("none")
    ax.spines[:].set_visible(False)
    look = ArtistStyle(labelsize=7, labelcolor=FAINT_INK, labelfontfamily=FONT)
    ax.tick_params(length=0, pad=3.5, **look)
    ax.grid(visible=True, axis=which, color=GRID, linewidth=0.6, linestyle="solid")
    ax.set_axisbelow(True)
    ax.spines["bottom"].set(visible=True, color=FAINT_INK, linewidth=0.7)


@cache
def text_width(text: str, size: float, weight: str = "normal") -> float:
    """How many inches wide a text is."""
    font = FontProperties(family=FONT, weight=weight, size=size)
    width, _, _ = text_to_path.get_text_width_height_descent(text, font, ismath=False)
    return float(width) / 72


def wrap_text(text: str, width: float, size: float, weight: str = "normal") -> list[str]:
    """The lines of a text that is to be no wider than so many inches."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer, size, weight) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def _written(size: float, look: ArtistStyle) -> ArtistStyle:
    font = FontProperties(family=FONT, weight=look.pop("weight", "normal"), size=size)
    return {"fontproperties": font, "parse_math": False, "color": INK} | look
