"""Trials on which our counts and the authors' own model's differ: where on the path each stops."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from math import ceil
from typing import Any

import pandas as pd

from onlooker.analysis.data.human import PUBLISHED
from onlooker.analysis.figures.maps import draw_small_map, maps_of, reference_paths
from onlooker.analysis.figures.plate import Plate
from onlooker.analysis.figures.style import (
    MARGIN,
    MODEL,
    SMALL,
    TEXT,
    WIDTH,
    heading,
    legend,
    number,
    panel_letter,
    plain_style,
)
from onlooker.analysis.tables.published import OURS, Published
from onlooker.drawing.page import ArtistStyle, Page
from onlooker.drawing.route import cells_on, start_of
from onlooker.drawing.style import INK, PAPER
from onlooker.game import Trial
from onlooker.support.extras import figures_extra

with figures_extra():
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.patheffects import withStroke

Row = dict[Hashable, Any]  # of the table of counts

NAME, TITLE = "authors-counts", "Trials that differ from the authors’ own model"
MOST = 8  # trials that are drawn
COLUMNS = 4
MARKS = {  # the authors' is the larger, so that both can be seen on one cell
    OURS: ArtistStyle(marker="o", markersize=8.0, color=MODEL),
    PUBLISHED: ArtistStyle(marker="s", markersize=11.5, color=INK),
}


def published_plate(found: Published, trials: Sequence[Trial]) -> Plate | None:
    """The trials with the largest differences, on their maps; None where all counts agree."""
    known = maps_of(trials)
    rows = found.differing
    rows = rows.assign(gap=(rows[OURS] - rows[PUBLISHED]).abs())
    rows = rows.sort_values(["gap", "experiment", "level"], ascending=[False, True, True])
    shown = [
        (known[row["experiment"], row["level"]], row)
        for row in rows.to_dict("records")
        if (row["experiment"], row["level"]) in known
    ][:MOST]
    if not shown:
        return None
    with plain_style():
        figure = _draw(shown)
    others = f" The {MOST} largest of {len(rows)} differences are shown." * (len(rows) > MOST)
    caption = (
        "Where on the NPC’s path Rational Mentalizing stops watching: circle, our count; square,"
        " that of the authors’ own model, as their file gives it. Below each map both counts and"
        f" people’s mean.{others}"
    )
    return Plate(NAME, TITLE, caption, figure, {"differing": rows.drop(columns="gap")})


def _draw(shown: list[tuple[Trial, Row]]) -> Figure:
    columns = min(COLUMNS, max(2, len(shown)))
    width = (WIDTH - 2 * MARGIN) / columns
    cell = min(0.24, *((width - 0.14) / trial.map.width for trial, _ in shown))
    tallest = cell * (max(trial.map.height for trial, _ in shown) + 0.1)
    pitch = 0.28 + tallest + 0.36
    page = Page(WIDTH, 0.36 + ceil(len(shown) / columns) * pitch)
    entries = {"our count": MARKS[OURS], "the authors’ count": MARKS[PUBLISHED]}
    looks: dict[str, ArtistStyle] = {
        text: look | {"markersize": 6, "markerfacecolor": "none", "linestyle": "none"}
        for text, look in entries.items()
    }
    legend(page, MARGIN, 0.08, looks)
    for index, (trial, row) in enumerate(shown):
        down, across = divmod(index, columns)
        x, y = MARGIN + across * width, 0.36 + down * pitch
        title = f"Exp. {row['experiment']}, {trial.label}"
        heading(page, x, y + 0.17, panel_letter(index), title, width)
        wide, high = cell * (trial.map.width + 0.1), cell * (trial.map.height + 0.1)
        gid = f"map:exp{row['experiment']}:{trial.label}:{row['agent']}"
        ax = page.axes(x, y + 0.28, wide, high, gid=gid)
        draw_small_map(ax, trial)
        for name in (PUBLISHED, OURS):
            _mark(ax, trial, str(row["agent"]), float(row[name]), name)
        _write_counts(page, x, y + 0.28 + high + 0.16, trial, row)
    return page.figure


def _mark(ax: Axes, trial: Trial, agent: str, count: float, name: str) -> None:
    """A ring around the cell where the NPC is after so many steps."""
    cells = cells_on(start_of(trial, agent), reference_paths(trial)[agent])
    x, y = cells[min(round(count), len(cells) - 1)]
    look = ArtistStyle(markerfacecolor="none", markeredgewidth=1.6, zorder=50)
    halo = [withStroke(linewidth=3.2, foreground=PAPER)]
    ax.plot([x], [y], path_effects=halo, gid=f"{name}:{agent}", **MARKS[name], **look)


def _write_counts(page: Page, left: float, top: float, trial: Trial, row: Row) -> None:
    ours, theirs, people = (float(row[name]) for name in (OURS, PUBLISHED, "people"))
    whole = all(value == round(value) for value in (ours, theirs))
    words = f"ours {number(ours, 0 if whole else 1)}, authors’ {number(theirs, 0 if whole else 1)}"
    page.text(left, top, words, TEXT)
    who = f"{row['agent']}; " if len(trial.npcs) > 1 else ""
    told = "" if pd.isna(people) else f"{who}people {number(people, 1)}"
    page.text(left, top + 0.14, told, SMALL)
