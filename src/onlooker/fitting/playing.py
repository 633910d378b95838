"""People made up for recovery: they choose by a model's rule at parameters of their own.

Only what they watch is played, as nothing else is scored. All of them take their steps at the same
time, with the probabilities that the likelihood has too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from onlooker.fitting.choices import Appraiser, Key, Places
from onlooker.fitting.likelihood import log_options
from onlooker.fitting.plays import Play
from onlooker.support.arrays import FloatArray, IntArray


@dataclass(frozen=True)
class Board:
    """The lattices of trials as one table."""

    keys: Mapping[Key, int]  # number of each trial
    values: FloatArray  # (cells, lasts, options)
    looks: FloatArray  # (cells, options)
    offset: IntArray  # (trials): the first cell
    stride: IntArray  # (trials, NPCs): cells from one step to the next

    @classmethod
    def of(cls, appraiser: Appraiser) -> Board:
        """The table of an observer's trials."""
        most = max(len(trial.npcs) for trial in appraiser.trials.values())
        values, looks, offset, strides = [], [], [0], []
        for key in appraiser.trials:
            here = appraiser.values(key)
            npcs = here.shape[-1] - 1
            shape = here.shape[:npcs]
            cells = int(np.prod(shape))
            table = np.full((cells, most + 1, most + 1), -np.inf)
            table[:, :, : npcs + 1] = _lasts(here.reshape(cells, -1, npcs + 1), most + 1)
            values.append(table)
            steps = np.zeros((cells, most + 1))
            steps[:, 1 : npcs + 1] = appraiser.looks(key).reshape(cells, npcs)
            looks.append(steps)
            offset.append(offset[-1] + cells)
            stride = [int(np.prod(shape[npc + 1 :])) for npc in range(npcs)]
            strides.append(stride + [0] * (most - npcs))
        return cls(
            {key: index for index, key in enumerate(appraiser.trials)},
            np.concatenate(values),
            np.concatenate(looks),
            np.array(offset[:-1], dtype=np.int64),
            np.array(strides, dtype=np.int64),
        )


def _lasts(values: FloatArray, lasts: int) -> FloatArray:
    """The values for each NPC watched last, where they are the same for all or for few."""
    places = np.minimum(np.arange(lasts), values.shape[1] - 1)
    return values[:, places]


@dataclass(frozen=True)
class Seat:
    """Who plays which trial, and when."""

    participant: str
    trial: Key
    position: int


def play(
    board: Board,
    rule: str,
    seats: Sequence[Seat],
    theta: Mapping[str, FloatArray],
    charged: float,
    rng: np.random.Generator,
) -> list[Play]:
    """What is watched in each seat, with the parameters of each (an array each, over the seats)."""
    trial = np.array([board.keys[seat.trial] for seat in seats], dtype=np.int64)
    cell = board.offset[trial].copy()
    last = np.full(len(seats), -1)
    watched: list[list[int]] = [[] for _ in seats]
    active = np.arange(len(seats))
    if rule == "graded":
        active = active[rng.random(len(seats)) >= theta["skip"]]
    while len(active):
        here = {name: values[active] for name, values in theta.items()}
        stand, before = cell[active], last[active]
        places = Places(board.values[stand, before + 1], board.looks[stand], before)
        log_p = log_options(places, rule, here | {"charged": np.full(len(active), charged)})
        summed = np.cumsum(np.exp(log_p), axis=1)
        drawn = rng.random(len(active)) * summed[:, -1]
        option = (summed <= drawn[:, None]).sum(axis=1)
        for seat, npc in zip(active[option > 0].tolist(), option[option > 0].tolist(), strict=True):
            watched[seat].append(npc - 1)
        active, option = active[option > 0], option[option > 0]
        last[active] = option - 1
        cell[active] += board.stride[trial[active], option - 1]
    return [
        Play(seat.participant, *seat.trial, seat.position, tuple(npcs))
        for seat, npcs in zip(seats, watched, strict=True)
    ]
