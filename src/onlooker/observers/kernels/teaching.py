"""Compiled: how a teacher acts, by a search through what a literal learner would see of it.

For a hypothesis θ, a lane, a node is worth

    W(end) = V + care · A        own points to go, and what the learner then pays if θ is true
    W(node) = min over actions of cost + care · observe + W(the node after it)

and from the first end on the NPC walks as an expert. `tests/observers/teaching_reference.py` is
the plain version.
"""

from __future__ import annotations

import math

import numpy as np

from onlooker.inference.kernels.behaviour import expand
from onlooker.inference.kernels.histories import after, would_see
from onlooker.inference.kernels.tree import (
    ARRIVED,
    HEAP,
    MOST_HISTORIES,
    MOVED,
    OUTCOMES,
    TOO_LONG,
    Tree,
    has_room,
)
from onlooker.inference.parameters import MARGIN
from onlooker.observers.kernels.lessons import Lesson, begin, first_end, like, pays, to_go
from onlooker.observers.kernels.thoughts import Thoughts
from onlooker.planning.compiling import Entry, compiled, inlined
from onlooker.planning.structures import Ints1
from onlooker.planning.world import EMPTY, FAR, NONE, World


@compiled
def best_action(
    world: World, tree: Tree, thoughts: Thoughts, lesson: Lesson, node: int, lane: int
) -> int:
    """The first of the best actions at a node, NONE if there is none; its Q_T are in the lesson."""
    expand(world, tree, node)
    q, watched = lesson.q[lane], first_end(world, tree, lesson, node) == NONE
    for action in range(4):
        points = tree.points[node, action, lane]
        q[action] = points if points < FAR else np.inf
        if watched and lesson.care > 0 and points < FAR:
            seen = would_see(world, tree, node, lane, action)
            following = after(world, tree, node, seen)
            if following == NONE:
                return NONE
            left = worth(world, tree, thoughts, lesson, following, lane)
            if tree.error:
                return NONE
            q[action] = price(world, seen) + lesson.care * world.observe + left
    least, best = min(min(q[0], q[1]), min(q[2], q[3])), NONE
    for action in range(3, -1, -1):
        if q[action] < np.inf and q[action] <= least + MARGIN:
            best = action
    return best


@compiled
def worth(
    world: World, tree: Tree, thoughts: Thoughts, lesson: Lesson, node: int, lane: int
) -> float:
    """W of a node under a hypothesis that explains it."""
    node = like(world, tree, lesson, node)
    if lesson.is_end[node]:
        return worth_at_end(world, tree, thoughts, lesson, node, lane)
    if math.isnan(lesson.worth[node, lane]):
        find_worth(world, tree, thoughts, lesson, node, lane)
    return float(lesson.worth[node, lane])


@compiled
def find_worth(
    world: World, tree: Tree, thoughts: Thoughts, lesson: Lesson, start: int, lane: int
) -> None:
    """Search the cheapest way to an end, best first, the longest history among equals."""
    lesson.search += 1
    lesson.waiting, taken = 0, 0
    put(tree, lesson, to_go(world, tree, start, lane), 0, start, NONE, 0.0)
    look = lesson.care * world.observe
    while lesson.waiting:
        steps, node = lesson.steps[0], lesson.node[0]
        came, so_far = lesson.came[0], lesson.so_far[0]
        take(lesson)
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
            put(tree, lesson, now + known, steps + 1, following, node, now)
            if tree.error:
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


# -- the nodes that wait in a search ---------------------------------------------------------------


@compiled
def put(
    tree: Tree, lesson: Lesson, cost: float, steps: int, node: int, came: int, so_far: float
) -> None:
    """Let a node wait; the error says if there is no room."""
    place = lesson.waiting
    if not has_room(tree, HEAP, place + 1, len(lesson.cost)):
        return
    lesson.waiting += 1
    while place:
        above = (place - 1) // 2
        if lesson.cost[above] < cost or (
            lesson.cost[above] == cost and lesson.steps[above] >= steps
        ):
            break
        move(lesson, above, place)
        place = above
    lesson.cost[place], lesson.steps[place], lesson.node[place] = cost, steps, node
    lesson.came[place], lesson.so_far[place] = came, so_far


@compiled
def take(lesson: Lesson) -> None:
    """Remove the first."""
    lesson.waiting -= 1
    last, place = lesson.waiting, 0
    while True:
        below = 2 * place + 1
        if below >= last:
            break
        if below + 1 < last and first(lesson, below + 1, below):
            below += 1
        if not first(lesson, below, last):
            break
        move(lesson, below, place)
        place = below
    move(lesson, last, place)


@inlined
def first(lesson: Lesson, one: int, other: int) -> bool:
    """Whether one comes before another."""
    if lesson.cost[one] != lesson.cost[other]:
        return bool(lesson.cost[one] < lesson.cost[other])
    return bool(lesson.steps[one] > lesson.steps[other])


@inlined
def move(lesson: Lesson, source: int, place: int) -> None:
    """Copy one to another place."""
    lesson.cost[place], lesson.steps[place] = lesson.cost[source], lesson.steps[source]
    lesson.node[place], lesson.came[place] = lesson.node[source], lesson.came[source]
    lesson.so_far[place] = lesson.so_far[source]


# -- what Python asks ------------------------------------------------------------------------------


def _plan(world: World, tree: Tree, thoughts: Thoughts, lesson: Lesson, only: int) -> None:
    """What the teacher does under each hypothesis, or under the only one that is asked for.

    `q` is that of its first action.
    """
    begin(world, tree, lesson)
    for lane in range(world.lanes):
        if only not in (NONE, lane):
            continue
        node, following = EMPTY, EMPTY
        while following != NONE:
            node = following
            following = go_on(world, tree, thoughts, lesson, node, lane)
        lesson.end[lane], lesson.looks[lane], lesson.learner[lane] = node, 0, 0.0
        end = first_end(world, tree, lesson, node)
        if end != NONE and not tree.error:
            paid = pays(world, tree, thoughts, lesson, end, lane % world.assignments)
            lesson.looks[lane] = tree.steps[end]
            lesson.learner[lane] = world.observe * tree.steps[end] + paid
        if tree.error:
            return
        best_action(world, tree, thoughts, lesson, EMPTY, lane)


@inlined
def go_on(
    world: World, tree: Tree, thoughts: Thoughts, lesson: Lesson, node: int, lane: int
) -> int:
    """The node after the teacher's best action, NONE if it has none."""
    if tree.arrived[node]:
        return NONE
    action = best_action(world, tree, thoughts, lesson, node, lane)
    if action == NONE:
        return NONE
    return after(world, tree, node, would_see(world, tree, node, lane, action))


def _teach(world: World, tree: Tree, thoughts: Thoughts, lesson: Lesson, history: Ints1) -> None:
    """What the teacher would do after something was seen, under each hypothesis."""
    begin(world, tree, lesson)
    node = EMPTY
    for seen in history:
        node = after(world, tree, node, seen)
        if node == NONE:
            return
    for lane in range(world.lanes):
        lesson.q[lane, 0] = lesson.q[lane, 1] = lesson.q[lane, 2] = lesson.q[lane, 3] = np.inf
        lesson.best[lane] = lesson.next[0, lane] = lesson.next[1, lane] = NONE
        if tree.possible[node, lane] and not tree.arrived[node]:
            best = best_action(world, tree, thoughts, lesson, node, lane)
            if tree.error:
                return
            if best != NONE:
                lesson.best[lane] = best
                lesson.next[0, lane] = would_see(world, tree, node, lane, best)
                lesson.next[1, lane] = would_see(world, tree, node, lane, tree.best[node, lane])


plan, teach = Entry(_plan), Entry(_teach)
