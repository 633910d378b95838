"""Sensitivity in parts: each experiment alone, and each parameter's share of the variance."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from onlooker.analysis.data.scopes import POOLED
from onlooker.analysis.figures.plate import Plate, Who
from onlooker.analysis.figures.sensitivity.curves import (
    LOGARITHMIC,
    ROW,
    draw_curve,
    draw_key,
    key_rows,
    tick_at,
)
from onlooker.analysis.figures.style import (
    LINE,
    MARGIN,
    MODEL,
    PEOPLE,
    SMALL,
    TEXT,
    WIDTH,
    Layout,
    axis_name,
    experiment_style,
    heading,
    limits,
    note,
    observer_names,
    panel_letter,
    plain_style,
    scales,
)
from onlooker.analysis.tables.sensitivity.design import NAMES, OPTIONS, spans_of
from onlooker.analysis.tables.sensitivity.indices import INTERVALS, METHOD
from onlooker.analysis.tables.sensitivity.measures import Sensitivity
from onlooker.drawing.page import Look, Page, write
from onlooker.drawing.style import PAPER
from onlooker.experiments.variants import Variant
from onlooker.support.extras import figures_extra

with figures_extra():
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SHORT = {"beta": "β", "epsilon": "ε"}  # others by their names
NARROW = SHORT | {"temperature": "temp."}  # where there is little room
STROKES = ("solid", (0, (5, 1.6)), (0, (5, 1.4, 1, 1.4)), (0, (1.2, 1.2)))
FIRST: Look = {"marker": "o", "color": PEOPLE}
TOTAL: Look = {"marker": "D", "color": MODEL}
FRAME = (-0.15, 1.15)  # what lies beyond is drawn at its edge
MEASURE_TITLES = {
    "mean_observed": "Steps watched",
    "share_differ": "Share of counts that change",
    "r_human": "Fit: r with the means of {people}",
}


def sensitivity_plates(found: Sensitivity) -> list[Plate]:
    """Every figure of a sensitivity analysis, in order."""
    from onlooker.analysis.figures.sensitivity.curves import curve_plates

    plates = curve_plates(found)
    if set(found.curves["experiment"]) - {POOLED}:
        plates.append(by_experiment_plate(found))
    if found.indices is not None:
        plates.append(indices_plate(found))
    return plates


# -- each experiment alone -------------------------------------------------------------------------


def by_experiment_plate(found: Sensitivity) -> Plate:
    """Steps watched in each experiment: a row for each observer, a column for each parameter."""
    curves = found.curves[found.curves["experiment"] != POOLED]
    numbers = [name for name in found.names if name not in OPTIONS]
    title = "How long observers watch in each experiment, under other parameters"
    caption = (
        f"One parameter at a time, all others {found.others}: steps watched of an NPC, on average"
        " over the trials of an experiment. Each row is an observer with a scale of its own; the"
        f" upright line marks the {found.start}."
    )
    with plain_style():
        figure = _draw_experiments(found, curves, numbers)
    columns = ["parameter", "value", "default", "experiment", "n", "mean_observed"]
    sources = {
        who: curves[(curves["observer"] == who) & curves["parameter"].isin(numbers)][columns]
        for who in observer_names(map(Variant, found.observers))
    }
    return Plate("sensitivity-by-experiment", title, caption, figure, sources)


def _draw_experiments(found: Sensitivity, curves: pd.DataFrame, numbers: list[str]) -> Figure:
    observers = observer_names(map(Variant, found.observers))
    gap, side = 0.13, 0.42
    width = (WIDTH - 2 * MARGIN - side - (len(numbers) - 1) * gap) / len(numbers)
    looks = _experiment_looks(curves)
    rows = key_rows({f"Experiment {each}": look for each, look in looks.items()}, "")
    layout = Layout(MARGIN + side, 0.41 + ROW * len(rows), width, 1.02, gap, 0.54)
    page = Page(WIDTH, layout.place(len(observers) - 1, 0)[1] + layout.height + 0.44)
    draw_key(page, rows, "")
    for row, (observer, name) in enumerate(observers.items()):
        mine = curves[curves["observer"] == observer]
        window = limits(mine["mean_observed"], zero=True)
        top = layout.place(row, 0)[1] - 0.12
        heading(page, MARGIN, top, panel_letter(row), name.both, WIDTH - 2 * MARGIN)
        for column, parameter in enumerate(numbers):
            ax = layout.axes(page, row, column, f"panel:{observer}:{parameter}")
            panel = mine[mine["parameter"] == parameter]
            draw_curve(ax, panel, "mean_observed", parameter, looks)
            _few_ticks(ax, parameter)
            ax.set_ylim(*window)
            ax.tick_params(labelleft=column == 0)
            if column == 0:
                axis_name(ax, "steps watched", side="left")
            if row == len(observers) - 1:
                words = NARROW.get(parameter, parameter)
                words += " (log)" * (parameter in LOGARITHMIC)
                axis_name(ax, words, side="bottom")
    return page.figure


def _experiment_looks(curves: pd.DataFrame) -> dict[int | str, Look]:
    looks: dict[int | str, Look] = {}
    for index, name in enumerate(dict.fromkeys(curves["experiment"])):
        style = experiment_style(name if isinstance(name, int) and name else index + 1)
        stroke = STROKES[index % len(STROKES)]
        looks[name] = {"color": style.colour, "marker": style.marker, "linestyle": stroke}
    return looks


def _few_ticks(ax: Axes, parameter: str) -> None:
    """Two or three numbers are what a narrow panel has room for."""
    few = {"beta": (0.1, 1), "epsilon": (0.01, 1), "converge": (0.6, 0.8, 1), "prune": (0, 0.2)}
    if parameter in few:
        tick_at(ax, few[parameter])
    elif parameter == "interact":
        tick_at(ax, (1, 10, 20))
    elif parameter in ("skip", "lapse"):
        tick_at(ax, (0, 0.5))


# -- shares of the variance ------------------------------------------------------------------------


def indices_plate(found: Sensitivity) -> Plate:
    """First- and total-order indices: a row for each measure, a column for each observer."""
    assert found.indices is not None
    who = Who(found.data == "simulated", found.artificial)
    pooled = found.indices[found.indices["experiment"] == POOLED]
    with plain_style():
        figure = _draw_indices(found, pooled, who)
    every = spans_of([name for name in found.names if name not in NAMES])
    spans = "; ".join(f"{SHORT.get(name, name)} {span}" for name, span in every.items())
    caption = (
        "All parameters together: the share of the variance of a result that a parameter accounts"
        " for alone (first order, circles) and with all that it does together with others"
        f" (total order, diamonds). Ranges: {spans}. Sobol' indices from {found.samples} samples"
        f" ({METHOD}); bars are {INTERVALS}. What lies outside the frame is drawn at its"
        " edge; a result that does not vary has no indices. Where all counts are the same, r is"
        " taken as 0."
    )
    measures = list(dict.fromkeys(pooled["measure"]))
    sources = {each: pooled[pooled["measure"] == each] for each in measures}
    whole_caption = who.caption(caption) if "r_human" in measures else caption
    title = "Which parameters matter, all of them varied together"
    return Plate("sensitivity-indices", title, whole_caption, figure, sources)


def _draw_indices(found: Sensitivity, pooled: pd.DataFrame, who: Who) -> Figure:
    observers = observer_names(map(Variant, found.observers))
    measures = [name for name in MEASURE_TITLES if name in set(pooled["measure"])]
    left, gap = MARGIN + 0.78, 0.16
    width = (WIDTH - left - MARGIN - (len(observers) - 1) * gap) / len(observers)
    width = min(width, 2.2)
    layout = Layout(left, 0.84, width, 1.62, gap, 0.78)
    page = Page(WIDTH, layout.place(len(measures) - 1, 0)[1] + layout.height + 0.46)
    small: Look = {"linestyle": "none", "markersize": 5}
    entries = {"first order": FIRST | small, "total order": TOTAL | small}
    draw_key(page, [entries], who.stamp if "r_human" in measures else "")
    for row, measure in enumerate(measures):
        top = layout.place(row, 0)[1] - 0.12 - LINE - 0.06
        title = MEASURE_TITLES[measure].format(people=who.people)
        heading(page, MARGIN, top, panel_letter(row), title, WIDTH)
        for column, (observer, name) in enumerate(observers.items()):
            x, y = layout.place(row, column)
            page.text(x, y - 0.08, name.title, SMALL, color="#1B1D21")
            ax = layout.axes(page, row, column, f"panel:{measure}:{observer}")
            mine = pooled[(pooled["measure"] == measure) & (pooled["observer"] == observer)]
            _draw_shares(ax, mine, width, found.names, labelled=column == 0)
            if row == len(measures) - 1 and ax.axison:
                axis_name(ax, "share of variance", side="bottom")
    return page.figure


def _draw_shares(
    ax: Axes, mine: pd.DataFrame, width: float, names: Sequence[str], *, labelled: bool
) -> None:
    reasons = set(mine["reason"]) - {""}
    scales(ax)
    ax.set(xlim=FRAME, ylim=(len(names) - 0.4, -0.6))
    tick_at(ax, (0, 0.5, 1))
    ax.set_yticks(range(len(names)), [""] * len(names))
    ax.tick_params(axis="y", length=0)
    if labelled:
        for place, name in enumerate(names):
            look: Look = {"ha": "right", "va": "center_baseline"}
            transform = ax.get_yaxis_transform()
            write(ax, -0.06, place, SHORT.get(name, name), SMALL, transform=transform, **look)
    if reasons:
        note(ax, f"none: {reasons.pop()}", width)
        return
    rows = mine.set_index("parameter").loc[list(names)]
    for what, look, shift in (("first", FIRST, -0.17), ("total", TOTAL, 0.17)):
        places = [place + shift for place in range(len(names))]
        ends = rows[f"{what}_low"].clip(*FRAME), rows[f"{what}_high"].clip(*FRAME)
        ax.hlines(places, *ends, color=look["color"], linewidth=1.1, zorder=2)
        edge: Look = {"markeredgecolor": PAPER, "markeredgewidth": 0.4, "markersize": TEXT / 2}
        edge |= {"linestyle": "none", "zorder": 3, "gid": f"{ax.get_gid()}:{what}"}
        ax.plot(rows[what].clip(*FRAME), places, **look, **edge)
