"""The figures of a sensitivity analysis: curves, each experiment alone, shares of the variance."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10
from typing import Any

import pandas as pd

from onlooker.analysis.data.scopes import POOLED
from onlooker.analysis.data.words import Source, observer_names
from onlooker.analysis.figures import canvas, style
from onlooker.analysis.figures.plate import Plate
from onlooker.analysis.figures.style import MODEL, PEOPLE, WIDTH, limits
from onlooker.analysis.tables.sensitivity.design import NAMES, SOFT_VALUES, VALUES, spans_of
from onlooker.analysis.tables.sensitivity.indices import INTERVALS, METHOD
from onlooker.analysis.tables.sensitivity.measures import Sensitivity
from onlooker.drawing.page import ArtistStyle
from onlooker.drawing.style import FAINT_INK, PAPER
from onlooker.experiments.variants import Variant
from onlooker.game import ExperimentName
from onlooker.support.extras import figures_extra

with figures_extra():
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.ticker import LogLocator, MaxNLocator, NullFormatter


LOG = ("beta", "epsilon", "temperature")  # drawn on a log scale
COLUMNS = 3
STROKES = ("solid", (0, (5, 1.6)), (0, (5, 1.4, 1, 1.4)), (0, (1.2, 1.2)))
FIRST = ArtistStyle(marker="o", color=PEOPLE)
TOTAL = ArtistStyle(marker="D", color=MODEL)
FRAME = (-0.15, 1.15)  # what lies beyond is drawn at its edge
MEASURE_TITLES = {
    "mean_observed": "Steps watched per NPC",
    "share_differ": "Share of counts that change",
    "r_human": "Fit: r with the means of {people}",
}


@dataclass(frozen=True, slots=True)
class Shown:
    """A measure that the curves show."""

    measure: str
    name: str  # of the plate
    title: str
    axis: str
    caption: str
    ends: tuple[float, ...] = ()  # of the scale, where it has its own


SHOWN = (
    Shown(
        "mean_observed",
        "sensitivity-steps",
        "How long observers watch, under other parameters",
        "steps watched per NPC",
        "steps watched of an NPC, on average over all levels",
    ),
    Shown(
        "share_differ",
        "sensitivity-changes",
        "How many predictions change, under other parameters",
        "share that differs",
        "the share of an observer's counts (an NPC of a level each) that differ from those"
        " {at_start}",
        (0, 1),
    ),
    Shown(
        "r_human",
        "sensitivity-fit",
        "How well observers fit, under other parameters",
        "r with {short}",
        "Pearson's r between an observer's counts and the means of {people}, over all levels and"
        " NPCs that there are means of ({where}); no point where all counts are the same",
        (0, 1),
    ),
)


def sensitivity_plates(found: Sensitivity) -> Iterator[Plate]:
    """Every figure of a sensitivity analysis, in order; of some parameters alone, one figure."""
    there = [shown for shown in SHOWN if found.curves[shown.measure].notna().any()]
    if not set(NAMES) <= set(found.names):
        yield _some_plate(found, there)
        return
    yield from (_curve_plate(found, shown) for shown in there)
    if set(found.curves["experiment"]) - {POOLED}:
        yield _by_experiment_plate(found)
    if found.indices is not None:
        yield _indices_plate(found)


def _title(found: Sensitivity, name: str) -> str:
    """What a parameter means."""
    return style.capital(found.base.declared()[name].meaning) or name


def _axis(found: Sensitivity, name: str) -> str:
    """A parameter, its unit, and its scale."""
    about = [found.base.declared()[name].unit, "log scale" if _log(found, name) else ""]
    words = "; ".join(filter(None, about))
    return f"{name} ({words})" if words else name


def _log(found: Sensitivity, name: str) -> bool:
    """Whether a parameter is drawn on a log scale; one that an observer declares says it itself."""
    own = name not in (*VALUES, *SOFT_VALUES)
    return name in LOG or (own and found.base.declared()[name].scale == "log")


def _pooled(found: Sensitivity) -> dict[str, pd.DataFrame]:
    """The curves of each parameter over all experiments."""
    pooled = found.curves[found.curves["experiment"] == POOLED]
    return {name: pooled[pooled["parameter"] == name] for name in found.names}


def _observer_legend(
    found: Sensitivity, looks: Mapping[str, ArtistStyle]
) -> dict[str, ArtistStyle]:
    names = style.titles(found.observers)
    return {names[observer]: {"markersize": 4} | look for observer, look in looks.items()}


# -- one parameter at a time -----------------------------------------------------------------------


def _curve_plate(found: Sensitivity, shown: Shown) -> Plate:
    # Only r with people depends on whose data it is.
    source = found.source if shown.measure == "r_human" and found.source else Source.HUMAN
    panels = _pooled(found)
    what = shown.caption.format(people=source.people, where=found.where, at_start=found.at_start)
    caption = (
        f"One parameter at a time, all others {found.others}: {what}. The upright line marks the"
        f" {found.start}. The last panel has the {found.start} reading of the paper and each option"
        " of it alone."
    )
    columns = ["parameter", "value", "default", "observer", "n", shown.measure]
    sources = {name: panel[columns] for name, panel in panels.items()}
    figure = _draw_curves(found, shown, panels, source)
    return Plate(shown.name, shown.title, source.caption(caption), figure, sources)


def _draw_curves(
    found: Sensitivity, shown: Shown, panels: Mapping[str, pd.DataFrame], source: Source
) -> Figure:
    looks = style.observer_looks(found.observers)
    legend = _observer_legend(found, looks)
    values = pd.concat(list(panels.values()))[shown.measure].astype(float).tolist()
    window = limits([*values, *shown.ends], zero=True)
    numbers = [name for name in found.names if name not in found.options]
    # The readings of the paper come last and take two places.
    rows = ceil((len(numbers) + 2) / COLUMNS)
    row, column = divmod(len(numbers), COLUMNS)
    row, column = (row + 1, 0) if column == COLUMNS - 1 else (row, column)
    with canvas.canvas(rows + (row == rows), COLUMNS, 2.05, source, legend=legend) as page:
        last = page.merge(row, slice(column, column + 2))
        for ax in page.flat[len(numbers) :]:
            ax.set_axis_off()
        for index, (ax, name) in enumerate(zip(page.flat, numbers, strict=False)):
            ax.set_gid(f"panel:{name}")
            canvas.heading(ax, _title(found, name), letter=index)
            _draw_curve(ax, panels[name], shown.measure, _log(found, name), looks)
            ax.set(ylim=window, xlabel=_axis(found, name))
            if not index % COLUMNS:
                ax.set_ylabel(shown.axis.format(short=source.short))
        last.set_gid("panel:options")
        canvas.heading(last, "Readings of the paper", letter=len(numbers))
        options = {name: panels[name] for name in found.options}
        _draw_options(last, options, shown.measure, looks, found.at_start)
        last.set_ylim(*window)
    return page.figure


def _draw_curve(
    ax: Axes,
    panel: pd.DataFrame,
    measure: str,
    log: bool,
    looks: Mapping[Any, ArtistStyle],
    *,
    narrow: bool = False,
) -> None:
    """The lines of one parameter; `looks` has a look for each series, an observer or experiment."""
    for axis, most in ((ax.xaxis, 2 if narrow else 4), (ax.yaxis, 5)):
        axis.set_major_locator(MaxNLocator(most, steps=style.STEPS))
    column = "observer" if panel["experiment"].eq(POOLED).all() else "experiment"
    if log:
        ax.set_xscale("log")
        ax.xaxis.set_minor_locator(LogLocator(subs=range(2, 10), numticks=99))
        ax.xaxis.set_minor_formatter(NullFormatter())
        ticks = _decades(panel)
        ticks = ticks[::2] if narrow and len(ticks) > 2 else ticks
        ax.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    ax.axvline(float(panel[panel["default"]]["value"].iloc[0]), color=FAINT_INK, linewidth=0.8)
    for layer, (series, look) in enumerate(looks.items(), start=3):
        mine = panel[panel[column] == series]
        line = ArtistStyle(linewidth=1.3, markersize=3.1, markeredgecolor=PAPER)
        line |= {"markeredgewidth": 0.3, "zorder": layer, "gid": f"{ax.get_gid()}:{series}"}
        ax.plot(mine["value"].astype(float), mine[measure], **look, **line)


def _decades(panel: pd.DataFrame) -> list[float]:
    """The powers of ten among the values of a parameter."""
    values = panel["value"].astype(float)
    least, most = (log10(end) for end in (values.min(), values.max()))
    return [10.0**power for power in range(ceil(least - 1e-9), floor(most + 1e-9) + 1)]


def _draw_options(
    ax: Axes,
    options: Mapping[str, pd.DataFrame],
    measure: str,
    looks: Mapping[Any, ArtistStyle],
    at_start: str,
) -> None:
    """The reading that is not changed and each option, the observers side by side."""
    ax.yaxis.set_major_locator(MaxNLocator(5, steps=style.STEPS))
    first = next(iter(options.values()))
    columns = {at_start: first[first["default"]]}
    for name, panel in options.items():
        other = panel[~panel["default"]]
        columns |= {f"{name}={value}": part for value, part in other.groupby("value", sort=False)}
    ax.set(xlim=(-0.5, len(columns) - 0.5))
    ax.grid(visible=False, axis="x")
    ax.set_xticks(range(len(columns)), list(columns))
    ax.tick_params(axis="x", length=0)
    for place, part in enumerate(columns.values()):
        values = part.set_index("observer")[measure]
        for index, (observer, look) in enumerate(looks.items()):
            shift = 0.13 * (index - (len(looks) - 1) / 2)
            mark = ArtistStyle(markersize=5, markeredgecolor=PAPER, markeredgewidth=0.4)
            mark |= {"color": look["color"], "marker": look["marker"], "linestyle": "none"}
            ax.plot([place + shift], [values[observer]], zorder=3, **mark)


# -- some parameters alone -------------------------------------------------------------------------


def _some_plate(found: Sensitivity, there: Sequence[Shown]) -> Plate:
    """A row for each parameter, a column for each measure."""
    source = found.source or Source.HUMAN
    panels = _pooled(found)
    what = [
        shown.caption.format(people=source.people, where=found.where, at_start=found.at_start)
        for shown in there
    ]
    caption = (
        f"All other parameters are {found.others}. From left to right: {'; '.join(what)}."
        f" The upright line marks the {found.start}."
    )
    looks = style.observer_looks(found.observers)
    legend = _observer_legend(found, looks)
    with canvas.canvas(len(panels), len(there), 2.4, source, legend=legend) as page:
        for line, (name, panel) in zip(page.panels, panels.items(), strict=True):
            for ax, shown in zip(line, there, strict=True):
                ax.set_gid(f"panel:{name}:{shown.measure}")
                values = panel[shown.measure].astype(float).tolist()
                if name in found.options:
                    _draw_options(ax, {name: panel}, shown.measure, looks, found.at_start)
                else:
                    _draw_curve(ax, panel, shown.measure, _log(found, name), looks)
                    ax.set_xlabel(_axis(found, name))
                ax.set_ylim(*limits([*values, *shown.ends], zero=True))
                ax.set_ylabel(shown.axis.format(short=source.short))
    columns = ["parameter", "value", "default", "observer", "n", *(s.measure for s in there)]
    sources = {name: panel[columns] for name, panel in panels.items()}
    title = "What " + " and ".join(panels) + " changes"
    return Plate("sensitivity-only", title, source.caption(caption), page.figure, sources)


# -- each experiment alone -------------------------------------------------------------------------


def _by_experiment_plate(found: Sensitivity) -> Plate:
    """Steps watched in each experiment: a row for each observer, a column for each parameter."""
    curves = found.curves[found.curves["experiment"] != POOLED]
    numbers = [name for name in found.names if name not in found.options]
    title = "How long observers watch in each experiment, under other parameters"
    caption = (
        f"One parameter at a time, all others {found.others}: steps watched of an NPC, on average"
        " over the trials of an experiment. Each row is an observer with a scale of its own; the"
        f" upright line marks the {found.start}."
    )
    columns = ["parameter", "value", "default", "experiment", "n", "mean_observed"]
    observers = observer_names(map(Variant, found.observers))
    sources = {
        who: curves[(curves["observer"] == who) & curves["parameter"].isin(numbers)][columns]
        for who in observers
    }
    looks = _experiment_looks(curves)
    legend = {f"Experiment {each}": {"markersize": 4} | look for each, look in looks.items()}
    with canvas.canvas(len(observers), len(numbers), 1.5, legend=legend) as page:
        for line, (observer, name) in zip(page.panels, observers.items(), strict=True):
            mine = curves[curves["observer"] == observer]
            for ax, parameter in zip(line, numbers, strict=True):
                ax.set_gid(f"panel:{observer}:{parameter}")
                panel, log = mine[mine["parameter"] == parameter], _log(found, parameter)
                _draw_curve(ax, panel, "mean_observed", log, looks, narrow=True)
                ax.set_ylim(*limits(mine["mean_observed"], zero=True))
                ax.tick_params(labelleft=ax is line[0])
            line[0].set_ylabel(f"{name.title}:\nsteps per NPC")
        for ax, parameter in zip(page.panels[-1], numbers, strict=True):
            ax.set_xlabel(parameter + "\n(log)" * _log(found, parameter))
    return Plate("sensitivity-by-experiment", title, caption, page.figure, sources)


def _experiment_looks(curves: pd.DataFrame) -> dict[ExperimentName, ArtistStyle]:
    looks: dict[ExperimentName, ArtistStyle] = {}
    for index, name in enumerate(dict.fromkeys(curves["experiment"])):
        found = style.experiment_style(name)
        stroke = STROKES[index % len(STROKES)]
        looks[name] = {"color": found.colour, "marker": found.marker, "linestyle": stroke}
    return looks


# -- shares of the variance ------------------------------------------------------------------------


def _indices_plate(found: Sensitivity) -> Plate:
    """First- and total-order indices: a row for each measure, a column for each observer."""
    assert found.indices is not None
    pooled = found.indices[found.indices["experiment"] == POOLED]
    more = [name for name in found.names if name not in NAMES]
    every = spans_of(more, type(found.base))
    spans = "; ".join(f"{name} {span}" for name, span in every.items())
    caption = (
        "All parameters together: the share of the variance of a result that a parameter accounts"
        " for alone (first order, circles) and with all that it does together with others"
        f" (total order, diamonds). Ranges: {spans}. Sobol' indices from {found.samples} samples"
        f" ({METHOD}); bars are {INTERVALS}. What lies outside the frame is drawn at its"
        " edge; a result that does not vary has no indices. Where all counts are the same, r is"
        " taken as 0."
    )
    sources = {str(each): part for each, part in pooled.groupby("measure", sort=False)}
    source = found.source if "r_human" in sources and found.source else Source.HUMAN
    title = "Which parameters matter, all of them varied together"
    figure = _draw_indices(found, sources, source)
    return Plate("sensitivity-indices", title, source.caption(caption), figure, sources)


def _draw_indices(found: Sensitivity, tables: Mapping[str, pd.DataFrame], source: Source) -> Figure:
    names = style.titles(found.observers)
    measures = [measure for measure in MEASURE_TITLES if measure in tables]
    small = ArtistStyle(linestyle="none", markersize=5)
    legend = {"first order": FIRST | small, "total order": TOTAL | small}
    room = WIDTH / len(names)
    with canvas.canvas(len(measures), len(names), 2.3, source, legend=legend) as page:
        for line, measure in zip(page.panels, measures, strict=True):
            for ax, (observer, title) in zip(line, names.items(), strict=True):
                ax.set_gid(f"panel:{measure}:{observer}")
                # What a row is of stands below the first title, also of a panel without scales.
                of_row = MEASURE_TITLES[measure].format(people=source.people)
                canvas.heading(ax, title, [of_row if ax is line[0] else " "], room=room)
                table = tables[measure]
                mine = table[table["observer"] == observer]
                canvas.name_rows(ax, found.names)
                ax.tick_params(labelleft=ax is line[0])
                _draw_shares(ax, mine, room, found.names)
        for ax in page.panels[-1]:
            ax.set_xlabel("share of variance" if ax.axison else "")
    return page.figure


def _draw_shares(ax: Axes, mine: pd.DataFrame, room: float, names: Sequence[str]) -> None:
    ax.set(xlim=FRAME, xticks=(0, 0.5, 1))
    if reasons := set(mine["reason"]) - {""}:
        canvas.note(ax, f"none: {reasons.pop()}", room)
        return
    rows = mine.set_index("parameter").loc[list(names)]
    for what, look, shift in (("first", FIRST, -0.17), ("total", TOTAL, 0.17)):
        places = [place + shift for place in range(len(names))]
        ends = rows[f"{what}_low"].clip(*FRAME), rows[f"{what}_high"].clip(*FRAME)
        ax.hlines(places, *ends, color=look["color"], linewidth=1.1, zorder=2)
        mark = ArtistStyle(markeredgecolor=PAPER, markeredgewidth=0.4, markersize=4)
        mark |= {"linestyle": "none", "zorder": 3, "gid": f"{ax.get_gid()}:{what}"}
        ax.plot(rows[what].clip(*FRAME), places, **look, **mark)
