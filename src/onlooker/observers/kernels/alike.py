"""Compiled: trials that differ only in what is hidden, the holders and the NPCs' goals.

All that can be seen in one can be seen in the others, so that one tree of histories serves all.
"""

from __future__ import annotations

import numpy as np

from onlooker.inference.kernels.histories import follow
from onlooker.inference.kernels.tree import Tree
from onlooker.planning.compiling import compiled, inlined
from onlooker.planning.packing import Packed
from onlooker.planning.world import NONE, World, lay_agents


@compiled
def last_alike(packed: Packed, trial: int) -> int:
    """The trial after the last of those that differ from one only in goals and holders."""
    end = trial + 1
    while end < len(packed.numbers) and alike(packed, trial, end):
        end += 1
    return end


@inlined
def alike(packed: Packed, one: int, other: int) -> bool:
    """Whether two trials differ only in holders and in the goals of NPCs whose actions are free."""
    a, b = packed.numbers[one], packed.numbers[other]
    same = a["width"] == b["width"] and a["npcs"] == b["npcs"] and a["goals"] == b["goals"]
    same &= a["wizards"] == b["wizards"] and a["reveals"] == b["reveals"]
    same &= a["main_square"] == b["main_square"] and a["main_goal"] == b["main_goal"]
    same &= a["height"] == b["height"] and a["colours"] == b["colours"]
    for square in range(packed.grid.shape[1]):
        same &= packed.grid[one, square] == packed.grid[other, square]
    for wizard in range(a["wizards"]):
        for part in range(2):
            same &= packed.wizard[one, wizard, part] == packed.wizard[other, wizard, part]
    for goal in range(a["goals"]):
        same &= packed.chest[one, goal] == packed.chest[other, goal]
    for npc in range(a["npcs"]):
        x, y = packed.npc[one, npc], packed.npc[other, npc]
        same &= x[0] == y[0] and x[2] == y[2] and x[3] == y[3] and x[4] == NONE and y[4] == NONE
        care, other_care = packed.care[one, npc], packed.care[other, npc]
        same &= care == other_care or (np.isnan(care) and np.isnan(other_care))
        for kind in range(packed.kind_p.shape[2]):
            same &= packed.kind_p[one, npc, kind] == packed.kind_p[other, npc, kind]
    return bool(same)


@compiled
def switch_trial(world: World, tree: Tree, packed: Packed, trial: int) -> None:
    """Go on to a trial that is like the one at hand: what its NPCs really do."""
    world.truth = packed.numbers[trial]["truth"]
    lay_agents(world, packed, trial)
    tree.error = 0
    follow(world, tree)
