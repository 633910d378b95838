"""Compiled: what a literal learner would see of a teacher, and when it would leave.

The literal learner takes the NPC for an expert and watches nobody else. So what it sees are the
nodes of an ordinary `Tree` of a trial with that NPC alone, an expert, and what it believes there
is assessed as always. It stops watching at an end: where that is settled or hopeless, or the NPC
has arrived. `teaching` searches through these nodes.
"""

from __future__ import annotations

import math

import numpy as np

from onlooker.inference.kernels.behaviour import expand
from onlooker.inference.kernels.posteriors import assess, candidates, gather
from onlooker.inference.kernels.tree import Tree
from onlooker.inference.parameters import MARGIN
from onlooker.observers.kernels.thoughts import Thoughts
from onlooker.observers.kernels.tours import act
from onlooker.planning.compiling import compiled, inlined
from onlooker.planning.costs import plan_expert
from onlooker.planning.structures import Floats1, Floats2, Ints1, Ints2, axes, structure
from onlooker.planning.world import EMPTY, NO, NONE, World

BUCKETS = 4096
PAID = 64  # sets of candidates for which it is remembered what acting costs
LOG_STEP = 1e-6  # by which log weights are hashed


@structure
class Lesson:
    """What is known of how a teacher acts, under every hypothesis."""

    care: float

    # the nodes that were looked at
    looked: int  # how many
    like: Ints1 = axes("nodes")  # the first node with the same states and belief
    next_like: Ints1 = axes("nodes")  # another one that nodes are like, in the same bucket, or NONE
    bucket: Ints1 = axes(BUCKETS)  # the last of these, or NONE
    is_end: Ints1 = axes("nodes")
    worth: Floats2 = axes("nodes", "lanes")  # W, nan where it is not known

    # what acting costs the learner
    least: Floats1 = axes("assignments")  # if it knows the holders
    paid: int
    paid_wizards: Ints1 = axes(PAID)
    paid_cost: Floats2 = axes(PAID, "assignments")  # nan where it is not known

    # the search at hand
    search: int  # its number
    taken_in: Ints1 = axes("nodes")  # the last search that took a node out
    before: Ints1 = axes("nodes")  # the node that it was reached from in that search
    spent: Floats1 = axes("nodes")  # points up to it

    # the nodes that wait in it, as a heap: the least cost first, then the most steps
    waiting: int  # how many
    cost: Floats1 = axes("heap")  # f
    steps: Ints1 = axes("heap")
    node: Ints1 = axes("heap")
    came: Ints1 = axes("heap")  # the node that it was reached from
    so_far: Floats1 = axes("heap")  # points up to it

    # what the teacher does, under each hypothesis
    q: Floats2 = axes("lanes", 4)  # Q_T of each action at a node, infinite where it cannot be taken
    best: Ints1 = axes("lanes")  # the first of the best ones, or NONE
    next: Ints2 = axes(2, "lanes")  # what would be seen of that one, and of an expert's, or NONE
    end: Ints1 = axes("lanes")  # the node where its plan ends
    looks: Ints1 = axes("lanes")  # how many steps of that the learner watches
    learner: Floats1 = axes("lanes")  # what the learner pays


@inlined
def begin(world: World, tree: Tree, lesson: Lesson) -> None:
    """At first nothing is known but what the learner would pay if it knew the holders."""
    tree.error = 0
    if lesson.looked:
        return
    gather(world, tree, EMPTY)
    for bucket in range(BUCKETS):
        lesson.bucket[bucket] = NONE
    plan_expert(world, EMPTY, world.main_cell)
    for h in range(world.assignments):
        lane = world.main_goal * world.assignments + h
        lesson.least[h] = world.expert[EMPTY, world.main_cell, lane]


@compiled
def like(world: World, tree: Tree, lesson: Lesson, node: int) -> int:
    """The first node at which all hypotheses stand in the same states, equally likely."""
    while lesson.looked <= node:
        look_at(world, tree, lesson, lesson.looked)
        lesson.looked += 1
    return int(lesson.like[node])


@inlined
def look_at(world: World, tree: Tree, lesson: Lesson, node: int) -> None:
    """Find what a new node is like, and whether the literal learner would leave there."""
    weight = tree.weight[node]
    key = tree.cell[node] * 1_000_003 + tree.asked[node] * 7919 + (1 if tree.arrived[node] else 0)
    for lane in range(world.lanes):
        digit = -1
        if weight[lane] > 0:
            digit = math.floor(0.5 - math.log(weight[lane]) / LOG_STEP)
        key = (key * 31 + digit) % 2_147_483_647
    bucket = key % BUCKETS
    lesson.like[node] = node
    other = lesson.bucket[bucket]
    while other != NONE:
        if same(world, tree, node, other):
            lesson.like[node] = other
            break
        other = lesson.next_like[other]
    if lesson.like[node] == node:
        lesson.next_like[node] = lesson.bucket[bucket]
        lesson.bucket[bucket] = node
    lesson.taken_in[node], possible = 0, False
    for lane in range(world.lanes):
        lesson.worth[node, lane] = np.nan
        possible |= tree.possible[node, lane]
    lesson.is_end[node] = 1
    if possible and not tree.arrived[node]:
        assess(world, tree, node)
        lesson.is_end[node] = 1 if tree.stop[node] else 0


@inlined
def same(world: World, tree: Tree, one: int, other: int) -> bool:
    """Whether two nodes leave the NPC in the same states, with proportional weights."""
    if (
        tree.cell[one] != tree.cell[other]
        or tree.asked[one] != tree.asked[other]
        or tree.arrived[one] != tree.arrived[other]
    ):
        return False
    for lane in range(world.lanes):
        if tree.possible[one, lane] != tree.possible[other, lane]:
            return False
        a, b = tree.weight[one, lane], tree.weight[other, lane]
        if abs(a - b) > MARGIN * max(a, b):
            return False
    return True


@compiled
def first_end(world: World, tree: Tree, lesson: Lesson, node: int) -> int:
    """The first end on the way to a node or there, NONE if the learner is still watching."""
    end = NONE
    while node != NONE:
        if lesson.is_end[like(world, tree, lesson, node)]:
            end = node
        node = tree.parent[node]
    return end


@compiled
def pays(world: World, tree: Tree, thoughts: Thoughts, lesson: Lesson, node: int, h: int) -> float:
    """What the learner's moves and interactions cost from an end on, if `h` are the holders."""
    assess(world, tree, node)
    wizards, row = candidates(world, tree, tree.belief[node]), 0
    while row < lesson.paid and lesson.paid_wizards[row] != wizards:
        row += 1
    if row == lesson.paid:
        if row == PAID:
            lesson.paid = row = 0
        lesson.paid += 1
        lesson.paid_wizards[row] = wizards
        for each in range(world.assignments):
            lesson.paid_cost[row, each] = np.nan
    if math.isnan(lesson.paid_cost[row, h]):
        truth, world.truth = world.truth, h
        act(world, tree, thoughts, wizards, NO)
        world.truth = truth
        moves = thoughts.actions - thoughts.interactions
        lesson.paid_cost[row, h] = world.move * moves + world.interact * thoughts.interactions
    return float(lesson.paid_cost[row, h])


@compiled
def to_go(world: World, tree: Tree, node: int, lane: int) -> float:
    """V: the expert's points to go at a node."""
    if tree.arrived[node]:
        return 0.0
    expand(world, tree, node)
    return float(tree.least[node, lane])
