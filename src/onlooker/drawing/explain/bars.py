"""The explaining figure's panels of bars: who is believed to hold an amulet, who wants what."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from onlooker.drawing import pieces
from onlooker.drawing.artists import Group, cut
from onlooker.drawing.explain.frames import draw_badge
from onlooker.drawing.explain.story import Story
from onlooker.drawing.page import READING, ArtistStyle, Heading, Page, text_width, write
from onlooker.drawing.route import Point
from onlooker.drawing.style import (
    FAINT_INK,
    INK,
    MAIN,
    AgentStyle,
    agent_styles,
    amulet_styles,
    colours_of,
    ink_on,
    shade,
    tint,
)
from onlooker.observers import ACT
from onlooker.support.extras import figures_extra
from onlooker.support.rounding import rounded

with figures_extra():
    from matplotlib.axes import Axes
    from matplotlib.collections import PolyCollection

TRACK = "#F1EEE6"  # behind bars: how long they could be
WIDEST_BAR = 0.46  # inches
ROW_GAP = 0.07  # inches
RIBBON = 0.62  # inches


@dataclass(frozen=True)
class Span:
    """Where the steps are on the page, in inches: the same in all panels."""

    left: float  # of the panels, where their headings begin
    headings: float  # width of the headings
    labels: float  # width of the labels between headings and steps
    width: float  # of all steps
    steps: int

    @property
    def start(self) -> float:
        """Where the steps begin."""
        return self.left + self.headings + self.labels

    @property
    def end(self) -> float:
        """Where the steps end."""
        return self.start + self.width

    @property
    def step(self) -> float:
        """The width of a step."""
        return self.width / self.steps

    @property
    def every(self) -> int:
        """How many steps it is from one number on the scale to the next."""
        return 1 if self.step >= 0.2 else 5

    def axes(self, page: Page, top: float, height: float) -> Axes:
        """Axes over all steps, a step being as wide as 1."""
        ax = page.axes(self.start, top, self.width, height)
        ax.set_xlim(-0.5, self.steps - 0.5)
        return ax


@dataclass(frozen=True)
class BarRow:
    """A row of bars, one for each step, behind its sign and name."""

    gid: str
    name: str
    sign: Callable[[Axes, Point, str], None]
    values: Sequence[float]
    fills: Sequence[str]
    edge: str
    threshold: float | None = None


@dataclass(frozen=True)
class Bars:
    """Rows of bars under one heading."""

    heading: Heading
    rows: Sequence[BarRow]
    row_height: float

    def draw(self, page: Page, span: Span, top: float) -> float:
        """Draw the rows below each other; where they end."""
        page.heading(span.left, top - 0.04, self.heading)
        pitch = self.row_height + ROW_GAP
        high = len(self.rows) * pitch - ROW_GAP
        cell, left = min(self.row_height * 1.12, 0.34), span.start - span.labels
        signs = page.cells(left, top, span.labels, high, cell)
        ax = span.axes(page, top, high)
        ax.set_ylim(1 - high / self.row_height, 1)  # the first row's bars stand on 0
        for index, row in enumerate(self.rows):
            middle = (index * pitch + self.row_height / 2) / cell
            _draw_label(signs, row, middle, span.labels / cell, cell)
            _draw_bars(ax, span, row, -index * pitch / self.row_height, self.row_height)
        if (threshold := self.rows[0].threshold) is not None:
            place, text = (span.steps - 0.45, threshold), f"settled at {threshold:g}"
            write(ax, *place, text, 6.6, va="center", color=FAINT_INK)
        return top + max(high, self.heading.height)


def _draw_label(ax: Axes, row: BarRow, middle: float, width: float, cell: float) -> None:
    """A row's sign and name; lengths are in cells of so many inches."""
    name, sign = cut(row.name, 14), f"sign:{row.gid}"
    row.sign(ax, (0.5, middle), sign)
    size = 7.8 * min(1.0, (cell * (width - 1.15) - 0.05) / max(text_width(name, 7.8), 0.01))
    group = Group(ax, f"name:{row.gid}", pieces.AGENT_LAYER)
    group.text(1.15, middle, name, size / 72 / cell, ha="left")


def _draw_bars(ax: Axes, span: Span, row: BarRow, base: float, row_height: float) -> None:
    """A row's bars, which stand on a base, and a row is 1 high."""
    half = min(0.39, WIDEST_BAR / span.step / 2)
    steps = [k for k, value in enumerate(row.values) if value == value]
    tracks = [_box(k, half, base, 1.0) for k in steps]
    ax.add_collection(PolyCollection(tracks, facecolors=TRACK, edgecolors="none", zorder=1))
    bars = PolyCollection(
        [_box(k, half, base, row.values[k]) for k in steps],
        facecolors=[row.fills[k] for k in steps],
        edgecolors=row.edge,
        linewidths=0.6,
        zorder=2,
        gid=row.gid,
    )
    ax.add_collection(bars)
    if row.threshold is not None:
        look = ArtistStyle(colors=INK, linewidth=0.9, linestyle=(0, (2.0, 1.0)), zorder=3)
        starts, ends = [k - half for k in steps], [k + half for k in steps]
        heights = [base + row.threshold] * len(steps)
        ax.hlines(heights, starts, ends, gid=f"converge:{row.gid}", **look)
    if 2 * half * span.step >= 0.26 and row_height >= 0.2:
        for k in steps:
            _write_value(ax, k, base, row.values[k], row.fills[k], row_height)


def _write_value(
    ax: Axes, step: int, base: float, value: float, fill: str, row_height: float
) -> None:
    """Write a probability above its bar, or in it where there is no room above."""
    digit = 0.067 / row_height
    inside = value + digit > 0.86
    y = value - 0.07 - digit if inside else value + 0.07
    text = rounded(value, 2).removeprefix("0") if value >= 0.005 else "0"
    look = ArtistStyle(ha="center", va="baseline", zorder=4)
    write(ax, step, base + y, text, 6.4, color=ink_on(fill) if inside else FAINT_INK, **look)


def _box(step: int, half: float, base: float, height: float) -> list[Point]:
    left, right, top = step - half, step + half, base + height
    return [(left, base), (left, top), (right, top), (right, base)]


def bar_panels(story: Story, width: float) -> list[Bars]:
    """The belief about the holders and each NPC's goal posterior, as far as they are known."""
    rows = sum(len(story.trial.map.wizards_of[colour]) for colour in story.colours)
    if story.has_goals:
        rows += len(story.trial.npcs) * len(story.trial.map.chests)
    height = min(0.38, max(0.19, 3.0 / max(rows, 1)))
    return [*_belief_panels(story, height, width), *_goal_panels(story, height, width)]


def _belief_panels(story: Story, height: float, width: float) -> Iterator[Bars]:
    styles = amulet_styles(colours_of(story.trial.map))
    for colour in story.colours:
        style, rows = styles[colour], []
        for wizard in story.trial.map.wizards_of[colour]:
            gid, values = f"belief:{colour}:{wizard.id}", story.belief(colour, wizard.id)
            star = f"holder:{gid}" if story.trial.holders[colour] == wizard.id else None
            sign = partial(pieces.draw_wizard, style=style, holder=star)
            candidate = story.is_candidate(colour, wizard.id)
            fills = [style.fill if kept else tint(style.fill, 0.3) for kept in candidate]
            threshold = story.engine.parameters.converge
            rows.append(BarRow(gid, wizard.id, sign, values, fills, style.line, threshold))
        reading = "belief in each wizard; pale: not a candidate; star: the true holder"
        heading = Heading(f"Who holds the {cut(colour)} amulet?", reading, width)
        yield Bars(heading, rows, height)


def _goal_panels(story: Story, height: float, width: float) -> Iterator[Bars]:
    if not story.has_goals:
        return
    styles = agent_styles(story.trial)
    for index, npc in enumerate(story.trial.npcs):
        style, rows = styles[npc.id], []
        for letter in story.trial.map.letters:
            owner = style if letter == npc.goal else None
            sign = partial(_draw_chest, letter=letter, owner=owner)
            values = story.goal(index, letter)
            fills = [style.fill] * len(values)
            gid = f"goals:{npc.id}:{letter}"
            rows.append(BarRow(gid, "", sign, values, fills, shade(style.fill, 0.3)))
        reading = f"belief in each chest; marked {style.letter}: the {npc.expertise}’s true goal"
        heading = Heading(f"Where is {cut(npc.id)} heading?", reading, width)
        yield Bars(heading, rows, height)


def _draw_chest(ax: Axes, place: Point, gid: str, letter: str, owner: AgentStyle | None) -> None:
    pieces.draw_chest(ax, place, gid, letter)
    if owner:
        x, y = place
        corner = (x + 0.42, y - 0.22)
        pieces.draw_agent(ax, corner, f"{gid}:owner", owner, number=False, scale=0.5)


def draw_ribbon(page: Page, story: Story, span: Span, top: float, shown: Sequence[int]) -> float:
    """The choices in a row, one above each step's number; steps with a map have a badge.

    Returns where it ends.
    """
    cell = min(0.34, span.step * 0.92)
    ax = page.cells(span.start, top, span.width, RIBBON, cell)
    styles, several = agent_styles(story.trial), len(story.trial.npcs) > 1
    size = min(0.5, 7.5 / 72 / cell)
    for step, decision in enumerate(story.trace):
        x = (step + 0.5) * span.step / cell
        style = styles[MAIN if decision.choice == ACT else decision.choice]
        pieces.draw_agent(ax, (x, 0.55), f"choice:{step}", style, number=several)
        y = (RIBBON - 0.13) / cell
        if step in shown:
            draw_badge(ax, (x, y), str(step), f"badge:{step}", scale=size / 0.5)
        elif step % span.every == 0:
            Group(ax, f"step:{step}", pieces.AGENT_LAYER).text(
                x, y, str(step), size, color=FAINT_INK
            )
    reading = "dark: the steps with a map" if len(shown) < span.steps else ""
    page.heading(
        span.left, top + 0.02, Heading("What does it choose?", reading, span.headings + 0.4)
    )
    right = {"ha": "right", "va": "center", "color": FAINT_INK}
    page.text(span.start - 0.1, top + RIBBON - 0.13, "step", READING, **right)
    return top + RIBBON
