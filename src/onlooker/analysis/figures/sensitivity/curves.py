"""How predictions and their fit change with one parameter at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from onlooker.analysis.data.scopes import POOLED
from onlooker.analysis.figures.plate import Plate, Who
from onlooker.analysis.figures.style import (
    MARGIN,
    SMALL,
    TEXT,
    WIDTH,
    Layout,
    axis_name,
    heading,
    key,
    limits,
    observer_looks,
    observer_names,
    panel_letter,
    plain_style,
    scales,
    stamp,
)
from onlooker.analysis.tables.sensitivity.design import OPTIONS
from onlooker.analysis.tables.sensitivity.measures import Sensitivity
from onlooker.drawing.page import Look, Page, text_width, write
from onlooker.drawing.style import FAINT_INK, PAPER
from onlooker.experiments.variants import Variant
from onlooker.support.extras import figures_extra

with figures_extra():
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.ticker import FixedLocator, LogLocator, MaxNLocator, NullFormatter

AXES = {
    "beta": "β (per point; log scale)",
    "converge": "converge (probability)",
    "prune": "prune (probability)",
    "epsilon": "ε (distance of beliefs; log scale)",
    "observe": "cost of watching a step (points)",
    "move": "cost of a move (points)",
    "interact": "cost of asking a wizard (points)",
    "temperature": "temperature (points; log scale)",
    "lapse": "lapse (probability)",
    "curiosity": "curiosity (points)",
    "skip": "skip (probability)",
    "caution": "caution (0: expected, 1: worst case)",
}
TITLES = {
    "beta": "Rationality of NPCs, β",
    "converge": "When a holder is settled",
    "prune": "What is left out",
    "epsilon": "Change that counts, ε",
    "observe": "Cost of watching",
    "move": "Cost of moving",
    "interact": "Cost of asking",
    "temperature": "How sharply costs decide",
    "lapse": "Choices at random",
    "curiosity": "What a look is worth",
    "skip": "Trials without watching",
    "caution": "Expected or worst case",
}
TICKS: dict[str, tuple[float, ...]] = {
    "beta": (0.05, 0.2, 0.5, 2, 5),
    "converge": (0.6, 0.7, 0.8, 0.9, 1),
    "prune": (0, 0.1, 0.2, 0.3),
    "epsilon": (0.01, 0.1, 1),
    "interact": (1, 5, 10, 15, 20),
    "temperature": (0.1, 1, 10),
}
LOGARITHMIC = ("beta", "epsilon", "temperature")
SIDE = 0.58  # inches: left of a panel, for the scale
ROW = 0.25  # inches: a row of the key


@dataclass(frozen=True, slots=True)
class Shown:
    """A measure that the curves show."""

    measure: str
    name: str  # of the plate
    title: str
    axis: str
    caption: str
    ends: tuple[float, ...] = ()  # of the scale, where it has its own


SHOWN = (
    Shown(
        "mean_observed",
        "sensitivity-steps",
        "How long observers watch, under other parameters",
        "mean steps watched",
        "steps watched of an NPC, on average over all levels",
    ),
    Shown(
        "share_differ",
        "sensitivity-changes",
        "How many predictions change, under other parameters",
        "share that differs",
        "the share of an observer's counts (an NPC of a level each) that differ from those"
        " {at_start}",
        (0, 1),
    ),
    Shown(
        "r_human",
        "sensitivity-fit",
        "How well observers fit, under other parameters",
        "r with {short}",
        "Pearson's r between an observer's counts and the means of {people}, over all levels and"
        " NPCs that there are means of ({where}); no point where all counts are the same",
        (0, 1),
    ),
)


def curve_plates(found: Sensitivity) -> list[Plate]:
    """A plate for each measure that there is data for."""
    there = [shown for shown in SHOWN if found.curves[shown.measure].notna().any()]
    return [_plate(found, shown) for shown in there]


def _plate(found: Sensitivity, shown: Shown) -> Plate:
    who = Who(found.data == "simulated", found.artificial)
    pooled = found.curves[found.curves["experiment"] == POOLED]
    panels = {name: pooled[pooled["parameter"] == name] for name in found.names}
    with plain_style():
        figure = _draw(found, shown, panels, who)
    what = shown.caption.format(people=who.people, where=found.where, at_start=found.at_start)
    caption = (
        f"One parameter at a time, all others {found.others}: {what}. The upright line marks the"
        f" {found.start}. The last panel has the {found.start} reading of the paper and each option"
        " of it alone."
    )
    whole_caption = who.caption(caption) if shown.measure == "r_human" else caption
    columns = ["parameter", "value", "default", "observer", "n", shown.measure]
    sources = {name: panel[columns] for name, panel in panels.items()}
    return Plate(shown.name, shown.title, whole_caption, figure, sources)


def _draw(found: Sensitivity, shown: Shown, panels: Mapping[str, pd.DataFrame], who: Who) -> Figure:
    across = SIDE + 0.1
    side = (WIDTH - 2 * MARGIN - SIDE - 2 * across) / 3
    names = observer_names(map(Variant, found.observers))
    looks = observer_looks(found.observers)
    stamped = who.stamp if shown.measure == "r_human" else ""
    rows = key_rows({names[each].title: look for each, look in looks.items()}, stamped)
    top = 0.47 + ROW * len(rows)
    layout = Layout(MARGIN + SIDE, top, side, 0.72 * side, across, 0.86)
    numbers = [name for name in found.names if name not in OPTIONS]
    last = divmod(len(numbers), 3)  # the place of the options, which are two panels wide
    last = last if last[1] < 2 else (last[0] + 1, 0)
    page = Page(WIDTH, layout.place(last[0], 0)[1] + layout.height + 0.46)
    draw_key(page, rows, stamped)
    values = pd.concat(list(panels.values()))[shown.measure].astype(float).tolist()
    window = limits([*values, *shown.ends], zero=True)
    for index, name in enumerate(numbers):
        row, column = divmod(index, 3)
        x, y = layout.place(row, column)
        heading(page, x - SIDE, y - 0.14, panel_letter(index), TITLES[name], side + SIDE)
        ax = layout.axes(page, row, column, f"panel:{name}")
        draw_curve(ax, panels[name], shown.measure, name, looks)
        ax.set_ylim(*window)
        axis_name(ax, AXES[name], side="bottom")
        if column == 0:
            axis_name(ax, shown.axis.format(short=who.short), side="left", room=0.31)
    x, y = layout.place(*last)
    heading(page, x - SIDE, y - 0.14, panel_letter(len(numbers)), "Readings of the paper", 4.0)
    ax = page.axes(x, y, 2 * side + across, layout.height, gid="panel:options")
    _draw_options(ax, panels, shown.measure, looks, found.at_start)
    ax.set_ylim(*window)
    return page.figure


def key_rows(entries: Mapping[str, Look], stamped: str) -> list[dict[str, Look]]:
    """The entries of a key in rows that a page has room for, the first beside the stamp."""
    rows: list[dict[str, Look]] = [{}]
    room = WIDTH - 2 * MARGIN - (text_width(stamped, SMALL, "bold") + 0.3 if stamped else 0.0)
    for text, look in entries.items():
        need = 0.56 + text_width(text, TEXT)
        if rows[-1] and need > room:
            rows.append({})
            room = WIDTH - 2 * MARGIN
        rows[-1][text] = {"linewidth": 1.4, "markersize": 4} | look
        room -= need
    return rows


def draw_key(page: Page, rows: Sequence[Mapping[str, Look]], stamped: str) -> None:
    """Draw the rows of a key, and the stamp if there is one."""
    for index, entries in enumerate(rows):
        key(page, MARGIN, 0.06 + ROW * index, entries)
    stamp(page, stamped)


def draw_curve(
    ax: Axes, panel: pd.DataFrame, measure: str, parameter: str, looks: Mapping[Any, Look]
) -> None:
    """The lines of one parameter; `looks` has a look for each series, an observer or experiment."""
    scales(ax, 4)
    ax.yaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 5, 10]))
    column = "observer" if panel["experiment"].eq(POOLED).all() else "experiment"
    if parameter in LOGARITHMIC:
        ax.set_xscale("log")
        ax.xaxis.set_minor_locator(LogLocator(subs=range(2, 10), numticks=99))
        ax.xaxis.set_minor_formatter(NullFormatter())
        ax.tick_params(axis="x", which="minor", length=1.5, width=0.5, color=FAINT_INK)
    if parameter in TICKS:
        tick_at(ax, TICKS[parameter])
    ax.axvline(float(panel[panel["default"]]["value"].iloc[0]), color=FAINT_INK, linewidth=0.8)
    for layer, (series, look) in enumerate(looks.items(), start=3):
        mine = panel[panel[column] == series]
        style: Look = {"linewidth": 1.3, "markersize": 3.1, "markeredgecolor": PAPER}
        style |= {"markeredgewidth": 0.3, "zorder": layer, "gid": f"{ax.get_gid()}:{series}"}
        ax.plot(mine["value"].astype(float), mine[measure], **look, **style)


def tick_at(ax: Axes, ticks: Sequence[float]) -> None:
    """Put numbers at these places of the lower scale."""
    ax.xaxis.set_major_locator(FixedLocator(ticks))
    ax.set_xticks(ticks, [f"{tick:g}" for tick in ticks])


def _draw_options(
    ax: Axes,
    panels: Mapping[str, pd.DataFrame],
    measure: str,
    looks: Mapping[Any, Look],
    at_start: str,
) -> None:
    """The reading that is not changed and each option, the observers side by side."""
    scales(ax)
    ax.yaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 5, 10]))
    first = panels[OPTIONS[0]]
    columns = {at_start: first[first["default"]]}
    for name in OPTIONS:
        other = panels[name][~panels[name]["default"]]
        columns |= {f"{name}={value}": part for value, part in other.groupby("value", sort=False)}
    ax.set(xlim=(-0.5, len(columns) - 0.5))
    ax.grid(visible=False, axis="x")
    ax.set_xticks([])
    for place, (title, part) in enumerate(columns.items()):
        values = part.set_index("observer")[measure]
        for index, (observer, look) in enumerate(looks.items()):
            shift = 0.13 * (index - (len(looks) - 1) / 2)
            style: Look = {"markersize": 5, "markeredgecolor": PAPER, "markeredgewidth": 0.4}
            mark = {"color": look["color"], "marker": look["marker"], "linestyle": "none"}
            ax.plot([place + shift], [values[observer]], zorder=3, **mark, **style)
        look = {"ha": "center", "va": "top", "transform": ax.get_xaxis_transform()}
        write(ax, place, -0.06, title, SMALL, **look)
