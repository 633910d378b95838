"""Compiled: what has been seen of each NPC, and how well every hypothesis explains it.

A node is what has been seen of an NPC so far. Nodes form a tree for each NPC that grows as it is
asked for, and real steps, imagined ones and all observers share it: a future that was imagined is
there when it comes true. `reference` is the plain version.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from onlooker.planning.compiling import compiled, inlined
from onlooker.planning.structures import (
    Bools1,
    Bools2,
    Floats1,
    Floats2,
    Floats3,
    Ints1,
    Ints2,
    Points2,
    Points3,
    axes,
    structure,
)
from onlooker.planning.world import EMPTY, NONE, World

FULL, NPC_STUCK, UNEXPLAINED, MAIN_STUCK, TOO_LONG, UNTAUGHT = range(1, 7)  # errors
# FULL: an axis of a structure is too short. UNTAUGHT: what a teacher would do at the node `full` is
# to be found out. Both are answered, and what was called is called again (`Room.call`).

# These axes become longer. For each the number that says that it is too short:
GROWING = ("nodes", "findings", "plans", "rows", "looks", "actions", "heap", "lessons")
NODES, FINDINGS, PLANS, ROWS, LOOKS, ROUTE, HEAP, LESSONS = range(len(GROWING))


OUTCOMES = 5  # of what is seen of an action: `action * OUTCOMES` and one of
MOVED, ARRIVED, ASKED, REFUSED, GAVE = range(OUTCOMES)  # ASKED: the outcome is hidden
SEEN = 4 * OUTCOMES  # what can be seen of an action
UNKNOWN: Any = np.int64(-2)  # not imagined yet
POWERS = 128  # exponentials that are kept
OPEN, KNOWN = range(2)  # whether it is known what a teacher would do at a node
MOST_HISTORIES = 100_000  # that are looked at to find what a teacher's action is worth
TINY = 1e-200  # where weights are smaller, some may have been lost, and their logs are summed


@structure
class Tree:
    """The histories of all NPCs, the evidence at hand, and what it says."""

    # thresholds, with what counts as equal to them
    beta: float
    converge: float
    prune: float
    power: Floats1 = axes(POWERS)  # exp(−β points)

    # the nodes
    nodes: int  # how many there are
    parent: Ints1 = axes("nodes")
    npc: Ints1 = axes("nodes")
    cell: Ints1 = axes("nodes")
    asked: Ints1 = axes("nodes")  # wizards
    steps: Ints1 = axes("nodes")  # how many were seen
    seen: Ints1 = axes("nodes")  # what led to it
    arrived: Bools1 = axes("nodes")
    expanded: Bools1 = axes("nodes")  # what the NPC would do there is worked out
    child: Ints2 = axes("nodes", SEEN)  # the node after something was seen, or NONE
    best: Points2 = axes("nodes", "lanes")  # the action that the NPC would choose, or NONE
    imagined: Points2 = axes("nodes", "lanes")  # the node after it, NONE if there is none
    points: Points3 = axes("nodes", 4, "lanes")  # Q of each action, FAR if it cannot be taken
    least: Points2 = axes("nodes", "lanes")  # the least of them
    total: Floats2 = axes("nodes", "lanes")  # exp(−β (Q − least)), summed over actions
    possible: Bools2 = axes("nodes", "lanes")  # whether what was seen can have been
    weight: Floats2 = axes("nodes", "lanes")  # a share of the largest; 0 also if far less likely
    holder_weight: Floats2 = axes("nodes", "assignments")  # the weight, summed over goals

    # what teachers would do (`lesson_at`)
    lesson: Ints1 = axes("nodes")  # the number of the lesson there, NONE where nobody asked
    lesson_trial: int  # the trial that the lessons are of
    lessons: int  # how many there are; those of the NPCs' starts come first
    lesson_state: Ints1 = axes("lessons")  # OPEN, KNOWN, or minus the error that it ended in
    lesson_after: Ints2 = axes("lessons", SEEN)  # the lesson after something was seen, or NONE
    lesson_log_p: Floats3 = axes("lessons", 4, "lanes")  # of actions; nan if no teacher's lane
    lesson_best: Ints2 = axes("lessons", "lanes")  # the best action, or NONE

    # what the NPCs really do
    path_length: Ints1 = axes("npcs")
    path: Ints2 = axes("npcs", "steps")  # the node after so many steps
    met: Ints2 = axes("npcs", "steps")  # the wizard asked in a step or NONE

    # the view at hand
    history: Ints1 = axes("agents")  # the node of each NPC
    cell_now: int  # of the main agent
    amulets_now: int
    own_evidence: Floats1 = axes("assignments")  # logs: from the main agent's own interactions

    # the evidence from everything but an NPC; its version changes whenever that does
    versions: int  # how many there were, in this trial and those before
    version: Ints1 = axes("agents")
    gathered_at: Ints2 = axes("agents", "agents")  # nodes that it was gathered from
    others: Floats2 = axes("agents", "assignments")  # as a share of the largest

    # what is believed at a node, under some version of the evidence
    assessed: Ints1 = axes("nodes")  # that version
    stop: Bools1 = axes("nodes")  # imagining ends there, settled or hopeless
    belief: Floats2 = axes("nodes", "wizards")  # the chance of each wizard to be the holder

    # of the node at hand
    masks: Ints1 = axes("assignments")  # the amulets that the NPC holds
    chosen: Points2 = axes(4, "lanes")  # Q, FAR for what the NPC would never choose
    fits: Bools1 = axes("assignments")  # what was seen last
    joint: Floats1 = axes("lanes")
    goal_p: Floats1 = axes("goals")
    holder_p: Floats1 = axes("assignments")
    particle_p: Floats1 = axes("lanes")  # 0 for a lane that is not a particle

    # why nothing more can be said
    error: int
    full: int  # the axis that is too short
    error_npc: int
    error_step: int
    error_cell: int  # where the main agent is stuck
    error_amulets: int  # that it holds there


@compiled
def plant(world: World, tree: Tree) -> None:
    """The tree of each NPC before anything was seen of it."""
    tree.nodes = tree.error = tree.error_npc = tree.error_step = 0
    tree.error_cell = tree.error_amulets = 0
    tree.cell_now, tree.amulets_now = world.main_cell, EMPTY
    for h in range(world.assignments):
        tree.own_evidence[h] = 0.0
    for npc in range(max(world.npcs, 1)):  # a belief needs a node even where there is no NPC
        cell = world.npc_cell[npc] if npc < world.npcs else NONE
        node = new_node(tree, NONE, npc, cell, EMPTY)
        tree.history[npc], tree.version[npc] = node, 0
        for other in range(max(world.npcs, 1)):
            tree.gathered_at[npc, other] = NONE
        for h in range(world.assignments):
            tree.holder_weight[node, h] = 0.0
        for lane in range(world.lanes):
            weight = prior(world, npc, lane)
            tree.possible[node, lane], tree.weight[node, lane] = weight > 0, weight
            tree.holder_weight[node, lane % world.assignments] += weight
    for npc in range(world.npcs):
        tree.path[npc, 0], tree.path_length[npc] = npc, 0
    if tree.lesson_trial != world.trial + 1:  # else they hold still
        tree.lesson_trial, tree.lessons = world.trial + 1, world.npcs
        for npc in range(world.npcs):
            tree.lesson_state[npc] = OPEN
            for seen in range(SEEN):
                tree.lesson_after[npc, seen] = NONE


@inlined
def prior(world: World, npc: int, lane: int) -> float:
    """The weight of a lane before anything was seen: how likely its kind is, if untold."""
    if world.kinds == 1 or npc >= world.npcs:
        return 1.0
    return world.kind_p[npc, lane // world.assignments % world.kinds]


@compiled
def new_node(tree: Tree, parent: int, npc: int, cell: int, asked: int) -> int:
    """One more node, NONE if there is no room for it."""
    node = tree.nodes
    if not has_room(tree, NODES, node + 1, len(tree.npc)):
        return NONE
    tree.nodes = node + 1
    tree.parent[node], tree.npc[node] = parent, npc
    tree.cell[node], tree.asked[node] = cell, asked
    tree.steps[node], tree.assessed[node], tree.lesson[node] = 0, 0, NONE
    tree.arrived[node] = tree.expanded[node] = False
    for seen in range(SEEN):
        tree.child[node, seen] = NONE
    return node


@inlined
def has_room(tree: Tree, axis: int, needed: int, length: int) -> bool:
    """Whether an axis is as long as needed; else the error says that it is not."""
    if needed <= length:
        return True
    tree.error, tree.full = FULL, axis
    return False


@inlined
def is_stopped(tree: Tree) -> bool:
    """Whether what was called is to be called again, once there is room or an answer."""
    return tree.error == FULL or tree.error == UNTAUGHT


@compiled
def lesson_at(tree: Tree, node: int) -> int:
    """The number of what a teacher would do at a node; NONE, and an error, if it is not known.

    It is worked out elsewhere (`observers.teaching`), with a tree of what a learner would see. That
    of the node before must have been asked for.
    """
    parent = tree.parent[node]
    if parent == NONE:
        tree.lesson[node] = tree.npc[node]
    elif tree.lesson[node] == NONE:
        tree.lesson[node] = tree.lesson_after[tree.lesson[parent], tree.seen[node]]
    lesson = tree.lesson[node]
    if lesson != NONE and tree.lesson_state[lesson] == KNOWN:
        return int(lesson)
    failed = lesson != NONE and tree.lesson_state[lesson] < 0
    tree.error, tree.full = -tree.lesson_state[lesson] if failed else UNTAUGHT, node
    tree.error_npc = tree.npc[node]
    return NONE


@inlined
def is_taught(tree: Tree, node: int, lane: int) -> bool:
    """Whether the NPC is a teacher in a lane."""
    lesson = tree.lesson[node]
    return bool(lesson != NONE and not np.isnan(tree.lesson_log_p[lesson, 0, lane]))


@compiled
def log_weight(tree: Tree, node: int, lane: int) -> float:
    """The log probability of everything seen up to a node if a lane is the truth."""
    if not tree.possible[node, lane]:
        return -np.inf
    total = 0.0
    while tree.parent[node] != NONE:
        action, node = tree.seen[node] // OUTCOMES, tree.parent[node]
        if is_taught(tree, node, lane):
            total += tree.lesson_log_p[tree.lesson[node], action, lane]
            continue
        behind = tree.points[node, action, lane] - tree.least[node, lane]
        total -= tree.beta * behind + math.log(tree.total[node, lane])
    return total + math.log(tree.weight[node, lane])  # that of before


@compiled
def explained_together(world: World, tree: Tree) -> bool:
    """Whether some assignment of holders explains everything seen of all NPCs."""
    for h in range(world.assignments):
        possible = tree.own_evidence[h] > -np.inf
        for npc in range(world.npcs):
            some = False
            for lane in range(h, world.lanes, world.assignments):
                some |= tree.possible[tree.history[npc], lane]
            possible &= some
        if possible:
            return True
    return False
