"""What watching each NPC from its start to its end says."""

from __future__ import annotations

from onlooker.inference.kernels.histories import follow
from onlooker.inference.kernels.tree import Tree, log_weight, plant
from onlooker.planning.compiling import Entry
from onlooker.planning.packing import Packed
from onlooker.planning.structures import Floats2, Ints1
from onlooker.planning.world import EMPTY, World, lay_out


def _follow_all(world: World, tree: Tree, packed: Packed) -> None:
    """Work out what all NPCs of the first trial really do."""
    lay_out(world, packed, EMPTY)
    plant(world, tree)
    follow(world, tree)


def _log_weights(world: World, tree: Tree, nodes: Ints1, weights: Floats2) -> None:
    """How well each hypothesis explains what was seen up to each of some nodes."""
    for row in range(len(nodes)):
        for lane in range(world.lanes):
            weights[row, lane] = log_weight(tree, nodes[row], lane)


follow_all, log_weights = Entry(_follow_all), Entry(_log_weights)
