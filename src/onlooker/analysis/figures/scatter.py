"""What people did against what each observer predicts, all experiments in one panel."""

from __future__ import annotations

from collections.abc import Mapping
from math import nan
from typing import Any

import pandas as pd

from onlooker.analysis.data.human import KEY, NEEDS_PARTICIPANTS
from onlooker.analysis.data.scopes import MEASURES, TRIAL, Measure, Scope, one_row_per_unit
from onlooker.analysis.data.statistics import CI_METHOD
from onlooker.analysis.figures.intervals import Interval, draw_intervals, hollow
from onlooker.analysis.figures.plate import LeftOut, Plate, Study
from onlooker.analysis.figures.points import MOVED, RATIO, Window, draw_points, marker_look
from onlooker.analysis.figures.style import (
    MARGIN,
    SMALL,
    TEXT,
    ObserverPanels,
    axis_name,
    experiment_style,
    key,
    lines_above,
    note,
    number,
    observer_styles,
    plain_style,
    ranged,
    scales,
    stamp,
)
from onlooker.analysis.tables.comparison import Comparison
from onlooker.drawing.page import Look, broken, text_width, write
from onlooker.drawing.style import FAINT_INK, PAPER
from onlooker.support.extras import figures_extra

with figures_extra():
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

OBSERVED = MEASURES[0]
AGREEMENT = "Agreement"  # the panel that compares the observers


def scatter_plate(study: Study, measure: Measure = OBSERVED) -> Plate | LeftOut:
    """People against each observer over all experiments, a panel for each observer."""
    name = f"pooled-{measure.name.replace('_', '-')}"
    title = f"{_capital(measure.title)}, all experiments"
    points = measure_points(study, measure)
    if points.empty:
        return LeftOut(name, title, NEEDS_PARTICIPANTS)
    with plain_style():
        figure, sources = _draw(study, measure, points)
    who = study.who.people
    what = "an NPC of a trial" if measure.per_npc else "a trial"
    caption = (
        f"{title}: {who} (mean) against each observer. A point is {what}; colour and marker show"
        " the experiment, the dashed line is where both are the same. Both axes of a panel have"
        " the same scale, but panels differ in it. Brackets and lines: 95% intervals,"
        f" {CI_METHOD} ({study.comparison.resamples} resamples). {MOVED}"
    )
    return Plate(name, title, study.who.caption(caption), figure, sources)


def measure_points(study: Study, measure: Measure) -> pd.DataFrame:
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


def draw_reason(ax: Axes, fit: Mapping[str, Any], width: float) -> None:
    """Say in a panel's corner, where no points are then, why a statistic has no value."""
    if fit["reason"]:
        text = "\n".join(broken(str(fit["reason"]), 0.72 * width, SMALL))
        ground: Look = {"facecolor": PAPER, "edgecolor": "none", "pad": 1.0}
        look: Look = {"ha": "right", "va": "top", "color": FAINT_INK, "linespacing": 1.1}
        look["bbox"] = ground
        write(ax, 0.98, 0.97, text, SMALL, transform=ax.transAxes, zorder=9, **look)


def _draw(
    study: Study, measure: Measure, points: pd.DataFrame
) -> tuple[Figure, dict[str, pd.DataFrame]]:
    numbers = sorted(set(points["experiment"]))
    head = sum(text_width(experiment_style(n).title, TEXT) + 0.37 for n in numbers)
    head += text_width(study.who.stamp, SMALL, "bold") + 0.5
    panels = ObserverPanels.of(len(study.observers), RATIO, narrowest=head)
    page, side = panels.page, panels.layout.width
    stamp(page, study.who.stamp)
    key(page, MARGIN, 0.08, {experiment_style(n).title: marker_look(n) for n in numbers})
    fits = {name: find_fit(study.comparison, measure, Scope(), name) for name in study.observers}
    titles = [name.both for name in study.observers.values()]
    panels.headings([*titles, *[AGREEMENT] * (panels.free is not None)])
    sources = {}
    for index, (observer, name) in enumerate(study.observers.items()):
        x, y = panels.place(index)
        ax = panels.axes(index, f"panel:{observer}")
        mine, fit = points[points["observer"] == observer], fits[observer]
        sources[observer] = mine
        if mine.empty or fit is None:
            note(ax, "no data", side)
            continue
        scales(ax)
        Window.of(mine, zero=measure.per_npc).apply(ax)
        draw_points(ax, mine, 17)
        draw_reason(ax, fit, side)
        axis_name(ax, f"{name.short}: {measure.title}", side="bottom")
        people = study.who.people
        axis_name(ax, f"{people}:\n{measure.title}", side="left", brief=people)
        lines_above(page, x, y - 0.08, fit_lines(fit, errors=False))
    if panels.free is not None:
        _draw_agreement(panels, study, fits)
    return page.figure, sources


def _draw_agreement(
    panels: ObserverPanels, study: Study, fits: Mapping[str, Mapping[str, Any] | None]
) -> None:
    """CCC and r of all observers side by side, where there is a place for a panel."""
    assert panels.free is not None
    styles = observer_styles(study.observers)
    rows = {}
    for observer, name in study.observers.items():
        look: Look = {"color": styles[observer].colour, "marker": styles[observer].marker}
        fit = fits[observer] or {}
        looks = {"ccc": look, "r": hollow(look)}
        rows[name.short] = [
            Interval(
                fit.get(each, nan), fit.get(f"{each}_low", nan), fit.get(f"{each}_high", nan), style
            )
            for each, style in looks.items()
        ]
    draw_intervals(panels.axes(panels.free, "summary"), rows, "CCC (filled) and r (hollow)")


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
