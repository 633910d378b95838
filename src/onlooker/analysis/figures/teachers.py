"""Figures of trials with teachers: paths, looks, who is taken for a teacher, chests attributed."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil

import numpy as np
import pandas as pd

from onlooker.analysis.data.words import Source
from onlooker.analysis.figures import canvas
from onlooker.analysis.figures.maps import draw_small_map, reference_paths
from onlooker.analysis.figures.plate import Plate
from onlooker.analysis.figures.style import (
    SMALL,
    WIDTH,
    heading,
    legend,
    panel_letter,
)
from onlooker.analysis.tables.teachers import Teaching, attributed, looked_at
from onlooker.drawing.page import ArtistStyle, Page
from onlooker.drawing.route import cells_on
from onlooker.drawing.style import FAINT_INK, INK, PAPER
from onlooker.game import Expertise, Label, Trial, teacher_in
from onlooker.support.extras import figures_extra

with figures_extra():
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LABELS: dict[Label, tuple[str, ArtistStyle]] = {
    Label.EXPERT: ("told: an expert", {"color": "#D55E00", "marker": "o"}),
    Label.TEACHER: ("told: a teacher", {"color": "#0072B2", "marker": "^"}),
    Label.UNTOLD: ("not told", {"color": "#5B5F66", "marker": "D"}),
}
COLUMNS, MARGIN = 3, 0.12
BAR = 0.26  # of the room of a class
BESIDE = "pair: the expert"


def teacher_plates(found: Teaching) -> Iterator[Plate]:
    """The four figures, one at a time."""
    yield _paths_plate(found)
    yield _looks_plate(found)
    yield _kinds_plate(found)
    yield _goals_plate(found)


def _legend() -> dict[str, ArtistStyle]:
    mark = ArtistStyle(linestyle="none", markersize=6, markeredgecolor=PAPER)
    return {title: mark | look for title, look in LABELS.values()}


def _classes(found: Teaching) -> list[str]:
    return list(dict.fromkeys(found.predicted["scenario"]))


# -- paths -----------------------------------------------------------------------------------------


def _paths_plate(found: Teaching) -> Plate:
    examples = {str(trial.scenario): trial for trial in reversed(found.trials)}
    shown = [examples[kind] for kind in _classes(found)]
    names = [trial.label for trial in shown]
    looks = found.model[found.model["level"].isin(names)]
    caption = (
        "A trial of each class with the paths of its NPCs; triangles are teachers, discs experts."
        " The marks lie where the teacher stands when Rational Mentalizing stops watching it: told"
        " that it is an expert, told that it is a teacher, and not told. A mark at its start means"
        " that it is not watched."
    )
    return Plate(
        "teachers-paths",
        "What teachers do, and where watching them ends",
        caption,
        _draw_paths(shown, looks),
        {"looks": looks[["level", "scenario", "npc", "label", "looks", "others"]]},
    )


def _draw_paths(trials: list[Trial], looks: pd.DataFrame) -> Figure:
    width, rows = (WIDTH - 2 * MARGIN) / COLUMNS, ceil(len(trials) / COLUMNS)
    cell = min((width - 0.25) / (trial.map.width + 0.1) for trial in trials)
    tallest = cell * (max(trial.map.height for trial in trials) + 0.1)
    pitch = tallest + 0.4
    page = Page(WIDTH, 0.3 + rows * pitch)
    legend(page, MARGIN, 0.06, _legend())
    for index, trial in enumerate(trials):
        row, column = divmod(index, COLUMNS)
        left, top = MARGIN + column * width, 0.3 + row * pitch
        name = f"{trial.scenario}: {trial.label}"
        heading(page, left, top + 0.17, panel_letter(index), name, width)
        wide, high = cell * (trial.map.width + 0.1), cell * (trial.map.height + 0.1)
        ax = page.axes(left + (width - wide) / 2, top + 0.27, wide, high, gid=f"map:{trial.label}")
        draw_small_map(ax, trial)
        mine = looks[looks["level"] == trial.label].set_index("label")["looks"]
        _draw_ends(ax, trial, {label: int(mine[label]) for label in LABELS})
    return page.figure


def _draw_ends(ax: Axes, trial: Trial, looks: dict[Label, int]) -> None:
    """A mark for each label where the teacher stands after so many looks, side by side."""
    npc = trial.npcs[teacher_in(trial) or 0]
    path = reference_paths(trial)[npc.id]
    beside: dict[tuple[int, int], int] = {}
    for label, (_, look) in LABELS.items():
        x, y = cells_on(npc.at, path[: looks[label]])[-1]
        place = beside.get((x, y), 0)
        beside[x, y] = place + 1
        mark = ArtistStyle(markersize=4.6, markeredgecolor=PAPER, markeredgewidth=0.6)
        across = x - 0.34 + 0.34 * place
        ax.plot([across], [y + 0.34], zorder=20, gid=f"end:{label}", **mark, **look)


# -- looks, and chests attributed ------------------------------------------------------------------


def _looks_plate(found: Teaching) -> Plate:
    frame = looked_at(found, Expertise.TEACHER)
    beside = looked_at(found, Expertise.EXPERT)
    beside = beside[beside["scenario"] == "pair"].assign(scenario=BESIDE)
    frame = pd.concat([frame, beside], ignore_index=True)
    caption = (
        "Steps that a teacher is watched, by class of trials and by what players are told; last,"
        " steps that the expert beside a teacher is watched. Bars: Rational Mentalizing."
    ) + _of_people(found, frame)
    return _bars_plate(
        found,
        frame,
        ("teachers-looks", "Looks by label", caption),
        "steps watched",
        None,
    )


def _goals_plate(found: Teaching) -> Plate:
    frame = attributed(found)
    caption = (
        "How likely Rational Mentalizing holds it, as it stops watching, that a teacher wants the"
        " chest to which it is going. The line is chance among three chests."
    ) + _of_people(found, frame, "how often people name it")
    return _bars_plate(
        found,
        frame,
        ("teachers-goals", "Chests attributed", caption),
        "P(its own chest)",
        1 / 3,
    )


def _of_people(found: Teaching, frame: pd.DataFrame, what: str = "means") -> str:
    if frame["mean"].isna().all():
        return ""
    points = f" Points with standard errors: {what}, {found.source.people}."
    return (
        points if found.source is Source.HUMAN else f"{points} They are no evidence about people."
    )


def _bars_plate(
    found: Teaching,
    frame: pd.DataFrame,
    words: tuple[str, str, str],
    axis: str,
    chance: float | None,
) -> Plate:
    name, title, caption = words
    people = frame["mean"].notna().any()
    source = found.source if people else Source.HUMAN
    with canvas.canvas(1, 1, 2.6, source, legend=_legend()) as page:
        [ax] = page.flat
        ax.set_gid(f"panel:{name}")
        kinds = list(dict.fromkeys(frame["scenario"]))
        ax.set_xticks(range(len(kinds)), kinds)
        ax.tick_params(axis="x", length=0)
        ax.xaxis.grid(visible=False)
        for place, (label, (_, look)) in enumerate(LABELS.items()):
            mine = frame[frame["label"] == label].set_index("scenario").reindex(kinds)
            xs = np.arange(len(kinds)) + (place - 1) * BAR
            _draw_bars(ax, xs, mine, label, look)
        if chance is not None:
            ax.axhline(chance, color=FAINT_INK, linewidth=0.8, linestyle=(0, (4, 2.5)), zorder=1)
            ax.set_ylim(0, 1.1)
        ax.set_ylabel(axis)
    return Plate(name, title, caption, page.figure, {"means": frame})


def _draw_bars(
    ax: Axes, xs: np.ndarray, mine: pd.DataFrame, label: Label, look: ArtistStyle
) -> None:
    heights = mine["predicted"].to_numpy(dtype=float)
    fill = ArtistStyle(color=look["color"], alpha=0.35, edgecolor=look["color"])
    ax.bar(xs, heights, width=0.9 * BAR, zorder=2, gid=f"bar:{label}", **fill)
    mark = ArtistStyle(linestyle="none", markersize=4.5, markeredgecolor=PAPER)
    ax.plot(xs, heights, zorder=3, clip_on=False, **mark, **look)
    people = mine["mean"].notna().any()
    for x, height in zip(xs, heights, strict=True):
        if height == height and not people:
            words = f"{height:.2f}".rstrip("0").rstrip(".") or "0"
            ax.annotate(words, (x, height), (0, 4), textcoords="offset points", ha="center",
                        fontsize=SMALL - 0.6)  # fmt: skip
    if people:
        errors = ArtistStyle(fmt="o", color=INK, markersize=3, elinewidth=0.9, capsize=2)
        means, se = (mine[name].to_numpy(dtype=float) for name in ("mean", "se"))
        ax.errorbar(xs + 0.28 * BAR, means, yerr=se, zorder=5, **errors)


# -- who is taken for a teacher --------------------------------------------------------------------


def _kinds_plate(found: Teaching) -> Plate:
    frame = found.steps[found.steps["label"] == Label.UNTOLD]
    frame = frame[["level", "scenario", "step", "teaches"]]
    ends = found.model[found.model["label"] == Label.UNTOLD].set_index("level")["looks"]
    kinds, color = _classes(found), LABELS[Label.TEACHER][1]["color"]
    with canvas.canvas(1, len(kinds), 2.1) as page:
        for index, (ax, kind) in enumerate(zip(page.flat, kinds, strict=True)):
            ax.set_gid(f"panel:{kind}")
            canvas.heading(ax, kind, letter=index, room=page.room)
            ax.axhline(0.5, color=FAINT_INK, linewidth=0.8, linestyle=(0, (4, 2.5)), zorder=1)
            for level, rows in frame[frame["scenario"] == kind].groupby("level"):
                p = rows["teaches"].to_numpy(dtype=float)
                ax.plot(rows["step"], p, color=color, linewidth=1.1, alpha=0.8, gid=f"p:{level}")
                end = int(ends[level])
                dot = ArtistStyle(marker="D", color="#5B5F66", markeredgecolor=PAPER)
                ax.plot([end], [p[end]], markersize=4.5, zorder=4, **dot)
            ax.set(ylim=(0, 1.04), xlabel="steps seen")
            ax.set_yticks([0, 0.25, 0.5, 0.75, 1])
            if index:
                ax.tick_params(labelleft=False)
        page.flat[0].set_ylabel("P(teacher)")
    caption = (
        "How likely somebody who is not told takes the teacher for one, after each of its steps; a"
        " line for each trial. Before, expert and teacher are equally likely (dashed). The diamond"
        " is where Rational Mentalizing that is not told stops watching."
    )
    return Plate(
        "teachers-kinds", "Who is taken for a teacher", caption, page.figure, {"steps": frame}
    )
