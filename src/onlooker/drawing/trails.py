"""Agents' paths on a map: a line, arrowheads along it, and a mark where a wizard was asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from onlooker.drawing import shapes
from onlooker.drawing.artists import Group
from onlooker.drawing.pieces import ASK_LAYER, PATH_LAYER
from onlooker.drawing.route import (
    Leg,
    Paths,
    Point,
    asks_on,
    cells_on,
    corners,
    lanes,
    legs,
    start_of,
)
from onlooker.drawing.style import PAPER, AgentStyle
from onlooker.game import Cell, Map, Trial
from onlooker.support.extras import figures_extra

with figures_extra():
    from matplotlib.axes import Axes
    from matplotlib.path import Path as Outline

LINE = 0.085  # width, in cells
TIP, ARROW = 3.3, 2.8  # length and width of arrowheads, the last and the others, in line widths
SHORT_OF = 0.42  # a path that ends at a thing stops this far from the cell's middle


@dataclass(frozen=True)
class Trail:
    """An agent's path as it is drawn: its legs, and how far to the right each is shifted."""

    legs: list[Leg]
    distances: list[float]
    width: float  # of the line, in cells

    def points(self) -> list[list[Point]]:
        """The line's points in each cell of the path."""
        cells: list[list[Point]] = []
        for leg, distance in zip(self.legs, self.distances, strict=True):
            points = corners(leg, distance)
            if cells:  # a leg starts where the one before ended
                cells[-1] += points.pop(0)
            cells += points
        return cells

    def edges(self) -> list[tuple[Cell, Cell, float]]:
        """The steps from cell to cell, each with its distance."""
        return [
            (start, end, distance)
            for leg, distance in zip(self.legs, self.distances, strict=True)
            for start, end in pairwise(leg)
        ]


def draw_paths(
    ax: Axes, trial: Trial, paths: Paths, styles: Mapping[str, AgentStyle], outcomes: bool
) -> None:
    """Draw each agent's path beside the others'; `outcomes` marks who was given an amulet."""
    parts = {agent: legs(cells_on(start_of(trial, agent), paths[agent])) for agent in paths}
    distances = lanes(parts)
    width = _line_width(distances.values())
    trails = {agent: Trail(parts[agent], distances[agent], width) for agent in paths}
    for agent, trail in trails.items():
        _draw_trail(ax, f"path:{agent}", trail, styles[agent], trial.map)
    asks = [ask for agent, steps in paths.items() for ask in asks_on(agent, steps)]
    sharing = Counter((ask.cell, ask.wizard) for ask in asks)
    before: Counter[tuple[Cell, str]] = Counter()
    for number, ask in enumerate(asks, start=1):
        edge = ask.cell, ask.wizard
        points = trails[ask.agent].points()[ask.moves]
        origin = _middle(points[0], points[-1])
        aside = (before[edge] - (sharing[edge] - 1) / 2) * min(0.32, 0.8 / sharing[edge])
        before[edge] += 1
        place = _ask_place(ask.cell, trial.map.wizard(ask.wizard).at, origin, aside)
        gave = ask.gave if outcomes else None
        gid = f"ask:{number}:{ask.agent}:{ask.wizard}"
        draw_ask(ax, place, gid, styles[ask.agent], gave, origin)


def draw_sample(ax: Axes, place: Point, gid: str, style: AgentStyle) -> None:
    """A piece of a path, for legends."""
    x, y = place
    group = Group(ax, gid, PATH_LAYER)
    group.stroke(shapes.line([(x - 0.6, y), (x + 0.5, y)]), style.fill, LINE * 1.2, style.dashes)
    group.fill(shapes.arrowhead((x + 0.68, y), (1.0, 0.0), TIP * LINE), style.fill)


def draw_ask(
    ax: Axes,
    place: Point,
    gid: str,
    style: AgentStyle,
    gave: bool | None,
    origin: Point | None = None,
    scale: float = 1.0,
) -> None:
    """The mark of an interaction: a question mark, or its outcome where that is known."""
    group = Group(ax, gid, ASK_LAYER)
    x, y = place
    if origin is not None:
        group.stroke(shapes.line([origin, place]), style.fill, LINE * 0.7)
    group.shape(shapes.at(shapes.disc(0.14), x, y, scale), PAPER, style.fill, 0.045 * scale)
    if gave is None:
        group.text(x, y, "?", 0.22 * scale, weight="bold", color=style.fill)
    else:
        sign = _tick() if gave else _cross()
        group.stroke(shapes.at(sign, x, y, scale), style.fill, 0.05 * scale)


def _draw_trail(ax: Axes, gid: str, trail: Trail, style: AgentStyle, map: Map) -> None:
    group = Group(ax, gid, PATH_LAYER)
    edges = trail.edges()
    if not edges:
        return  # it never moved
    points = [point for cell in trail.points() for point in cell]
    before_last, last, _ = edges[-1]
    direction = _direction(before_last, last)
    if map.thing(last):
        points[-1] = _ahead(points[-1], direction, -SHORT_OF)
    tip = shapes.arrowhead(points[-1], direction, TIP * trail.width)
    points[-1] = _ahead(points[-1], direction, -TIP * trail.width / 2)
    line = shapes.line(points)
    Group(ax, f"{gid}:halo", PATH_LAYER - 0.1).stroke(line, PAPER, 2 * trail.width, alpha=0.9)
    group.stroke(line, style.fill, trail.width, style.dashes, gid=f"{gid}:line")
    start = shapes.at(shapes.disc(trail.width), *points[0])
    group.fill(shapes.both(start, tip, *_arrows(edges, ARROW * trail.width)), style.fill)


def _line_width(distances: Iterable[Sequence[float]]) -> float:
    """How wide lines are: less than usual where there are many lanes."""
    shifted = [distance for trail in distances for distance in trail if distance]
    return min([LINE, *(1.2 * distance for distance in shifted)])


def _arrows(edges: list[tuple[Cell, Cell, float]], size: float) -> Iterator[Outline]:
    """An arrowhead on every second edge, the first one included, but not on the last."""
    for start, end, distance in edges[:-1:2]:
        dx, dy = _direction(start, end)
        x, y = _middle(start, end)
        tip = _ahead((x - dy * distance, y + dx * distance), (dx, dy), size * 0.8)
        yield shapes.arrowhead(tip, (dx, dy), size)


def _ask_place(cell: Cell, wizard: Cell, origin: Point, aside: float) -> Point:
    """Where on the edge between agent and wizard a mark goes: straight ahead of the path."""
    dx, dy = _direction(cell, wizard)
    x, y = (cell[0], origin[1] + aside) if dx else (origin[0] + aside, cell[1])
    return x + 0.46 * dx, y + 0.46 * dy


def _tick() -> Outline:
    return shapes.line([(-0.07, 0.0), (-0.02, 0.06), (0.075, -0.065)])


def _cross() -> Outline:
    falling = shapes.line([(-0.055, -0.055), (0.055, 0.055)])
    return shapes.both(falling, shapes.line([(-0.055, 0.055), (0.055, -0.055)]))


def _direction(start: Cell, end: Cell) -> Point:
    return float(end[0] - start[0]), float(end[1] - start[1])


def _middle(start: Point, end: Point) -> Point:
    return (start[0] + end[0]) / 2, (start[1] + end[1]) / 2


def _ahead(point: Point, direction: Point, distance: float) -> Point:
    return point[0] + direction[0] * distance, point[1] + direction[1] * distance
