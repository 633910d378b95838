"""How well each observer fits within each experiment: grids of people against observers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pandas as pd

from onlooker.analysis.data.human import NEEDS_PARTICIPANTS
from onlooker.analysis.data.scopes import MEASURES, Measure, Scope
from onlooker.analysis.data.statistics import CI_METHOD
from onlooker.analysis.figures.plate import LeftOut, Plate, Study
from onlooker.analysis.figures.points import MOVED, RATIO, Window, draw_points
from onlooker.analysis.figures.scatter import draw_reason, find_fit, fit_lines, measure_points
from onlooker.analysis.figures.style import (
    HEADING,
    LINE,
    MARGIN,
    SIDE,
    SMALL,
    TEXT,
    WIDTH,
    ObserverName,
    axis_name,
    experiment_style,
    lines_above,
    note,
    plain_style,
    scales,
    stamp,
)
from onlooker.drawing.page import Page, broken, text_width
from onlooker.support.extras import figures_extra

with figures_extra():
    from matplotlib.figure import Figure

OBSERVED, TOTAL_STEPS, COST_OBSERVATION, COST_TOTAL = MEASURES
MOST_ROWS = 4  # on a page
NARROWEST = 1.05  # inches: a panel, so that its statistics can be read
GAP = 0.24  # inches: between columns
ABOVE, BELOW = 0.26 + 3 * LINE, 0.26  # inches: a row's title and statistics, and its scale


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
        return f"exp{self.scope.experiment}{part}"


def observation_cost_plates(study: Study) -> list[Plate | LeftOut]:
    """Points spent on watching, within each experiment and for each NPC."""
    return fit_plates(study, COST_OBSERVATION)


def total_cost_plates(study: Study) -> list[Plate | LeftOut]:
    """Points spent in all, within each experiment."""
    return fit_plates(study, COST_TOTAL)


def fit_plates(study: Study, measure: Measure) -> list[Plate | LeftOut]:
    """People against observers in rows of experiments (and NPCs) and columns of observers.

    There are at most MOST_ROWS rows to a plate, and an experiment is never torn apart.
    """
    name, title = measure.name.replace("_", "-"), measure.title[:1].upper() + measure.title[1:]
    found = list(grid_rows(study, measure))
    if not found:
        return [LeftOut(name, f"{title} by experiment", NEEDS_PARTICIPANTS)]
    pages = _pages(found)
    plates: list[Plate | LeftOut] = []
    for index, rows in enumerate(pages, start=1):
        with plain_style():
            figure = _draw(study, measure, rows)
        number = f"-{index}" if len(pages) > 1 else ""
        which = _experiments(rows)
        sources = {row.panel: row.points for row in rows}
        whole = f"{title}, {which}"
        plates.append(
            Plate(f"{name}{number}", whole, _caption(study, whole, rows), figure, sources)
        )
    return plates


def grid_rows(study: Study, measure: Measure) -> Iterator[GridRow]:
    """The rows for which there is data: each experiment, or each of its NPCs.

    NPCs differ by their expertise where there are several, else by their ids.
    """
    points = measure_points(study, measure)
    for number in sorted(set(points["experiment"])):
        rows = points[points["experiment"] == number]
        title = experiment_style(number).title
        for scope in _split(rows, number) if measure.per_npc else [Scope(number)]:
            name = title if scope.of_all_npcs else f"{title}, {scope.who}"
            yield GridRow(scope, name, scope.of(rows))


def _split(rows: pd.DataFrame, number: int) -> list[Scope]:
    """An experiment's roles if they differ, else its NPCs, if there are several."""
    if rows["expertise"].nunique() > 1:
        return [Scope(number, role=role) for role in sorted(set(rows["expertise"]))]
    if rows["agent"].nunique() > 1:
        return [Scope(number, npc=npc) for npc in sorted(set(rows["agent"]))]
    return [Scope(number)]


def _pages(rows: list[GridRow]) -> list[list[GridRow]]:
    pages: list[list[GridRow]] = [[]]
    for number in dict.fromkeys(row.scope.experiment for row in rows):
        block = [row for row in rows if row.scope.experiment == number]
        if pages[-1] and len(pages[-1]) + len(block) > MOST_ROWS:
            pages.append([])
        pages[-1] += block
    return pages


def _experiments(rows: list[GridRow]) -> str:
    numbers = [str(number) for number in dict.fromkeys(row.scope.experiment for row in rows)]
    return f"Experiment {numbers[0]}" if len(numbers) == 1 else "Experiments " + ", ".join(numbers)


def _caption(study: Study, title: str, rows: list[GridRow]) -> str:
    split = any(not row.scope.of_all_npcs for row in rows)
    return study.who.caption(
        f"{title}: {study.who.people} (mean) against each observer (columns), by experiment"
        f"{' and NPC' if split else ''} (rows). A point is {'an NPC of ' if split else ''}a trial;"
        " on the dashed line both are the same. Both axes of a panel have the same scale, but"
        f" panels differ in it. {MOVED} r: Pearson's correlation; CCC: Lin's concordance"
        f" correlation; brackets: 95% intervals, {CI_METHOD}"
        f" ({study.comparison.resamples} resamples); RMSE, MAE: root mean square and mean absolute"
        " error."
    )


def _draw(study: Study, measure: Measure, rows: list[GridRow]) -> Figure:
    count = len(study.observers)
    # Statistics are wider than their panel, so there is a gap to the right of the last one too.
    side = max(NARROWEST, min(2.2, (WIDTH - 2 * MARGIN - SIDE) / count - GAP))
    width = max(3.8, 2 * MARGIN + SIDE + count * (side + GAP))
    left, top, height = MARGIN + SIDE, 0.66, RATIO * side
    page = Page(width, top + len(rows) * (ABOVE + height + BELOW) + 0.16)
    stamp(page, study.who.stamp)
    page.text(MARGIN, 0.21, plate_heading(measure), HEADING, weight="bold")
    column_names(page, study, left, top - 0.12, side + GAP)
    for row in rows:
        page.text(MARGIN, top + 0.17, row.title, TEXT, weight="bold")
        top += ABOVE
        _draw_row(page, study, measure, row, (left, top, side))
        top += height + BELOW
    middle = left + (count * (side + GAP) - GAP) / 2
    page.text(middle, page.height - 0.08, f"the observer’s {measure.title}", TEXT, ha="center")
    return page.figure


def plate_heading(measure: Measure) -> str:
    """The measure with its unit."""
    title = measure.title[:1].upper() + measure.title[1:]
    return f"{title} (points)" if measure.name.startswith("cost") else title


def column_names(page: Page, study: Study, left: float, top: float, pitch: float) -> None:
    """The observers' names over their columns, all of one size."""
    names = list(study.observers.values())
    room = pitch - 0.08
    size = TEXT
    while size > SMALL and any(_name_width(name, size) > room for name in names):
        size -= 0.25
    begins = [text_width(name.short, size, "bold") + 0.06 for name in names]
    lines = [
        broken(name.title, room - begin, size) for name, begin in zip(names, begins, strict=True)
    ]
    first = top - LINE * (max(map(len, lines)) - 1)
    for column, name in enumerate(names):
        x = left + column * pitch
        page.text(x, first, name.short, size, weight="bold")
        last = first + LINE * (len(lines[column]) - 1)
        lines_above(page, x + begins[column], last, lines[column], size)


def _name_width(name: ObserverName, size: float) -> float:
    return text_width(name.short, size, "bold") + 0.06 + text_width(name.title, size)


def _draw_row(
    page: Page, study: Study, measure: Measure, row: GridRow, place: tuple[float, float, float]
) -> None:
    left, top, side = place
    for column, observer in enumerate(study.observers):
        x = left + column * (side + GAP)
        ax = page.axes(x, top, side, RATIO * side, gid=f"panel:{row.panel}:{observer}")
        points = row.points[row.points["observer"] == observer]
        fit = find_fit(study.comparison, measure, row.scope, observer)
        if points.empty or fit is None:
            note(ax, "no predictions", side)
            continue
        scales(ax)
        Window.of(points, zero=measure.per_npc).apply(ax, 5)
        draw_points(ax, points, 12)
        draw_reason(ax, fit, side)
        if column == 0:
            axis_name(ax, study.who.people, side="left", room=0.3)
        lines_above(page, x, top - 0.07, fit_lines(fit, errors=True))
