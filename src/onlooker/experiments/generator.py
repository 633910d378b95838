"""Drawing candidate maps at random: corridors or rooms in rock, with everything in its niche.

A map is drawn in four steps: carve the floor, put the chests at the ends of blind alleys with
barriers before them, put the wizards into niches in the walls so that they block nobody, and let
the agents start somewhere. Many draws come to nothing; the caller tries again.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from itertools import pairwise

from onlooker.experiments.inventory import Experiment
from onlooker.game import (
    ACTIONS,
    Barrier,
    Cell,
    Chest,
    Expertise,
    MainAgent,
    Map,
    Npc,
    Trial,
    TrialError,
    Wizard,
    can_search_alone,
    needs,
    validate,
)

BLUE, RED = "blue", "red"


@dataclass(frozen=True, slots=True)
class MapStyle:
    """What kind of map to draw."""

    width: int = 11
    height: int = 12
    least_blue: int = 2  # wizards
    most_blue: int = 5
    two_colours: float = 0.25  # how often the one chest of a map needs red as well
    rooms: float = 0.35  # how often a map has rooms
    halls: float = 0.0  # how often it is one hall
    # what the barriers before chests are that are not the main agent's
    others: tuple[tuple[str, ...], ...] = ((), (BLUE,), (RED,), (RED,))


@dataclass(frozen=True, slots=True)
class Layout:
    """A map with the main agent and the NPCs' starts, before the NPCs have goals."""

    map: Map
    holders: dict[str, str]
    main: MainAgent
    starts: tuple[Cell, ...]  # of the NPCs


def draw_layout(rng: random.Random, experiment: Experiment, style: MapStyle) -> Layout | None:
    """One layout for an experiment, or None where the dice gave nothing usable."""
    if style.halls and rng.random() < style.halls:
        carve = _carve_hall
    else:
        carve = _carve_rooms if rng.random() < style.rooms else _carve_corridors
    floor = carve(rng, style)
    chests = _place_chests(rng, floor, experiment.chests, style)
    if chests is None:
        return None
    ends, barriers = chests
    wizards = _place_wizards(rng, floor, {*ends, *(b.at for b in barriers)}, style)
    free = sorted(floor - {*ends} - {barrier.at for barrier in barriers})
    if wizards is None or len(free) < 1 + len(experiment.npcs):
        return None
    everywhere = {(x, y) for x in range(style.width) for y in range(style.height)}
    walls = everywhere - floor - {wizard.at for wizard in wizards}
    order = sorted(ends, key=lambda cell: (cell[1], cell[0]))
    letters = dict(zip(order, "ABC", strict=False))
    map = Map(
        style.width,
        style.height,
        frozenset(walls),
        tuple(barriers),
        tuple(wizards),
        tuple(Chest(letter, cell) for cell, letter in letters.items()),
    )
    at, *starts = rng.sample(free, 1 + len(experiment.npcs))
    blue = [wizard.id for wizard in map.wizards_of[BLUE]]
    holders = {BLUE: rng.choice(blue)}
    if RED in map.colours:
        holders[RED] = map.wizards_of[RED][0].id
    return Layout(map, holders, MainAgent(at, letters[ends[0]]), tuple(starts))


def usable(layout: Layout, experiment: Experiment) -> bool:
    """Whether everything is in reach, the barriers block, and there is something to find out."""
    trial = make_trial(layout, experiment, ("A",) * len(layout.starts), experiment.npcs)
    try:
        validate(trial)
    except TrialError:
        return False
    map = layout.map
    needed = needs(map, layout.main.at)
    if BLUE not in (needed[layout.main.goal] or ()):
        return False
    if not can_search_alone(map, layout.main.at, layout.main.goal):
        return False
    for start in (layout.main.at, *layout.starts):
        for letter, colours in needs(map, start).items():
            before = {b.colour for b in map.barriers if _guards(b, map.chest(letter))}
            if not before <= set(colours or ()):
                return False
    return True


def make_trial(
    layout: Layout,
    experiment: Experiment,
    goals: tuple[str, ...],
    expertise: tuple[Expertise, ...],
    name: str | None = None,
    scenario: int | None = None,
) -> Trial:
    """A layout with goals and roles for its NPCs."""
    npcs = tuple(
        Npc(f"agent{index + 2}", start, goal, role)
        for index, (start, goal, role) in enumerate(
            zip(layout.starts, goals, expertise, strict=True)
        )
    )
    return Trial(
        layout.map,
        layout.holders,
        layout.main,
        npcs,
        experiment.reveals_outcomes,
        name,
        experiment.name,
        scenario,
    )


# -- floor -----------------------------------------------------------------------------------------


def _carve_corridors(rng: random.Random, style: MapStyle) -> set[Cell]:
    """Long corridors across the rock that meet, with blind alleys off them."""
    floor: set[Cell] = set()
    rows = _apart(rng, style.height, rng.randint(1, 3))
    columns = _apart(rng, style.width, rng.randint(1, 3))
    for y in rows:
        left, right = min(columns), max(columns)
        start, end = rng.randint(0, left), rng.randint(right, style.width - 1)
        floor |= {(x, y) for x in range(start, end + 1)}
    for x in columns:
        top, bottom = min(rows), max(rows)
        start, end = rng.randint(0, top), rng.randint(bottom, style.height - 1)
        floor |= {(x, y) for y in range(start, end + 1)}
    return _with_alleys(rng, floor, style, rng.randint(3, 7))


def _carve_rooms(rng: random.Random, style: MapStyle) -> set[Cell]:
    """A few rooms joined by corridors, with blind alleys off them."""
    floor: set[Cell] = set()
    centres = []
    for _ in range(rng.randint(2, 3)):
        width, height = rng.randint(2, 4), rng.randint(2, 4)
        x, y = rng.randint(1, style.width - 1 - width), rng.randint(1, style.height - 1 - height)
        floor |= {(x + i, y + j) for i in range(width) for j in range(height)}
        centres.append((x + width // 2, y + height // 2))
    for (x1, y1), (x2, y2) in pairwise(centres):
        floor |= {(x, y1) for x in range(min(x1, x2), max(x1, x2) + 1)}
        floor |= {(x2, y) for y in range(min(y1, y2), max(y1, y2) + 1)}
    return _with_alleys(rng, floor, style, rng.randint(4, 8))


def _carve_hall(rng: random.Random, style: MapStyle) -> set[Cell]:
    """An open hall across most of the rock, with blind alleys off it."""
    width, height = rng.randint(6, style.width - 2), rng.randint(3, 5)
    x, y = rng.randint(1, style.width - 1 - width), rng.randint(2, style.height - 2 - height)
    floor = {(x + i, y + j) for i in range(width) for j in range(height)}
    return _with_alleys(rng, floor, style, rng.randint(5, 9))


def _apart(rng: random.Random, size: int, count: int) -> list[int]:
    """Some lines of the grid, at least three apart where that can be."""
    lines: list[int] = []
    for line in rng.sample(range(size), size):
        if len(lines) < count and all(abs(line - other) >= 3 for other in lines):
            lines.append(line)
    return lines


def _with_alleys(rng: random.Random, floor: set[Cell], style: MapStyle, count: int) -> set[Cell]:
    """The floor with blind alleys dug straight into the rock."""
    floor = set(floor)
    for _ in range(count):
        cell = rng.choice(sorted(floor))
        action = rng.choice(ACTIONS)
        for _ in range(rng.randint(2, 4)):
            ahead = action.from_cell(cell)
            if not _inside(ahead, style) or ahead in floor or _touches(ahead, floor - {cell}):
                break
            floor.add(ahead)
            cell = ahead
    return floor


def _inside(cell: Cell, style: MapStyle) -> bool:
    return 0 <= cell[0] < style.width and 0 <= cell[1] < style.height


def _around(cell: Cell) -> list[Cell]:
    return [action.from_cell(cell) for action in ACTIONS]


def _touches(cell: Cell, floor: set[Cell]) -> bool:
    return any(near in floor for near in _around(cell))


# -- things ----------------------------------------------------------------------------------------


def _place_chests(
    rng: random.Random, floor: set[Cell], count: int, style: MapStyle
) -> tuple[list[Cell], list[Barrier]] | None:
    """Chests at blind ends, the main agent's first and behind blue; and the barriers."""
    ends = [cell for cell in sorted(floor) if sum(near in floor for near in _around(cell)) == 1]
    if len(ends) < count:
        return None
    chosen = rng.sample(ends, count)
    barriers: list[Barrier] = []
    for index, end in enumerate(chosen):
        if index == 0:
            both = count == 1 and rng.random() < style.two_colours
            colours = rng.sample([BLUE, RED], 2) if both else [BLUE]
        else:
            colours = list(rng.choice(style.others))
        before, cell = end, end
        for colour in colours:
            ways = [near for near in _around(cell) if near in floor and near != before]
            if len(ways) != 1 or ways[0] in chosen or any(b.at == ways[0] for b in barriers):
                return None
            before, cell = cell, ways[0]
            barriers.append(Barrier(cell, colour))
    return chosen, barriers


def _place_wizards(
    rng: random.Random, floor: set[Cell], taken: set[Cell], style: MapStyle
) -> list[Wizard] | None:
    """Wizards in niches: rock that touches the floor in one cell, none beside a chest."""
    niches = []
    for x in range(style.width):
        for y in range(style.height):
            near = [cell for cell in _around((x, y)) if cell in floor]
            if (x, y) not in floor and len(near) == 1 and near[0] not in taken:
                niches.append((x, y))
    blue = rng.randint(style.least_blue, style.most_blue)
    colours = [BLUE] * blue + [RED]
    if len(niches) < len(colours):
        return None
    cells = rng.sample(niches, len(colours))
    placed = sorted(zip(cells, colours, strict=True), key=lambda at: (at[0][1], at[0][0]))
    return [Wizard(f"w{i + 1}", cell, colour) for i, (cell, colour) in enumerate(placed)]


def _guards(barrier: Barrier, chest: Chest) -> bool:
    """Whether a barrier is right before a chest."""
    return barrier.at in _around(chest.at)
