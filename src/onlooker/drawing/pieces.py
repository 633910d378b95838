"""The things on a map, each drawn as one group of artists around a place."""

from __future__ import annotations

from onlooker.drawing import shapes
from onlooker.drawing.artists import Group, cut
from onlooker.drawing.route import Point
from onlooker.drawing.style import (
    CHEST,
    CHEST_EDGE,
    FAINT_INK,
    FLOOR,
    GRID,
    HOLDER,
    INK,
    PAPER,
    WALL,
    AgentStyle,
    AmuletStyle,
    tint,
)
from onlooker.game import Map
from onlooker.support.extras import figures_extra

with figures_extra():
    from matplotlib.axes import Axes

# From the floor up. A path goes over the barriers it opens but under their signs.
FLOOR_LAYER, BARRIER_LAYER, PATH_LAYER, THING_LAYER, ASK_LAYER, AGENT_LAYER = range(1, 7)


def draw_ground(ax: Axes, map: Map) -> None:
    """Floor, grid lines and walls."""
    width, height = map.width, map.height
    middle = (width - 1) / 2, (height - 1) / 2
    frame = shapes.at(shapes.box(width, height), *middle)
    floor = Group(ax, "floor", FLOOR_LAYER)
    floor.fill(frame, FLOOR)
    across = [shapes.line([(-0.5, y - 0.5), (width - 0.5, y - 0.5)]) for y in range(1, height)]
    down = [shapes.line([(x - 0.5, -0.5), (x - 0.5, height - 0.5)]) for x in range(1, width)]
    if across or down:
        floor.stroke(shapes.both(*across, *down), GRID, 0.025)
    if map.walls:
        walls = Group(ax, "walls", FLOOR_LAYER + 0.1)
        walls.fill(shapes.both(*(shapes.at(shapes.box(1, 1), *c) for c in sorted(map.walls))), WALL)
    Group(ax, "frame", BARRIER_LAYER - 0.1).stroke(frame, WALL, 0.05)


def draw_wall(ax: Axes, place: Point, gid: str) -> None:
    """One block of wall, for legends."""
    Group(ax, gid, FLOOR_LAYER).fill(shapes.at(shapes.box(0.84, 0.84), *place), WALL)


def draw_wizard(
    ax: Axes, place: Point, gid: str, style: AmuletStyle, name: str = "", holder: str | None = None
) -> None:
    """A wizard: a hexagon with its colour's sign; `holder` is the gid of the star of one.

    Letters are for chests and agents alone.
    """
    group = Group(ax, gid, THING_LAYER)
    x, y = place
    y -= 0.1 if name else 0.0
    hexagon = shapes.at(shapes.regular(6, 0.37), x, y)
    group.stroke(hexagon, PAPER, 0.11)
    group.shape(hexagon, style.fill, INK, 0.04)
    group.fill(shapes.at(shapes.BADGES[style.badge], x, y, 0.175), style.ink)
    if name:
        name = cut(name, 16)
        group.text(x, y + 0.49, name, min(0.21, 1.5 / len(name)), color=FAINT_INK)
    if holder:
        draw_holder(ax, (x + 0.31, y - 0.24), holder)


def draw_holder(ax: Axes, place: Point, gid: str, scale: float = 1.0) -> None:
    """The star of a wizard that holds its colour's amulet."""
    group = Group(ax, gid, ASK_LAYER + 0.1)
    star = shapes.at(shapes.star(0.2), *place, scale)
    group.stroke(star, PAPER, 0.12)
    group.shape(star, HOLDER, INK, 0.035)


def draw_barrier(ax: Axes, place: Point, gid: str, style: AmuletStyle) -> None:
    """A barrier: a gate in its colour's pattern, and a plate with its sign above all paths."""
    body = shapes.at(shapes.rounded_box(0.9, 0.9, 0.1), *place)
    group = Group(ax, gid, BARRIER_LAYER)
    group.fill(body, tint(style.fill, 0.22 if style.line == style.fill else 0.6))
    make, filled = shapes.PATTERNS[style.pattern]
    pattern = shapes.at(make(), *place, 0.9)
    if filled:
        group.fill(pattern, style.line)
    else:
        group.stroke(pattern, style.line, 0.065, capstyle="butt")
    group.parts[-1].set_clip_path(body, ax.transData)
    group.stroke(body, style.line, 0.07)
    plate = Group(ax, f"{gid}:sign", THING_LAYER)
    plate.shape(shapes.at(shapes.rounded_box(0.42, 0.42, 0.08), *place), PAPER, style.line, 0.04)
    plate.fill(shapes.at(shapes.BADGES[style.badge], *place, 0.125), INK)


def draw_chest(ax: Axes, place: Point, gid: str, letter: str) -> None:
    """A lettered treasure chest."""
    group = Group(ax, gid, THING_LAYER)
    outline, lid = (shapes.at(part, *place) for part in shapes.chest(0.8, 0.66))
    group.stroke(outline, PAPER, 0.11)
    group.shape(outline, CHEST, CHEST_EDGE, 0.045)
    group.stroke(lid, CHEST_EDGE, 0.04)
    x, y = place
    group.fill(shapes.at(shapes.rounded_box(0.38, 0.44, 0.06), x, y + 0.02), tint(CHEST, 0.35))
    group.text(x, y + 0.02, letter, 0.42, weight="bold")


def draw_goal(ax: Axes, place: Point, gid: str, style: AgentStyle) -> None:
    """The frame and tab that mark the chest that the main agent is after."""
    group = Group(ax, gid, THING_LAYER - 0.1)
    ring = shapes.at(shapes.rounded_box(0.93, 0.93, 0.16), *place)
    group.shape(ring, tint(style.fill, 0.14), style.fill, 0.07)
    tab = Group(ax, f"{gid}:tab", ASK_LAYER)
    x, y = place[0] + 0.34, place[1] - 0.34
    tab.shape(shapes.at(shapes.regular(4, 0.21), x, y), style.fill, PAPER, 0.035)
    tab.text(x, y, style.letter, 0.17, weight="bold", color=style.ink)


def draw_agent(
    ax: Axes, place: Point, gid: str, style: AgentStyle, *, number: bool, scale: float = 1.0
) -> None:
    """An agent's token with its letter, and its number where there are several NPCs."""
    group = Group(ax, gid, AGENT_LAYER)
    token = {
        "diamond": shapes.regular(4, 0.45),
        "disc": shapes.disc(0.36),
        "square": shapes.rounded_box(0.66, 0.66, 0.14),
        "triangle": shapes.regular(3, 0.5),
        "pentagon": shapes.regular(5, 0.45),
    }[style.shape]
    outline = shapes.at(token, *place, scale)
    group.stroke(outline, INK, 0.13 * scale)
    group.shape(outline, style.fill, PAPER, 0.07 * scale)
    x, y = place
    look = {"weight": "bold", "color": style.ink}
    if number and style.number:
        group.text(x - 0.08 * scale, y, style.letter, 0.4 * scale, **look)
        group.text(x + 0.15 * scale, y + 0.09 * scale, style.number, 0.25 * scale, **look)
    else:
        group.text(x, y, style.letter, 0.4 * scale, **look)
