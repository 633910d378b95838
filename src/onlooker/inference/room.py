"""Room for kernels to work in: their structures for some packed trials and parameters."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache

import numpy as np

from onlooker.inference.kernels.tree import GROWING, POWERS, Tree
from onlooker.inference.parameters import Settings
from onlooker.planning.packing import Packed, lengths_of
from onlooker.planning.structures import Room
from onlooker.planning.world import World
from onlooker.support.arrays import FloatArray

# How long axes are at first that become longer; what a task keeps, it says itself.
AT_FIRST = dict.fromkeys(GROWING, 0) | {"nodes": 256, "findings": 64, "plans": 64}


# What kernels ask for by leaving an error, and what answers them; layers above this one add theirs.
ANSWERS: dict[int, Callable[[Packed, Settings], Callable[[Room], None]]] = {}


def room_for(
    packed: Packed, settings: Settings, compiled: bool, *classes: type, **lengths: int
) -> Room:
    """A world, a tree and other structures that any of the trials fits into.

    `lengths` are those of axes that do not depend on the trials.
    """
    known = AT_FIRST | lengths_of(packed) | lengths
    for axis in ("nodes", "lessons"):  # one for each at least
        known[axis] = max(known[axis], known["agents"])
    room = Room((World, Tree, *classes), known, compiled, GROWING, settings)
    room[Tree].power[:] = _powers(settings.beta)
    room.answers |= {error: answer(packed, settings) for error, answer in ANSWERS.items()}
    return room


@cache
def _powers(beta: float) -> FloatArray:
    return np.array([math.exp(-beta * points) for points in range(POWERS)])
