"""A figure of what a teacher would do under every goal and holders, beside an expert."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from onlooker.drawing import shapes
from onlooker.drawing.artists import Group
from onlooker.drawing.figure import draw_map
from onlooker.drawing.page import Page, show_scales
from onlooker.drawing.pieces import ASK_LAYER
from onlooker.drawing.route import cells_on
from onlooker.drawing.style import FAINT_INK, INK, MAIN, PAPER, agent_styles
from onlooker.game import Expertise, Trial
from onlooker.observers.lessons import Offer, Plan
from onlooker.support.extras import figures_extra
from onlooker.support.rounding import counted

with figures_extra():
    import matplotlib.style
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

# All in inches.
MARGIN, GAP = 0.25, 0.3
TITLE, CAPTION, BELOW = 0.66, 0.42, 0.34  # the page's title, over each map, and below a frontier
LARGEST_MAP, LARGEST_CELL = 2.7, 0.32
FRONTIER, LABELS = (2.2, 1.3), 0.45  # its width and least height, and what stands left of it
MOST_ROWS = 120

READING = (
    "Barred ring: where a learner who takes the NPC for an expert stops watching. Own: points of"
    " the NPC's whole path. Learner: points of its looks and of what it then does.",
    "Frontier: each plan with the least care at which it is chosen (any: above 0); the filled one"
    " is the plan at this care.",
)


def lesson_figure(
    trial: Trial,
    npc: str,
    care: float,
    taught: Sequence[Plan],
    frontiers: Sequence[Sequence[Offer]],
) -> Figure:
    """A row for every goal and holders: the teacher's path, an expert's, and the frontier.

    A barred ring is where a learner who takes the NPC for an expert stops watching. The frontier
    shows what the teacher and the learner pay the more the teacher cares. Artists have gids such
    as "0:teacher/path:agent2", "0:teacher/leaves", "0:frontier".
    """
    if len(taught) > MOST_ROWS:
        raise ValueError(
            f"{trial.label}: {len(taught)} goals and holders are more than the {MOST_ROWS} that a"
            " figure has room for"
        )
    with matplotlib.style.context("default"):  # whatever the user's settings are
        return _Lesson(trial, npc, care).draw(taught, frontiers)


class _Lesson:
    """Where everything goes."""

    def __init__(self, trial: Trial, npc: str, care: float) -> None:
        self.trial, self.npc, self.care = trial, npc, care
        map = trial.map
        cell = min(LARGEST_CELL, LARGEST_MAP / max(map.width, map.height))
        self.wide, self.high = cell * (map.width + 0.1), cell * (map.height + 0.1)
        self.row = CAPTION + max(self.high, FRONTIER[1] + BELOW) + GAP
        self.width = 2 * MARGIN + 2 * (max(self.wide, 1.9) + GAP) + LABELS + FRONTIER[0] + 0.35

    def draw(self, taught: Sequence[Plan], frontiers: Sequence[Sequence[Offer]]) -> Figure:
        """Draw everything."""
        page = Page(self.width, MARGIN + TITLE + len(taught) * self.row)
        title = f"{self.trial.label}: {self.npc} as a teacher, care {self.care:g}"
        page.text(MARGIN, MARGIN + 0.15, title, 12, weight="bold", gid="title")
        for line, words in enumerate(READING):
            page.text(MARGIN, MARGIN + 0.33 + 0.13 * line, words, 6.6, color=FAINT_INK)
        for number, (plan, offers) in enumerate(zip(taught, frontiers, strict=True)):
            top = MARGIN + TITLE + number * self.row
            columns = ((Expertise.TEACHER, plan), (Expertise.EXPERT, offers[0].plan))
            for column, (kind, each) in enumerate(columns):
                left = MARGIN + column * (max(self.wide, 1.9) + GAP)
                self._draw_plan(page, left, top, f"{number}:{kind}", kind, each)
            left = MARGIN + 2 * (max(self.wide, 1.9) + GAP) + LABELS
            height = self.row - CAPTION - GAP - BELOW
            ax = page.axes(left, top + CAPTION, *(FRONTIER[0], height), gid=f"{number}:frontier")
            page.text(left, top + 0.3, "the frontier, by care", 7.5, weight="bold")
            self._draw_frontier(ax, plan, offers)
        return page.figure

    def _draw_plan(
        self, page: Page, left: float, top: float, gid: str, kind: Expertise, plan: Plan
    ) -> None:
        """A map with one path, and what it costs."""
        held = ", ".join(f"{colour} {wizard}" for colour, wizard in plan.holders.items())
        page.text(left, top + 0.15, f"{kind} → {plan.goal}; {held}", 8, weight="bold", gid=gid)
        words = f"own {plan.own}, learner {plan.learner} ({counted(plan.looks, 'look')})"
        page.text(left, top + 0.3, words, 7.5, color=FAINT_INK)
        npcs = tuple(
            replace(npc, goal=plan.goal, expertise=kind, care=None, told=None, actions=None)
            if npc.id == self.npc
            else npc
            for npc in self.trial.npcs
        )
        under = replace(self.trial, holders=plan.holders, npcs=npcs)
        ax = page.axes(left, top + CAPTION, self.wide, self.high, gid=gid)
        draw_map(ax, under, holders=True, paths={self.npc: plan.path})
        cells = cells_on(under.npc(self.npc).at, plan.path[: plan.looks])
        _draw_leaving(ax, *cells[-1], agent_styles(under)[MAIN].fill)

    def _draw_frontier(self, ax: Axes, plan: Plan, offers: Sequence[Offer]) -> None:
        """Own points against the learner's; the filled one is what it does at its care."""
        show_scales(ax)
        own, learner = ([getattr(o.plan, name) for o in offers] for name in ("own", "learner"))
        style = agent_styles(self.trial)[self.npc]
        ax.plot(own, learner, color=style.fill, linewidth=1.2, zorder=2)
        for offer in offers:
            here = (offer.plan.own, offer.plan.learner)
            chosen = here == (plan.own, plan.learner)
            fill = style.fill if chosen else PAPER
            ax.plot(*here, "o", markersize=6, color=fill, markeredgecolor=style.fill, zorder=3)
            words = "expert" if offer is offers[0] else f"{offer.care:.3g}" if offer.care else "any"
            ax.annotate(
                words, here, (5, 4), textcoords="offset points", fontsize=7, color=INK, zorder=4
            )
        ax.set_xlabel("own points", fontsize=7, color=INK, labelpad=2)
        ax.set_ylabel("the learner's", fontsize=7, color=INK, labelpad=2)
        for axis, values in ((ax.xaxis, own), (ax.yaxis, learner)):
            axis.set_major_locator(MaxNLocator(4, integer=True))
            margin = max(2, 0.2 * (max(values) - min(values)))
            axis.axes.set(
                **{f"{axis.axis_name}lim": (min(values) - margin, max(values) + 1.6 * margin)}
            )


def _draw_leaving(ax: Axes, x: float, y: float, colour: str) -> None:
    """The mark of the place at which the learner stops watching."""
    group = Group(ax, "leaves", ASK_LAYER + 0.2)
    group.shape(shapes.at(shapes.disc(0.2), x, y), PAPER, colour, 0.08)
    group.stroke(shapes.line([(x, y - 0.2), (x, y + 0.2)]), colour, 0.09)
