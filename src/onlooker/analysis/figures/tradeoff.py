"""Watching against doing: observation cost over execution cost, for people and each observer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import isnan
from typing import Any

import pandas as pd

from onlooker.analysis.data.human import NEEDS_PARTICIPANTS
from onlooker.analysis.data.scopes import TRIAL, Scope
from onlooker.analysis.data.statistics import CI_METHOD
from onlooker.analysis.figures.costs import column_names
from onlooker.analysis.figures.intervals import Interval, draw_intervals
from onlooker.analysis.figures.plate import Plate, Study
from onlooker.analysis.figures.style import (
    LINE,
    MARGIN,
    MODEL,
    PEOPLE,
    SIDE,
    SMALL,
    TEXT,
    WIDTH,
    Layout,
    ObserverPanels,
    axis_name,
    experiment_style,
    key,
    limits,
    lines_above,
    note,
    plain_style,
    ranged,
    scales,
    stamp,
)
from onlooker.drawing.page import Look, Page, text_width
from onlooker.drawing.style import PAPER
from onlooker.support.extras import figures_extra

with figures_extra():
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

EXECUTION, OBSERVATION = "execution cost", "observation cost"
NARROWEST = 4.6  # inches: a page, for its key and the stamp
SLOPES, DIGITS = "Slopes", 3  # two digits would hide which intervals leave 0 out
LOOKS: dict[str, Look] = {
    "people": {"color": PEOPLE, "marker": "o", "linestyle": "solid"},
    "model": {"color": MODEL, "marker": "^", "linestyle": (0, (5, 1.6))},
}


@dataclass(frozen=True)
class Panel:
    """People and one observer, in one experiment or in all of them."""

    observer: str
    points: pd.DataFrame  # series (people or model), experiment, level, execution, observation
    lines: pd.DataFrame  # series, x, y, low, high
    slopes: Mapping[str, Mapping[str, Any]]  # by series: a row of the comparison's slopes

    @property
    def source(self) -> pd.DataFrame:
        """What is drawn, in one table: the points, then the lines."""
        points = self.points.rename(columns={"execution": "x", "observation": "y"})
        parts = [points.assign(what="trial"), self.lines.assign(what="line")]
        columns = ["data", "observer", "series", "what", "experiment", "level"]
        table = pd.concat([part for part in parts if len(part)], ignore_index=True)
        return table.reindex(columns=[*columns, "x", "y", "low", "high"])


def tradeoff_plate(study: Study) -> Plate:
    """All experiments together, a panel for each observer."""
    name, title = "tradeoff", "Observation and execution cost, all experiments"
    panels = {observer: tradeoff_panel(study, Scope(), observer) for observer in study.observers}
    with plain_style():
        figure = _draw_pooled(study, panels)
    sources = {observer: panel.source for observer, panel in panels.items()}
    caption = _caption(study, title, _has_people(panels.values()))
    return Plate(name, title, caption, figure, sources)


def tradeoff_by_experiment_plate(study: Study) -> Plate:
    """A row for each experiment and a column for each observer."""
    name, title = "tradeoff-by-experiment", "Observation and execution cost by experiment"
    panels = {
        (number, observer): tradeoff_panel(study, Scope(number), observer)
        for number in study.experiments
        for observer in study.observers
    }
    with plain_style():
        figure = _draw_grid(study, panels)
    sources = {
        f"exp{number}-{observer}": panel.source for (number, observer), panel in panels.items()
    }
    caption = _caption(study, title, _has_people(panels.values()))
    return Plate(name, title, caption, figure, sources)


def tradeoff_panel(study: Study, scope: Scope, observer: str) -> Panel:
    """The trials' costs, the fitted lines and their slopes."""
    part = scope.of(study.pairs)
    of_observer = part[part["observer"] == observer]
    rows = {"people": ("human", part), "model": ("model", of_observer)}
    points = pd.concat([_costs(each, side, series) for series, (side, each) in rows.items()])
    who = {"people": study.human.word, "model": observer}
    lines, slopes = [], {}
    for series, name in who.items():
        mine = _of(study.comparison.bands, scope, name).dropna(subset=["y"])
        lines.append(mine.assign(series=series).drop(columns=["who", "n"]))
        if found := _of(study.comparison.slopes, scope, name).to_dict("records"):
            slopes[series] = found[0]
    both_lines = pd.concat(lines, ignore_index=True).assign(observer=observer)
    points = points.assign(data=study.human.word, observer=observer)
    return Panel(observer, points, both_lines, slopes)  # type: ignore[arg-type]


def _of(table: pd.DataFrame, scope: Scope, who: str) -> pd.DataFrame:
    experiment = scope.columns()["experiment"]
    return table[(table["experiment"] == experiment) & (table["who"] == who)]


def _costs(rows: pd.DataFrame, side: str, series: str) -> pd.DataFrame:
    """Execution and observation cost of each trial, as people or an observer had them."""
    trials = rows.drop_duplicates(TRIAL)
    execution = trials[f"{side}_cost_execution"]
    costs = {"execution": execution, "observation": trials[f"{side}_cost_total"] - execution}
    return trials[TRIAL].assign(series=series, **costs).dropna()


def _has_people(panels: Iterable[Panel]) -> bool:
    return any((panel.points["series"] == "people").any() for panel in panels)


def _caption(study: Study, title: str, with_people: bool) -> str:
    people = study.who.people
    marks = f"Circles and solid line: {people} (mean of a trial); triangles and dashed line:"
    if not with_people:
        marks = f"Only the observers are drawn: {people}'s costs need {NEEDS_PARTICIPANTS}."
        marks += " Triangles and dashed line:"
    return study.who.caption(
        f"{title}: points spent on watching NPCs over points spent on moves and interactions."
        f" {marks} the observer. Lines are least squares fits of observation on execution cost,"
        f" bands their pointwise 95% intervals ({CI_METHOD}, {study.comparison.resamples}"
        " resamples). Numbers: slopes with 95% intervals. Panels differ in the scale of observation"
        " cost."
    )


# -- drawing ---------------------------------------------------------------------------------------


def _draw_pooled(study: Study, panels: Mapping[str, Panel]) -> Figure:
    grid = ObserverPanels.of(len(panels), 0.68, narrowest=NARROWEST)
    page, side = grid.page, grid.layout.width
    with_people = _has_people(panels.values())
    _draw_key(page, study, 0.08, with_people)
    titles = [name.both for name in study.observers.values()]
    grid.headings([*titles, *[SLOPES] * (grid.free is not None)])
    for index, (observer, panel) in enumerate(panels.items()):
        x, y = grid.place(index)
        ax = grid.axes(index, f"panel:{observer}")
        if _draw_panel(ax, panel, _window(panel, panels.values()), side, 15):
            lines_above(page, x, y - 0.08, slope_lines(study, panel))
            axis_name(ax, EXECUTION, side="bottom")
            axis_name(ax, OBSERVATION, side="left")
    if grid.free is not None:
        rows = _slope_rows(study, panels)
        draw_intervals(grid.axes(grid.free, "summary"), rows, "slope (95% interval)")
    return page.figure


def _slope_rows(study: Study, panels: Mapping[str, Panel]) -> dict[str, list[Interval]]:
    """The slopes of people and of all observers."""
    people = next(iter(panels.values())).slopes["people"]
    rows = {"people": (study.who.short, people)}
    rows |= {o: (study.observers[o].short, panel.slopes["model"]) for o, panel in panels.items()}
    looks = {o: LOOKS["people" if o == "people" else "model"] for o in rows}
    return {
        name: [Interval(row["slope"], row["low"], row["high"], looks[o] | {"linestyle": "none"})]
        for o, (name, row) in rows.items()
        if not isnan(row["slope"])
    }


def _draw_grid(study: Study, panels: Mapping[tuple[int, str], Panel]) -> Figure:
    count, rows = len(study.observers), study.experiments
    above, gap = 0.26 + 2 * LINE, 0.24
    side = max(1.05, min(2.2, (WIDTH - 2 * MARGIN - SIDE - (count - 1) * gap) / count))
    layout = Layout(MARGIN + SIDE, 0.64 + above, side, 0.8 * side, gap, above + 0.27)
    width = max(NARROWEST, layout.left + count * (side + gap) - gap + MARGIN)
    page = Page(width, layout.place(len(rows) - 1, 0)[1] + layout.height + 0.46)
    _draw_key(page, study, 0.08, _has_people(panels.values()))
    column_names(page, study, layout.left, 0.55, side + gap)
    for row, number in enumerate(rows):
        mine = {observer: panels[number, observer] for observer in study.observers}
        top = layout.place(row, 0)[1] - above + 0.14
        _row_title(page, study, top, number, next(iter(mine.values())))
        for column, (observer, panel) in enumerate(mine.items()):
            x, y = layout.place(row, column)
            ax = layout.axes(page, row, column, f"panel:exp{number}:{observer}")
            if not _draw_panel(ax, panel, _window(panel, mine.values()), side, 11):
                continue
            slope = slope_lines(study, panel)[-1].replace(" [", "\n[").split("\n")
            lines_above(page, x, y - 0.07, slope)
            if column == 0:
                axis_name(ax, OBSERVATION, side="left")
            if row == len(rows) - 1:
                axis_name(ax, EXECUTION, side="bottom")
    return page.figure


def _row_title(page: Page, study: Study, top: float, number: int, panel: Panel) -> None:
    """The experiment, and people's slope in it, which is the same in all panels of the row."""
    title = experiment_style(number).title
    page.text(MARGIN, top, title, TEXT, weight="bold")
    left = MARGIN + text_width(title, TEXT, "bold") + 0.14
    page.text(left, top, "".join(slope_lines(study, panel)[:-1]), SMALL)


Window = tuple[tuple[float, float], tuple[float, float]]


def _window(panel: Panel, beside: Iterable[Panel]) -> Window:
    """The scales of a panel: of execution cost as beside it, of observation cost its own."""
    every = pd.concat([each.points for each in beside])
    own = panel.points if len(panel.points) else every
    return limits(every["execution"]), limits(own["observation"], zero=True)


def _draw_panel(ax: Axes, panel: Panel, window: Window, width: float, size: float) -> bool:
    """Draw a panel, or say that there are no predictions; people are there if they are known."""
    if "model" not in set(panel.points["series"]):
        note(ax, "no predictions", width)
        return False
    scales(ax, 5)
    ax.set(xlim=window[0], ylim=window[1])
    for layer, (series, look) in enumerate(LOOKS.items(), start=2):
        colour = look["color"]
        gid = f"{ax.get_gid()}:{series}"
        points = panel.points[panel.points["series"] == series]
        style: Look = {"s": size, "marker": look["marker"], "linewidth": 0.3, "edgecolor": PAPER}
        place = points["execution"], points["observation"]
        ax.scatter(*place, facecolor=colour, alpha=0.5, zorder=layer, gid=gid, **style)
        line = panel.lines[panel.lines["series"] == series]
        if len(line):
            ends: Look = {"color": colour, "alpha": 0.2, "linewidth": 0}
            ax.fill_between(line["x"], line["low"], line["high"], zorder=layer + 2, **ends)
            stroke: Look = {"color": colour, "linewidth": 1.5, "linestyle": look["linestyle"]}
            ax.plot(line["x"], line["y"], zorder=layer + 4, gid=f"{gid}:line", **stroke)
    return True


def slope_lines(study: Study, panel: Panel) -> list[str]:
    """The slopes of a panel in words: people's if they are known, then the observer's."""
    names = {"people": study.who.short, "model": study.observers[panel.observer].short}
    lines = []
    for series, name in names.items():
        row = panel.slopes[series]
        if row["needs"]:
            continue
        value = ranged(row["slope"], row["low"], row["high"], DIGITS)
        lines.append(f"{name}: {value if not isnan(row['slope']) else row['reason']}")
    return lines


def _draw_key(page: Page, study: Study, top: float, with_people: bool) -> None:
    entries = {}
    for series, text in (("people", study.who.people), ("model", "observer")):
        if series == "model" or with_people:
            entries[text] = LOOKS[series] | {"markersize": 4.5, "linewidth": 1.5}
    key(page, MARGIN, top, entries)
    stamp(page, study.who.stamp)
