"""A figure of a sequence of trials: whom an observer watches, and what it takes them for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from onlooker.drawing.page import Page, show_scales, text_width, write
from onlooker.drawing.style import FAINT_INK, INK, agent_styles
from onlooker.game import Expertise, Trial
from onlooker.observers import Result
from onlooker.support.extras import figures_extra

with figures_extra():
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.ticker import FixedLocator, MaxNLocator

WIDTH, PANEL, GAP, MARGIN, SIDE = 7.0, 1.9, 0.75, 0.15, 0.55  # inches
# Beside the hue that an NPC has on maps.
HATCHES = ("", "////", "....", "xxxx", "\\\\\\\\", "++")
MARKERS = ("o", "^", "s", "D", "v", "P")


@dataclass(frozen=True, slots=True)
class Played:
    """One trial of a sequence, as an observer played it."""

    hues: dict[str, str]  # of NPCs, as on the map
    observed: dict[str, int]  # NPC -> steps watched
    afresh: dict[str, int]  # the same of an observer for which this is the first trial
    kinds: dict[Expertise, dict[str, float]]  # NPC -> how likely it seems such once one acts

    @classmethod
    def of(cls, trial: Trial, result: Result, afresh: Result) -> Played:
        """What results say of it."""
        npcs, styles = [npc.id for npc in trial.npcs], agent_styles(trial)
        hues = {npc: styles[npc].fill for npc in npcs}
        kinds: dict[Expertise, dict[str, float]] = {}
        for npc, chances in (result.trace[-1].kinds or {}).items() if result.trace else ():
            for kind, p in chances.items():
                if kind is not Expertise.EXPERT:  # who is neither of the others is one
                    kinds.setdefault(kind, {})[npc] = p
        observed = dict(zip(npcs, result.observed, strict=True))
        return cls(hues, observed, dict(zip(npcs, afresh.observed, strict=True)), kinds)


def sequence_figure(title: str, played: Sequence[Played]) -> Figure:
    """Steps watched of each NPC trial by trial; below, how likely each is of a kind."""
    npcs = list(dict.fromkeys(npc for trial in played for npc in trial.observed))
    kinds = [kind for kind in Expertise if any(kind in trial.kinds for trial in played)]
    page = Page(WIDTH, 0.62 + (1 + len(kinds)) * (PANEL + GAP))
    page.text(MARGIN, 0.22, title, 9.5, fontweight="bold", color=INK)
    width = WIDTH - SIDE - 2 * MARGIN
    top = page.axes(MARGIN + SIDE, 0.62, width, PANEL, gid="panel:watched")
    _draw_counts(top, played, npcs)
    for number, kind in enumerate(kinds, start=1):
        height = 0.62 + number * (PANEL + GAP)
        below = page.axes(MARGIN + SIDE, height, width, PANEL, gid=f"panel:{kind}")
        _draw_kind(below, played, npcs, kind)
    return page.figure


def _look(played: Sequence[Played], npc: str, number: int) -> tuple[str, str, str]:
    hue = next(trial.hues[npc] for trial in played if npc in trial.hues)
    return hue, HATCHES[number % len(HATCHES)], MARKERS[number % len(MARKERS)]


def _draw_counts(ax: Axes, played: Sequence[Played], npcs: Sequence[str]) -> None:
    """Bars side by side, with their numbers."""
    show_scales(ax, "y")
    each = 0.8 / len(npcs)
    counted = [count for t in played for some in (t.observed, t.afresh) for count in some.values()]
    most = max(counted, default=0)
    for number, npc in enumerate(npcs):
        hue, hatch, _ = _look(played, npc, number)
        places = [index - 0.4 + (number + 0.5) * each for index in range(len(played))]
        counts = [trial.observed.get(npc, 0) for trial in played]
        ax.bar(places, counts, each * 0.9, color=hue, hatch=hatch, edgecolor="white", linewidth=0.4)
        for place, trial in zip(places, played, strict=True):
            ends = (place - 0.47 * each, place + 0.47 * each)
            ax.hlines(trial.afresh.get(npc, 0), *ends, color=INK, linewidth=1.6, zorder=3)
        for place, count in zip(places, counts, strict=True):
            write(ax, place, count + 0.02 * max(most, 1), str(count), 7, ha="center", va="bottom")
    _trials(ax, played)
    ax.set_ylim(0, 1.22 * max(most, 1))
    ax.yaxis.set_major_locator(MaxNLocator(5, integer=True))
    ax.set_ylabel("steps watched", fontsize=8, color=INK)
    left = 0.0
    for number, npc in enumerate(npcs):
        hue, hatch, _ = _look(played, npc, number)
        ax.bar(
            [left / WIDTH], [0.07], 0.03, 1.05, color=hue, hatch=hatch, edgecolor="white",
            linewidth=0.4, transform=ax.transAxes, clip_on=False, align="edge",
        )  # fmt: skip
        ax.text(left / WIDTH + 0.04, 1.085, npc, transform=ax.transAxes, fontsize=8, va="center")
        left += text_width(npc, 8) + 0.7
    ax.plot(
        [left / WIDTH, left / WIDTH + 0.03], [1.085, 1.085], color=INK, linewidth=1.6,
        transform=ax.transAxes, clip_on=False,
    )  # fmt: skip
    words = "if this were the first trial"
    ax.text(left / WIDTH + 0.04, 1.085, words, transform=ax.transAxes, fontsize=8, va="center")


def _draw_kind(ax: Axes, played: Sequence[Played], npcs: Sequence[str], kind: Expertise) -> None:
    """What is believed when the observer acts; dashed, where nothing is known."""
    show_scales(ax, "y")
    unknown = 1 / (1 + max(len(trial.kinds) for trial in played))
    ax.axhline(unknown, color=FAINT_INK, linewidth=0.7, linestyle=(0, (2, 2)))
    for number, npc in enumerate(npcs):
        hue, _, marker = _look(played, npc, number)
        found = [(index, t.kinds.get(kind, {}).get(npc)) for index, t in enumerate(played)]
        known = [(index, p) for index, p in found if p is not None]
        if known:
            ax.plot(
                *zip(*known, strict=True), color=hue, marker=marker, markersize=5, linewidth=1.4
            )
            place, height = known[-1]
            write(ax, place + 0.12, height, npc, 8, ha="left", va="center", color=hue)
    _trials(ax, played)
    ax.set_ylim(-0.05, 1.05)
    ax.yaxis.set_major_locator(FixedLocator([0, 0.25, 0.5, 0.75, 1]))
    ax.set_ylabel(f"P({kind})", fontsize=8, color=INK)


def _trials(ax: Axes, played: Sequence[Played]) -> None:
    ax.set_xlim(-0.6, len(played) - 0.2)
    ax.xaxis.set_major_locator(FixedLocator(list(range(len(played)))))
    ax.set_xticklabels([str(index + 1) for index in range(len(played))])
    ax.set_xlabel("trial of the sequence", fontsize=8, color=INK)
