"""The legend of a map: a row for each kind of thing that occurs on it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import count
from math import ceil

from onlooker.drawing import pieces, trails
from onlooker.drawing.artists import Group, cut
from onlooker.drawing.route import Paths, Point, asks_on
from onlooker.drawing.style import MAIN, agent_styles, amulet_styles, colours_of, goal_of
from onlooker.game import Trial
from onlooker.support.extras import figures_extra

with figures_extra():
    from matplotlib.axes import Axes

TEXT_SIZE, TEXT_LEFT = 0.44, 1.5  # in the units that signs are drawn in, as large as a cell is
PITCH = 1.2  # from row to row


@dataclass(frozen=True)
class LegendRow:
    """One line of the legend: what it says and how its sign is drawn at a place."""

    text: str
    draw: Callable[[Axes, Point], None]


Columns = Sequence[Sequence[LegendRow]]


def legend_rows(trial: Trial, *, holders: bool, paths: Paths | None) -> list[LegendRow]:
    """What there is to explain on this map."""
    trail_rows = _trails(trial, paths or {}, holders)
    return [*_agents(trial), *trail_rows, *_wizards(trial, holders), *_places(trial)]


def draw_legend(ax: Axes, columns: Columns) -> None:
    """Draw columns side by side on Axes of the shape that `legend_size` says."""
    width, height = legend_size(columns)
    ax.set(xlim=(0, width), ylim=(height, 0))
    ax.set_axis_off()
    left, index = 0.0, count()
    for column in columns:
        for place, row in enumerate(column):
            y = PITCH * place + 0.5
            row.draw(ax, (left + 0.6, y))
            text = Group(ax, f"legend:{next(index)}:text", pieces.AGENT_LAYER)
            text.text(left + TEXT_LEFT, y, row.text, TEXT_SIZE, ha="left")
        left += legend_size([column])[0]


def legend_size(columns: Columns) -> tuple[float, float]:
    """Width and height of the legend, as nearly as can be known without drawing it."""
    longest = (max(len(row.text) for row in column) for column in columns)
    width = sum(TEXT_LEFT + 0.6 * TEXT_SIZE * length for length in longest)
    return width, PITCH * max(map(len, columns), default=0)


def in_columns(rows: Sequence[LegendRow], width: float, height: float = 0.0) -> Columns:
    """Columns no wider together than a width: as long as the height allows, else short ones."""
    lengths = range(1, len(rows) + 1)
    if tall := [length for length in lengths if PITCH * length <= height]:
        lengths = range(ceil(len(rows) / ceil(len(rows) / tall[-1])), len(rows) + 1)
    for length in lengths:  # columns that are about as long as each other
        columns = [rows[i : i + length] for i in range(0, len(rows), length)]
        if legend_size(columns)[0] <= width:
            break
    return columns


def _agents(trial: Trial) -> Iterator[LegendRow]:
    number = len(trial.npcs) > 1
    for agent, style in agent_styles(trial).items():
        who, told = "main agent", ""
        if agent != MAIN:
            npc = trial.npc(agent)
            who = f"{npc.expertise} {cut(agent)}"
            told = f", {npc.told_words}" if npc.told_words else ""
        gid = f"legend:agent:{agent}"
        draw = partial(pieces.draw_agent, gid=gid, style=style, number=number, scale=0.9)
        yield LegendRow(f"{who}, goal {goal_of(trial, agent)}{told}", draw)


def _trails(trial: Trial, paths: Paths, outcomes: bool) -> Iterator[LegendRow]:
    styles = agent_styles(trial)
    for agent in paths:
        who = "the main agent" if agent == MAIN else cut(agent)
        draw = partial(trails.draw_sample, gid=f"legend:path:{agent}", style=styles[agent])
        yield LegendRow(f"path of {who}", draw)
    asks = [ask for agent, steps in paths.items() for ask in asks_on(agent, steps)]
    first = {ask.gave if outcomes else None: ask.agent for ask in reversed(asks)}
    texts = {None: "asks a wizard", True: "asks, gets the amulet", False: "asks a decoy"}
    for gave, text in texts.items():
        if gave in first:
            style = styles[first[gave]]
            name = {None: "open", True: "gave", False: "decoy"}[gave]
            gid = f"legend:ask:{name}"
            mark = partial(trails.draw_ask, gid=gid, style=style, gave=gave, scale=1.7)
            yield LegendRow(text, mark)


def _wizards(trial: Trial, holders: bool) -> Iterator[LegendRow]:
    styles = amulet_styles(colours_of(trial.map))
    for colour in trial.map.colours:
        draw = partial(pieces.draw_wizard, gid=f"legend:wizard:{colour}", style=styles[colour])
        yield LegendRow(f"{cut(colour)} wizard", draw)
    if holders and trial.map.wizards:
        star = partial(pieces.draw_holder, gid="legend:holder", scale=1.3)
        yield LegendRow("holder of the amulet", star)
    for colour in sorted({barrier.colour for barrier in trial.map.barriers}):
        draw = partial(pieces.draw_barrier, gid=f"legend:barrier:{colour}", style=styles[colour])
        yield LegendRow(f"{cut(colour)} barrier", draw)


def _places(trial: Trial) -> Iterator[LegendRow]:
    goal = trial.main.goal
    yield LegendRow("goal of the main agent", partial(_goal, trial=trial))
    if others := [letter for letter in trial.map.letters if letter != goal]:
        draw = partial(pieces.draw_chest, gid="legend:chest", letter=others[0])
        yield LegendRow("other chest" if len(others) == 1 else "other chests", draw)
    if trial.map.walls:
        yield LegendRow("wall", partial(pieces.draw_wall, gid="legend:wall"))


def _goal(ax: Axes, place: Point, trial: Trial) -> None:
    pieces.draw_goal(ax, place, "legend:goal", agent_styles(trial)[MAIN])
    pieces.draw_chest(ax, place, "legend:goal:chest", trial.main.goal)
