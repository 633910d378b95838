"""People against the model, against a straight line on it, and against graded choices."""

from __future__ import annotations

import pandas as pd

from onlooker.analysis.data.scopes import POOLED
from onlooker.analysis.figures.plate import Plate, Who
from onlooker.analysis.figures.points import MOVED, RATIO, Window, draw_points, marker_look
from onlooker.analysis.figures.scatter import draw_reason, fit_lines
from onlooker.analysis.figures.style import (
    MARGIN,
    ObserverPanels,
    axis_name,
    experiment_style,
    key,
    lines_above,
    plain_style,
    scales,
    stamp,
)
from onlooker.analysis.tables.calibration import TITLES, Calibration

NAME, TITLE = "calibration", "Calibration"
NAMES = dict(
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


def calibration_plate(found: Calibration, who: Who) -> Plate:
    """A panel for each prediction, all experiments together."""
    sources = {
        model: found.points[["experiment", "level", "agent", "people"]].assign(
            model=found.points[model]
        )
        for model in found.fitted_on
    }
    panels = ObserverPanels.of(len(sources), RATIO, narrowest=3.4)
    with plain_style():
        page, side = panels.page, panels.layout.width
        stamp(page, who.stamp)
        numbers = sorted(set(found.points["experiment"]))
        key(page, MARGIN, 0.08, {experiment_style(n).title: marker_look(n) for n in numbers})
        panels.headings([NAMES[model] for model in sources])
        window = Window.of(pd.concat(list(sources.values())))
        for index, (model, points) in enumerate(sources.items()):
            x, y = panels.place(index)
            ax = panels.axes(index, f"panel:{model}")
            scales(ax)
            window.apply(ax)
            draw_points(ax, points, 20)
            fit = _fit(found, model)
            draw_reason(ax, fit, side)
            axis_name(ax, "predicted observation steps", side="bottom")
            axis_name(ax, f"{who.people}:\nobservation steps", side="left", brief=who.people)
            lines_above(page, x, y - 0.08, fit_lines(fit, errors=False))
    caption = (
        f"Observation steps of {who.people} (mean) against four predictions; a point is an NPC of a"
        " trial, and on the dashed line both are the same. A straight line mends the scale and"
        " leaves r as it is; the line of the other experiments was fitted on none of the points"
        " that it predicts."
    )
    if len(sources) < len(TITLES):
        caption = caption.replace("four", "three").split("; the line of")[0] + "."
    return Plate(NAME, TITLE, who.caption(f"{caption} {MOVED}"), page.figure, sources)


def _fit(found: Calibration, model: str) -> dict[str, object]:
    """The statistics over all experiments, or of the only one."""
    mine = found.fits[found.fits["model"] == model]
    pooled = mine[mine["experiment"] == POOLED]
    [row] = (mine if pooled.empty else pooled).to_dict("records")
    return {**{str(name): value for name, value in row.items()}, "reason": ""}
