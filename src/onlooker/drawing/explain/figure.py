"""The figure that explains a run of an observer: what it saw, believed, compared and chose."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from onlooker.drawing.artists import cut
from onlooker.drawing.explain.bars import Bars, Span, bar_panels, draw_ribbon
from onlooker.drawing.explain.costs import Lines, line_panels
from onlooker.drawing.explain.frames import Frames
from onlooker.drawing.explain.particles import draw_particles, imagined_steps
from onlooker.drawing.explain.story import Story
from onlooker.drawing.explain.trees import Twig, draw_tree, sight_trees
from onlooker.drawing.page import Page
from onlooker.drawing.style import FAINT_INK, MAIN, agent_styles, tint
from onlooker.observers import ACT, Engine, Result
from onlooker.support.extras import figures_extra

with figures_extra():
    import matplotlib.style
    from matplotlib.figure import Figure

# All in inches.
WIDTH, MARGIN = 12.0, 0.3
INNER = WIDTH - 2 * MARGIN
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
        return _draw(Story(engine, result))


def _draw(story: Story) -> Figure:
    """Draw everything from the top down: each part says where it ends."""
    page = Page(WIDTH)
    _draw_title(page, story)
    frames = Frames(story, INNER)
    top = frames.draw(page, MARGIN, MARGIN + TITLE) + GAP + 0.1
    imagined = imagined_steps(story)
    steps, room = len(story.trace), INNER - HEADINGS - LABELS - ENDS
    narrow = room - GAP - PARTICLES[0]
    beside = bool(imagined) and narrow / steps >= NARROW_STEP
    width = min(narrow if beside else room, max(NARROWEST, WIDEST_STEP * steps))
    span = Span(MARGIN, HEADINGS, LABELS, width, steps)
    bottom = draw_ribbon(page, story, span, top, frames.steps) + GAP
    panels: list[Bars | Lines] = [
        *bar_panels(story, HEADINGS - 0.1),
        *line_panels(story, HEADINGS - 0.1),
    ]
    for panel in panels:
        bottom = panel.draw(page, span, bottom) + GAP
    bottom -= GAP
    _draw_act(page, story, span, top, bottom)
    if beside:
        left = span.end + ENDS + GAP
        bottom = max(bottom, _draw_beside(page, story, imagined, left, top, bottom))
    elif imagined:
        bottom = _draw_below(page, story, imagined, bottom + GAP)
    if trees := sight_trees(story):
        bottom = _draw_trees(page, story, trees, bottom + GAP)
    page.cut(bottom + MARGIN)
    return page.figure


def _draw_title(page: Page, story: Story) -> None:
    title = page.text(MARGIN, MARGIN + 0.2, story.title, 17, weight="bold", gid="title")
    if story.trial.name:
        right = title.get_window_extent().x1 / page.figure.dpi
        name = f"on “{cut(story.trial.name, 60)}”"
        page.text(right + 0.14, MARGIN + 0.2, name, 12, color=FAINT_INK, gid="trial")
    page.text(MARGIN, MARGIN + 0.47, story.outcome, 10.5, gid="outcome")
    right = WIDTH - MARGIN
    page.text(right, MARGIN + 0.47, story.bill, 8.5, color=FAINT_INK, ha="right", gid="bill")


def _draw_act(page: Page, story: Story, span: Span, top: float, bottom: float) -> None:
    """A light column behind everything at the step at which it acts."""
    ax = span.axes(page, top - 0.06, bottom - top + 0.06)
    ax.set_zorder(-1)
    fill = tint(agent_styles(story.trial)[MAIN].fill, 0.07)
    half = min(0.5, 0.55 / span.step)
    for step, decision in enumerate(story.trace):
        if decision.choice == ACT:
            ax.axvspan(step - half, step + half, color=fill, linewidth=0, gid=f"act:{step}")


def _draw_beside(
    page: Page, story: Story, imagined: Sequence[int], left: float, top: float, bottom: float
) -> float:
    """What is imagined, one below the other beside the steps; where that ends."""
    width = min(WIDTH - MARGIN - left, PARTICLES[1])
    height = min(PARTICLES_HIGH[1], max(PARTICLES_HIGH[0], (bottom - top) / len(imagined)))
    for step in imagined:
        draw_particles(page, story, step, left, top, width, height - 0.2)
        top += height
    return top


def _draw_below(page: Page, story: Story, imagined: Sequence[int], top: float) -> float:
    """What is imagined, side by side below steps that take the whole width; where that ends."""
    width, height = PARTICLES[1], PARTICLES_HIGH[0]
    for place, step in enumerate(imagined):
        left = MARGIN + place * (width + 3 * GAP)
        draw_particles(page, story, step, left, top, width, height - 0.2)
    return top + height


def _draw_trees(page: Page, story: Story, trees: Mapping[str, Twig], top: float) -> float:
    """What could be seen of each NPC, a tree each, some side by side; where they end."""
    count, npcs = min(len(trees), TREES_BESIDE), list(trees)
    width = (INNER - (count - 1) * 2 * GAP) / max(count, 2)
    for begin in range(0, len(npcs), TREES_BESIDE):
        top = max(
            draw_tree(page, story, npc, trees[npc], MARGIN + place * (width + 2 * GAP), top, width)
            for place, npc in enumerate(npcs[begin : begin + TREES_BESIDE])
        )
    return top
