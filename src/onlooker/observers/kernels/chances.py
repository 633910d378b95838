"""Compiled: how likely one comes to act at each combination of steps seen."""

from __future__ import annotations

from typing import Any

import numpy as np

from onlooker.planning.compiling import Entry


def _stop_chances(p: Any, steps: Any) -> Any:
    """The chance of acting at each combination, as (draws, combinations).

    `p` is the chance of each choice there, as (draws, combinations, last, choices), where `last` is
    who was watched last, or has one place. The last NPC's steps change fastest.
    """
    draws, count, lasts, _ = p.shape
    stop, reached = np.zeros((draws, count)), np.empty((count, lasts))
    for draw in range(draws):
        reached[:] = 0.0
        reached[0, 0] = 1.0
        for index in range(count):
            for last in range(lasts):
                chance, stride = reached[index, last], count
                stop[draw, index] += chance * p[draw, index, last, 0]
                for npc in range(len(steps)):
                    stride //= steps[npc] + 1
                    if index // stride % (steps[npc] + 1) < steps[npc]:
                        then = min(1 + npc, lasts - 1)
                        flow = chance * p[draw, index, last, 1 + npc]
                        reached[index + stride, then] += flow
    return stop


stop_chances = Entry(_stop_chances)
