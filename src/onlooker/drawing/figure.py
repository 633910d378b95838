"""Trials as figures: a map drawn on given Axes, or a figure of its own, saved to a file."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Mapping
from io import BytesIO
from math import ceil, sqrt
from pathlib import Path
from typing import Any

from onlooker.drawing import pieces
from onlooker.drawing.artists import Group, cut
from onlooker.drawing.legend import draw_legend, legend_rows, legend_size
from onlooker.drawing.page import Page
from onlooker.drawing.route import Paths, Point, States, check_agents, start_of
from onlooker.drawing.style import (
    FAINT_INK,
    MAIN,
    agent_styles,
    amulet_styles,
    colours_of,
)
from onlooker.drawing.trails import draw_paths
from onlooker.game import Cell, Holders, Map, PlayerView, Trial
from onlooker.support.extras import figures_extra
from onlooker.support.files import write_file

with figures_extra():
    import matplotlib
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FORMATS = (".svg", ".png", ".pdf")
DPI = 200  # of PNG files
CELL, SIGN = 0.5, 0.31  # inches: a cell of the map, and one drawn as a sign in the legend
MARGIN, GAP = 0.12, 0.25  # inches: around the figure, and between map and legend
TITLE = 0.18  # inches
LARGEST_MAP = 9.0  # inches; the cells of large maps are smaller than CELL


def draw_map(
    ax: Axes,
    trial: Trial,
    *,
    holders: bool = False,
    paths: Paths | None = None,
    states: States | None = None,
    title: str | None = None,
) -> None:
    """Draw a trial's map on an Axes, which becomes as many units wide and high as it has cells.

    `holders` marks the wizards that hold the amulets, and on paths who was given one. `paths` are
    agents' steps from their starts, by "main" or the NPC's id; `states` say where agents are now.
    Artists have gids such as "wizard:w1"; with several maps in a figure, give each Axes a gid of
    its own first, which then comes before theirs.
    """
    paths, states = paths or {}, states or {}
    check_agents(trial, "paths", paths)
    check_agents(trial, "states", states)
    map, styles = trial.map, agent_styles(trial)
    ax.set_axis_off()
    ax.set_aspect("equal")
    ax.set(xlim=(-0.55, map.width - 0.45), ylim=(map.height - 0.45, -0.55))
    pieces.draw_ground(ax, map)
    draw_things(ax, trial, trial.holders if holders else {})
    draw_paths(ax, trial, paths, styles, outcomes=holders)
    draw_agents(
        ax, trial, {a: states[a].cell if a in states else start_of(trial, a) for a in styles}
    )
    if title:
        _draw_title(ax, map, title, size=0.045 * max(map.width, 8))


def _draw_title(ax: Axes, map: Map, title: str, size: float, above: float = 0.0) -> None:
    """Write a title over a map; long ones are written smaller, to fit its width."""
    title = cut(title, 60)
    size = min(size, 1.5 * max(map.width, 6) / len(title))
    group = Group(ax, "title", pieces.AGENT_LAYER)
    group.text((map.width - 1) / 2, -0.65 - above - 0.6 * size, title, size, weight="bold")


def map_figure(
    trial: Trial, *, holders: bool = False, paths: Paths | None = None, legend: bool = True
) -> Figure:
    """A figure of one map with its coordinates, its name and a legend of what occurs on it."""
    map = trial.map
    cell = min(CELL, LARGEST_MAP / max(map.width, map.height))
    labels = _label_size(map)
    left, top = cell * (0.3 + 1.5 * labels), cell * (0.3 + labels)
    if trial.name:
        top += 1.6 * TITLE
    columns = [legend_rows(trial, holders=holders, paths=paths)] if legend else []
    side, span = (SIGN * length for length in legend_size(columns))
    wide, high = cell * (map.width + 0.1), cell * (map.height + 0.1)
    page = Page(
        2 * MARGIN + left + wide + (GAP + side if legend else 0.0),
        2 * MARGIN + top + max(high, span),
    )
    x, y = MARGIN + left, MARGIN + top
    ax = page.axes(x, y, wide, high)
    draw_map(ax, trial, holders=holders, paths=paths)
    _draw_coordinates(ax, map, labels)
    if trial.name:
        _draw_title(ax, map, trial.name, TITLE / cell, above=0.2 + labels)
    if legend:
        draw_legend(page.axes(x + wide + GAP, y, side, span), columns)
    return page.figure


def map_svg(trial: Trial) -> str:
    """The map as an SVG, for notebooks; who holds what is not in it."""
    return figure_bytes(map_figure(trial), ".svg").decode()


def save_figure(figure: Figure, path: str | os.PathLike[str]) -> None:
    """Write a figure to a file; its name's ending says the format: .svg, .png or .pdf.

    The same figure always gives the same bytes, and no file is left if drawing fails.
    """
    suffix = Path(path).suffix.lower()
    if suffix not in FORMATS:
        raise ValueError(f"{os.fspath(path)}: a figure's name ends in {', '.join(FORMATS)}")
    write_file(path, figure_bytes(figure, suffix))


def figure_bytes(figure: Figure, suffix: str) -> bytes:
    """What a file of a figure with this ending contains."""
    dates = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}, ".png": {"Software": None}}
    settings: dict[Any, Any] = {
        "svg.fonttype": "path",
        "svg.hashsalt": "onlooker",
        "pdf.fonttype": 42,
    }
    content = BytesIO()
    with matplotlib.rc_context(settings):
        figure.savefig(content, format=suffix[1:], dpi=DPI, metadata=dates[suffix])
    return content.getvalue()


def draw_things(ax: Axes, game: Trial | PlayerView, holders: Holders | None = None) -> None:
    """Draw barriers, chests and wizards, with the holders marked if they are given."""
    colours = amulet_styles(colours_of(game.map))
    for barrier in game.map.barriers:
        gid = f"barrier:{barrier.at[0]},{barrier.at[1]}"
        pieces.draw_barrier(ax, barrier.at, gid, colours[barrier.colour])
    for chest in game.map.chests:
        if chest.letter == game.main.goal:
            pieces.draw_goal(ax, chest.at, f"goal:{chest.letter}", agent_styles(game)[MAIN])
        pieces.draw_chest(ax, chest.at, f"chest:{chest.letter}", chest.letter)
    for wizard in game.map.wizards:
        holds = (holders or {}).get(wizard.colour) == wizard.id
        star = f"holder:{wizard.id}" if holds else None
        gid, style = f"wizard:{wizard.id}", colours[wizard.colour]
        pieces.draw_wizard(ax, wizard.at, gid, style, name=wizard.id, holder=star)


def draw_agents(ax: Axes, game: Trial | PlayerView, where: Mapping[str, Cell]) -> None:
    """Draw the agents on the cells where they are, by "main" and the NPCs' ids."""
    styles, several = agent_styles(game), len(game.npcs) > 1
    for agent, (place, scale) in _agent_places(game.map, where).items():
        pieces.draw_agent(ax, place, f"agent:{agent}", styles[agent], number=several, scale=scale)


def _agent_places(map: Map, where: Mapping[str, Cell]) -> dict[str, tuple[Point, float]]:
    """Where in its cell each agent goes and how large, so that it covers nothing and nobody."""
    agents_at: dict[Cell, list[str]] = defaultdict(list)
    for agent, cell in where.items():
        agents_at[cell].append(agent)
    places: dict[str, tuple[Point, float]] = {}
    for (x, y), agents in agents_at.items():
        if len(agents) == 1 and map.thing((x, y)) is None:
            places[agents[0]] = (x, y), 1.0
            continue
        slots = _slots(len(agents))
        for agent, (dx, dy), scale in zip(agents, *slots, strict=True):
            places[agent] = (x + dx, y + dy), scale
    return places


def _slots(count: int) -> tuple[list[Point], list[float]]:
    """Places and sizes for agents that share a cell with each other or with a thing."""
    if count == 1:
        return [(0.32, 0.32)], [0.5]
    if count == 2:
        return [(-0.22, -0.22), (0.22, 0.22)], [0.6, 0.6]
    side = ceil(sqrt(count))
    ticks = [0.54 * i / (side - 1) - 0.27 for i in range(side)]
    points = [(x, y) for y in ticks for x in ticks]
    return points[:count], [1.2 / side] * count


def _label_size(map: Map) -> float:
    """The coordinates' height in cells: larger where cells are small."""
    return {1: 0.3, 2: 0.45, 5: 0.8}[_label_step(map)]


def _label_step(map: Map) -> int:
    side = max(map.width, map.height)
    return 1 if side <= 20 else 2 if side <= 40 else 5


def _draw_coordinates(ax: Axes, map: Map, size: float) -> None:
    """Write x along the top and y at the left, as they are called in messages."""
    group = Group(ax, "coordinates", pieces.FLOOR_LAYER)
    for x in range(0, map.width, _label_step(map)):
        group.text(x, -0.65 - size / 2, str(x), size, color=FAINT_INK)
    for y in range(0, map.height, _label_step(map)):
        group.text(-0.75, y, str(y), size, color=FAINT_INK, ha="right")
