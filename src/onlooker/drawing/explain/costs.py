"""The explaining figure's panels of lines: acting against watching, or who could teach what."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from math import inf, isfinite, nan

from onlooker.drawing.artists import cut
from onlooker.drawing.explain.bars import Span
from onlooker.drawing.explain.story import Story, points
from onlooker.drawing.page import ArtistStyle, Heading, Page, show_scales, write
from onlooker.drawing.style import INK, MAIN, PAPER, AgentStyle, agent_styles
from onlooker.observers import ACT
from onlooker.support.extras import figures_extra
from onlooker.support.rounding import rounded

with figures_extra():
    from matplotlib.axes import Axes
    from matplotlib.patheffects import withStroke
    from matplotlib.ticker import MaxNLocator

MARKERS = {"diamond": "D", "disc": "o", "square": "s", "triangle": "^"}
PLOT = 1.9  # inches: the height of a plot
TICKS = 0.2  # inches: below a plot, for the steps' numbers
SAVING = "#F0EADA"  # between the lines: what watching saves


@dataclass(frozen=True)
class Curve:
    """One line over the steps: its name and how it looks."""

    gid: str
    name: str
    values: Sequence[float]
    style: AgentStyle
    chosen: Sequence[int]  # the steps at which this was the choice
    form: Callable[[float], str]  # how its values are written


@dataclass(frozen=True)
class Lines:
    """Lines over the steps with the choices marked on them."""

    kind: str  # "costs", "ideal" or "distances"
    heading: Heading
    curves: Sequence[Curve]
    reason: str  # why it acts, at the last step
    saving: tuple[Sequence[float], Sequence[float]] | None = None  # shaded between: low and high
    threshold: float | None = None  # a dashed line across

    def draw(self, page: Page, span: Span, top: float) -> float:
        """Draw the lines, the choices and why they end; where that is on the page."""
        page.heading(span.left, top - 0.04, self.heading)
        ax = span.axes(page, top, PLOT)
        ax.set_ylim(*self._limits())
        show_scales(ax, "y")
        ax.yaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 5, 10]))
        ax.set_xticks(range(0, span.steps, span.every))
        if self.threshold is not None:
            look = ArtistStyle(color=INK, linewidth=0.9, linestyle=(0, (3.0, 2.0)))
            ax.axhline(self.threshold, gid="epsilon", **look)
        if self.saving is not None:
            _shade(ax, *self.saving)
        for curve in reversed(self.curves):  # the first on top
            _draw_curve(ax, curve)
        self._draw_reason(ax, span.steps - 1)
        _label_ends(ax, self.curves, span.steps)
        return top + max(PLOT + TICKS, self.heading.height)

    def _limits(self) -> tuple[float, float]:
        """Least and greatest y, with room for the reason above everything."""
        values = [v for curve in self.curves for v in curve.values if isfinite(v)]
        if self.threshold is not None:
            values += [0.0, self.threshold]
        low, high = (min(values), max(values)) if values else (0.0, 1.0)
        space = max(high - low, 6.0 if self.threshold is None else 0.0, 1e-3)
        return low - 0.12 * space, high + 0.32 * space

    def _draw_reason(self, ax: Axes, last: int) -> None:
        """Say above the last step why it acts there."""
        bottom, roof = ax.get_ylim()
        look = ArtistStyle(ha="right", va="top", weight="bold", zorder=6)
        text = write(ax, last + 0.48, roof, self.reason, 7.6, gid=f"reason:{self.kind}", **look)
        text.set_path_effects([withStroke(linewidth=2.5, foreground=PAPER)])
        acts = [curve.values[-1] for curve in self.curves if last in curve.chosen]
        if acts and isfinite(acts[0]):
            leader = [roof - 0.11 * (roof - bottom), acts[0]]
            ax.plot(
                [last, last],
                leader,
                color=INK,
                linewidth=0.7,
                gid=f"leader:{self.kind}",
                zorder=1.6,
            )


def line_panels(story: Story, width: float) -> list[Lines]:
    """Costs and distances over the steps, as far as the observer computes them."""
    panels = []
    if any(decision.c_self is not None for decision in story.trace):
        panels.append(_costs(story, width))
    if any(decision.act is not None for decision in story.trace):
        panels.append(_ideal_costs(story, width))
    if any(decision.distances is not None for decision in story.trace):
        panels.append(_distances(story, width))
    return panels


def _costs(story: Story, width: float) -> Lines:
    styles = agent_styles(story.trial)
    curves = [Curve("c_self", "act now", story.c_self, styles[MAIN], _steps_of(story, ACT), points)]
    for index, npc in enumerate(story.trial.npcs):
        gid, name = f"q_obs:{npc.id}", f"watch {cut(npc.id, 12)}"
        chosen = _steps_of(story, npc.id)
        curves.append(Curve(gid, name, story.q_obs(index), styles[npc.id], chosen, points))
    reading = "points it expects to spend: C_self if it acts now, Q_obs if it first watches"
    if story.compares_once:
        reading += ", compared once, at the start; filled: the choice"
    else:
        reading += "; filled: the choice; shaded: what watching saves"
    heading = Heading("Is watching worth it?", reading, width)
    return Lines("costs", heading, curves, story.why_act, (story.cheapest, story.c_self))


def _ideal_costs(story: Story, width: float) -> Lines:
    """What the ideal observer expects to pay."""
    styles = agent_styles(story.trial)
    acting, watching = story.ideal_act, story.ideal_watch
    curves = [Curve("ideal_act", "act now", acting, styles[MAIN], _steps_of(story, ACT), points)]
    for npc, costs in zip(story.trial.npcs, watching, strict=True):
        name, chosen = f"watch {cut(npc.id, 12)}", _steps_of(story, npc.id)
        gid = f"ideal_watch:{npc.id}"
        curves.append(Curve(gid, name, costs, styles[npc.id], chosen, points))
    reading = (
        "points that the rest should cost on average if it acts now, or takes one more look and"
        " then does what is best; filled: the choice; shaded: what watching saves"
    )
    heading = Heading("Is watching worth it?", reading, width)
    return Lines("ideal", heading, curves, story.why_ideal, (story.ideal_cheapest, acting))


def _distances(story: Story, width: float) -> Lines:
    styles, curves = agent_styles(story.trial), []
    for index, npc in enumerate(story.trial.npcs):
        values, chosen = story.distance(index), _steps_of(story, npc.id)
        name = f"watch {cut(npc.id, 12)}"
        gid, style = f"distance:{npc.id}", styles[npc.id]
        curves.append(Curve(gid, name, values, style, chosen, partial(rounded, digits=2)))
    epsilon = story.engine.parameters.epsilon
    reading = (
        "how far watching each to its end could move the belief;"
        f" dashed: ε = {epsilon:g}, too little to watch; filled: the choice"
    )
    heading = Heading("Who could teach it something?", reading, width)
    return Lines("distances", heading, curves, story.why_stop, threshold=epsilon)


def _steps_of(story: Story, choice: str) -> list[int]:
    return [step for step, decision in enumerate(story.trace) if decision.choice == choice]


def _shade(ax: Axes, low: Sequence[float], high: Sequence[float]) -> None:
    """Shade between two lines where the first is the lower one."""
    known = [k for k in range(len(low)) if isfinite(low[k]) and isfinite(high[k])]
    lows = [min(low[k], high[k]) for k in known]
    look = ArtistStyle(color=SAVING, linewidth=0, zorder=1, gid="saving")
    ax.fill_between(known, lows, [high[k] for k in known], **look)


def _draw_curve(ax: Axes, curve: Curve) -> None:
    style, steps = curve.style, range(len(curve.values))
    size = 4.8 if style.shape == "diamond" else 5.2
    look = ArtistStyle(color=style.fill, marker=MARKERS[style.shape])
    line = ArtistStyle(linewidth=1.6, linestyle=(0, style.dashes) if style.dashes else "solid")
    hollow = ArtistStyle(markerfacecolor=PAPER, markeredgewidth=1.1, markersize=size)
    ax.plot(steps, curve.values, gid=curve.gid, **look, **line, **hollow)
    chosen = [curve.values[step] for step in curve.chosen]
    filled = ArtistStyle(markeredgecolor=INK, markeredgewidth=0.8, markersize=1.5 * size)
    gid = f"chosen:{curve.gid}"
    ax.plot(curve.chosen, chosen, gid=gid, linestyle="none", zorder=4, **look, **filled)
    roof = ax.get_ylim()[1]
    for step in (step for step in steps if curve.values[step] == inf):
        write(ax, step, roof, "∞", 9, ha="center", va="bottom", color=style.fill)


def _label_ends(ax: Axes, curves: Sequence[Curve], steps: int) -> None:
    """Name each line and its last value to the right of its end, the names kept apart."""
    ends: list[tuple[Curve, int]] = []
    for curve in curves:
        known = [step for step, value in enumerate(curve.values) if isfinite(value)]
        ends += [(curve, step) for step in known[-1:]]
    bottom, roof = ax.get_ylim()
    gap = 0.082 * (roof - bottom)
    heights = spread([curve.values[step] for curve, step in ends], gap)
    for (curve, step), y in zip(ends, heights, strict=True):
        value, colour = curve.values[step], curve.style.fill
        text = f"{curve.name}: {curve.form(value)}"
        write(ax, steps - 0.44, y, text, 7.2, va="center", color=colour, weight="bold")
        along = ArtistStyle(linewidth=0.7, linestyle=(0, (1.0, 1.5)))
        ax.plot([step, steps - 0.46], [value, y], color=colour, clip_on=False, zorder=1.5, **along)


def spread(places: Sequence[float], gap: float) -> list[float]:
    """Places moved apart as little as needed to lie no closer than a gap, in the same order.

    >>> spread([1.0, 1.0, 5.0], 2.0)
    [0.0, 2.0, 5.0]
    """
    order = sorted(range(len(places)), key=lambda i: places[i])
    blocks: list[tuple[float, list[int]]] = []  # middle, members
    for i in order:
        blocks.append((places[i], [i]))
        while len(blocks) > 1 and _overlap(blocks[-2], blocks[-1], gap):
            (_, second), (_, first) = blocks.pop(), blocks.pop()
            members = first + second
            blocks.append((sum(places[m] for m in members) / len(members), members))
    moved = [nan] * len(places)
    for middle, members in blocks:
        for rank, member in enumerate(members):
            moved[member] = middle + (rank - (len(members) - 1) / 2) * gap
    return moved


def _overlap(low: tuple[float, list[int]], high: tuple[float, list[int]], gap: float) -> bool:
    return high[0] - low[0] < gap * (len(low[1]) + len(high[1])) / 2
