"""Players beside observers: points lost, agreement with the model and people, when they watch."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from onlooker.analysis.figures.plate import Plate
from onlooker.analysis.figures.style import (
    MARGIN,
    SMALL,
    TEXT,
    WIDTH,
    axis_name,
    heading,
    key,
    number,
    observer_names,
    observer_styles,
    plain_style,
    scales,
    stamp,
)
from onlooker.analysis.tables.benchmark.scoring import Estimate, Score, Share
from onlooker.drawing.page import Look, Page, text_width, write
from onlooker.drawing.style import FAINT_INK, GRID, INK, PAPER
from onlooker.experiments.variants import Variant
from onlooker.observers import KNOWN_OBSERVERS
from onlooker.support.extras import figures_extra

with figures_extra():
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.ticker import FixedLocator

NAME, TITLE = "benchmark", "Players against the ideal observer, the model and people"
ROW, TOP, BELOW, GAP = 0.3, 0.9, 0.45, 0.3  # inches
FAR = 3.0  # times the largest regret of an observer: what is beyond is written at the edge
PEOPLE, MODEL = "#1B3A5C", "#D55E00"


class Entry(NamedTuple):
    """A row of the figure."""

    title: str
    score: Score
    artificial: bool = True  # nobody's data, but a program's


def benchmark_plate(entries: Sequence[Entry]) -> Plate:
    """What players came to, a row each; observers are also lines through the first panel."""
    with plain_style():
        figure = _draw(entries)
    with_people = any(not np.isnan(entry.score.ccc_people.value) for entry in entries)
    people = " and with people's means" if with_people else ""
    trials = max(entry.score.trials for entry in entries)  # somebody finishes them all
    caption = (
        f"Players on {trials} trials. a: points a trial more than the ideal observer pays on the"
        " same actual trial, with 95% intervals over trials; luck can make it negative. Lines:"
        " observers. An arrow: beyond the scale. b: agreement of the steps watched per trial and"
        f" NPC with those of Rational Mentalizing{people} (Lin's concordance). c: how often a"
        " player watches nobody where the ideal observer does not watch, and somebody where it"
        " does. A play that did not come to the chest costs what was spent and the"
        " budget once more."
    )
    return Plate(NAME, TITLE, caption, figure, {"scores": _table(entries)})


def _table(entries: Sequence[Entry]) -> pd.DataFrame:
    """The numbers that are drawn."""
    rows = []
    for title, score, artificial in entries:
        row: dict[str, object] = {"player": score.player, "title": title, "artificial": artificial}
        for name, value in score.to_dict().items():
            if isinstance(value, Mapping):
                row |= {f"{name}_{part}": each for part, each in value.items()}
            else:
                row[name] = value
        rows.append(row)
    return pd.DataFrame(rows)


def _draw(entries: Sequence[Entry]) -> Figure:
    rows = len(entries)
    page = Page(WIDTH, TOP + ROW * rows + BELOW)
    left = MARGIN + max(text_width(entry.title, TEXT) for entry in entries) + 0.12
    width = (WIDTH - left - MARGIN - 2 * GAP) / 4
    places = (left, left + 2 * width + GAP, left + 3 * width + 2 * GAP)
    widths = (2 * width, width, width)
    titles = ("Points lost", "Agreement", "When to watch")
    panels = []
    for index, (place, room, title) in enumerate(zip(places, widths, titles, strict=True)):
        heading(page, place - 0.05, 0.5, "abc"[index], title, room)
        ax = page.axes(place, TOP, room, ROW * rows, gid=f"panel:{'abc'[index]}")
        scales(ax, 5 if index == 0 else 3)
        ax.set_ylim(rows - 0.5, -0.5)
        ax.yaxis.set_major_locator(FixedLocator(range(rows)))
        ax.set_yticklabels([entry.title for entry in entries] if index == 0 else [""] * rows)
        if index:
            ax.tick_params(axis="y", length=0)
            ax.xaxis.set_major_locator(FixedLocator([-1, -0.5, 0, 0.5, 1]))
        panels.append(ax)
    if any(entry.artificial for entry in entries):
        stamp(page, "artificial players")
    _regrets(panels[0], entries)
    _agreements(page, panels[1], entries, places[1])
    _shares(page, panels[2], entries, places[2])
    return page.figure


def _regrets(ax: Axes, entries: Sequence[Entry]) -> None:
    known = [e for e in entries if e.score.player in KNOWN_OBSERVERS]
    values = [e.score.regret.value for e in entries]
    highs = [e.score.regret.high for e in known or entries]
    most = max(FAR * max([1.0, *(h for h in highs if not np.isnan(h))]) if known else 0, 1.0)
    near = [e.score.regret for e in entries if e.score.regret.value <= most or not known]
    high = max([1.0, *(each.high for each in near if not np.isnan(each.high))])
    low = min([0.0, *(e.score.regret.low for e in entries if not np.isnan(e.score.regret.low))])
    ax.set_xlim(low - 0.04 * (high - low), high + 0.06 * (high - low))
    ax.axvline(0, color=INK, linewidth=0.8, zorder=1, gid="ideal")
    names = observer_names(Variant(e.score.player) for e in known)
    styles = observer_styles(names)
    for entry in known:
        style = styles[entry.score.player]
        ax.axvline(
            entry.score.regret.value,
            color=style.colour,
            linestyle=style.stroke,
            linewidth=0.9,
            alpha=0.6,
            zorder=1,
            gid=f"line:{entry.score.player}",
        )
    clear = {"facecolor": PAPER, "edgecolor": "none", "pad": 0.8}
    for row, (entry, value) in enumerate(zip(entries, values, strict=True)):
        look = styles.get(entry.score.player)
        colour, marker = (look.colour, look.marker) if look else (INK, "o")
        if np.isnan(value):
            there: Look = {"va": "center", "color": FAINT_INK, "bbox": clear, "zorder": 5}
            write(ax, low, row, " no play came to the chest", SMALL, **there)
        elif value > high:
            ax.annotate(
                "",
                (1.0, row),
                (0.93, row),
                xycoords=("axes fraction", "data"),
                arrowprops={"arrowstyle": "-|>", "color": colour},
            )
            right: Look = {"ha": "right", "va": "center", "transform": ax.get_yaxis_transform()}
            write(ax, 0.92, row, number(value, 0), SMALL, **right)
        else:
            _dot(ax, row, entry.score.regret, colour, marker)
            above: Look = {"ha": "center", "va": "bottom", "bbox": clear, "zorder": 5}
            write(ax, value, row - 0.2, number(value, 1), SMALL, **above)
    axis_name(ax, "points a trial more than the ideal observer", side="bottom")


def _dot(ax: Axes, row: float, value: Estimate, colour: str, marker: str) -> None:
    """An estimate as a mark with its interval."""
    if not (np.isnan(value.low) or np.isnan(value.high)):
        ax.plot([value.low, value.high], [row, row], color=colour, linewidth=1.3, zorder=3)
    edge: Look = {"markeredgecolor": PAPER, "markeredgewidth": 0.5}
    ax.plot([value.value], [row], color=colour, marker=marker, markersize=5.5, zorder=4, **edge)


def _agreements(page: Page, ax: Axes, entries: Sequence[Entry], left: float) -> None:
    lows = [e.score.ccc_model.low for e in entries] + [e.score.ccc_people.low for e in entries]
    low = min([0.0, *(each for each in lows if not np.isnan(each))])
    ax.set_xlim(low - 0.05, 1.05)
    ax.axvline(0, color=GRID, linewidth=0.8, zorder=1)
    marks: dict[str, Look] = {
        "model": {"color": MODEL, "marker": "o", "linestyle": "none", "markersize": 4.5}
    }
    with_people = any(not np.isnan(e.score.ccc_people.value) for e in entries)
    if with_people:
        marks["people"] = {
            "color": PEOPLE, "marker": "s", "linestyle": "none", "markersize": 4.5,
        }  # fmt: skip
    key(page, left, 0.6, marks, gid="key:agreement")
    shift = 0.14 if with_people else 0.0
    for row, entry in enumerate(entries):
        if not np.isnan(entry.score.ccc_model.value):
            _dot(ax, row - shift, entry.score.ccc_model, MODEL, "o")
        if not np.isnan(entry.score.ccc_people.value):
            _dot(ax, row + shift, entry.score.ccc_people, PEOPLE, "s")
    axis_name(ax, "concordance (CCC)", side="bottom")


def _shares(page: Page, ax: Axes, entries: Sequence[Entry], left: float) -> None:
    ax.set_xlim(-0.06, 1.06)
    kinds: dict[str, tuple[Callable[[Score], Share], Look]] = {
        "skips": (
            lambda score: score.skips,
            {"color": PAPER, "marker": "o", "markeredgecolor": INK},
        ),
        "looks": (lambda score: score.looks, {"color": INK, "marker": "o"}),
    }
    shown: dict[str, Look] = {
        name: look | {"linestyle": "none", "markersize": 4.5} for name, (_, look) in kinds.items()
    }
    key(page, left, 0.6, shown, gid="key:shares")
    for row, entry in enumerate(entries):
        for shift, (name, (share, _)) in zip((-0.14, 0.14), kinds.items(), strict=True):
            value = share(entry.score).value
            if not np.isnan(value):
                ax.plot([value], [row + shift], zorder=4, **shown[name])
    axis_name(ax, "share of trials", side="bottom")
