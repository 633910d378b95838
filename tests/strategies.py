"""Random trials for property tests."""

from __future__ import annotations

import random
from itertools import pairwise

from hypothesis import strategies as st

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
    validate,
)
from onlooker.inference import Parameters

COLOURS = ("blue", "green", "red")

KINDS = (Expertise.EXPERT, Expertise.NOVICE)  # teachers have tests of their own


def _corridors(rng: random.Random, width: int, height: int) -> set[Cell]:
    """The walls of a maze with a few extra openings."""
    walls = {(x, y) for x in range(width) for y in range(height)}
    start = (rng.randrange(0, width, 2), rng.randrange(0, height, 2))
    walls.discard(start)
    stack = [start]
    while stack:
        x, y = stack[-1]
        ahead = [(x + 2 * dx, y + 2 * dy) for dx, dy in (a.delta for a in ACTIONS)]
        ahead = [cell for cell in ahead if cell in walls]
        if not ahead:
            stack.pop()
            continue
        nx, ny = rng.choice(ahead)
        walls -= {(nx, ny), ((x + nx) // 2, (y + ny) // 2)}
        stack.append((nx, ny))
    return {wall for wall in sorted(walls) if rng.random() > 0.1}


def _open(rng: random.Random, width: int, height: int) -> set[Cell]:
    return {(x, y) for x in range(width) for y in range(height) if rng.random() < 0.15}


def _gates(
    rng: random.Random, chests: list[Cell], free: set[Cell], colours: tuple[str, ...]
) -> tuple[Barrier, ...]:
    """Most chests get barriers of one colour, some a second ring of another; a few stray ones."""
    gates = {cell: rng.choice(colours) for cell in sorted(free) if rng.random() < 0.02}
    for chest in chests:
        ring = {chest}
        while rng.random() < 0.7:
            around = {a.from_cell(cell) for cell in ring for a in ACTIONS} & free - gates.keys()
            gates |= dict.fromkeys(sorted(around), rng.choice(colours))
            ring = around
    return tuple(Barrier(cell, colour) for cell, colour in gates.items())


def make_trial(rng: random.Random) -> Trial | None:
    """One random trial, or None where the dice gave an invalid one."""
    width, height = rng.randint(3, 11), rng.randint(3, 9)
    walls = rng.choice([_open, _corridors])(rng, width, height)
    free = [(x, y) for y in range(height) for x in range(width) if (x, y) not in walls]
    rng.shuffle(free)
    colours = COLOURS[: rng.randint(1, 3)]
    counts = [rng.randint(1, 3) for _ in colours]
    letters = "ABC"[: rng.randint(1, 3)]
    npcs = rng.randint(1, 3)
    parts = [sum(counts), len(letters), npcs, 1]
    if sum(parts) > len(free):
        return None
    bounds = [sum(parts[:i]) for i in range(len(parts) + 1)]
    wizard_cells, chest_cells, npc_cells, main_cells = (free[a:b] for a, b in pairwise(bounds))
    barriers = _gates(rng, chest_cells, set(free[bounds[-1] :]), colours)
    wizard_colours = [c for c, count in zip(colours, counts, strict=True) for _ in range(count)]
    placed = sorted(zip(wizard_cells, wizard_colours, strict=True), key=lambda p: p[0][::-1])
    wizards = tuple(Wizard(f"w{i + 1}", cell, c) for i, (cell, c) in enumerate(placed))
    world = Map(
        width,
        height,
        frozenset(walls),
        barriers,
        wizards,
        tuple(Chest(letter, cell) for letter, cell in zip(letters, chest_cells, strict=True)),
    )
    trial = Trial(
        world,
        {c: rng.choice([w.id for w in wizards if w.colour == c]) for c in colours},
        MainAgent(main_cells[0], rng.choice(letters)),
        tuple(
            Npc(f"agent{i + 2}", cell, rng.choice(letters), rng.choice(KINDS))
            for i, cell in enumerate(npc_cells)
        ),
        reveals_outcomes=rng.random() < 0.5,
        name=rng.choice([None, "a trial", '"quoted" ; odd', "12"]),
        experiment=rng.choice([None, 1, "pilot", "007"]),
        scenario=rng.choice([None, 2]),
        tutorial=rng.random() < 0.2,
    )
    try:
        validate(trial)
    except TrialError:
        return None
    return trial


@st.composite
def trials(draw: st.DrawFn, cells: int | None = None, pairs: int | None = None) -> Trial:
    """A valid random trial: open or corridors, 1 to 3 colours, chests and NPCs.

    With at most so many free cells, and pairs of a chest and a wizard, if these are given.
    """
    rng = random.Random(draw(st.integers(0, 2**32 - 1)))
    while True:
        trial = make_trial(rng)
        if trial is not None and _is_small(trial.map, cells, pairs):
            return trial


def _is_small(map: Map, cells: int | None, pairs: int | None) -> bool:
    free = map.width * map.height - len(map.walls)
    return (cells is None or free <= cells) and (
        pairs is None or len(map.chests) * len(map.wizards) <= pairs
    )


parameters = st.builds(
    Parameters,
    move=st.integers(1, 4),
    interact=st.integers(1, 8),
    observe=st.integers(0, 3),
    beta=st.sampled_from([0.1, 0.5, 1.5]),
    converge=st.sampled_from([0.6, 0.8, 0.95]),
    prune=st.sampled_from([0.0, 0.05, 0.1]),
    epsilon=st.sampled_from([0.05, 0.3]),
    exploration=st.sampled_from(["worst", "expected"]),
    order=st.sampled_from(["chain", "fixed"]),
    meeting=st.sampled_from(["relevant", "any"]),
)
