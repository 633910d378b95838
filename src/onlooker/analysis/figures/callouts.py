"""Labels beside a map, with lines to what they name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from onlooker.analysis.figures.style import SMALL, TEXT
from onlooker.drawing.page import ArtistStyle, Page, wrap_text
from onlooker.drawing.style import FAINT_INK, INK, PAPER
from onlooker.game import Cell, Map
from onlooker.support.extras import figures_extra

with figures_extra():
    from matplotlib.patheffects import withStroke

HEAD, LINE, GAP = 0.15, 0.118, 0.1  # inches: a label's first line, the others, between labels


@dataclass(frozen=True)
class Label:
    """What is said of one kind of thing, and the cells where such a thing is."""

    kind: str
    head: str
    text: str
    cells: Sequence[Cell]

    def lines(self, width: float) -> list[str]:
        """Its text, wrapped to fit so many inches."""
        return wrap_text(self.text, width, SMALL)

    def height(self, width: float) -> float:
        """How high it is, in inches."""
        return HEAD + LINE * len(self.lines(width))


@dataclass(frozen=True)
class Callout:
    """A label with the cell that it points at and the side that it stands on."""

    label: Label
    cell: Cell
    right: bool


@dataclass(frozen=True)
class MapPlace:
    """Where the map is on the page, in inches, and how wide labels beside it are."""

    left: float
    top: float
    cell: float
    map: Map
    room: float

    def point(self, cell: Cell, right: bool) -> tuple[float, float]:
        """Where a line to a cell ends: at the edge of the thing on it."""
        x, y = cell
        return (
            self.left + (x + 0.55 + (0.36 if right else -0.36)) * self.cell,
            self.top + (y + 0.55) * self.cell,
        )

    @property
    def height(self) -> float:
        """The height of the map."""
        return (self.map.height + 0.1) * self.cell

    @property
    def right(self) -> float:
        """Where the map ends."""
        return self.left + (self.map.width + 0.1) * self.cell


def assign(labels: Iterable[Label], map: Map, taken: Iterable[Cell] = ()) -> list[Callout]:
    """Which thing each label points at and from which side.

    The line should be short and cross nothing (`taken` are cells where agents are), labels should
    not crowd on one side, nor point at neighbouring rows from it. Those with the least choice are
    placed first.
    """
    wizards, barriers = (w.at for w in map.wizards), (b.at for b in map.barriers)
    things = {*taken, *wizards, *barriers, *(chest.at for chest in map.chests)}
    found: list[Callout] = []
    for label in sorted(labels, key=lambda label: len(label.cells)):
        options = [
            (_trouble(cell, right, map, things, found), cell, right)
            for cell in label.cells
            for right in (False, True)
        ]
        _, cell, right = min(options)
        found.append(Callout(label, cell, right))
    return found


def _trouble(
    cell: Cell, right: bool, map: Map, things: set[Cell], found: Sequence[Callout]
) -> float:
    """How bad a line to a cell from a side would be."""
    x, y = cell
    between = range(x + 1, map.width) if right else range(x)
    crossed = sum((other, y) in things for other in between)
    mine = [callout.cell[1] for callout in found if callout.right is right]
    crowded = sum(max(0, 2 - abs(row - y)) for row in mine)
    return len(between) + 9 * crossed + 3 * crowded + 1.5 * len(mine)


def spread(tops: Sequence[float], heights: Sequence[float], low: float, high: float) -> list[float]:
    """Tops of labels near those wanted, in the same order, not overlapping, within low and high.

    >>> spread([0.0, 0.1], [1.0, 1.0], 0.0, 3.0)
    [0.0, 1.1]
    """
    placed: list[float] = []
    for top, _ in zip(tops, heights, strict=True):
        last = placed[-1] + heights[len(placed) - 1] + GAP if placed else low
        placed.append(max(top, last))
    limit = high
    for index in reversed(range(len(placed))):
        placed[index] = min(placed[index], limit - heights[index])
        limit = placed[index] - GAP
    return placed


def draw_callouts(page: Page, place: MapPlace, callouts: Sequence[Callout]) -> None:
    """Write the labels on both sides of the map and draw their lines."""
    ax = page.axes(0, 0, page.width, page.height, gid="callouts")
    ax.set(xlim=(0, page.width), ylim=(page.height, 0))
    ax.set_zorder(5)
    for right in (False, True):
        mine = sorted((c for c in callouts if c.right is right), key=lambda c: (c.cell[1], c.cell))
        heights = [callout.label.height(place.room) for callout in mine]
        wanted = [place.point(callout.cell, right)[1] - 0.1 for callout in mine]
        tops = spread(wanted, heights, place.top, place.top + place.height)
        for callout, top in zip(mine, tops, strict=True):
            edge = place.right + 0.22 if right else place.left - 0.22
            look = ArtistStyle(ha="left" if right else "right")
            page.text(edge, top + 0.12, callout.label.head, TEXT, weight="bold", **look)
            for index, line in enumerate(callout.label.lines(place.room), start=1):
                y = top + 0.12 + index * LINE
                page.text(edge, y, line, SMALL, color=FAINT_INK, **look)
            x, y = place.point(callout.cell, right)
            begin = edge + (-0.05 if right else 0.05)
            elbow = place.right + 0.08 if right else place.left - 0.08
            line_look = ArtistStyle(color=INK, linewidth=0.8, solid_joinstyle="round")
            halo = [withStroke(linewidth=2.2, foreground=PAPER)]
            gid = f"callout:{callout.label.kind}"
            ax.plot(
                [begin, elbow, x],
                [top + 0.085, top + 0.085, y],
                path_effects=halo,
                gid=gid,
                marker="o",
                markevery=[2],
                markersize=2.4,
                **line_look,
            )
