"""How similar two maps are: what is where, whichever way round the map is held."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from onlooker.game import Map, Trial

Codes = NDArray[np.int16]  # (height, width): a number for what is on each cell
Contents = dict[str, int]  # the number of each kind of content

# Layouts that differ in no more than this share of their cells are too similar. Among the paper's
# maps, variants of one drawing are at most this far apart; maps drawn afresh, 0.2 and more.
NEAR = 0.1


def layout_distances(maps: Sequence[Map]) -> NDArray[np.float64]:
    """The distance of each two maps' layouts, as a symmetric matrix.

    >>> from onlooker.game import Chest
    >>> left, right = (Map(3, 2, chests=(Chest("A", at),)) for at in ((0, 0), (2, 1)))
    >>> layout_distances([left, right, Map(2, 2, chests=(Chest("A", (0, 0)),))]).tolist()
    [[0.0, 0.0, 1.0], [0.0, 0.0, 1.0], [1.0, 1.0, 0.0]]
    """
    numbers: Contents = {}
    codes = [_codes(map, numbers) for map in maps]
    distances = np.ones((len(maps), len(maps)))
    for shape in sorted({grid.shape for grid in codes}):
        same = [index for index, grid in enumerate(codes) if grid.shape == shape]
        stack = np.stack([codes[index] for index in same])
        for index, grid in enumerate(codes):
            for turned in _orientations(grid):
                if turned.shape == shape:
                    share = (stack != turned).mean(axis=(1, 2))
                    distances[index, same] = np.minimum(distances[index, same], share)
    return distances


def layout_distance(a: Map, b: Map) -> float:
    """The share of cells whose content differs when one map is turned to match the other best.

    Content is wall, floor, chest, or the wizard or barrier of a colour; who stands where, the
    letters of chests and the ids of wizards do not count. All rotations and mirrorings that make
    one grid as wide and high as the other are tried; where there is none the distance is 1.
    """
    return float(layout_distances([a, b])[0, 1])


def too_alike(a: Map, b: Map) -> bool:
    """Whether a participant should not be given both maps."""
    return layout_distance(a, b) <= NEAR


def base_maps(trials: Iterable[Trial]) -> list[list[Trial]]:
    """The trials of each base map, in the order in which they first come.

    A base map is a map with its holders, the main agent with its goal, and the NPCs' starts; its
    scenarios differ in what the NPCs want and know. So two base maps may still have one layout.
    """
    found: dict[tuple[object, ...], list[Trial]] = {}
    for trial in trials:
        holders = tuple(sorted(trial.holders.items()))
        starts = tuple(npc.at for npc in trial.npcs)
        key = trial.experiment, trial.map, holders, trial.main, starts
        found.setdefault(key, []).append(trial)
    return list(found.values())


def _codes(map: Map, numbers: Contents) -> Codes:
    """A number for what is on each cell; `numbers` says which and learns what is new to it."""
    codes = np.zeros((map.height, map.width), dtype=np.int16)
    contents = [(cell, "wall") for cell in map.walls]
    contents += [(chest.at, "chest") for chest in map.chests]
    contents += [(wizard.at, f"wizard {wizard.colour}") for wizard in map.wizards]
    contents += [(barrier.at, f"barrier {barrier.colour}") for barrier in map.barriers]
    for (x, y), content in contents:
        codes[y, x] = numbers.setdefault(content, len(numbers) + 1)
    return codes


def _orientations(grid: Codes) -> Iterator[Codes]:
    """The eight ways to turn and mirror a grid."""
    for turned in (grid, np.rot90(grid)):
        for mirrored in (turned, turned[::-1]):
            yield from (mirrored, mirrored[:, ::-1])
