"""The maps of the explaining figure: what had been seen at some steps, and then the route."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import ceil

from onlooker.drawing import pieces, shapes
from onlooker.drawing.artists import Group, cut
from onlooker.drawing.explain.story import Story
from onlooker.drawing.figure import draw_map
from onlooker.drawing.legend import (
    LegendRow,
    draw_legend,
    in_columns,
    legend_rows,
    legend_size,
)
from onlooker.drawing.page import Page, text_width
from onlooker.drawing.route import Point
from onlooker.drawing.style import (
    FAINT_INK,
    INK,
    MAIN,
    PAPER,
    AmuletStyle,
    agent_styles,
    amulet_styles,
    colours_of,
    tint,
)
from onlooker.game import Map, Wizard
from onlooker.observers import ACT
from onlooker.support.extras import figures_extra

with figures_extra():
    from matplotlib.axes import Axes

LARGEST, LARGE, SMALLEST = 0.44, 0.32, 0.24  # inches: a cell of a single map, or of several
ENOUGH = 0.265  # inches: cells so large are not worth another row
NARROWEST = 2.2  # inches: a frame
MOST = 6  # frames
TALLEST = 7.0  # inches: all rows of frames
GAP, CAPTION = 0.26, 0.36  # inches: between frames, and above each
SIGN = 0.235  # inches: a cell in the legend
BELIEF_LAYER = pieces.FLOOR_LAYER + 0.05
BADGE = 0.24  # inches: the height of a step's badge


@dataclass(frozen=True)
class Grid:
    """How frames are arranged, in inches."""

    columns: int
    rows: int
    cell: float
    width: float  # of a frame
    height: float  # of a frame with its caption
    gap: float = GAP  # between columns

    @property
    def breadth(self) -> float:
        """The width of all columns."""
        return self.columns * (self.width + self.gap) - self.gap

    @property
    def length(self) -> float:
        """The height of all rows."""
        return self.rows * (self.height + GAP) - GAP

    def place(self, index: int) -> Point:
        """Where a frame goes: left and top."""
        row, column = divmod(index, self.columns)
        return column * (self.width + self.gap), row * (self.height + GAP)


class Frames:
    """The maps at the steps shown, with their legend beside or below them."""

    def __init__(self, story: Story, width: float) -> None:
        self.story = story
        map = story.trial.map
        counts = range(min(MOST, len(story.trace)), 0, -1)
        grids = [arrange(map, count, width) for count in counts]
        self.grid = next((grid for grid in grids if grid.cell >= SMALLEST), grids[-1])
        number = counts[grids.index(self.grid)]
        self.steps = story.shown(number)
        rows, free = _rows(story), width - self.grid.breadth - 2 * GAP
        slots = self.grid.columns * self.grid.rows - number
        if free >= SIGN * legend_size([rows])[0]:  # the legend goes beside the maps
            self.place = self.grid.breadth + 2 * GAP, CAPTION
            room = free, self.grid.length - CAPTION
        else:
            if self.grid.columns > 1:
                gap = (width - self.grid.columns * self.grid.width) / (self.grid.columns - 1)
                self.grid = replace(self.grid, gap=gap)
            if slots:  # where more maps would be
                x, y = self.grid.place(number)
                self.place = x, y + CAPTION
                wide = slots * (self.grid.width + self.grid.gap) - GAP
                room = wide, self.grid.height - CAPTION
            else:
                self.place, room = (0.0, self.grid.length + 0.75 * GAP), (width, 0.0)
        self.legend = in_columns(rows, room[0] / SIGN, room[1] / SIGN)

    def draw(self, page: Page, left: float, top: float) -> float:
        """Draw maps and legend; where they end."""
        for index, step in enumerate(self.steps):
            x, y = self.grid.place(index)
            self._draw_frame(page, left + x, top + y, step)
        x, y = self.place
        wide, high = (SIGN * length for length in legend_size(self.legend))
        draw_legend(page.axes(left + x, top + y, wide, high, gid="legend"), self.legend)
        return top + max(self.grid.length, y + high)

    def _draw_frame(self, page: Page, left: float, top: float, step: int) -> None:
        map, cell = self.story.trial.map, self.grid.cell
        size = cell * (map.width + 0.1), cell * (map.height + 0.1)
        ax = page.axes(left, top + CAPTION, *size, gid=f"frame:{step}")
        paths, states = self.story.paths(step), self.story.states(step)
        draw_map(ax, self.story.trial, holders=True, paths=paths, states=states)
        styles = amulet_styles(colours_of(map))
        for colour in self.story.colours:
            for wizard in map.wizards_of[colour]:
                p = self.story.belief(colour, wizard.id)[step]
                if p == p:
                    draw_belief(ax, wizard.at, f"belief:{wizard.id}", styles[colour], p)
        for wizard in map.wizards:
            _draw_plate(ax, wizard)
        self._draw_caption(ax, step)

    def _draw_caption(self, ax: Axes, step: int) -> None:
        """Above a map: the step's number, its choice and what had just been seen."""
        story, unit = self.story, BADGE / self.grid.cell
        choice = story.trace[step].choice
        edge, top = ax.get_xlim()[0], ax.get_ylim()[1]
        middle = top - 0.54 * CAPTION / self.grid.cell
        right = draw_badge(ax, (edge, middle), f"step {step}", "badge", left=True, scale=unit)
        style = agent_styles(story.trial)[MAIN if choice == ACT else choice]
        place, several = (right + 0.55 * unit, middle), len(story.trial.npcs) > 1
        pieces.draw_agent(ax, place, "choice", style, number=several, scale=unit)
        group = Group(ax, "words", pieces.AGENT_LAYER)
        words, sight = cut(story.choice(step), 22), cut(story.sight(step), 34)
        right += 1.15 * unit
        group.text(right, middle, words, 0.48 * unit, ha="left", weight="bold")
        right += unit * text_width(words, 0.48 * 72, "bold")
        end = edge + self.grid.width / self.grid.cell
        for size in (0.42, 0.36):
            if sight and right + unit * (0.3 + text_width(sight, size * 72)) < end:
                group.text(end, middle, sight, size * unit, ha="right", color=FAINT_INK)
                break


def arrange(map: Map, count: int, width: float) -> Grid:
    """The arrangement of so many maps in few rows that makes their cells large."""
    grids = (_grid(map, count, columns, width) for columns in range(1, count + 1))

    def merit(grid: Grid) -> tuple[float, int, float, int]:
        cell = round(grid.cell, 6)
        return min(cell, ENOUGH), -grid.rows, cell, -grid.columns

    return max(grids, key=merit)


def _grid(map: Map, count: int, columns: int, width: float) -> Grid:
    rows = ceil(count / columns)
    across = (width - (columns - 1) * GAP) / columns
    down = (TALLEST - (rows - 1) * GAP) / rows - CAPTION
    largest = LARGEST if count == 1 else LARGE
    cell = min(largest, across / (map.width + 0.1), down / (map.height + 0.1))
    wide = min(across, max(NARROWEST, cell * (map.width + 0.1)))
    return Grid(columns, rows, cell, wide, CAPTION + cell * (map.height + 0.1))


def draw_belief(ax: Axes, place: Point, gid: str, style: AmuletStyle, p: float) -> None:
    """Fill a wizard's cell from below as far as it is believed to be the holder."""
    x, y = place
    level = shapes.at(shapes.box(0.96, 0.96 * p), x, y + 0.48 - 0.48 * p)
    Group(ax, gid, BELIEF_LAYER).fill(level, tint(style.fill, 0.38))


def _draw_plate(ax: Axes, wizard: Wizard) -> None:
    """A wizard's id again, larger: these maps are small, and the panels speak of the ids."""
    name, (x, y) = cut(wizard.id, 12), wizard.at
    size = min(0.29, 1.5 / len(name))
    group = Group(ax, f"plate:{wizard.id}", pieces.THING_LAYER + 0.5)
    plate = shapes.rounded_box(0.14 + 0.66 * size * len(name), 0.27, 0.06)
    group.shape(shapes.at(plate, x, y + 0.39), PAPER, FAINT_INK, 0.015)
    group.text(x, y + 0.39, name, size, weight="bold")


def draw_badge(
    ax: Axes, place: Point, text: str, gid: str, *, left: bool = False, scale: float = 1.0
) -> float:
    """The dark badge of a step with a map, the same wherever that step is named; its right end.

    It stands in the middle of its place, or with `left` begins there.
    """
    group = Group(ax, gid, pieces.AGENT_LAYER)
    width = scale * max(0.8, 0.36 + 0.31 * len(text))
    x, y = place
    x += width / 2 if left else 0.0
    box = shapes.rounded_box(width, 0.8 * scale, 0.2 * scale)
    group.fill(shapes.at(box, x, y), INK)
    group.text(x, y, text, 0.5 * scale, weight="bold", color=PAPER)
    return x + width / 2


def _rows(story: Story) -> list[LegendRow]:
    rows = legend_rows(story.trial, holders=True, paths=story.paths(story.last))
    rows = [row for row in rows if row.text != "wall"]
    return [*rows, *_belief_row(story)]


def _belief_row(story: Story) -> Iterator[LegendRow]:
    if story.colours:
        style = amulet_styles(colours_of(story.trial.map))[story.colours[0]]

        def draw(ax: Axes, place: Point) -> None:
            frame = shapes.at(shapes.box(0.96, 0.96), *place)
            Group(ax, "legend:belief:frame", pieces.FLOOR_LAYER).stroke(frame, FAINT_INK, 0.03)
            draw_belief(ax, place, "legend:belief", style, 0.6)

        yield LegendRow("fill: belief in a wizard", draw)
