"""What people did against what each observer predicts, all experiments in one panel."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from onlooker.analysis.comparison import Comparison
from onlooker.analysis.figures.plate import LeftOut, Plate, Study
from onlooker.analysis.figures.style import (
    MARGIN,
    SIDE,
    SMALL,
    STEPS,
    ObserverPanels,
    axis_name,
    experiment_style,
    heading,
    key,
    limits,
    lines_above,
    note,
    number,
    panel_letter,
    plain_style,
    ranged,
    scales,
    stamp,
)
from onlooker.analysis.human import KEY, NEEDS_PARTICIPANTS
from onlooker.analysis.scopes import MEASURES, TRIAL, Measure, Scope, units
from onlooker.analysis.statistics import CI_METHOD
from onlooker.drawing.page import Look, broken
from onlooker.drawing.style import FAINT_INK, PAPER
from onlooker.support.extras import figures_extra

with figures_extra():
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator, MultipleLocator

OBSERVED = MEASURES[0]
FLATTEST, HIGHEST = 0.55, 0.8  # of panels: height divided by width


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
        f" the experiment, the dashed line is where both are the same. Brackets: 95% intervals,"
        f" {CI_METHOD} ({study.comparison.resamples} resamples)."
    )
    return Plate(name, title, study.who.caption(caption), figure, sources)


def measure_points(study: Study, measure: Measure) -> pd.DataFrame:
    """What is drawn of a measure: `model` beside `people` for each observer and NPC or trial.

    Rows without people's value are left out.
    """
    rows = units(study.pairs, measure, "observer")
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


def fit_lines(fit: Mapping[str, Any], *, errors: bool, width: float) -> list[str]:
    """A panel's statistics, and why one has no value; the width is in inches."""
    lines = [
        f"r = {ranged(fit['r'], fit['r_low'], fit['r_high'])}",
        f"CCC = {ranged(fit['ccc'], fit['ccc_low'], fit['ccc_high'])}",
    ]
    if errors:
        lines.append(f"RMSE {number(fit['rmse'])}, MAE {number(fit['mae'])}")
    if fit["reason"]:
        lines[0] = lines[0].replace("r = –", "r undefined")
        lines += broken(f"({fit['reason']})", width, SMALL)
    return lines


def draw_points(ax: Axes, points: pd.DataFrame, size: float) -> None:
    """The points of a panel, those of each experiment in its style."""
    for found, rows in points.groupby("experiment", sort=True):
        style = experiment_style(int(str(found)))
        ax.scatter(
            rows["model"],
            rows["people"],
            s=size,
            marker=style.marker,
            facecolor=style.colour,
            edgecolor=PAPER,
            linewidth=0.45,
            alpha=0.85,
            gid=f"{ax.get_gid()}:experiment:{found}",
            zorder=3,
        )


@dataclass(frozen=True, slots=True)
class Window:
    """What of the plane panels show: both axes to the same scale, so that agreement is 45°."""

    x: tuple[float, float]
    y: tuple[float, float]

    @classmethod
    def of(cls, points: pd.DataFrame, *, zero: bool = True) -> Window:
        """A window that some points fit in; from 0 up, unless `zero` is not wanted."""
        both = [limits(points[side], zero=zero) for side in ("model", "people")]
        (left, right), (low, high) = both
        room = 0.05 * max(right - left, high - low)
        wide, tall = right - left, high - low
        right += max(0.0, tall / HIGHEST - wide)
        high += max(0.0, FLATTEST * (right - left) - tall)
        return cls((left, right + room), (low, high + room))

    @property
    def ratio(self) -> float:
        """A panel's height divided by its width."""
        return (self.y[1] - self.y[0]) / (self.x[1] - self.x[0])

    def apply(self, ax: Axes, ticks: int = 8) -> None:
        """Set the scales of a panel, with steps of one size on both, and draw the identity."""
        ax.set(xlim=self.x, ylim=self.y)
        steps = MaxNLocator(ticks, steps=STEPS, integer=True).tick_values(*self.x)
        for axis in (ax.xaxis, ax.yaxis):
            axis.set_major_locator(MultipleLocator(steps[1] - steps[0]))
        low, high = max(self.x[0], self.y[0]), min(self.x[1], self.y[1])
        look: Look = {"color": FAINT_INK, "linewidth": 0.8, "linestyle": (0, (4, 2.5))}
        ax.plot([low, high], [low, high], zorder=1, gid=f"{ax.get_gid()}:identity", **look)


def _draw(
    study: Study, measure: Measure, points: pd.DataFrame
) -> tuple[Figure, dict[str, pd.DataFrame]]:
    window = Window.of(points, zero=measure.per_npc)
    panels = ObserverPanels.of(len(study.observers), window.ratio, narrowest=3.4)
    page, layout, side = panels.page, panels.layout, panels.layout.width
    stamp(page, study.who.stamp)
    numbers = sorted(set(points["experiment"]))
    key(page, MARGIN, 0.08, {experiment_style(n).title: marker_look(n) for n in numbers})
    sources = {}
    for index, (observer, name) in enumerate(study.observers.items()):
        row, column = divmod(index, panels.columns)
        x, y = layout.place(row, column)
        heading(
            page, x - SIDE, y - panels.above + 0.16, panel_letter(index), name.both, side + SIDE
        )
        ax = layout.axes(page, row, column, f"panel:{observer}")
        mine = points[points["observer"] == observer]
        sources[observer] = mine
        fit = find_fit(study.comparison, measure, Scope(), observer)
        if mine.empty or fit is None:
            note(ax, "no data", side)
            continue
        scales(ax)
        window.apply(ax)
        draw_points(ax, mine, 20)
        axis_name(ax, f"{name.short}: {measure.title}", side="bottom")
        people = study.who.people
        axis_name(ax, f"{people}: {measure.title}", side="left", brief=people)
        lines_above(page, x, y - 0.08, fit_lines(fit, errors=False, width=side))
    return page.figure, sources


def marker_look(experiment: int) -> dict[str, Any]:
    """An experiment's marker in a key."""
    style = experiment_style(experiment)
    look = {"marker": style.marker, "color": style.colour, "linestyle": "none"}
    return look | {"markersize": 5.5, "markeredgecolor": PAPER, "markeredgewidth": 0.5}


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
