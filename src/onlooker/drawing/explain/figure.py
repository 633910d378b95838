"""The figure that explains a run of an observer: what it saw, believed, compared and chose."""

from __future__ import annotations

from onlooker.drawing.artists import cut
from onlooker.drawing.explain.bars import RIBBON, Bars, Span, bar_panels, draw_ribbon
from onlooker.drawing.explain.costs import Lines, line_panels
from onlooker.drawing.explain.frames import Frames
from onlooker.drawing.explain.particles import draw_particles, imagined_steps
from onlooker.drawing.explain.story import Story
from onlooker.drawing.explain.trees import BELOW, draw_tree, sight_trees, tree_heading, tree_height
from onlooker.drawing.page import Page
from onlooker.drawing.style import FAINT_INK, MAIN, agent_styles, tint
from onlooker.observers import ACT, Engine, Result
from onlooker.support.extras import figures_extra

with figures_extra():
    import matplotlib.style
    from matplotlib.figure import Figure

# All in inches.
WIDTH, MARGIN = 12.0, 0.3
TITLE = 0.8
GAP = 0.27  # between panels
HEADINGS, LABELS, ENDS = 1.6, 0.85, 1.3  # left of the steps, and right of them
WIDEST_STEP, NARROW_STEP, NARROWEST = 1.1, 0.22, 2.6  # a step, and all steps together
PARTICLES, PARTICLES_HIGH = (3.0, 4.6), (2.7, 3.5)  # a plot of what is imagined: least and most
TREES_BESIDE = 3


def explain_figure(engine: Engine, result: Result) -> Figure:
    """A figure of a run: maps over time, and below them belief, goals and costs at every step.

    What the observer does not compute is left out. Artists have gids: "frame:0", "choice:3",
    "belief:blue:w1", "goals:agent2:A", "c_self", "q_obs:agent2", "distance:agent2",
    "ideal_act", "ideal_watch:agent2", "particles:0:agent2", "tree:agent2", "stops:agent2".
    """
    if not result.trace:
        raise ValueError(f"{engine.trial.label}: the result has no trace to explain")
    with matplotlib.style.context("default"):  # whatever the user's settings are
        return _Composition(Story(engine, result)).draw()


class _Composition:
    """Where everything goes."""

    def __init__(self, story: Story) -> None:
        self.story = story
        inner = WIDTH - 2 * MARGIN
        self.frames = Frames(story, inner)
        self.panels: list[Bars | Lines] = [
            *bar_panels(story, HEADINGS - 0.1),
            *line_panels(story, HEADINGS - 0.1),
        ]
        self.imagined = imagined_steps(story)
        self.trees = sight_trees(story)
        steps, room = len(story.trace), inner - HEADINGS - LABELS - ENDS
        beside = room - GAP - PARTICLES[0]
        self.beside = bool(self.imagined) and beside / steps >= NARROW_STEP
        width = min(beside if self.beside else room, max(NARROWEST, WIDEST_STEP * steps))
        self.span = Span(MARGIN, HEADINGS, LABELS, width, steps)

    @property
    def top(self) -> float:
        """Where the steps' panels begin."""
        return MARGIN + TITLE + self.frames.height + GAP + 0.1

    @property
    def length(self) -> float:
        """How long the steps' panels are."""
        return RIBBON + sum(panel.height + GAP for panel in self.panels)

    @property
    def imagined_height(self) -> float:
        """How high a plot of what is imagined is."""
        if not self.beside:
            return PARTICLES_HIGH[0]
        return min(PARTICLES_HIGH[1], max(PARTICLES_HIGH[0], self.length / len(self.imagined)))

    @property
    def tree_width(self) -> float:
        """How wide a tree of what could be seen is."""
        count = min(len(self.trees), TREES_BESIDE)
        return (WIDTH - 2 * MARGIN - (count - 1) * 2 * GAP) / max(count, 2)

    @property
    def tree_rows(self) -> list[list[str]]:
        """The NPCs whose trees stand beside each other."""
        npcs = list(self.trees)
        return [npcs[i : i + TREES_BESIDE] for i in range(0, len(npcs), TREES_BESIDE)]

    @property
    def trees_height(self) -> float:
        """How much of the page the trees take."""
        return sum(self._row_height(row) for row in self.tree_rows) + GAP * bool(self.trees)

    def _row_height(self, row: list[str]) -> float:
        tallest = max(tree_height(self.trees[npc]) for npc in row)
        heading = max(tree_heading(npc, self.tree_width).height for npc in row)
        return heading + 0.1 + tallest + BELOW

    def draw(self) -> Figure:
        """Draw everything."""
        height = self.length
        if self.beside:
            height = max(height, len(self.imagined) * self.imagined_height)
        elif self.imagined:
            height += GAP + self.imagined_height
        page = Page(WIDTH, self.top + height + self.trees_height + MARGIN)
        self._draw_title(page)
        self.frames.draw(page, MARGIN, MARGIN + TITLE)
        self._draw_act(page)
        draw_ribbon(page, self.story, self.span, self.top, self.frames.steps)
        y = self.top + RIBBON + GAP
        for panel in self.panels:
            panel.draw(page, self.span, y)
            y += panel.height + GAP
        self._draw_imagined(page)
        self._draw_trees(page, self.top + height + GAP)
        return page.figure

    def _draw_title(self, page: Page) -> None:
        story = self.story
        title = page.text(MARGIN, MARGIN + 0.2, story.title, 17, weight="bold", gid="title")
        if story.trial.name:
            right = title.get_window_extent().x1 / page.figure.dpi
            name = f"on “{cut(story.trial.name, 60)}”"
            page.text(right + 0.14, MARGIN + 0.2, name, 12, color=FAINT_INK, gid="trial")
        page.text(MARGIN, MARGIN + 0.47, story.outcome, 10.5, gid="outcome")
        right = WIDTH - MARGIN
        page.text(right, MARGIN + 0.47, story.bill, 8.5, color=FAINT_INK, ha="right", gid="bill")

    def _draw_act(self, page: Page) -> None:
        """A light column behind everything at the step at which it acts."""
        ax = self.span.axes(page, self.top - 0.06, self.length + 0.06)
        ax.set_zorder(-1)
        fill = tint(agent_styles(self.story.trial)[MAIN].fill, 0.07)
        half = min(0.5, 0.55 / self.span.step)
        for step, decision in enumerate(self.story.trace):
            if decision.choice == ACT:
                ax.axvspan(step - half, step + half, color=fill, linewidth=0, gid=f"act:{step}")

    def _draw_imagined(self, page: Page) -> None:
        """What is imagined: beside the steps or, where they take the whole width, below them."""
        if self.beside:
            left = self.span.end + ENDS + GAP
            width = min(WIDTH - MARGIN - left, PARTICLES[1])
            places = [
                (left, self.top + i * self.imagined_height) for i in range(len(self.imagined))
            ]
        else:
            width = PARTICLES[1]
            top = self.top + self.length + GAP
            places = [(MARGIN + i * (width + 3 * GAP), top) for i in range(len(self.imagined))]
        for step, (x, y) in zip(self.imagined, places, strict=True):
            draw_particles(page, self.story, step, x, y, width, self.imagined_height - 0.2)

    def _draw_trees(self, page: Page, top: float) -> None:
        """What could be seen of each NPC, a tree each, below everything else."""
        for row in self.tree_rows:
            for place, npc in enumerate(row):
                left = MARGIN + place * (self.tree_width + 2 * GAP)
                draw_tree(page, self.story, npc, self.trees[npc], left, top, self.tree_width)
            top += self._row_height(row)
