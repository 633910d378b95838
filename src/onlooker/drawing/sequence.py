"""A figure of a sequence of trials: whom an observer watches, and what it takes them for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from onlooker.drawing.artists import FONT
from onlooker.drawing.page import ArtistStyle, show_scales
from onlooker.drawing.style import FAINT_INK, INK, PAPER, agent_styles
from onlooker.game import Expertise, Trial
from onlooker.observers import Result
from onlooker.support.extras import figures_extra

with figures_extra():
    import matplotlib.style
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

WIDTH, PANEL = 7.0, 2.5  # inches: the figure, and the height of a panel with its scale
# Beside the hue that an NPC has on maps.
HATCHES = ("", "////", "....", "xxxx", "\\\\\\\\", "++")
MARKERS = ("o", "^", "s", "D", "v", "P")
SETTINGS: Any = {
    "font.family": FONT,
    "font.size": 8,
    "text.color": INK,
    "axes.labelcolor": INK,
    "legend.frameon": False,
}


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
                if kind is not Expertise.EXPERT:  # an NPC that is none of the others
                    kinds.setdefault(kind, {})[npc] = p
        observed = dict(zip(npcs, result.observed, strict=True))
        return cls(hues, observed, dict(zip(npcs, afresh.observed, strict=True)), kinds)


def sequence_figure(title: str, played: Sequence[Played]) -> Figure:
    """Steps watched of each NPC trial by trial; below, how likely each is of a kind."""
    npcs = list(dict.fromkeys(npc for trial in played for npc in trial.observed))
    kinds = [kind for kind in Expertise if any(kind in trial.kinds for trial in played)]
    with matplotlib.style.context("default"), matplotlib.rc_context(SETTINGS):
        figure = Figure((WIDTH, 0.5 + (1 + len(kinds)) * PANEL), facecolor=PAPER)
        figure.set_layout_engine("constrained", h_pad=0.08, w_pad=0.08)
        figure.suptitle(title, x=0.02, ha="left", fontsize=9.5, weight="bold", parse_math=False)
        top, *below = figure.subplots(1 + len(kinds), squeeze=False)[:, 0]
        _draw_counts(top, played, npcs)
        for ax, kind in zip(below, kinds, strict=True):
            _draw_kind(ax, played, npcs, kind)
        figure.align_ylabels()
        figure.draw_without_rendering()  # laid out for good, whatever is set when it is saved
    return figure


def _look(played: Sequence[Played], npc: str, number: int) -> tuple[str, str, str]:
    hue = next(trial.hues[npc] for trial in played if npc in trial.hues)
    return hue, HATCHES[number % len(HATCHES)], MARKERS[number % len(MARKERS)]


def _draw_counts(ax: Axes, played: Sequence[Played], npcs: Sequence[str]) -> None:
    """Bars side by side, with their numbers."""
    each, drawn = 0.8 / len(npcs), []
    for number, npc in enumerate(npcs):
        hue, hatch, _ = _look(played, npc, number)
        places = [index - 0.4 + (number + 0.5) * each for index in range(len(played))]
        counts = [trial.observed.get(npc, 0) for trial in played]
        look = ArtistStyle(color=hue, hatch=hatch, edgecolor=PAPER, linewidth=0.4)
        drawn.append(ax.bar(places, counts, each * 0.9, label=npc, **look))
        ax.bar_label(drawn[-1], padding=1)
        ends = [place - 0.47 * each for place in places], [place + 0.47 * each for place in places]
        alone = [trial.afresh.get(npc, 0) for trial in played]
        line = ax.hlines(alone, *ends, color=INK, linewidth=1.6, zorder=3)
    most = max((n for t in played for n in (*t.observed.values(), *t.afresh.values())), default=0)
    _trials(ax, played, "watched")
    ax.set(ylim=(0, 1.22 * max(most, 1)), ylabel="steps watched")
    ax.yaxis.set_major_locator(MaxNLocator(5, integer=True))
    line.set_label("if this were the first trial")
    above = ArtistStyle(loc="lower left", bbox_to_anchor=(0, 1), ncols=len(npcs) + 1)
    ax.legend(handles=[*drawn, line], borderaxespad=0.2, **above)


def _draw_kind(ax: Axes, played: Sequence[Played], npcs: Sequence[str], kind: Expertise) -> None:
    """What is believed when the observer acts; dashed, where nothing is known."""
    unknown = 1 / (1 + max(len(trial.kinds) for trial in played))
    ax.axhline(unknown, color=FAINT_INK, linewidth=0.7, linestyle=(0, (2, 2)))
    for number, npc in enumerate(npcs):
        hue, _, marker = _look(played, npc, number)
        found = [(index, t.kinds.get(kind, {}).get(npc)) for index, t in enumerate(played)]
        known = [(index, p) for index, p in found if p is not None]
        if known:
            line = ArtistStyle(color=hue, marker=marker, markersize=5, linewidth=1.4)
            ax.plot(*zip(*known, strict=True), **line)
            place, height = known[-1]
            ax.text(place + 0.12, height, npc, ha="left", va="center", color=hue)
    _trials(ax, played, str(kind))
    ax.set(ylim=(-0.05, 1.05), yticks=(0, 0.25, 0.5, 0.75, 1), ylabel=f"P({kind})")


def _trials(ax: Axes, played: Sequence[Played], gid: str) -> None:
    """The scale of trials, on a panel of that name."""
    ax.set_gid(f"panel:{gid}")
    show_scales(ax, "y")
    ax.set(xlim=(-0.6, len(played) - 0.2), xlabel="trial of the sequence")
    ax.set_xticks(range(len(played)), [str(index + 1) for index in range(len(played))])
