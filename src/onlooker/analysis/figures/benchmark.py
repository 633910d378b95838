"""Players beside observers: points lost, agreement with the model and people, when they watch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from onlooker.analysis.data.words import Source
from onlooker.analysis.figures import canvas
from onlooker.analysis.figures.plate import Plate
from onlooker.analysis.figures.style import MODEL, PEOPLE, SMALL, number, observer_styles
from onlooker.analysis.tables.benchmark.scoring import Estimate, Score
from onlooker.drawing.page import ArtistStyle
from onlooker.drawing.style import FAINT_INK, INK, PAPER
from onlooker.observers import KNOWN_OBSERVERS
from onlooker.support.extras import figures_extra

with figures_extra():
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

NAME, TITLE = "benchmark", "Players against the ideal observer, the model and people"
FAR = 3.0  # times the largest regret of an observer: what is beyond is written at the edge
MARK = ArtistStyle(marker="o", linestyle="none", markersize=4.5)


class Entry(NamedTuple):
    """A row of the figure."""

    title: str
    score: Score
    artificial: bool = True  # nobody's data, but a program's


def benchmark_plate(entries: Sequence[Entry]) -> Plate:
    """What players came to, a row each; observers are also lines through the first panel."""
    with_people = any(not np.isnan(entry.score.ccc_people.value) for entry in entries)
    people = " and with people's means" if with_people else ""
    trials = max(entry.score.trials for entry in entries)  # somebody finishes them all
    caption = (
        f"Players on {trials} trials. a: points a trial more than the ideal observer pays on the"
        " same actual trial, with 95 % intervals over trials; luck can make it negative. Lines:"
        " observers. An arrow: beyond the scale. b: agreement of the steps watched per trial and"
        f" NPC with those of Rational Mentalizing{people} (Lin's concordance). c: how often a"
        " player watches nobody where the ideal observer does not watch, and somebody where it"
        " does. A play that did not reach the goal costs what was spent and the"
        " budget once more."
    )
    return Plate(NAME, TITLE, caption, _draw(entries), {"scores": _table(entries)})


def _table(entries: Sequence[Entry]) -> pd.DataFrame:
    """The numbers that are drawn."""
    rows = []
    for title, score, artificial in entries:
        row: dict[str, object] = {"player": score.player, "title": title, "artificial": artificial}
        for name, value in score.to_dict().items():
            if isinstance(value, Mapping):
                row |= {f"{name}_{part}": each for part, each in value.items()}
            else:
                row[name] = value
        rows.append(row)
    return pd.DataFrame(rows)


def _draw(entries: Sequence[Entry]) -> Figure:
    source = Source.ARTIFICIAL if any(entry.artificial for entry in entries) else Source.HUMAN
    height = 0.3 * len(entries) + 1.15
    with canvas.canvas(1, 3, height, source, widths=(2, 1, 1)) as page:
        for index, ax in enumerate(page.flat):
            ax.set_gid(f"panel:{'abc'[index]}")
        regrets, agreements, shares = page.flat
        _draw_regrets(regrets, entries)
        _draw_agreements(agreements, entries)
        _draw_shares(shares, entries)
        titles = ("Points lost", "Agreement", "When to watch")
        for index, (ax, title) in enumerate(zip(page.flat, titles, strict=True)):
            canvas.heading(ax, title, letter=index)
            # The legends of the last two panels are between their titles and themselves.
            ax.set_title(ax.get_title(loc="left"), pad=20)
            if index:
                ax.set_yticklabels([])
                ax.set_xticks([-1, -0.5, 0, 0.5, 1])
                place = ArtistStyle(loc="lower left", bbox_to_anchor=(0, 1), borderpad=0)
                space = ArtistStyle(handletextpad=0.1, columnspacing=0.6, borderaxespad=0.2)
                ax.legend(ncols=2, handlelength=1.2, fontsize=SMALL, **place, **space)
        agreements.set_xlim(left=min(0.0, *_lows(entries)) - 0.05, right=1.05)
        shares.set_xlim(-0.06, 1.06)
    return page.figure


def _lows(entries: Sequence[Entry]) -> list[float]:
    found = [each for e in entries for each in (e.score.ccc_model.low, e.score.ccc_people.low)]
    return [0.0, *(each for each in found if not np.isnan(each))]


def _draw_regrets(ax: Axes, entries: Sequence[Entry]) -> None:
    canvas.name_rows(ax, [entry.title for entry in entries])
    known = [e for e in entries if e.score.player in KNOWN_OBSERVERS]
    most = max([1.0, *(FAR * _end(e.score.regret) for e in known)])
    near = [_end(e.score.regret) for e in entries if e.score.regret.value <= most or not known]
    high = max([1.0, *(end for end in near if not np.isnan(end))])
    low = min([0.0, *(e.score.regret.low for e in entries if not np.isnan(e.score.regret.low))])
    ax.set(xlim=(low - 0.04 * (high - low), high + 0.06 * (high - low)))
    ax.set(xlabel="points a trial more than the ideal observer")
    ax.axvline(0, color=INK, linewidth=0.8, zorder=1, gid="ideal")
    styles = observer_styles(e.score.player for e in known)
    for player, value in {e.score.player: e.score.regret.value for e in known}.items():
        style = styles[player]
        line = ArtistStyle(color=style.colour, linestyle=style.stroke, gid=f"line:{player}")
        ax.axvline(value, linewidth=0.9, alpha=0.6, zorder=1, **line)
    clear = {"facecolor": PAPER, "edgecolor": "none", "pad": 0.8}
    for row, entry in enumerate(entries):
        value, look = entry.score.regret.value, styles.get(entry.score.player)
        colour, marker = (look.colour, look.marker) if look else (INK, "o")
        if np.isnan(value):
            there = ArtistStyle(va="center", color=FAINT_INK, bbox=clear, zorder=5)
            ax.text(low, row, " no play reached the goal", **there)
        elif value > high:
            where = ArtistStyle(xycoords=("axes fraction", "data"), va="center", ha="right")
            arrow = {"arrowstyle": "-|>", "color": colour}
            ax.annotate(number(value, 0), (1.0, row), (0.92, row), arrowprops=arrow, **where)
        else:
            _dot(ax, row, entry.score.regret, MARK | {"color": colour, "marker": marker})
            above = ArtistStyle(ha="center", va="bottom", bbox=clear, zorder=5)
            ax.text(value, row - 0.2, number(value, 1), **above)


def _end(value: Estimate) -> float:
    """The upper end of an estimate's interval; of too few trials there is none, so the estimate."""
    return value.value if np.isnan(value.high) else value.high


def _dot(ax: Axes, row: float, value: Estimate, look: ArtistStyle) -> None:
    """An estimate as a mark with its interval."""
    if not (np.isnan(value.low) or np.isnan(value.high)):
        ax.plot([value.low, value.high], [row, row], color=look["color"], linewidth=1.3, zorder=3)
    if not np.isnan(value.value):
        ax.plot([value.value], [row], zorder=4, **look)


def _draw_agreements(ax: Axes, entries: Sequence[Entry]) -> None:
    canvas.name_rows(ax, [entry.title for entry in entries])
    ax.set(xlabel="concordance (CCC)")
    marks = {"model": MARK | {"color": MODEL}, "people": MARK | {"color": PEOPLE, "marker": "s"}}
    if all(np.isnan(entry.score.ccc_people.value) for entry in entries):
        del marks["people"]
    for shift, (whose, look) in zip((-0.14, 0.14), marks.items(), strict=False):
        ax.plot([], [], label=whose, **look)
        for row, entry in enumerate(entries):
            place = row + shift * (len(marks) > 1)
            _dot(ax, place, getattr(entry.score, f"ccc_{whose}"), look)


def _draw_shares(ax: Axes, entries: Sequence[Entry]) -> None:
    canvas.name_rows(ax, [entry.title for entry in entries])
    ax.set(xlabel="share of trials")
    marks = {
        "skips": MARK | {"color": INK, "markerfacecolor": PAPER},
        "looks": MARK | {"color": INK},
    }
    for shift, (name, look) in zip((-0.14, 0.14), marks.items(), strict=True):
        ax.plot([], [], label=name, **look)
        for row, entry in enumerate(entries):
            value = getattr(entry.score, name).value
            if not np.isnan(value):
                ax.plot([value], [row + shift], zorder=4, **look)
