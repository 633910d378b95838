"""Room for kernels to work in: their structures for some packed trials and parameters."""

from __future__ import annotations

import math
from functools import cache

import numpy as np

from onlooker.inference.kernels.errors import GROWING
from onlooker.inference.kernels.tree import POWERS, Tree
from onlooker.inference.parameters import Settings
from onlooker.planning.packing import Packed, lengths_of
from onlooker.planning.structures import Room
from onlooker.planning.world import World
from onlooker.support.arrays import FloatArray

NODES = 256  # of the tree of histories at first


def room_for(
    packed: Packed, settings: Settings, compiled: bool, *classes: type, **lengths: int
) -> Room:
    """A world, a tree and other structures that any of the trials fits into.

    `lengths` are those of axes that do not depend on the trials.
    """
    known = lengths_of(packed)
    known |= {"nodes": max(NODES, known["agents"])} | lengths
    room = Room((World, Tree, *classes), known, compiled, GROWING, settings)
    room[Tree].power[:] = _powers(settings.beta)
    return room


@cache
def _powers(beta: float) -> FloatArray:
    return np.array([math.exp(-beta * points) for points in range(POWERS)])
