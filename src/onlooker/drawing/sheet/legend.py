"""The legend of a page with many maps: what occurs on any of them, in lines like a text."""

from __future__ import annotations

from collections.abc import Sequence

from onlooker.drawing import pieces
from onlooker.drawing.artists import Group
from onlooker.drawing.legend import LegendRow, legend_rows
from onlooker.drawing.page import Page, text_width
from onlooker.drawing.route import Paths, Point
from onlooker.game import Trial
from onlooker.support.extras import figures_extra

with figures_extra():
    from matplotlib.axes import Axes

# All in inches, but for points.
SIGN = 0.18  # the cell that a sign is drawn in
LINE = 0.225  # from line to line
INDENT, GAP = 0.285, 0.17  # from a sign to its text, and from a text to the next sign
SIZE = 7.0  # points


class SheetLegend:
    """Signs and what they mean, broken into lines of a width."""

    def __init__(
        self, trials: Sequence[tuple[Trial, Paths]], width: float, *, holders: bool
    ) -> None:
        rows: dict[str, LegendRow] = {}
        for trial, paths in trials:
            of_trial = legend_rows(trial, holders=holders, paths=paths)
            if trial.npcs:
                of_trial.insert(1 + len(trial.npcs), LegendRow("goal of an NPC", _draw_arrow))
            rows = _merged(rows, of_trial)
        self.lines: list[list[tuple[float, LegendRow]]] = []
        right = width
        for row in rows.values():
            space = INDENT + text_width(row.text, SIZE)
            if right + space > width:
                self.lines.append([])
                right = 0.0
            self.lines[-1].append((right, row))
            right += space + GAP

    @property
    def height(self) -> float:
        """How much of the page it takes."""
        return LINE * len(self.lines)

    def draw(self, page: Page, left: float, top: float) -> None:
        """Draw the lines; each sign has separate Axes, whose gid is "legend:" and its text."""
        for number, line in enumerate(self.lines):
            for x, row in line:
                width = INDENT + text_width(row.text, SIZE)
                place = left + x, top + LINE * number
                ax = page.cells(*place, width, LINE, SIGN, gid=f"legend:{row.text}")
                middle = LINE / SIGN / 2
                row.draw(ax, (0.67, middle))
                text = Group(ax, "text", pieces.AGENT_LAYER)
                text.text(INDENT / SIGN, middle, row.text, SIZE / 72 / SIGN, ha="left")


def _draw_arrow(ax: Axes, place: Point) -> None:
    """The arrow that captions have before an NPC's goal."""
    Group(ax, "arrow", pieces.AGENT_LAYER).text(*place, "→ A", SIZE / 72 / SIGN)


def _merged(known: dict[str, LegendRow], rows: list[LegendRow]) -> dict[str, LegendRow]:
    """The rows of both, each once, the new ones before those that follow them on their map."""
    merged = list(known.values())
    place = len(merged)
    for row in reversed([LegendRow(_general(row.text), row.draw) for row in rows]):
        texts = [old.text for old in merged]
        if row.text in texts:
            place = texts.index(row.text)
        else:
            merged.insert(place, row)
    return {row.text: row for row in merged}


def _general(text: str) -> str:
    """What a legend says of one map, said of many: an agent's goal is not the same on all."""
    return text.partition(", goal ")[0].replace("other chests", "other chest")
