"""The explaining figure's plots of what is imagined: the particles behind Q_obs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from math import ceil, isfinite
from typing import Any

from onlooker.drawing.artists import cut
from onlooker.drawing.explain.costs import MARKERS, SAVING
from onlooker.drawing.explain.story import Story, points
from onlooker.drawing.page import ArtistStyle, Heading, Page, show_scales, write
from onlooker.drawing.style import FAINT_INK, MAIN, PAPER, AgentStyle, agent_styles
from onlooker.support.extras import figures_extra

with figures_extra():
    from matplotlib.axes import Axes
    from matplotlib.ticker import MaxNLocator

LEFT, BELOW = 0.5, 0.42  # inches: for the scales' numbers and names
KEY_WIDTH, KEY_HEIGHT = 1.48, 0.16  # inches: an entry of the key above a plot
VEIL = "4D"  # how much of what lies below particles is seen through them
SMALLEST, LARGEST = 24.0, 420.0  # square points: marks of particles with p near 0 and p = 1

Cloud = dict[tuple[float, float], float]  # (steps to watch, cost of then acting) -> probability


def imagined_steps(story: Story) -> list[int]:
    """The first and the last decision behind which there are particles."""
    found = [k for k, decision in enumerate(story.trace) if any(decision.particles or ())]
    return sorted({*found[:1], *found[-1:]})


def cloud_of(story: Story, step: int, npc: int) -> Cloud:
    """An NPC's particles at a step; those that come to the same are one."""
    particles = story.trace[step].particles
    cloud: Cloud = defaultdict(float)
    for particle in particles[npc] if particles else ():
        if isfinite(particle.residual):
            cloud[float(particle.steps), float(particle.residual)] += particle.p
    return dict(cloud)


def draw_particles(
    page: Page, story: Story, step: int, left: float, top: float, width: float, height: float
) -> None:
    """The futures imagined at a step: how long it would watch, and what acting would then cost."""
    reading = (
        "each mark a way things may go on, the larger the likelier; cross: their mean."
        " In the shaded part watching comes cheaper than acting now."
    )
    heading = Heading(f"What does it imagine at step {step}?", reading, width)
    page.heading(left, top - 0.04, heading)
    clouds = {npc.id: cloud_of(story, step, i) for i, npc in enumerate(story.trial.npcs)}
    y = _draw_key(page, story, step, left, top + heading.height + 0.04, width)
    room = top + height - y - BELOW
    ax = page.axes(left + LEFT, y, width - LEFT, room)
    _draw_ground(ax, story, step, [place for cloud in clouds.values() for place in cloud])
    for number, (npc, cloud) in enumerate(clouds.items()):
        if cloud:
            cross = max(6.5, 10.5 - 2 * number)  # one on another: both are seen
            _draw_cloud(ax, f"{step}:{npc}", cloud, agent_styles(story.trial)[npc], cross)
    name = ArtistStyle(transform=ax.transAxes, color=FAINT_INK)
    write(ax, 0.5, -0.3 / room, "steps it would watch", 7.2, ha="center", va="center", **name)
    side = -0.4 / (width - LEFT)
    upright = {"rotation": 90, "ha": "center", "va": "center"}
    write(ax, side, 0.5, "points to act then", 7.2, **upright, **name)


def _draw_key(page: Page, story: Story, step: int, left: float, top: float, width: float) -> float:
    """Which mark is whose, and what acting and watching cost; returns where it ends."""
    styles = agent_styles(story.trial)
    entries = [(f"act now: {points(story.c_self[step])}", styles[MAIN])]
    for index, npc in enumerate(story.trial.npcs):
        if isfinite(cost := story.q_obs(index)[step]):
            entries.append((f"watch {cut(npc.id, 10)}: {points(cost)}", styles[npc.id]))
    columns = max(1, int(width / KEY_WIDTH))
    rows = ceil(len(entries) / columns)
    ax = page.axes(left, top, columns * KEY_WIDTH, rows * KEY_HEIGHT)
    ax.set(xlim=(0, columns), ylim=(rows, 0))
    for number, (text, style) in enumerate(entries):
        row, x = divmod(number, columns)
        y = row + 0.4
        if style.shape == "diamond":
            _draw_line(ax, [x + 0.02, x + 0.17], [y, y], style)
        else:
            _draw_marks(ax, [x + 0.1], [y], [42.0], style)
        write(ax, x + 0.21, y, text, 7.2, va="center", weight="bold", color=style.fill)
    return top + rows * KEY_HEIGHT + 0.06


def _draw_ground(ax: Axes, story: Story, step: int, places: list[tuple[float, float]]) -> None:
    """The scales, and the line on which watching costs as much as acting now."""
    observe, c_self = story.engine.parameters.observe, story.c_self[step]
    right = 1.12 * max([4.0, *(steps for steps, _ in places)])
    left = -0.08 * right
    heights = [residual for _, residual in places]
    line = [c_self - observe * x for x in (left, right)] if isfinite(c_self) else []
    low, high = min([*heights, *line], default=0.0), max([*heights, *line], default=1.0)
    space = max(high - low, 4.0)
    ax.set(xlim=(left, right), ylim=(low - 0.22 * space, high + 0.2 * space))
    show_scales(ax)
    ax.spines["left"].set(visible=True, color=FAINT_INK, linewidth=0.7)
    ax.xaxis.set_major_locator(MaxNLocator(6, integer=True))
    ax.yaxis.set_major_locator(MaxNLocator(4, integer=True))
    if line:
        main = agent_styles(story.trial)[MAIN]
        _draw_line(ax, [left, right], line, main, gid=f"break_even:{step}")
        ax.fill_between([left, right], line, low - space, color=SAVING, linewidth=0, zorder=0.5)


def _draw_cloud(ax: Axes, gid: str, cloud: Cloud, style: AgentStyle, cross: float) -> None:
    """One NPC's particles and their mean."""
    sizes = [SMALLEST + (LARGEST - SMALLEST) * p for p in cloud.values()]
    steps, residuals = [place[0] for place in cloud], [place[1] for place in cloud]
    _draw_marks(ax, steps, residuals, sizes, style, gid=f"particles:{gid}", zorder=3)
    look = ArtistStyle(marker="X", markersize=cross, markeredgecolor=PAPER)
    mean = mean_of(cloud)
    ax.plot(mean[:1], mean[1:], color=style.fill, gid=f"mean:{gid}", zorder=5, **look)


def _draw_line(
    ax: Axes, x: Sequence[float], y: Sequence[float], style: AgentStyle, **look: Any
) -> None:
    ax.plot(x, y, color=style.fill, linewidth=1.5, linestyle=(0, style.dashes), **look)


def _draw_marks(
    ax: Axes,
    x: Sequence[float],
    y: Sequence[float],
    sizes: Sequence[float],
    style: AgentStyle,
    **look: Any,
) -> None:
    look |= {"facecolor": style.fill + VEIL, "edgecolor": style.fill, "linewidth": 1.1}
    ax.scatter(x, y, s=sizes, marker=MARKERS[style.shape], **look)


def mean_of(cloud: Cloud) -> tuple[float, float]:
    """The mean of a cloud's steps and costs.

    >>> mean_of({(2.0, 50.0): 0.5, (4.0, 60.0): 0.5})
    (3.0, 55.0)
    """
    total = sum(cloud.values())
    steps = sum(p * steps for (steps, _), p in cloud.items()) / total
    return steps, sum(p * residual for (_, residual), p in cloud.items()) / total
