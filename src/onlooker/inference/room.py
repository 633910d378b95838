"""Room for kernels to work in: their structures for some packed trials and parameters."""

from __future__ import annotations

import math
from functools import cache

import numpy as np

from onlooker.inference.kernels.errors import GROWING
from onlooker.inference.kernels.tree import POWERS, Tree
from onlooker.inference.parameters import Settings
from onlooker.planning.packing import Packed, lengths_of
from onlooker.planning.structures import Room, fields_of
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
    known |= {"nodes": max(NODES, known["agents"]), "lessons": known["agents"], "heap": 0} | lengths
    room = Room((World, Tree, *classes), known, compiled, GROWING)
    for cls, name in _parameters((World, Tree, *classes)):
        setattr(room[cls], name, getattr(settings, name))
    room[Tree].power[:] = _powers(settings.beta)
    return room


@cache
def _parameters(classes: tuple[type, ...]) -> list[tuple[type, str]]:
    """The fields that are parameters."""
    names = set(Settings._fields)
    return [(cls, f.name) for cls in classes for f in fields_of(cls) if f.name in names]


@cache
def _powers(beta: float) -> FloatArray:
    return np.array([math.exp(-beta * points) for points in range(POWERS)])
