"""Watching against doing: observation cost over execution cost, for people and each observer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import ceil, isnan
from typing import Any

import pandas as pd

from onlooker.analysis.data.human import NEEDS_PARTICIPANTS
from onlooker.analysis.data.scopes import TRIAL, Scope
from onlooker.analysis.data.statistics import CI_METHOD
from onlooker.analysis.figures import canvas, style
from onlooker.analysis.figures.agreement import columns_of
from onlooker.analysis.figures.plate import Plate
from onlooker.analysis.figures.style import MODEL, PEOPLE, WIDTH, limits, ranged
from onlooker.analysis.tables.results import Results
from onlooker.drawing.page import ArtistStyle
from onlooker.drawing.style import PAPER
from onlooker.experiments.naming import slug
from onlooker.game import ExperimentName
from onlooker.support.extras import figures_extra

with figures_extra():
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

EXECUTION, OBSERVATION = "execution cost", "observation cost"
NARROWEST = 4.6  # inches: a page, for its key and the stamp
SLOPES, DIGITS = "Slopes", 3  # two digits would hide which intervals leave 0 out
LOOKS = {
    "people": ArtistStyle(color=PEOPLE, marker="o", linestyle="solid"),
    "model": ArtistStyle(color=MODEL, marker="^", linestyle=(0, (5, 1.6))),
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


def tradeoff_plate(study: Results) -> Plate:
    """All experiments together, a panel for each observer."""
    name, title = "tradeoff", "Observation and execution cost, all experiments"
    panels = {observer: tradeoff_panel(study, Scope(), observer) for observer in study.observers}
    figure = _draw_pooled(study, panels)
    sources = {observer: panel.source for observer, panel in panels.items()}
    caption = _caption(study, title, _has_people(panels.values()))
    return Plate(name, title, caption, figure, sources)


def tradeoff_by_experiment_plate(study: Results) -> Plate:
    """A row for each experiment and a column for each observer."""
    name, title = "tradeoff-by-experiment", "Observation and execution cost by experiment"
    panels = {
        (number, observer): tradeoff_panel(study, Scope(number), observer)
        for number in study.experiments
        for observer in study.observers
    }
    figure = _draw_grid(study, panels)
    sources = {
        f"{slug(number)}-{observer}": panel.source for (number, observer), panel in panels.items()
    }
    caption = _caption(study, title, _has_people(panels.values()))
    return Plate(name, title, caption, figure, sources)


def tradeoff_panel(study: Results, scope: Scope, observer: str) -> Panel:
    """The trials' costs, the fitted lines and their slopes."""
    part = scope.of(study.pairs)
    of_observer = part[part["observer"] == observer]
    rows = {"people": ("human", part), "model": ("model", of_observer)}
    points = pd.concat([_costs(each, side, series) for series, (side, each) in rows.items()])
    who = {"people": study.human.source.data, "model": observer}
    lines, slopes = [], {}
    for series, name in who.items():
        mine = _of(study.comparison.bands, scope, name).dropna(subset=["y"])
        lines.append(mine.assign(series=series).drop(columns=["who", "n"]))
        if found := _of(study.comparison.slopes, scope, name).to_dict("records"):
            slopes[series] = found[0]
    both_lines = pd.concat(lines, ignore_index=True).assign(observer=observer)
    points = points.assign(data=study.human.source.data, observer=observer)
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


def _caption(study: Results, title: str, with_people: bool) -> str:
    people = study.human.source.people
    marks = f"Circles and solid line: {people} (mean of a trial); triangles and dashed line:"
    if not with_people:
        marks = f"Only the observers are drawn: {people}'s costs need {NEEDS_PARTICIPANTS}."
        marks += " Triangles and dashed line:"
    return study.human.source.caption(
        f"{title}: points spent on watching NPCs over points spent on moves and interactions."
        f" {marks} the observer. Lines are least squares fits of observation on execution cost,"
        f" bands their pointwise 95 % intervals ({CI_METHOD}, {study.comparison.resamples}"
        " resamples). Numbers: slopes with 95 % intervals. Panels differ in the scale of"
        " observation cost."
    )


# -- drawing ---------------------------------------------------------------------------------------


def _draw_pooled(study: Results, panels: Mapping[str, Panel]) -> Figure:
    count = len(panels)
    columns = columns_of(count)
    room = min(WIDTH / columns, 3.6)
    height, width = 0.68 * (room - 0.6) + 1.0, max(NARROWEST, columns * room)
    rows, legend = ceil(count / columns), _legend(study, panels.values())
    source = study.human.source
    with canvas.canvas(rows, columns, height, source, legend=legend, width=width) as page:
        places = page.take(count + (count % columns > 0))
        for index, (observer, panel) in enumerate(panels.items()):
            ax = next(places)
            ax.set_gid(f"panel:{observer}")
            lines = _draw_panel(ax, study, panel, _window(panel, panels.values()), room, 15)
            title = study.observers[observer].both
            canvas.heading(ax, title, lines, letter=index, room=room)
            ax.set(xlabel=EXECUTION, ylabel=OBSERVATION)
        for ax in places:
            ax.set_gid("summary")
            canvas.interval_rows(ax, _slope_rows(study, panels), "slope (95 % interval)")
            canvas.heading(ax, SLOPES, letter=count, room=room)
    return page.figure


def _draw_grid(study: Results, panels: Mapping[tuple[ExperimentName, str], Panel]) -> Figure:
    count = len(study.observers)
    room = min(max(1.3, (WIDTH - 0.4) / count), 2.6)
    height, width = 0.8 * (room - 0.6) + 1.05, max(NARROWEST, count * room + 0.4)
    legend = _legend(study, panels.values())
    numbers, source = study.experiments, study.human.source
    with canvas.canvas(len(numbers), count, height, source, legend=legend, width=width) as page:
        for line, number in zip(page.panels, numbers, strict=True):
            mine = {observer: panels[number, observer] for observer in study.observers}
            for ax, (observer, panel) in zip(line, mine.items(), strict=True):
                ax.set_gid(f"panel:{slug(number)}:{observer}")
                lines = _draw_panel(ax, study, panel, _window(panel, mine.values()), room, 11)
                # People's slope is the same in all panels of the row.
                told = lines if ax is line[0] else lines[-1:]
                names = study.observers[observer]
                title = f"{names.short} {names.title}" if number == numbers[0] else ""
                narrow = [part for each in told for part in each.replace(" [", "\n[").split("\n")]
                canvas.heading(ax, title, narrow, room=room)
                if number == numbers[-1]:
                    ax.set_xlabel(EXECUTION)
            line[0].set_ylabel(f"{style.experiment_style(number).title}\n{OBSERVATION}")
    return page.figure


def _slope_rows(study: Results, panels: Mapping[str, Panel]) -> dict[str, list[canvas.Interval]]:
    """The slopes of people and of all observers."""
    people = next(iter(panels.values())).slopes["people"]
    rows = {study.human.source.short: (people, LOOKS["people"])}
    for observer, panel in panels.items():
        rows[study.observers[observer].short] = panel.slopes["model"], LOOKS["model"]
    return {
        name: [canvas.Interval(row["slope"], row["low"], row["high"], look | {"linestyle": "none"})]
        for name, (row, look) in rows.items()
        if not isnan(row["slope"])
    }


Window = tuple[tuple[float, float], tuple[float, float]]


def _window(panel: Panel, beside: Iterable[Panel]) -> Window:
    """The scales of a panel: of execution cost as beside it, of observation cost its own."""
    every = pd.concat([each.points for each in beside])
    own = panel.points if len(panel.points) else every
    return limits(every["execution"]), limits(own["observation"], zero=True)


def _draw_panel(
    ax: Axes, study: Results, panel: Panel, window: Window, room: float, size: float
) -> list[str]:
    """Draw a panel, or say that there are no predictions; the slopes in words."""
    if "model" not in set(panel.points["series"]):
        canvas.note(ax, "no predictions", room)
        return []
    canvas.whole_ticks(ax)
    ax.set(xlim=window[0], ylim=window[1])
    for layer, (series, look) in enumerate(LOOKS.items(), start=2):
        gid = f"{ax.get_gid()}:{series}"
        points = panel.points[panel.points["series"] == series]
        mark = ArtistStyle(s=size, marker=look["marker"], linewidth=0.3, edgecolor=PAPER)
        mark |= {"facecolor": look["color"], "alpha": 0.5, "zorder": layer, "gid": gid}
        ax.scatter(points["execution"], points["observation"], **mark)
        line = panel.lines[panel.lines["series"] == series]
        if len(line):
            stroke: ArtistStyle = {name: look[name] for name in ("color", "linestyle")}
            canvas.line_band(ax, line, stroke | {"zorder": layer + 4, "gid": f"{gid}:line"})
    return slope_lines(study, panel)


def slope_lines(study: Results, panel: Panel) -> list[str]:
    """The slopes of a panel in words: people's if they are known, then the observer's."""
    names = {"people": study.human.source.short, "model": study.observers[panel.observer].short}
    lines = []
    for series, name in names.items():
        row = panel.slopes[series]
        if row["needs"]:
            continue
        value = ranged(row["slope"], row["low"], row["high"], DIGITS)
        lines.append(f"{name}: {value if not isnan(row['slope']) else row['reason']}")
    return lines


def _legend(study: Results, panels: Iterable[Panel]) -> dict[str, ArtistStyle]:
    words = {"people": study.human.source.people, "model": "observer"}
    there = [series for series in words if series == "model" or _has_people(panels)]
    return {words[series]: LOOKS[series] | {"markersize": 4.5} for series in there}
