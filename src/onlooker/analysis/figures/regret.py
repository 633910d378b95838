"""What observers lose against the ideal observer: in how many trials how much, and where."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

import numpy as np
import pandas as pd

from onlooker.analysis.figures.plate import Plate
from onlooker.analysis.figures.style import (
    MARGIN,
    SIDE,
    SMALL,
    TEXT,
    WIDTH,
    axis_name,
    experiment_style,
    heading,
    key,
    number,
    observer_looks,
    observer_names,
    plain_style,
    scales,
)
from onlooker.drawing.page import Look, Page, text_width, write
from onlooker.drawing.style import FAINT_INK, INK, PAPER
from onlooker.experiments.regret import Regret
from onlooker.experiments.variants import Variant
from onlooker.support.extras import figures_extra

with figures_extra():
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.ticker import FixedLocator

NAME, TITLE = "regret", "Regret"
PANEL = 2.3  # inches: the height of the panels
TOP = 0.72


def regret_frame(rows: Sequence[Regret]) -> pd.DataFrame:
    """The rows as a table, without those that have no regret."""
    frame = pd.DataFrame([asdict(row) for row in rows])
    return frame[frame["regret"].notna()].astype({"regret": float})


def regret_plate(rows: Sequence[Regret]) -> Plate:
    """Regret over all worlds: its distribution over trials, and its mean by experiment."""
    frame = regret_frame(rows)
    shares = pd.concat([_shares(frame, name) for name in dict.fromkeys(frame["observer"])])
    means = frame.groupby(["observer", "experiment"], sort=False, dropna=False)["regret"]
    by_experiment = means.agg(["mean", "count"]).reset_index()
    with plain_style():
        figure = _draw(frame, shares, by_experiment)
    trials = len(frame.drop_duplicates(["experiment", "level"]))
    caption = (
        "What observers pay more than the ideal observer, in points, over all worlds of a trial:"
        " every goal of every NPC with every assignment of holders, equally likely. a: the share"
        f" of {trials} trials with at most so much regret. b: the mean regret in each experiment;"
        " the bar and the number are the mean over all trials. The Rational Observer knows how"
        " long it will have to watch, so its regret can be below 0."
    )
    sources = {"shares": shares, "means": by_experiment}
    return Plate(NAME, TITLE, caption, figure, sources)


def _shares(frame: pd.DataFrame, observer: str) -> pd.DataFrame:
    """The share of trials in which an observer's regret is at most so large."""
    values = np.sort(frame.loc[frame["observer"] == observer, "regret"].to_numpy()).round(9)
    places, counts = np.unique(values, return_counts=True)
    return pd.DataFrame(
        {"observer": observer, "regret": places, "share": counts.cumsum() / len(values)}
    )


def _draw(frame: pd.DataFrame, shares: pd.DataFrame, by_experiment: pd.DataFrame) -> Figure:
    names = observer_names(map(Variant, dict.fromkeys(frame["observer"])))
    looks = observer_looks(names)
    page = Page(WIDTH, TOP + PANEL + 0.85)
    shorts = max(text_width(name.short, TEXT, "bold") for name in names.values())
    left, gap = MARGIN + SIDE, SIDE + shorts + 0.1
    width = (WIDTH - left - MARGIN - gap - 0.35) / 2
    heading(page, MARGIN, 0.2, "a", "Regret in single trials", width + SIDE)
    heading(page, left + width + gap - 0.3, 0.2, "b", "Mean regret", width + 0.3)
    lines: dict[str, Look] = {
        name.title: looks[label] | {"marker": "", "linewidth": 1.5} for label, name in names.items()
    }
    middle = len(lines) if _row_width(lines) < WIDTH - 2 * MARGIN else (len(lines) + 1) // 2
    entries = list(lines.items())
    for row, some in enumerate((entries[:middle], entries[middle:])):
        key(page, MARGIN, 0.3 + 0.2 * row, dict(some), gid=f"key:observers:{row}")
    _draw_shares(page.axes(left, TOP, width, PANEL, gid="panel:shares"), shares, looks)
    place = left + width + gap
    panel = page.axes(place, TOP, width, PANEL, gid="panel:means")
    _draw_means(panel, frame, by_experiment, {label: n.short for label, n in names.items()})
    marks = {
        str(_title(each)): _mark(each) | {"markersize": 4.5}
        for each in sorted(set(by_experiment["experiment"]), key=str)
    }
    if len(marks) > 1:
        begin = max(MARGIN, WIDTH - MARGIN - _row_width(marks))
        key(page, begin, page.height - 0.3, marks, gid="key:experiments")
    return page.figure


def _row_width(entries: dict[str, Look]) -> float:
    """How many inches the row of a key takes, at the most."""
    return sum(text_width(text, TEXT) + 0.56 for text in entries)


def _draw_shares(ax: Axes, shares: pd.DataFrame, looks: dict[str, Look]) -> None:
    scales(ax, 5)
    low, high = min(0.0, shares["regret"].min()), max(shares["regret"].max(), 1.0)
    ax.set(xlim=(low - 0.02 * (high - low), 1.02 * high), ylim=(0, 1.03))
    ax.yaxis.set_major_locator(FixedLocator([0, 0.25, 0.5, 0.75, 1]))
    for layer, (observer, look) in enumerate(looks.items()):
        mine = shares[shares["observer"] == observer]
        x = [low - high, *mine["regret"], 2 * high]
        y = [0.0, *mine["share"], 1.0]
        stroke: Look = {"color": look["color"], "linestyle": look["linestyle"], "linewidth": 1.5}
        ax.step(x, y, where="post", zorder=10 - layer, gid=f"shares:{observer}", **stroke)
    axis_name(ax, "regret (points)", side="bottom")
    axis_name(ax, "share of trials with at most that", side="left", room=0.34)


def _draw_means(
    ax: Axes, frame: pd.DataFrame, by_experiment: pd.DataFrame, shorts: dict[str, str]
) -> None:
    scales(ax, 5)
    means = frame.groupby("observer", sort=False)["regret"].mean()
    high = max(by_experiment["mean"].max(), 1.0)
    low = min(0.0, by_experiment["mean"].min())
    ax.set(xlim=(low - 0.03 * (high - low), 1.06 * high), ylim=(len(shorts) - 0.45, -0.55))
    ax.yaxis.set_major_locator(FixedLocator(range(len(shorts))))
    ax.set_yticklabels(list(shorts.values()))
    for row, observer in enumerate(shorts):
        ax.barh(row, means[observer], height=0.5, color="#E4E7EB", zorder=2)
        mine = by_experiment[by_experiment["observer"] == observer]
        for experiment, mean in zip(mine["experiment"], mine["mean"], strict=True):
            ax.plot([mean], [row], zorder=4, markersize=5, **_mark(experiment))
        words = f"mean {number(means[observer])}"
        write(ax, 0.01 * high, row - 0.3, words, SMALL, va="bottom", color=INK)
    axis_name(ax, "mean regret (points)", side="bottom")


def _mark(experiment: object) -> Look:
    """The marker of an experiment."""
    edge: Look = {"markeredgecolor": PAPER, "markeredgewidth": 0.5, "linestyle": "none"}
    if isinstance(experiment, int):
        style = experiment_style(experiment)
        return {"color": style.colour, "marker": style.marker} | edge
    return {"color": FAINT_INK, "marker": "X"} | edge


def _title(experiment: object) -> str:
    if isinstance(experiment, int):
        return experiment_style(experiment).title
    return "no experiment" if pd.isna(experiment) else f"Experiment {experiment}"  # type: ignore[call-overload]
