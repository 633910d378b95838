"""Figures of what only logs show: when people watch, hesitate, learn, and what they pay."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pandas as pd

from onlooker.analysis.data.scopes import POOLED
from onlooker.analysis.data.words import MODEL, Source, records
from onlooker.analysis.figures import canvas, style
from onlooker.analysis.figures.plate import Plate
from onlooker.analysis.figures.style import PEOPLE, titles
from onlooker.analysis.tables.logs import PARTS, Logs
from onlooker.drawing.page import ArtistStyle
from onlooker.support.extras import figures_extra

with figures_extra():
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator, NullLocator

Draw = Callable[[Axes, Logs, Any], pd.DataFrame]  # of an experiment; gives what it draws
OURS = ArtistStyle(color=PEOPLE, marker="o", markersize=3.5)
MODELS = ArtistStyle(color=style.MODEL, marker="^", markersize=3.5)
SCALES = {  # of parameters, with what is written at the axis
    "temperature": ("log", (0.1, 0.3, 1, 3, 10, 30)),
    "skip": ("logit", (0.01, 0.03, 0.1, 0.3, 0.5, 0.7, 0.9)),
}


def _legend(source: Source) -> dict[str, ArtistStyle]:
    return {source.people: OURS, titles([MODEL])[MODEL]: MODELS}


def _of(table: pd.DataFrame, experiment: Any) -> pd.DataFrame:
    found: pd.DataFrame = table[table["experiment"] == experiment]
    return found


# -- panels ----------------------------------------------------------------------------------------


def _course(ax: Axes, logs: Logs, experiment: Any) -> pd.DataFrame:
    rows = _of(logs.course, experiment)
    for who, look in (("people", OURS), (MODEL, MODELS)):
        mine = rows[rows["who"] == who]
        ax.plot((mine["part"] - 0.5) / PARTS, mine["watching"], **(look | {"linewidth": 1.4}))
    ax.set(xlim=(0, 1), ylim=(0, 1.02), xlabel="part of a trial", ylabel="share of watching")
    return rows


def _deciding(ax: Axes, logs: Logs, experiment: Any) -> pd.DataFrame:
    rows = _of(logs.hesitation, experiment)
    ax.vlines(rows["gap"], rows["low"], rows["high"], color=PEOPLE, linewidth=1.0)
    ax.plot(rows["gap"], rows["seconds"], **(OURS | {"linewidth": 1.4}))
    ax.set_xscale("symlog", linthresh=1)
    _plain_ticks(ax.xaxis, (0, 1, 10, 100))
    ax.set(ylim=(0, None), xlabel="|C − Q| (points)", ylabel="seconds before a choice")
    return rows


def _plain_ticks(axis: Axis, ticks: Sequence[float]) -> None:
    """Plain numbers at some values of a scale that is not linear."""
    axis.set_major_locator(FixedLocator(ticks))
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axis.set_minor_locator(NullLocator())


def _practice(ax: Axes, logs: Logs, experiment: Any) -> pd.DataFrame:
    rows = _of(logs.practice, experiment)
    line = rows.rename(columns={"agreement_low": "low", "agreement_high": "high"})
    canvas.line_band(ax, line, OURS | {"zorder": 3}, "position", "agreement")
    ax.xaxis.set_major_locator(MaxNLocator(5, integer=True))
    ax.set(ylim=(0, 1.02), xlabel="place of the trial", ylabel="choices as the model's")
    return rows


def _beyond(ax: Axes, logs: Logs, experiment: Any) -> pd.DataFrame:
    found = logs.beyond
    nothing = float("nan")
    canvas.interval_rows(
        ax,
        {
            "All" if row["experiment"] == POOLED else f"Exp. {row['experiment']}": [
                canvas.Interval(row["beyond"], row["beyond_low"], row["beyond_high"], OURS),
                canvas.Interval(row["model"], nothing, nothing, MODELS),
            ]
            for row in records(found)
        },
        "points beyond the ideal",
    )
    return found


PANELS: dict[str, tuple[str, str, Draw]] = {
    "course": ("When people watch", "share of choices that watch in tenths of a trial", _course),
    "deciding": (
        "Time to decide",
        "time before a choice that is not the first, by how far acting (C) and the best watching"
        " (Q) are apart to the model; medians in bins of equal number, with quartiles",
        _deciding,
    ),
    "practice": (
        "Practice",
        "share of choices up to the first action that are the model's, by the place of the trial",
        _practice,
    ),
    "beyond": (
        "What people pay",
        "points a trial more than the ideal observer pays, where the chest is reached",
        _beyond,
    ),
}
INTERVALS = "Intervals are of 95 %, over participants, where there are at least ten."


# -- plates ----------------------------------------------------------------------------------------


def logs_plates(logs: Logs, source: Source) -> Iterator[Plate]:
    """One figure for the report, and each of its panels by experiment."""
    drawable = {name: panel for name, panel in PANELS.items() if name in logs.tables()}
    whole = _whole(logs)
    sources = {}
    with canvas.canvas(1, max(1, len(drawable)), 2.0, source, legend=_legend(source)) as page:
        for letter, (ax, (name, (title, _, draw))) in enumerate(
            zip(page.take(len(drawable)), drawable.items(), strict=True)
        ):
            canvas.heading(ax, title, letter=letter, room=page.room)
            sources[name] = draw(ax, logs, whole)
    words = "; ".join(
        f"{style.panel_letter(place)}: {about}"
        for place, (_, about, _) in enumerate(drawable.values())
    )
    caption = source.caption(f"{words}. {INTERVALS}")
    yield Plate("logs", "What only logs show", caption, page.figure, sources)
    for name, (title, words, draw) in drawable.items():
        yield _by_experiment(logs, source, name, title, words, draw)


def _whole(logs: Logs) -> Any:
    """All experiments, or the only one."""
    numbers = sorted(set(logs.trials["experiment"]), key=str)
    return POOLED if len(numbers) > 1 else next(iter(numbers), POOLED)


def _by_experiment(
    logs: Logs, source: Source, name: str, title: str, words: str, draw: Draw
) -> Plate:
    numbers = sorted(set(logs.trials["experiment"]), key=str)
    parts = [_whole(logs)] if draw is _beyond else numbers
    sources = {}
    with canvas.canvas(1, len(parts), 2.0, source, legend=_legend(source)) as page:
        for ax, experiment in zip(page.flat, parts, strict=True):
            if draw is not _beyond:
                canvas.heading(ax, f"Experiment {experiment}", room=page.room)
            sources[f"exp{experiment}"] = draw(ax, logs, experiment)
            if ax is not page.flat[0]:
                ax.set_ylabel("")
    caption = source.caption(f"{style.capital(words)}. {INTERVALS}")
    return Plate(f"logs-{name}", title, caption, page.figure, sources)


def parameters_plate(people: pd.DataFrame, spread: pd.DataFrame, source: Source) -> Plate:
    """Everybody's parameters of Graded Mentalizing, in order."""
    names = list(spread["parameter"])
    with canvas.canvas(1, len(names), 2.2, source) as page:
        for ax, name in zip(page.flat, names, strict=True):
            mine = people[people["parameter"] == name].sort_values("estimate")
            places = range(len(mine))
            ax.vlines(places, mine["low"], mine["high"], color=PEOPLE, linewidth=0.8, alpha=0.5)
            ax.plot(places, mine["estimate"], linestyle="none", **OURS)
            if name in SCALES:
                scale, ticks = SCALES[name]
                ax.set_yscale(scale)
                _plain_ticks(ax.yaxis, ticks)
            ax.set(xlabel="participants, in order", ylabel=name)
            ax.set_xticks([])
            row = spread.set_index("parameter").loc[name]
            canvas.heading(ax, name.capitalize(), [f"log BF {row['log_bayes']:.1f}"])
    return Plate(
        "parameters-of-people",
        "How much people differ",
        source.caption(
            "Each participant's parameters of Graded Mentalizing: posterior means with 95 %"
            " intervals. log BF is the log evidence of everybody having a value of their own minus"
            " that of all sharing one: above 3 people differ, below −3 they do not."
        ),
        page.figure,
        {"people": people, "spread": spread},
    )
