"""Compiled: how a teacher acts, by a search through what a literal learner would see of it.

The literal learner takes the NPC for an expert and watches nobody else. So what it sees are the
nodes of an ordinary `Tree` of a trial with that NPC alone, an expert, and what it believes there
is assessed as always. It stops watching at an end: where that is settled or hopeless, or the NPC
has arrived. For a hypothesis θ, a lane,

    W(end) = V + care · A        own points to go, and what the learner then pays if θ is true
    W(node) = min over actions of cost + care · observe + W(the node after it)

and from the first end on the NPC walks as an expert. `tests/observers/teaching_reference.py` is
the plain version.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from onlooker.inference.kernels.behaviour import expand
from onlooker.inference.kernels.histories import after, would_see
from onlooker.inference.kernels.posteriors import assess, candidates, gather
from onlooker.inference.kernels.tree import (
    ARRIVED,
    FULL,
    HEAP,
    MOST_HISTORIES,
    MOVED,
    OUTCOMES,
    TOO_LONG,
    Tree,
)
from onlooker.inference.parameters import MARGIN
from onlooker.observers.kernels.containers import Queue, put, take
from onlooker.observers.kernels.thoughts import Thoughts
from onlooker.observers.kernels.tours import act
from onlooker.planning.compiling import Entry, compiled, inlined
from onlooker.planning.costs import plan_expert
from onlooker.planning.structures import Floats1, Floats2, Ints1, Ints2, axes, structure
from onlooker.planning.world import EMPTY, FAR, NO, NONE, World

BUCKETS = 4096
PAID = 64  # sets of candidates for which it is remembered what acting costs
LOG_STEP = 1e-6  # by which log weights are hashed

# What is known of a plan besides its path
LOOKS, LEARNER, FIRST = 0, 1, 2  # FIRST and the three after it: Q at the start
FACTS = 6


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


# -- nodes -----------------------------------------------------------------------------------------


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
    for lane in range(world.lanes):
        lesson.worth[node, lane] = np.nan
    lesson.taken_in[node] = 0
    possible = False
    for lane in range(world.lanes):
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


# -- W ---------------------------------------------------------------------------------------------


@compiled
def worth(
    world: World, tree: Tree, thoughts: Thoughts, lesson: Lesson, queue: Queue, node: int, lane: int
) -> float:
    """W of a node under a hypothesis that explains it."""
    node = like(world, tree, lesson, node)
    if lesson.is_end[node]:
        return worth_at_end(world, tree, thoughts, lesson, node, lane)
    if math.isnan(lesson.worth[node, lane]):
        find_worth(world, tree, thoughts, lesson, queue, node, lane)
    return float(lesson.worth[node, lane])


@compiled
def find_worth(
    world: World,
    tree: Tree,
    thoughts: Thoughts,
    lesson: Lesson,
    queue: Queue,
    start: int,
    lane: int,
) -> None:
    """Search the cheapest way to an end, best first, the longest history among equals."""
    lesson.search += 1
    queue.waiting, taken = 0, 0
    put(queue, to_go(world, tree, start, lane), 0, start, NONE, 0.0)
    look = lesson.care * world.observe
    while queue.waiting:
        steps, node, came, so_far = (
            queue.steps[0],
            queue.node[0],
            queue.came[0],
            queue.so_far[0],
        )
        take(queue)
        if lesson.taken_in[node] == lesson.search:
            continue
        taken += 1
        if taken > MOST_HISTORIES:
            tree.error = TOO_LONG
            return
        lesson.taken_in[node], lesson.before[node] = lesson.search, came
        lesson.spent[node] = so_far
        if lesson.is_end[node] or not math.isnan(lesson.worth[node, lane]):
            keep_worths(world, tree, thoughts, lesson, node, lane)
            return
        expand(world, tree, node)
        for action in range(4):
            points = tree.points[node, action, lane]
            if points >= FAR:
                continue
            seen = would_see(world, tree, node, lane, action)
            following = after(world, tree, node, seen)
            if following == NONE:
                return  # there was no room for it
            following = like(world, tree, lesson, following)
            if lesson.taken_in[following] == lesson.search:
                continue
            now = so_far + price(world, seen) + look
            left = to_go(world, tree, following, lane)
            known = lesson.worth[following, lane]
            if lesson.is_end[following]:
                known = worth_at_end(world, tree, thoughts, lesson, following, lane)
            elif math.isnan(known):
                known = left + lesson.care * lesson.least[lane % world.assignments]
            if not put(queue, now + known, steps + 1, following, node, now):
                tree.error, tree.full = FULL, HEAP
                return


@compiled
def worth_at_end(
    world: World, tree: Tree, thoughts: Thoughts, lesson: Lesson, node: int, lane: int
) -> float:
    """W of an end."""
    if math.isnan(lesson.worth[node, lane]):
        paid = pays(world, tree, thoughts, lesson, node, lane % world.assignments)
        lesson.worth[node, lane] = to_go(world, tree, node, lane) + lesson.care * paid
    return float(lesson.worth[node, lane])


@inlined
def keep_worths(
    world: World, tree: Tree, thoughts: Thoughts, lesson: Lesson, node: int, lane: int
) -> None:
    """Note W of every node on the way that the search found."""
    if lesson.is_end[node]:
        worth_at_end(world, tree, thoughts, lesson, node, lane)
    total = lesson.spent[node] + lesson.worth[node, lane]
    node = lesson.before[node]
    while node != NONE:
        lesson.worth[node, lane] = total - lesson.spent[node]
        node = lesson.before[node]


@inlined
def price(world: World, seen: int) -> int:
    """What an action costs of which something was seen."""
    moved = seen % OUTCOMES == MOVED or seen % OUTCOMES == ARRIVED
    return world.move if moved else world.interact


# -- what Python asks ------------------------------------------------------------------------------


@compiled
def values(
    world: World,
    tree: Tree,
    thoughts: Thoughts,
    lesson: Lesson,
    queue: Queue,
    node: int,
    gone: bool,
    lane: int,
    q: Floats1,
) -> None:
    """Q_T of each action at a node, infinite where it cannot be taken."""
    expand(world, tree, node)
    for action in range(4):
        q[action] = np.inf
        points = tree.points[node, action, lane]
        if points >= FAR:
            continue
        q[action] = points
        if not gone and lesson.care > 0:
            seen = would_see(world, tree, node, lane, action)
            following = after(world, tree, node, seen)
            if following == NONE:
                return
            left = worth(world, tree, thoughts, lesson, queue, following, lane)
            q[action] = price(world, seen) + lesson.care * world.observe + left


@compiled
def best_of(q: Any) -> int:
    """The first of the best actions, NONE if there is none."""
    least, best = min(min(q[0], q[1]), min(q[2], q[3])), NONE
    for action in range(3, -1, -1):
        if q[action] < np.inf and q[action] <= least + MARGIN:
            best = action
    return int(best)


@inlined
def begin(world: World, tree: Tree, lesson: Lesson) -> None:
    """Know nothing yet but what the learner would pay if it knew the holders."""
    gather(world, tree, EMPTY)
    for bucket in range(BUCKETS):
        lesson.bucket[bucket] = NONE
    plan_expert(world, EMPTY, world.main_cell)
    for h in range(world.assignments):
        lane = world.main_goal * world.assignments + h
        lesson.least[h] = world.expert[EMPTY, world.main_cell, lane]


def _plan(
    world: World,
    tree: Tree,
    thoughts: Thoughts,
    lesson: Lesson,
    queue: Queue,
    only: int,
    lengths: Ints1,
    actions: Ints2,
    facts: Floats2,
    q: Floats1,
) -> None:
    """What the teacher does under each hypothesis: its actions, their number, and the facts.

    `only` is the one hypothesis that is asked for, or NONE.
    """
    tree.error = 0
    if lesson.looked == 0:
        begin(world, tree, lesson)
    for lane in range(world.lanes):
        if only not in (NONE, lane):
            continue
        node, gone, count = 0, False, 0
        facts[lane, FIRST] = facts[lane, FIRST + 1] = np.inf
        facts[lane, FIRST + 2] = facts[lane, FIRST + 3] = np.inf
        while True:
            if not gone and lesson.is_end[like(world, tree, lesson, node)]:
                gone = True
                facts[lane, LOOKS] = count
                paid = pays(world, tree, thoughts, lesson, node, lane % world.assignments)
                facts[lane, LEARNER] = world.observe * count + paid
            if tree.arrived[node]:
                break
            values(world, tree, thoughts, lesson, queue, node, gone, lane, q)
            if tree.error:
                return
            if count == 0:
                for action in range(4):
                    facts[lane, FIRST + action] = q[action]
            action = best_of(q)
            if action == NONE:
                break
            seen = would_see(world, tree, node, lane, action)
            node = after(world, tree, node, seen)
            if node == NONE:
                return
            actions[lane, count] = action
            count += 1
        lengths[lane] = count


def _teach(
    world: World,
    tree: Tree,
    thoughts: Thoughts,
    lesson: Lesson,
    queue: Queue,
    history: Ints1,
    found: Floats2,
    following: Ints2,
) -> None:
    """What a teacher would do after something was seen, under each hypothesis.

    `found` is Q_T of each action; `following` what would be seen of the best one, the best one
    itself, and what would be seen of an expert's, NONE where there is none.
    """
    tree.error = 0
    if lesson.looked == 0:
        begin(world, tree, lesson)
    node, gone = EMPTY, lesson.is_end[like(world, tree, lesson, EMPTY)] != 0
    for seen in history:
        node = after(world, tree, node, seen)
        if node == NONE:
            return
        gone |= lesson.is_end[like(world, tree, lesson, node)] != 0
    for lane in range(world.lanes):
        for action in range(4):
            found[lane, action] = np.inf
        following[lane, 0] = following[lane, 1] = following[lane, 2] = NONE
        if tree.possible[node, lane] and not tree.arrived[node]:
            values(world, tree, thoughts, lesson, queue, node, gone, lane, found[lane])
            if tree.error:
                return
            best = best_of(found[lane])
            if best != NONE:
                following[lane, 0] = would_see(world, tree, node, lane, best)
                following[lane, 1] = best
                expert = tree.best[node, lane]
                following[lane, 2] = would_see(world, tree, node, lane, expert)


plan, teach = Entry(_plan), Entry(_teach)
