"""Compiled: what has been seen of each NPC, and how well every hypothesis explains it.

A node is what has been seen of an NPC so far. Nodes form a tree for each NPC that grows as it is
asked for, and real steps, imagined ones and all observers share it: a future that was imagined is
there when it comes true. `reference` is the plain version.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from onlooker.inference.kernels.errors import FULL
from onlooker.inference.parameters import Settings
from onlooker.planning.compiling import Entry, compiled, inlined
from onlooker.planning.packing import Packed
from onlooker.planning.structures import (
    Bools1,
    Bools2,
    Floats1,
    Floats2,
    Ints1,
    Ints2,
    Points2,
    Points3,
    borrow,
    structure,
)
from onlooker.planning.world import EMPTY, NONE, World

OUTCOMES = 5  # of what is seen of an action: `action * OUTCOMES` and one of
MOVED, ARRIVED, ASKED, REFUSED, GAVE = range(OUTCOMES)  # ASKED: the outcome is hidden
SEEN = 4 * OUTCOMES  # what can be seen of an action
UNKNOWN: Any = np.int64(-2)  # not imagined yet
POWERS = 128  # exponentials that are kept
TINY = 1e-200  # where weights are smaller, some may have been lost, and their logs are summed


@structure
class Tree:
    """The histories of all NPCs, the evidence at hand, and what it says."""

    # thresholds, with what counts as equal to them
    beta: float
    converge: float
    prune: float
    power: Floats1  # (points): exp(−β points)

    # the nodes
    nodes: int  # how many there are
    parent: Ints1  # (nodes)
    npc: Ints1  # (nodes)
    cell: Ints1  # (nodes)
    asked: Ints1  # (nodes): wizards
    steps: Ints1  # (nodes): how many were seen
    seen: Ints1  # (nodes): what led to it
    arrived: Bools1  # (nodes)
    expanded: Bools1  # (nodes): what the NPC would do there is worked out
    child: Ints2  # (nodes, seen): the node after something was seen, or NONE
    best: Points2  # (nodes, lanes): the action that the NPC would choose, or NONE
    imagined: Points2  # (nodes, lanes): the node after it, NONE if there is none
    points: Points3  # (nodes, actions, lanes): Q of each action, FAR if it cannot be taken
    least: Points2  # (nodes, lanes): the least of them
    total: Floats2  # (nodes, lanes): exp(−β (Q − least)), summed over actions
    possible: Bools2  # (nodes, lanes): whether what was seen can have been
    weight: Floats2  # (nodes, lanes): as a share of the largest; 0 also for what is far less likely
    holder_weight: Floats2  # (nodes, holders): the weight, summed over goals

    # what the NPCs really do
    path_length: Ints1  # (npcs)
    path: Ints2  # (npcs, steps): the node after so many steps
    met: Ints2  # (npcs, steps): the wizard asked in a step or NONE

    # the view at hand
    history: Ints1  # (npcs): the node of each NPC
    cell_now: int  # of the main agent
    amulets_now: int
    own_evidence: Floats1  # (holders): log evidence from the main agent's own interactions

    # the evidence from everything but an NPC; its version changes whenever that does
    versions: int  # how many there were, in this trial and those before
    version: Ints1  # (agents)
    gathered_at: Ints2  # (agents, npcs): the nodes of the others that it was gathered from
    others: Floats2  # (agents, holders): as a share of the largest

    # what is believed at a node, under some version of the evidence
    assessed: Ints1  # (nodes): that version
    stop: Bools1  # (nodes): imagining ends there, settled or hopeless
    belief: Floats2  # (nodes, wizards): the chance of each wizard to be the holder

    # of the node at hand
    masks: Ints1  # (holders): the amulets that the NPC holds
    chosen: Points2  # (actions, lanes): Q, FAR for what the NPC would never choose
    fits: Bools1  # (holders): what was seen last
    joint: Floats1  # (lanes)
    goal_p: Floats1  # (goals)
    holder_p: Floats1  # (holders)
    particle_p: Floats1  # (lanes): 0 for a lane that is no particle

    # why nothing more can be said
    error: int
    error_npc: int
    error_step: int


@compiled
def new_tree(packed: Packed, settings: Settings, room: int) -> Tree:
    """Room for up to so many nodes in any of some packed trials."""
    kept = Tree()
    tree = borrow(kept)
    lanes, holders, npcs = packed.lanes, packed.holders, packed.npc.shape[1]
    goals, wizards = packed.chest.shape[1], packed.wizard.shape[1]
    agents, longest = max(npcs, 1), longest_path(packed) + 1
    room = max(room, agents)
    tree.beta, tree.converge, tree.prune = settings.beta, settings.converge, settings.prune
    tree.power = np.empty(POWERS)
    for points in range(POWERS):
        tree.power[points] = math.exp(-settings.beta * points)
    tree.npc, tree.cell = np.empty(room, np.int64), np.empty(room, np.int64)
    tree.parent = np.empty(room, np.int64)
    tree.asked, tree.steps = np.empty(room, np.int64), np.empty(room, np.int64)
    tree.seen, tree.assessed = np.empty(room, np.int64), np.empty(room, np.int64)
    tree.arrived, tree.expanded = np.empty(room, np.bool_), np.empty(room, np.bool_)
    tree.stop = np.empty(room, np.bool_)
    tree.child = np.empty((room, SEEN), np.int64)
    tree.best, tree.imagined = np.empty((room, lanes), np.int32), np.empty((room, lanes), np.int32)
    tree.points, tree.least = (
        np.empty((room, 4, lanes), np.int32),
        np.empty((room, lanes), np.int32),
    )
    tree.total, tree.weight = np.empty((room, lanes)), np.empty((room, lanes))
    tree.possible = np.empty((room, lanes), np.bool_)
    tree.holder_weight = np.empty((room, holders))
    tree.belief = np.empty((room, wizards))
    tree.path_length = np.empty(npcs, np.int64)
    tree.path, tree.met = np.empty((npcs, longest), np.int64), np.empty((npcs, longest), np.int64)
    tree.history, tree.own_evidence = np.empty(agents, np.int64), np.empty(holders)
    tree.version = np.empty(agents, np.int64)
    tree.gathered_at = np.empty((agents, agents), np.int64)
    tree.others = np.empty((agents, holders))
    tree.masks = np.empty(holders, np.int64)
    tree.chosen, tree.fits = np.empty((4, lanes), np.int32), np.empty(holders, np.bool_)
    tree.joint, tree.particle_p = np.empty(lanes), np.empty(lanes)
    tree.goal_p, tree.holder_p = np.empty(goals), np.empty(holders)
    return kept


@compiled
def plant(world: World, tree: Tree) -> None:
    """The tree of each NPC before anything was seen of it."""
    tree.nodes = tree.error = tree.error_npc = tree.error_step = 0
    tree.cell_now, tree.amulets_now = world.main_cell, EMPTY
    for h in range(world.holders):
        tree.own_evidence[h] = 0.0
    for npc in range(max(world.npcs, 1)):  # a belief needs a node even where there is no NPC
        cell = world.npc_cell[npc] if npc < world.npcs else NONE
        node = new_node(tree, NONE, npc, cell, EMPTY)
        tree.history[npc], tree.version[npc] = node, 0
        for other in range(max(world.npcs, 1)):
            tree.gathered_at[npc, other] = NONE
        for h in range(world.holders):
            tree.holder_weight[node, h] = 0.0
        for lane in range(world.lanes):
            weight = prior(world, npc, lane)
            tree.possible[node, lane], tree.weight[node, lane] = weight > 0, weight
            tree.holder_weight[node, lane % world.holders] += weight
    for npc in range(world.npcs):
        tree.path[npc, 0], tree.path_length[npc] = npc, 0


@inlined
def prior(world: World, npc: int, lane: int) -> float:
    """The weight of a lane before anything was seen: a share of 1, or of the NPC's expertise."""
    if not world.untold or npc >= world.npcs:
        return 1.0
    novice = lane // world.holders % 2 == 1
    return world.novice_p[npc] if novice else 1.0 - world.novice_p[npc]


@compiled
def longest_path(packed: Packed) -> int:
    """More steps than any agent takes: to every wizard and the chest, or what is fixed."""
    wizards, cells = packed.wizard.shape[1], packed.grid.shape[1]
    return max((wizards + 1) * (cells + 1), packed.script.shape[2])


@compiled
def new_node(tree: Tree, parent: int, npc: int, cell: int, asked: int) -> int:
    """One more node, NONE if there is no room for it."""
    node = tree.nodes
    if node == len(tree.npc):
        tree.error = FULL
        return NONE
    tree.nodes = node + 1
    tree.parent[node], tree.npc[node] = parent, npc
    tree.cell[node], tree.asked[node] = cell, asked
    tree.steps[node], tree.assessed[node] = 0, 0
    tree.arrived[node] = tree.expanded[node] = False
    for seen in range(SEEN):
        tree.child[node, seen] = NONE
    return node


def _make_room(kept: Tree) -> int:
    """Twice the room for nodes, after an error that said that there is none left; how much."""
    tree = borrow(kept)
    room = 2 * len(tree.npc)
    tree.npc, tree.cell = longer(tree.npc, room), longer(tree.cell, room)
    tree.asked, tree.steps = longer(tree.asked, room), longer(tree.steps, room)
    tree.parent = longer(tree.parent, room)
    tree.seen, tree.assessed = longer(tree.seen, room), longer(tree.assessed, room)
    tree.arrived, tree.expanded = longer(tree.arrived, room), longer(tree.expanded, room)
    tree.stop, tree.child = longer(tree.stop, room), longer(tree.child, room)
    tree.best, tree.imagined = longer(tree.best, room), longer(tree.imagined, room)
    tree.points, tree.least = longer(tree.points, room), longer(tree.least, room)
    tree.total, tree.weight = longer(tree.total, room), longer(tree.weight, room)
    tree.possible = longer(tree.possible, room)
    tree.holder_weight = longer(tree.holder_weight, room)
    tree.belief = longer(tree.belief, room)
    tree.error = 0
    return room


make_room = Entry(_make_room)


@compiled
def longer(array: Any, room: int) -> Any:
    """The array with more room along its first axis."""
    larger = np.zeros((room, *array.shape[1:]), array.dtype)
    larger[: len(array)] = array
    return larger


@compiled
def log_weight(tree: Tree, node: int, lane: int) -> float:
    """The log probability of everything seen up to a node if a lane is the truth."""
    if not tree.possible[node, lane]:
        return -np.inf
    total = 0.0
    while tree.parent[node] != NONE:
        action, node = tree.seen[node] // OUTCOMES, tree.parent[node]
        behind = tree.points[node, action, lane] - tree.least[node, lane]
        total -= tree.beta * behind + math.log(tree.total[node, lane])
    return total + math.log(tree.weight[node, lane])  # that of before


@compiled
def explained_together(world: World, tree: Tree) -> bool:
    """Whether some assignment of holders explains everything seen of all NPCs."""
    for h in range(world.holders):
        possible = tree.own_evidence[h] > -np.inf
        for npc in range(world.npcs):
            some = False
            for lane in range(h, world.lanes, world.holders):
                some |= tree.possible[tree.history[npc], lane]
            possible &= some
        if possible:
            return True
    return False
