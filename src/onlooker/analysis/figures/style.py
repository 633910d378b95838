"""How the analysis' figures look: sizes for print, and what distinguishes things.

Experiments have a marker beside their colour, series a line style, so that nothing depends on
colour alone. The hues are Okabe and Ito's, which colour-blind people can tell apart.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import cycle
from typing import NamedTuple
from zlib import crc32

from onlooker.analysis.data import words
from onlooker.analysis.data.words import observer_names
from onlooker.drawing.artists import FONT
from onlooker.drawing.page import ArtistStyle, Page, text_width, write
from onlooker.drawing.style import FAINT_INK, GRID, INK, PAPER
from onlooker.experiments.inventory import PAPER_EXPERIMENTS
from onlooker.experiments.variants import Variant
from onlooker.game import ExperimentName
from onlooker.support.extras import figures_extra

with figures_extra():
    import matplotlib.style
    from matplotlib.axes import Axes
    from matplotlib.patches import FancyBboxPatch
    from matplotlib.ticker import MaxNLocator

# Inches: a page of a journal, between its margins.
WIDTH = 7.0
MARGIN = 0.1

# Points; nothing is written smaller than SMALL.
SMALL, TEXT, HEADING = 7.0, 8.0, 9.5

STEPS = [1, 2, 5, 10]  # of scales
PEOPLE, MODEL = "#1B3A5C", "#D55E00"  # where there are these two only
STAMP = "#A3123A"


@dataclass(frozen=True, slots=True)
class ExperimentStyle:
    """How the points of an experiment look."""

    colour: str
    marker: str
    title: str


_HUES = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#5B5F66")
_MARKERS = ("o", "^", "s", "D", "v", "P", "X", "p")


def experiment_style(name: ExperimentName) -> ExperimentStyle:
    """The style of an experiment, the same in every figure.

    >>> experiment_style(2).marker, experiment_style(2).title
    ('^', 'Experiment 2')
    """
    place = name - 1 if isinstance(name, int) else len(PAPER_EXPERIMENTS) + crc32(name.encode())
    hue, marker = _HUES[place % len(_HUES)], _MARKERS[place % len(_MARKERS)]
    return ExperimentStyle(hue, marker, f"Experiment {name}")


class ObserverStyle(NamedTuple):
    """How an observer looks: four marks, so that none is known by colour alone."""

    colour: str
    marker: str
    stroke: str | tuple[int, tuple[float, ...]]
    hatch: str

    @property
    def line(self) -> ArtistStyle:
        """The look of its line."""
        return self.point | {"linestyle": self.stroke}

    @property
    def point(self) -> ArtistStyle:
        """The look of its points."""
        return {"color": self.colour, "marker": self.marker, "linestyle": "none"}

    @property
    def bar(self) -> ArtistStyle:
        """The look of its bars."""
        return {"facecolor": self.colour, "hatch": self.hatch, "edgecolor": "white"}


_OBSERVERS = {
    "rational_mentalizing": ObserverStyle("#0072B2", "o", "solid", ""),
    "mentalizing_observer": ObserverStyle("#009E73", "s", (0, (5, 1.6)), "//"),
    "rational_observer": ObserverStyle("#D55E00", "^", (0, (5, 1.4, 1, 1.4)), "\\\\"),
    "naive_observer": ObserverStyle("#CC79A7", "D", (0, (1.2, 1.2)), "xx"),
    "graded_mentalizing": ObserverStyle("#56B4E9", "P", (0, (8, 2)), ".."),
    "untold_mentalizing": ObserverStyle("#A37200", "X", (0, (3, 1, 1, 1, 1, 1)), "++"),
    "ideal_observer": ObserverStyle("#1B1B1B", "*", (0, (10, 1)), "oo"),
}
_OTHER_OBSERVERS = (
    ObserverStyle("#5B5F66", "v", (0, (2, 2)), "--"),
    ObserverStyle("#E69F00", "p", (0, (6, 3, 1, 3)), "||"),
)


def observer_styles(observers: Iterable[str]) -> dict[str, ObserverStyle]:
    """How each observer looks, by its label: the known ones the same in every figure."""
    spare = cycle(_OTHER_OBSERVERS)
    return {name: _OBSERVERS.get(name) or next(spare) for name in observers}


def titles(observers: Iterable[str]) -> dict[str, str]:
    """The titles of observers."""
    return {label: name.title for label, name in observer_names(map(Variant, observers)).items()}


def shorts(observers: Iterable[str]) -> dict[str, str]:
    """Short names of observers."""
    return {label: name.short for label, name in observer_names(map(Variant, observers)).items()}


def observer_looks(observers: Iterable[str]) -> dict[str, ArtistStyle]:
    """How the line of each observer looks, by its label, in the order of figures."""
    names = observer_names(map(Variant, observers))
    return {name: style.line for name, style in observer_styles(names).items()}


@contextmanager
def plain_style() -> Iterator[None]:
    """Draw within this block whatever the user's own matplotlib settings are."""
    with matplotlib.style.context("default"):
        yield


# -- numbers in words ------------------------------------------------------------------------------


def number(value: float, digits: int = 2) -> str:
    """A number as papers write it, with a dash where there is none.

    >>> number(-0.414), number(float("nan"))
    ('−0.41', '–')
    """
    return words.number(value, digits, zero=True) or "–"


def ranged(value: float, low: float, high: float, digits: int = 2) -> str:
    """A coefficient with its interval, if it has one; no zero before the point.

    >>> ranged(0.9, -0.05, 1.0), ranged(0.0061, 0.0012, 0.011, 3)
    ('.90 [−.05, 1.00]', '.006 [.001, .011]')
    """
    return words.ranged(value, low, high, digits) or "–"


def capital(text: str) -> str:
    """A text that begins with a capital letter."""
    return text[:1].upper() + text[1:]


# -- pages and axes --------------------------------------------------------------------------------


def style_axes(ax: Axes, ticks: int = 4) -> None:
    """Give an Axes a plain frame at the left and bottom, and numbers of readable size."""
    ax.set_axis_on()
    ax.set_facecolor("none")
    ax.spines[["right", "top"]].set_visible(False)
    look = ArtistStyle(labelsize=SMALL, labelcolor=INK, labelfontfamily=FONT)
    ax.tick_params(length=2.5, width=0.6, pad=2, color=FAINT_INK, **look)
    for side in ("left", "bottom"):
        ax.spines[side].set(visible=True, color=FAINT_INK, linewidth=0.7)
    ax.grid(visible=True, color=GRID, linewidth=0.5)
    ax.set_axisbelow(True)
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_locator(MaxNLocator(ticks, steps=STEPS, integer=True))


def heading(page: Page, left: float, top: float, letter: str, title: str, room: float) -> None:
    """A panel's letter and its title, which is as large as there is room for it."""
    page.text(left, top, letter, HEADING, weight="bold")
    indent = text_width(letter, HEADING, "bold") + 0.07 if letter else 0.0
    size = HEADING
    while size > SMALL and text_width(title, size, "bold") > room - indent:
        size -= 0.25
    page.text(left + indent, top, title, size, weight="bold")


def panel_letter(index: int) -> str:
    """The letter of a panel: a, b, … z, aa.

    >>> panel_letter(0), panel_letter(26)
    ('a', 'aa')
    """
    letter = chr(ord("a") + index % 26)
    return panel_letter(index // 26 - 1) + letter if index >= 26 else letter


def stamp(page: Page, text: str) -> None:
    """Write in a frame in the upper right corner what must not be overlooked."""
    if not text:
        return
    width, height = text_width(text, SMALL, "bold") + 0.16, 0.2
    left = page.width - MARGIN - width
    ax = page.axes(left, 0.06, width, height, gid="stamp")
    ax.set(xlim=(0, width), ylim=(0, height))
    frame = FancyBboxPatch(
        (0.02, 0.02),
        width - 0.04,
        height - 0.04,
        boxstyle="round,pad=0,rounding_size=0.04",
        facecolor=PAPER,
        edgecolor=STAMP,
        linewidth=0.9,
    )
    ax.add_patch(frame)
    look = ArtistStyle(ha="center", va="center_baseline", color=STAMP, weight="bold")
    write(ax, width / 2, height / 2, text, SMALL, **look)


def legend(
    page: Page, left: float, top: float, entries: Mapping[str, ArtistStyle], gid: str = "legend"
) -> float:
    """A row of markers or lines with their names; returns where it ends."""
    ax = page.axes(0, top, page.width, 0.2, gid=gid)
    ax.set(xlim=(0, page.width), ylim=(0, 0.2))
    x = left
    for text, look in entries.items():
        if look.get("linestyle", "none") == "none":
            ax.plot([x + 0.07], [0.1], **look)
            begin = x + 0.17
        else:
            ax.plot([x, x + 0.15, x + 0.3], [0.1] * 3, markevery=[1], **look)
            begin = x + 0.36
        write(ax, begin, 0.1, text, TEXT, va="center_baseline")
        x = begin + text_width(text, TEXT) + 0.2
    return x


def limits(values: Iterable[float], *, zero: bool = False) -> tuple[float, float]:
    """The ends of a scale for some values, with room for their marks.

    >>> limits([0.0, 10.0], zero=True)
    (-0.6, 10.6)
    """
    there = [value for value in values if not math.isnan(value)]
    low, high = min([*there, 0.0] if zero else there), max(there)
    room = 0.06 * (high - low) or 1.0
    return low - room, high + room
