"""What observers lose against the ideal observer: in how many trials how much, and where."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict

import numpy as np
import pandas as pd

from onlooker.analysis.data.words import observer_names
from onlooker.analysis.figures import canvas
from onlooker.analysis.figures.plate import Plate
from onlooker.analysis.figures.style import SMALL, number, observer_looks
from onlooker.drawing.page import ArtistStyle
from onlooker.drawing.style import FAINT_INK
from onlooker.experiments.naming import in_order, is_name
from onlooker.experiments.regret import Regret
from onlooker.experiments.variants import Variant
from onlooker.support.extras import figures_extra

with figures_extra():
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

BAR = "#E4E7EB"


def regret_frame(rows: Sequence[Regret]) -> pd.DataFrame:
    """The rows as a table, without those that have no regret."""
    frame = pd.DataFrame([asdict(row) for row in rows], dtype=object)  # 1 and None, not 1.0 and nan
    return frame[frame["regret"].notna()].astype({"regret": float})


def regret_plate(rows: Sequence[Regret]) -> Plate:
    """Regret over all worlds: its distribution over trials, and its mean by experiment."""
    frame = regret_frame(rows)
    shares = pd.concat([_shares(frame, name) for name in dict.fromkeys(frame["observer"])])
    means = frame.groupby(["observer", "experiment"], sort=False, dropna=False)["regret"]
    by_experiment = means.agg(["mean", "count"]).reset_index()
    trials = len(frame.drop_duplicates(["experiment", "level"]))
    caption = (
        "What observers pay more than the ideal observer, in points, over all worlds of a trial:"
        " every goal of every NPC with every assignment of holders, equally likely. a: the share"
        f" of {trials} trials with at most so much regret. b: the mean regret in each experiment;"
        " the bar and the number are the mean over all trials. The Rational Observer knows how"
        " long it will have to watch, so its regret can be below 0."
    )
    sources = {"shares": shares, "means": by_experiment}
    figure = _draw(frame, shares, by_experiment)
    return Plate("regret", "Regret", caption, figure, sources)


def _shares(frame: pd.DataFrame, observer: str) -> pd.DataFrame:
    """The share of trials in which an observer's regret is at most so large."""
    values = np.sort(frame.loc[frame["observer"] == observer, "regret"].to_numpy()).round(9)
    places, counts = np.unique(values, return_counts=True)
    return pd.DataFrame(
        {"observer": observer, "regret": places, "share": counts.cumsum() / len(values)}
    )


def _draw(frame: pd.DataFrame, shares: pd.DataFrame, by_experiment: pd.DataFrame) -> Figure:
    names = observer_names(map(Variant, dict.fromkeys(frame["observer"])))
    looks = {label: look | {"marker": ""} for label, look in observer_looks(names).items()}
    legend = {names[label].title: look for label, look in looks.items()}
    experiments = in_order(None if pd.isna(each) else each for each in by_experiment["experiment"])
    with canvas.canvas(1, 2, 3.1, legend=legend) as page:
        left, right = page.flat
        left.set_gid("panel:shares")
        right.set_gid("panel:means")
        canvas.heading(left, "Regret in single trials", letter=0, room=3.5)
        canvas.heading(right, "Mean regret", letter=1, room=3.5)
        _draw_shares(left, shares, looks)
        shorts = {label: name.short for label, name in names.items()}
        _draw_means(right, frame, by_experiment, shorts)
        if len(experiments) > 1:
            canvas.legend_below(page, {_title(each): _mark(each) for each in experiments})
    return page.figure


def _draw_shares(ax: Axes, shares: pd.DataFrame, looks: Mapping[str, ArtistStyle]) -> None:
    canvas.whole_ticks(ax)
    low, high = min(0.0, shares["regret"].min()), max(shares["regret"].max(), 1.0)
    ax.set(xlim=(low - 0.02 * (high - low), 1.02 * high), ylim=(0, 1.03))
    ax.set_yticks([0, 0.25, 0.5, 0.75, 1])
    for layer, (observer, look) in enumerate(looks.items()):
        mine = shares[shares["observer"] == observer]
        x, y = [low - high, *mine["regret"], 2 * high], [0.0, *mine["share"], 1.0]
        stroke = ArtistStyle(linewidth=1.5, zorder=10 - layer, gid=f"shares:{observer}") | look
        ax.step(x, y, where="post", **stroke)
    ax.set(xlabel="regret (points)", ylabel="share of trials with at most that")


def _draw_means(
    ax: Axes, frame: pd.DataFrame, by_experiment: pd.DataFrame, shorts: Mapping[str, str]
) -> None:
    means = frame.groupby("observer", sort=False)["regret"].mean()
    high, low = max(by_experiment["mean"].max(), 1.0), min(0.0, by_experiment["mean"].min())
    canvas.whole_ticks(ax)
    canvas.name_rows(ax, list(shorts.values()))
    ax.set(xlim=(low - 0.03 * (high - low), 1.06 * high), xlabel="mean regret (points)")
    for row, observer in enumerate(shorts):
        ax.barh(row, means[observer], height=0.5, color=BAR, zorder=2)
        mine = by_experiment[by_experiment["observer"] == observer]
        for experiment, mean in zip(mine["experiment"], mine["mean"], strict=True):
            ax.plot([mean], [row], zorder=4, **_mark(experiment))
        words = f"mean {number(means[observer])}"
        ax.text(0.01 * high, row - 0.3, words, fontsize=SMALL, va="bottom")


def _mark(experiment: object) -> ArtistStyle:
    """The marker of an experiment."""
    if is_name(experiment):
        return canvas.marker_look(experiment)
    return canvas.marker_look(1) | {"color": FAINT_INK, "marker": "X"}


def _title(experiment: object) -> str:
    return "no experiment" if pd.isna(experiment) else f"Experiment {experiment}"  # type: ignore[call-overload]
