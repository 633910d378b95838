"""People against predictions: all experiments, within each experiment, and calibrated."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import ceil, nan
from typing import Any

import pandas as pd

from onlooker.analysis.data.human import KEY, NEEDS_PARTICIPANTS
from onlooker.analysis.data.scopes import (
    MEASURES,
    POOLED,
    TRIAL,
    Measure,
    Scope,
    one_row_per_unit,
)
from onlooker.analysis.data.words import Source
from onlooker.analysis.figures import canvas, style
from onlooker.analysis.figures.plate import MissingFigure, Plate
from onlooker.analysis.figures.style import WIDTH, number, ranged
from onlooker.analysis.tables.calibration import TITLES, Calibration
from onlooker.analysis.tables.comparison import Comparison
from onlooker.analysis.tables.results import Results
from onlooker.drawing.page import ArtistStyle
from onlooker.experiments.naming import in_order, slug
from onlooker.game import ExperimentName
from onlooker.support.extras import figures_extra

with figures_extra():
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

OBSERVED, TOTAL_STEPS, COST_OBSERVATION, COST_TOTAL = MEASURES
AGREEMENT = "Agreement"  # the panel that compares the observers
MOST_ROWS = 4  # on a page
NARROWEST = 1.36  # inches: a panel with its scale, so that its statistics can be read

CALIBRATED = dict(
    zip(
        TITLES,
        (
            "Rational Mentalizing",
            "Straight line on it",
            "Line of the other experiments",
            "Graded Mentalizing",
        ),
        strict=True,
    )
)


def measure_points(study: Results, measure: Measure) -> pd.DataFrame:
    """What is drawn of a measure: `model` beside `people` for each observer and NPC or trial.

    Rows without people's value are left out.
    """
    rows = one_row_per_unit(study.pairs, measure, "observer")
    labels = [*KEY, "expertise"] if measure.per_npc else TRIAL
    names = {f"model_{measure.name}": "model", f"human_{measure.name}": "people"}
    points = rows[["data", "observer", *labels, "n", *names]].rename(columns=names)
    return points.dropna(subset=["people"]).reset_index(drop=True)


def find_fit(
    comparison: Comparison, measure: Measure, scope: Scope, observer: str
) -> Mapping[str, Any] | None:
    """The row of `fits` that is of a panel's points, if there is one."""
    fits = comparison.fits
    mine = fits[(fits["measure"] == measure.name) & (fits["observer"] == observer)]
    mine = scope.rows(mine)
    return None if mine.empty else mine.to_dict("records")[0]  # type: ignore[return-value]


def fit_lines(fit: Mapping[str, Any], *, errors: bool) -> list[str]:
    """A panel's statistics."""
    lines = [
        f"r = {ranged(fit['r'], fit['r_low'], fit['r_high'])}",
        f"CCC = {ranged(fit['ccc'], fit['ccc_low'], fit['ccc_high'])}",
    ]
    if errors:
        lines.append(f"RMSE {number(fit['rmse'])}, MAE {number(fit['mae'])}")
    return [line.replace("r = –", "r undefined") for line in lines]


def columns_of(count: int) -> int:
    """How many panels stand side by side."""
    return min(count, 2 if count in (1, 2, 4) else 3)


def _row_height(room: float, above: float) -> float:
    """Inches of a row of panels of agreement, with so much above and below each."""
    return canvas.RATIO * (room - 0.6) + above


# -- all experiments in one panel ------------------------------------------------------------------


def scatter_plate(study: Results, measure: Measure = OBSERVED) -> Plate | MissingFigure:
    """People against each observer over all experiments, a panel for each observer."""
    name = f"pooled-{measure.name.replace('_', '-')}"
    title = f"{style.capital(measure.title)}, all experiments"
    points = measure_points(study, measure)
    if points.empty:
        return MissingFigure(name, title, NEEDS_PARTICIPANTS)
    source = study.human.source
    what = "an NPC of a trial" if measure.per_npc else "a trial"
    caption = (
        f"{title}: {source.people} (mean) against each observer. A point is {what}; colour and"
        " marker show the experiment, the dashed line is where both are the same. Both axes of a"
        " panel have the same scale, but panels differ in it. Brackets and lines: 95 % intervals,"
        f" {study.comparison.resampler.method} ({study.comparison.resamples} resamples)."
        f" {canvas.MOVED}"
    )
    sources = {observer: points[points["observer"] == observer] for observer in study.observers}
    figure = _draw_pooled(study, measure, sources)
    return Plate(name, title, source.caption(caption), figure, sources)


def _draw_pooled(study: Results, measure: Measure, sources: Mapping[str, pd.DataFrame]) -> Figure:
    count, source = len(study.observers), study.human.source
    columns = columns_of(count)
    numbers = pd.concat(list(sources.values()))["experiment"]
    fits = {name: find_fit(study.comparison, measure, Scope(), name) for name in study.observers}
    room = min(WIDTH / columns, 3.6)
    with canvas.canvas(
        ceil(count / columns),
        columns,
        _row_height(room, 1.0),
        source,
        width=columns * room,
        legend=canvas.experiments_legend(numbers),
    ) as page:
        panels = page.take(count + (count % columns > 0))
        for index, (observer, name) in enumerate(study.observers.items()):
            ax, fit = next(panels), fits[observer]
            ax.set_gid(f"panel:{observer}")
            draw_agreement(ax, sources[observer], fit, 17, room, zero=measure.per_npc)
            lines = [] if fit is None else fit_lines(fit, errors=False)
            canvas.heading(ax, name.both, lines, letter=index, room=room)
            ax.set(xlabel=f"{name.short}: {measure.title}")
            ax.set(ylabel=f"{source.people}:\n{measure.title}")
        for ax in panels:
            _draw_summary(ax, study, fits)
            canvas.heading(ax, AGREEMENT, letter=count, room=room)
    return page.figure


def draw_agreement(
    ax: Axes, points: pd.DataFrame, fit: Mapping[str, Any] | None, size: float, room: float,
    **scales: Any,
) -> None:  # fmt: skip
    """The points of a panel, and why a statistic has no value; or that there are none."""
    if points.empty or fit is None:
        canvas.note(ax, "no predictions", room)
        return
    canvas.identity_scatter(ax, points, size, room, **scales)
    if fit["reason"]:
        canvas.corner(ax, str(fit["reason"]), room)


def _draw_summary(ax: Axes, study: Results, fits: Mapping[str, Mapping[str, Any] | None]) -> None:
    """CCC and r of all observers side by side, where there is a place for a panel."""
    ax.set_gid("summary")
    styles = style.observer_styles(study.observers)
    rows = {}
    for observer, name in study.observers.items():
        look = ArtistStyle(color=styles[observer].colour, marker=styles[observer].marker)
        fit = fits[observer] or {}
        rows[name.short] = [
            canvas.Interval(
                fit.get(each, nan), fit.get(f"{each}_low", nan), fit.get(f"{each}_high", nan), mark
            )
            for each, mark in {"ccc": look, "r": canvas.hollow(look)}.items()
        ]
    canvas.interval_rows(ax, rows, "CCC (filled) and r (hollow)")


# -- within each experiment ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class GridRow:
    """One row of a grid: a part of the data, and its points for every observer."""

    scope: Scope
    title: str
    points: pd.DataFrame

    @property
    def panel(self) -> str:
        """What its source data is called."""
        part = "" if self.scope.of_all_npcs else f"-{self.scope.who}"
        return f"{slug(self.scope.experiment)}{part}"


def fit_plates(study: Results, measure: Measure) -> list[Plate | MissingFigure]:
    """People against observers in rows of experiments (and NPCs) and columns of observers.

    There are at most MOST_ROWS rows to a plate, and an experiment is never torn apart.
    """
    name, title = measure.name.replace("_", "-"), style.capital(measure.title)
    pages = _pages(list(grid_rows(study, measure)))
    if not pages:
        return [MissingFigure(name, f"{title} by experiment", NEEDS_PARTICIPANTS)]
    plates: list[Plate | MissingFigure] = []
    for index, rows in enumerate(pages, start=1):
        part = f"-{index}" if len(pages) > 1 else ""
        whole = f"{title}, {_experiments(rows)}"
        sources = {row.panel: row.points for row in rows}
        figure = _draw_grid(study, measure, rows)
        plates.append(Plate(f"{name}{part}", whole, _caption(study, whole, rows), figure, sources))
    return plates


def grid_rows(study: Results, measure: Measure) -> Iterator[GridRow]:
    """The rows for which there is data: each experiment, or each of its NPCs.

    NPCs differ by their expertise where there are several, else by their ids.
    """
    points = measure_points(study, measure)
    for found in in_order(points["experiment"]):
        rows = points[points["experiment"] == found]
        title = style.experiment_style(found).title
        for scope in _split(rows, found) if measure.per_npc else [Scope(found)]:
            name = title if scope.of_all_npcs else f"{title}, {scope.who}"
            yield GridRow(scope, name, scope.of(rows))


def _split(rows: pd.DataFrame, experiment: ExperimentName) -> list[Scope]:
    """An experiment's roles if they differ, else its NPCs, if there are several."""
    if rows["expertise"].nunique() > 1:
        return [Scope(experiment, role=role) for role in sorted(set(rows["expertise"]))]
    if rows["agent"].nunique() > 1:
        return [Scope(experiment, npc=npc) for npc in sorted(set(rows["agent"]))]
    return [Scope(experiment)]


def _pages(rows: list[GridRow]) -> list[list[GridRow]]:
    pages: list[list[GridRow]] = []
    for found in dict.fromkeys(row.scope.experiment for row in rows):
        block = [row for row in rows if row.scope.experiment == found]
        if not pages or len(pages[-1]) + len(block) > MOST_ROWS:
            pages.append([])
        pages[-1] += block
    return pages


def _experiments(rows: list[GridRow]) -> str:
    numbers = [str(found) for found in dict.fromkeys(row.scope.experiment for row in rows)]
    return f"Experiment {numbers[0]}" if len(numbers) == 1 else "Experiments " + ", ".join(numbers)


def _caption(study: Results, title: str, rows: list[GridRow]) -> str:
    split, source = any(not row.scope.of_all_npcs for row in rows), study.human.source
    return source.caption(
        f"{title}: {source.people} (mean) against each observer (columns), by experiment"
        f"{' and NPC' if split else ''} (rows). A point is {'an NPC of ' if split else ''}a trial;"
        " on the dashed line both are the same. Both axes of a panel have the same scale, but"
        f" panels differ in it. {canvas.MOVED} r: Pearson's correlation; CCC: Lin's concordance"
        f" correlation; brackets: 95 % intervals, {study.comparison.resampler.method}"
        f" ({study.comparison.resamples} resamples); RMSE, MAE: root mean square and mean absolute"
        " error."
    )


def _draw_grid(study: Results, measure: Measure, rows: list[GridRow]) -> Figure:
    count, source = len(study.observers), study.human.source
    room = min(max(NARROWEST, (WIDTH - 0.4) / count), 2.6)
    height = canvas.RATIO * (room - 0.25) + 0.82 + 0.42 / len(rows)  # names are above the first
    width = max(3.8, count * room + 0.45)
    with canvas.canvas(len(rows), count, height, source, width=width) as page:
        for line, row in zip(page.panels, rows, strict=True):
            for ax, (observer, name) in zip(line, study.observers.items(), strict=True):
                ax.set_gid(f"panel:{row.panel}:{observer}")
                points = row.points[row.points["observer"] == observer]
                fit = find_fit(study.comparison, measure, row.scope, observer)
                draw_agreement(ax, points, fit, 12, room, zero=measure.per_npc, ticks=4)
                title = f"{name.short} {name.title}" if row is rows[0] else ""
                lines = [] if fit is None else fit_lines(fit, errors=True)
                canvas.heading(ax, title, lines, room=room)
            line[0].set_ylabel(f"{row.title}\n{source.people}")
        unit = " (points)" * measure.name.startswith("cost")
        page.figure.supxlabel(f"the observer’s {measure.title}{unit}", fontsize=style.TEXT)
    return page.figure


# -- calibration -----------------------------------------------------------------------------------


def calibration_plate(found: Calibration, source: Source) -> Plate:
    """The model, a straight line on it and graded choices, all experiments together."""
    sources = {
        model: found.points[["experiment", "level", "agent", "people"]].assign(
            model=found.points[model]
        )
        for model in found.fitted_on
    }
    room = WIDTH / len(sources)
    legend = canvas.experiments_legend(found.points["experiment"])
    height = _row_height(room, 1.1)
    with canvas.canvas(1, len(sources), height, source, legend=legend) as page:
        every = pd.concat(list(sources.values()))
        places = zip(page.flat, sources.items(), strict=True)
        for index, (ax, (model, points)) in enumerate(places):
            ax.set_gid(f"panel:{model}")
            fit = _calibrated_fit(found, model)
            draw_agreement(ax, points, fit, 12, room, within=every, ticks=5)
            lines = fit_lines(fit, errors=False)
            canvas.heading(ax, CALIBRATED[model], lines, letter=index, room=room)
            ax.set(xlabel="predicted steps")
        page.flat[0].set_ylabel(f"{source.people}:\nobservation steps")
    caption = (
        f"Observation steps of {source.people} (mean) against four predictions; a point is an NPC"
        " of a trial, and on the dashed line both are the same. A straight line mends the scale and"
        " leaves r as it is; the line of the other experiments was fitted on none of the points"
        " that it predicts."
    )
    if len(sources) < len(TITLES):
        caption = caption.replace("four", "three").split("; the line of")[0] + "."
    caption = source.caption(f"{caption} {canvas.MOVED}")
    return Plate("calibration", "Calibration", caption, page.figure, sources)


def _calibrated_fit(found: Calibration, model: str) -> dict[str, object]:
    """The statistics over all experiments, or of the only one."""
    mine = found.fits[found.fits["model"] == model]
    pooled = mine[mine["experiment"] == POOLED]
    [row] = (mine if pooled.empty else pooled).to_dict("records")
    return {**{str(name): value for name, value in row.items()}, "reason": ""}
