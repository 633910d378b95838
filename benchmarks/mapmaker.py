"""Random valid trials of any size: mazes with openings, wizards of one colour, barred chests.

The same numbers give the same trials on every machine.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

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
    needed,
    validate,
)

LETTERS = "ABC"
BLUE = "blue"
OPENED = 0.35  # of the walls of a maze


@dataclass(frozen=True, slots=True)
class Size:
    """How large trials are to be."""

    width: int = 11
    height: int = 12
    wizards: int = 4
    npcs: int = 2


def make_trials(size: Size, count: int, seed: int = 1) -> list[Trial]:
    """So many trials of a size; the main agent's chest is barred, and experts come first."""
    rng = random.Random(f"{size} {seed}")
    found: list[Trial] = []
    for trial in _draws(rng, size):
        if trial is not None:
            found.append(trial)
            if len(found) == count:
                break
    return found


def _draws(rng: random.Random, size: Size) -> Iterator[Trial | None]:
    while True:
        yield _draw(rng, size)


def _draw(rng: random.Random, size: Size) -> Trial | None:
    """One trial, or None where the dice gave an unusable one."""
    floor = _maze(rng, size.width, size.height)
    chests = rng.sample(sorted(floor), len(LETTERS))
    # The last chest is open to everybody, so that there is something to find out about goals.
    barred = {near for chest in chests[:2] for near in _around(chest)} & floor - set(chests)
    free = sorted(floor - barred - set(chests))
    if len(free) < size.wizards + size.npcs + 1:
        return None
    things = rng.sample(free, size.wizards + size.npcs + 1)
    wizards, npcs, main = things[: size.wizards], things[size.wizards : -1], things[-1]
    map = Map(
        size.width,
        size.height,
        frozenset((x, y) for x in range(size.width) for y in range(size.height)) - floor,
        tuple(Barrier(cell, BLUE) for cell in sorted(barred)),
        tuple(Wizard(f"w{i + 1}", cell, BLUE) for i, cell in enumerate(wizards)),
        tuple(Chest(letter, cell) for letter, cell in zip(LETTERS, chests, strict=True)),
    )
    trial = Trial(
        map,
        {BLUE: rng.choice(map.wizards).id},
        MainAgent(main, LETTERS[0]),
        tuple(_npc(rng, index, cell) for index, cell in enumerate(npcs)),
        reveals_outcomes=rng.random() < 0.5,
    )
    return trial if _usable(trial) else None


def _npc(rng: random.Random, index: int, at: Cell) -> Npc:
    expertise = Expertise.NOVICE if index % 2 else Expertise.EXPERT
    return Npc(f"agent{index + 2}", at, rng.choice(LETTERS[:2]), expertise)


def _usable(trial: Trial) -> bool:
    """Whether everything is in reach and everybody needs the amulet."""
    try:
        validate(trial)
    except TrialError:
        return False
    starts = (trial.main.at, *(npc.at for npc in trial.npcs))
    return all(needed(trial.map, start, LETTERS[0]) == (BLUE,) for start in starts)


def _maze(rng: random.Random, width: int, height: int) -> set[Cell]:
    """The floor of a maze, some of whose walls have been taken away."""
    floor = {(0, 0)}
    stack = [(0, 0)]
    while stack:
        x, y = stack[-1]
        ahead = [(x + 2 * dx, y + 2 * dy) for dx, dy in (action.delta for action in ACTIONS)]
        ahead = [
            (i, j) for i, j in ahead if 0 <= i < width and 0 <= j < height and (i, j) not in floor
        ]
        if not ahead:
            stack.pop()
            continue
        i, j = rng.choice(ahead)
        floor |= {(i, j), ((x + i) // 2, (y + j) // 2)}
        stack.append((i, j))
    return floor | {(x, y) for y in range(height) for x in range(width) if rng.random() < OPENED}


def _around(cell: Cell) -> set[Cell]:
    return {action.from_cell(cell) for action in ACTIONS}
