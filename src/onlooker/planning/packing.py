"""Trials as numbers, so that compiled functions can read them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from onlooker.game import ACTIONS, Chest, Expertise, MainAgent, Npc, Trial, Wizard
from onlooker.planning.errors import NoPathError

FLOOR, WALL = 0, 255  # what stands on a square; a barrier is the number of its colour and 1
NONE = -1
KINDS = tuple(Expertise)  # of NPCs, by which kernels number them

NUMBERS = (
    "width", "height", "colours", "wizards", "goals", "npcs", "main_square", "main_goal", "truth",
    "reveals",
)  # fmt: skip
SIZES = np.dtype([(name, np.int64) for name in NUMBERS], align=True)


class Packed(NamedTuple):
    """Some trials, a row for each, padded to the largest; squares are numbered row by row."""

    numbers: NDArray[Any]  # (trials) of SIZES
    grid: NDArray[np.uint8]  # (trials, squares): FLOOR, WALL or a barrier
    wizard: NDArray[np.int64]  # (trials, wizards, 2): square and colour
    chest: NDArray[np.int64]  # (trials, goals): square
    npc: NDArray[np.int64]  # (trials, npcs, 5): square, goal, kind, what it is told to be, script
    script: NDArray[np.int8]  # (trials, npcs, actions): the actions that a stimulus fixes
    care: NDArray[np.float64]  # (trials, npcs): a teacher's, nan where that is a parameter
    kind: NDArray[np.int64]  # (kinds): those that an NPC may be, one if that is told
    kind_p: NDArray[np.float64]  # (trials, npcs, kinds): how likely it is each of them
    disguised: bool  # some NPC is not what it is taken for, and no script says what it does
    colours: int  # of amulets, at the most
    assignments: int  # of holders, at the most
    lanes: int  # hypotheses about an NPC, at the most


def pack(
    trials: Sequence[Trial],
    kinds: Sequence[Expertise] = (),
    priors: Sequence[Sequence[Sequence[float]]] = (),
) -> Packed:
    """The trials as arrays.

    `kinds` are those that any NPC may be, if the observer is not told which; `priors` says for each
    trial and NPC how likely each is. Every chest is then a goal of each kind, one after the other.
    """
    per_chest = max(len(kinds), 1)  # goals
    rows = [_pack(trial, kinds) for trial in trials]
    return Packed(
        np.array([row.numbers for row in rows], dtype=SIZES),
        _stack([row.grid for row in rows], np.uint8),
        _stack([row.wizard for row in rows], np.int64, (2,)),
        _stack([row.chest for row in rows], np.int64),
        _stack([row.npc for row in rows], np.int64, (5,)),
        _scripts(trials),
        _stack([[_care(npc) for npc in trial.npcs] for trial in trials], np.float64),
        np.array([KINDS.index(kind) for kind in kinds] or [0], np.int64),
        _stack(priors or [[[1.0]] * len(t.npcs) for t in trials], np.float64, (per_chest,)),
        any(_is_disguised(npc, kinds) for trial in trials for npc in trial.npcs),
        max((len(trial.map.colours) for trial in trials), default=0),
        max((trial.map.assignments for trial in trials), default=0),
        max((per_chest * len(t.map.chests) * t.map.assignments for t in trials), default=0),
    )


def lengths_of(packed: Packed) -> dict[str, int]:
    """How long the axes of structures must be for any of the trials to fit into them."""
    squares, script = packed.grid.shape[1], packed.script.shape[2]
    wizards, goals, npcs = packed.wizard.shape[1], packed.chest.shape[1], packed.npc.shape[1]
    sources = goals + 4 * wizards  # the chests, and the cells beside wizards
    # More than any agent takes: to every wizard and the chest, or what is fixed.
    steps = max((wizards + 1) * (squares + 1), script) + 1
    return {
        "squares": squares,
        "kinds": len(packed.kind),
        "cells": squares,
        "masks": 1 << packed.colours,
        "colours": packed.colours,
        "wizards": wizards,
        "goals": goals,
        "assignments": packed.assignments,
        "lanes": packed.lanes,
        "npcs": npcs,
        "agents": max(npcs, 1),  # a belief needs a node even where there is no NPC
        "everybody": npcs + 1,
        "choices": npcs + 1,
        "sources": sources,
        "places": sources + 1,
        "script": script,
        "steps": steps,
        "watched": npcs * steps,
    }


def alike(packed: Packed) -> NDArray[np.bool_]:
    """Whether each trial differs from the one before only in holders and goals of free NPCs."""
    numbers, npc = packed.numbers.copy(), packed.npc.copy()
    numbers["truth"] = npc[:, :, 1] = 0
    numbered = np.arange(npc.shape[1]) < numbers["npcs"][:, np.newaxis]
    same: NDArray[np.bool_] = (~numbered | (npc[:, :, 4] == NONE)).all(axis=1)
    care = np.nan_to_num(packed.care, nan=-1)
    for array in (numbers, packed.grid, packed.wizard, packed.chest, npc, care, packed.kind_p):
        same[1:] &= (array[1:] == array[:-1]).all(axis=tuple(range(1, array.ndim)))
    same[:1] = False
    return same


class _Row(NamedTuple):
    numbers: tuple[int, ...]
    grid: bytearray
    wizard: list[tuple[int, int]]
    chest: list[int]
    npc: list[tuple[int, int, int, int, int]]


def _care(npc: Npc) -> float:
    return np.nan if npc.care is None else npc.care


def _is_disguised(npc: Npc, kinds: Sequence[Expertise]) -> bool:
    return npc.actions is None and npc.expertise not in (kinds or (npc.label,))


def _pack(trial: Trial, kinds: Sequence[Expertise]) -> _Row:
    per_chest = max(len(kinds), 1)
    map, width = trial.map, trial.map.width
    colour = {name: index for index, name in enumerate(map.colours)}
    goal = {letter: per_chest * index for index, letter in enumerate(map.letters)}
    grid = bytearray(width * map.height)
    for x, y in map.walls:
        grid[y * width + x] = WALL
    for barrier in map.barriers:
        x, y = barrier.at
        index = colour.get(barrier.colour)  # no wizard of its colour: no amulet opens it
        grid[y * width + x] = WALL if index is None else index + 1
    _refuse_walls(trial, grid)
    truth = 0
    for name, wizards in map.wizards_of.items():
        ids = [wizard.id for wizard in wizards]
        truth = truth * len(ids) + ids.index(trial.holders[name])
    main = trial.main
    return _Row(
        (
            width,
            map.height,
            len(colour),
            len(map.wizards),
            per_chest * len(goal),
            len(trial.npcs),
            main.at[1] * width + main.at[0],
            goal[main.goal],
            truth,
            trial.reveals_outcomes,
        ),
        grid,
        [(w.at[1] * width + w.at[0], colour[w.colour]) for w in map.wizards],
        [chest.at[1] * width + chest.at[0] for chest in map.chests for _ in range(per_chest)],
        [
            (
                npc.at[1] * width + npc.at[0],
                goal[npc.goal] + (kinds.index(npc.expertise) if npc.expertise in kinds else 0),
                KINDS.index(npc.expertise),
                KINDS.index(kinds[0] if len(kinds) == 1 else npc.label),
                NONE if npc.actions is None else len(npc.actions),
            )
            for npc in trial.npcs
        ],
    )


def _refuse_walls(trial: Trial, grid: bytearray) -> None:
    """NoPathError if something that is to be reached stands in a wall."""
    map = trial.map
    things: list[Chest | Wizard | Npc | MainAgent] = [*map.chests, *map.wizards, *trial.npcs]
    for thing in (*things, trial.main):
        x, y = thing.at
        if grid[y * map.width + x] == WALL:
            raise NoPathError(f"{trial.label}: {_name(thing)} stands in the wall at {(x, y)}")


def _name(thing: Chest | Wizard | Npc | MainAgent) -> str:
    match thing:
        case Chest():
            return f"chest {thing.letter}"
        case Wizard():
            return f"wizard {thing.id}"
        case Npc():
            return thing.id
        case MainAgent():
            return "the main agent"


def _stack(rows: Sequence[Sequence[Any]], dtype: Any, axes: tuple[int, ...] = ()) -> NDArray[Any]:
    """Rows of different lengths as one array."""
    if len(rows) == 1:
        return np.array(rows, dtype).reshape(1, -1, *axes)
    longest = max(map(len, rows), default=0)
    stacked = np.zeros((len(rows), longest, *axes), dtype=dtype)
    for index, row in enumerate(rows):
        if row:
            stacked[index, : len(row)] = row
    return stacked


def _scripts(trials: Sequence[Trial]) -> NDArray[np.int8]:
    npcs = max((len(trial.npcs) for trial in trials), default=0)
    scripts = [npc.actions or () for trial in trials for npc in trial.npcs]
    packed = np.zeros((len(trials), npcs, max(map(len, scripts), default=0)), dtype=np.int8)
    for row, trial in enumerate(trials):
        for index, npc in enumerate(trial.npcs):
            if npc.actions:
                packed[row, index, : len(npc.actions)] = [*map(ACTIONS.index, npc.actions)]
    return packed
