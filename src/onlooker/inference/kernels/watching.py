"""Compiled: what watching each NPC from its start to its end says, step by step."""

from __future__ import annotations

from typing import Any

import numpy as np

from onlooker.inference.kernels.errors import FULL
from onlooker.inference.kernels.histories import follow
from onlooker.inference.kernels.tree import OUTCOMES, log_weight, new_tree, plant
from onlooker.inference.parameters import Settings
from onlooker.planning.compiling import Entry
from onlooker.planning.packing import Packed
from onlooker.planning.structures import borrow
from onlooker.planning.world import EMPTY, lay_out, new_world


def _watch_all(packed: Packed, settings: Settings, nodes: int) -> Any:
    """For each NPC of the first trial: how many steps, its actions, and all weights after each.

    The first result is an error and the NPC that it is about.
    """
    world = new_world(packed, settings.move, settings.interact, settings.observe)
    lay_out(borrow(world), packed, EMPTY)
    while True:
        tree = new_tree(packed, settings, nodes)
        plant(borrow(world), borrow(tree))
        follow(borrow(world), borrow(tree))
        if tree.error != FULL:
            break
        nodes *= 2
    npcs, longest = world.npcs, 0
    for npc in range(npcs):
        longest = max(longest, tree.path_length[npc])
    actions = np.zeros((npcs, longest + 1), np.int64)
    weights = np.empty((npcs, longest + 1, world.lanes))
    for npc in range(npcs):
        for step in range(tree.path_length[npc] + 1):
            node = tree.path[npc, step]
            if step:
                actions[npc, step] = tree.seen[node] // OUTCOMES
            for lane in range(world.lanes):
                weights[npc, step, lane] = log_weight(borrow(tree), node, lane)
    return np.array([tree.error, tree.error_npc]), tree.path_length, actions, weights


watch_all = Entry(_watch_all)
