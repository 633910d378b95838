"""The explaining figure's trees: what could be seen of an NPC, and where watching it would stop."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from onlooker.drawing.artists import cut
from onlooker.drawing.explain.story import Story, points
from onlooker.drawing.page import ArtistStyle, Heading, Page, show_scales, write
from onlooker.drawing.style import FAINT_INK, GRID, INK, MAIN, PAPER, agent_styles
from onlooker.observers import KNOWN_OBSERVERS, Sight
from onlooker.support.extras import figures_extra
from onlooker.support.rounding import short

with figures_extra():
    from matplotlib.axes import Axes
    from matplotlib.ticker import MaxNLocator

BELOW, LABELS = 0.42, 1.25  # inches: for the numbers of the steps, and for what stands at an end
ROW = 0.24  # inches for an end of the tree
BEYOND = 4  # steps after the last stop that are drawn
LEAST, MOST = 1.2, 5.0  # inches: the height of a tree


@dataclass(frozen=True)
class Twig:
    """A node of a tree with its place."""

    sight: Sight
    depth: int  # steps seen
    y: float
    watched: bool  # whether watching goes on that far
    children: tuple[Twig, ...]

    @property
    def stop(self) -> bool:
        """Whether it acts there: the first node at which watching on does not pay."""
        return self.watched and self.depth > 0 and self.sight.stops

    def all(self) -> Iterator[Twig]:
        """This node and all after it."""
        yield self
        for child in self.children:
            yield from child.all()


def sight_trees(story: Story) -> dict[str, Twig]:
    """For each NPC what could be seen of it before the first step, if the observer looks ahead."""
    kind = KNOWN_OBSERVERS.get(story.result.observer)
    if not (kind and kind.looks_ahead and story.trial.open_colours):
        return {}
    engine, view = story.engine, story.engine.opening
    return {npc.id: placed(engine.sights(view, n)) for n, npc in enumerate(story.trial.npcs)}


def placed(root: Sight) -> Twig:
    """A tree with its ends below each other."""
    ends = iter(range(1_000_000))

    def place(sight: Sight, depth: int, watched: bool) -> Twig:
        on = watched and not (depth and sight.stops)
        children = tuple(place(child, depth + 1, on) for child in sight.children)
        y = sum(c.y for c in children) / len(children) if children else float(next(ends))
        return Twig(sight, depth, y, watched, children)

    return place(root, 0, True)


def draw_tree(
    page: Page, story: Story, npc: str, tree: Twig, left: float, top: float, width: float
) -> float:
    """One NPC's tree; gids are "tree:agent2" and "stops:agent2". Returns where it ends."""
    reading = (
        "what could be seen of it before the first step, line by line, the thicker the likelier;"
        " diamonds: there it would stop and act, with the chance of coming there and the cost of"
        " acting then; pale: what it would not wait for"
    )
    heading = Heading(f"How long would watching {cut(npc)} pay?", reading, width)
    page.heading(left, top - 0.04, heading)
    every = list(tree.all())
    high = min(MOST, max(LEAST, ROW * sum(not twig.children for twig in every)))
    top += heading.height + 0.1
    ax = page.axes(left + 0.1, top, width - LABELS, high, gid=f"tree:{npc}")
    deepest, lowest = max(twig.depth for twig in every), max(twig.y for twig in every)
    farthest = min(deepest, BEYOND + max((twig.depth for twig in every if twig.stop), default=0))
    ax.set(xlim=(-0.2, max(farthest, 1) + 0.3), ylim=(lowest + 0.6, -1.1))
    show_scales(ax, "x")
    ax.tick_params(labelleft=False)
    ax.xaxis.set_major_locator(MaxNLocator(8, integer=True))
    _draw_lines(ax, story, npc, every)
    _draw_stops(ax, story, npc, [twig for twig in every if twig.stop])
    look = ArtistStyle(transform=ax.transAxes, ha="center", va="center", color=FAINT_INK)
    write(ax, 0.5, -0.3 / high, f"steps seen of {cut(npc)}", 7.2, **look)
    on, acting = tree.sight.on, tree.sight.acting
    cost = "nothing to see" if on is None else f"watch: {points(on)}"
    root = ArtistStyle(va="center", weight="bold", zorder=6)
    write(ax, -0.15, -0.8, f"{cost}, act now: {points(acting)}", 7.2, **root)
    return top + high + BELOW


def _draw_lines(ax: Axes, story: Story, npc: str, every: list[Twig]) -> None:
    fill = agent_styles(story.trial)[npc].fill
    for twig in every:
        for child in twig.children:
            x, y = (twig.depth, twig.depth + 0.35, child.depth), (twig.y, child.y, child.y)
            colour, layer = (fill, 3) if child.watched else (GRID, 2)
            ax.plot(x, y, color=colour, linewidth=0.8 + 4.2 * child.sight.p, zorder=layer)


def _draw_stops(ax: Axes, story: Story, npc: str, stops: list[Twig]) -> None:
    main = agent_styles(story.trial)[MAIN].fill
    look = ArtistStyle(marker="D", color=main, markeredgecolor=PAPER, markersize=6.5)
    places = [twig.depth for twig in stops], [twig.y for twig in stops]
    ax.plot(*places, linestyle="none", zorder=5, gid=f"stops:{npc}", **look)
    for twig in stops:
        text = f"{short(100 * twig.sight.p, 0)} %: {points(twig.sight.acting)}"
        where = ArtistStyle(va="center", zorder=6, color=INK)
        box = {"facecolor": PAPER, "edgecolor": "none", "pad": 0.8, "alpha": 0.85}
        write(ax, twig.depth + 0.3, twig.y, text, 7.0, bbox=box, **where)
