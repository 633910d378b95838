"""Trials to draw, and ways to look at what was drawn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from matplotlib.artist import Artist
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.text import Text

from onlooker.game import Action, Cell, Costs, State, Step, Trial, read_map_text, step

ROOM = read_map_text("""
name: the room
map:
@..h.=A
.#.....
..b..#2
3...r-B

legend:
@ = main agent, goal A
2 = expert agent2, goal B
3 = novice agent3, goal A
h = blue wizard, holder
b = blue wizard
r = red wizard rincewind, holder
= = blue barrier
- = red barrier
""")

ALONE = read_map_text("""
map:
@.
A.

legend:
@ = main agent, goal A
""")


def walk(trial: Trial, start: Cell, goal: str, actions: Sequence[str]) -> list[Step]:
    """The steps of an agent that takes these actions."""
    state, steps = State(start), []
    for action in actions:
        taken = step(trial.map, state, Action(action), goal, trial.holders, Costs())
        assert isinstance(taken, Step), taken
        steps.append(taken)
        state = taken.state
    return steps


def walk_npc(trial: Trial, npc_id: str, actions: str) -> list[Step]:
    npc = trial.npc(npc_id)
    return walk(trial, npc.at, npc.goal, actions.split())


# Both go over some of the same edges, and agent3 goes over one of them twice in one direction.
PATHS = {
    "agent2": walk_npc(ROOM, "agent2", "up left left left up down down right"),
    "agent3": walk_npc(ROOM, "agent3", "right right up right left right up up right left up"),
}


def parts(artist: Artist) -> Iterator[Artist]:
    """All artists that an artist is made of, and then itself; scales only where they are shown."""
    for child in artist.get_children():
        hidden = isinstance(child, Axis) and not child.axes.axison  # its ticks take long to make
        if not hidden:
            yield from parts(child)
    yield artist


def by_gid(figure: Figure) -> dict[str, Artist]:
    """The artists that can be addressed, by their names."""
    found: dict[str, Artist] = {}
    for artist in parts(figure):
        if gid := artist.get_gid():
            assert gid not in found, f"two artists are called {gid}"
            found[gid] = artist
    return found


def texts(artist: Artist) -> list[str]:
    """What is written in an artist and its parts."""
    return [part.get_text() for part in parts(artist) if isinstance(part, Text)]


def texts_that_meet(figure: Figure) -> list[tuple[str, str]]:
    """The texts that lie on top of each other, or reach beyond the page."""
    figure.draw_without_rendering()
    shown = [*figure.texts, *(text for each in figure.legends for text in each.get_texts())]
    for ax in figure.axes:
        shown += [*ax.texts, ax.xaxis.label, ax.yaxis.label]
        shown += [ax.title, ax._left_title, ax._right_title]
        shown += ax.get_legend().get_texts() if ax.get_legend() else []
        for axis in (ax.xaxis, ax.yaxis) if ax.axison else ():
            low, high = sorted(axis.get_view_interval())
            ticks = axis.get_major_ticks()
            shown += [tick.label1 for tick in ticks if low <= tick.get_loc() <= high]
    boxes = [
        (text.get_text(), text.get_window_extent().padded(-1))
        for text in shown
        if text.get_text().strip() and text.get_visible()
    ]
    width, height = figure.bbox.width, figure.bbox.height
    found = [
        (one, other)
        for index, (one, box) in enumerate(boxes)
        for other, second in boxes[:index]
        if box.overlaps(second)
    ]
    return found + [
        (one, "the edge")
        for one, box in boxes
        if box.x0 < 0 or box.y0 < 0 or box.x1 > width or box.y1 > height
    ]
