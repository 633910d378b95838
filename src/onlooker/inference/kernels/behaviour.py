"""Compiled: what an NPC would do at a node under every hypothesis, and how likely each action is.

Which wizards an NPC has asked is seen, so under a hypothesis it holds the amulets of exactly those
holders that are among them. `reference` is the plain version.
"""

from __future__ import annotations

import math

from onlooker.inference.kernels.tree import POWERS, UNKNOWN, Tree, is_taught, lesson_at
from onlooker.planning.compiling import compiled, inlined
from onlooker.planning.costs import asking, distance, plan_expert
from onlooker.planning.world import (
    EMPTY,
    FAR,
    NONE,
    NOVICE,
    TEACHER,
    World,
    kind_of,
    walkable,
)


@compiled
def amulets_held(world: World, h: int, asked: int) -> int:
    """The amulets that one holds who has asked some wizards, under an assignment of holders."""
    amulets = EMPTY
    for colour in range(world.colours):
        amulets |= (asked >> world.holder_of[h, colour] & 1) << colour
    return amulets


@compiled
def expand(world: World, tree: Tree, node: int) -> None:
    """Work out what the NPC would do at a node: how likely each action is, and its best one."""
    if tree.expanded[node]:
        return
    if has_kind(world, tree.npc[node], TEACHER) and lesson_at(tree, node) == NONE:
        return  # it is to be asked for
    tree.expanded[node] = True
    for h in range(world.assignments):
        tree.masks[h] = amulets_held(world, h, tree.asked[node]) if tree.asked[node] else EMPTY
    told, novice = world.kinds == 1, has_kind(world, tree.npc[node], NOVICE)
    for action in range(4):
        if not told or not novice:
            expert_points(world, tree, node, action)
        if novice:
            novice_points(world, tree, node, action)
    choose_best(world, tree, node, not novice)
    boltzmann(world, tree, node)
    if tree.lesson[node] != NONE:
        choose_as_taught(world, tree, node)


@compiled
def has_kind(world: World, npc: int, kind: int) -> bool:
    """Whether an NPC may be of a kind, to somebody who is told, or who is not."""
    found = False
    for goal in range(world.kinds):
        found |= kind_of(world, npc, goal) == kind
    return found


@inlined
def choose_as_taught(world: World, tree: Tree, node: int) -> None:
    """In teachers' lanes, the action that a teacher would choose."""
    for lane in range(world.lanes):
        if is_taught(tree, node, lane):
            tree.best[node, lane] = tree.lesson_best[tree.lesson[node], lane]


@inlined
def choose_best(world: World, tree: Tree, node: int, expert: bool) -> None:
    """The action of the least Q that the NPC would choose, the first among equals."""
    best_action, imagined, points = tree.best[node], tree.imagined[node], tree.points[node]
    for lane in range(world.lanes):
        best, least = NONE, FAR
        for action in range(3, -1, -1):
            cost = points[action, lane] if expert else tree.chosen[action, lane]
            if cost <= least and cost < FAR:
                best, least = action, cost
        best_action[lane], imagined[lane] = best, UNKNOWN


@inlined
def expert_points(world: World, tree: Tree, node: int, action: int) -> None:
    """Q of an action in every lane, for an agent that knows the holders."""
    cell, points = tree.cell[node], tree.points[node, action]
    there = world.ahead[cell, action]
    if there == NONE:
        for lane in range(world.lanes):
            points[lane] = FAR
        return
    wizard, assignments, lanes = world.wizard_at[there], world.assignments, world.lanes
    if not tree.asked[node] and world.closed[there] == 0:  # the same in all lanes
        plan_expert(world, EMPTY, there)
        to_go = world.expert[EMPTY, there]
        for lane in range(lanes):
            points[lane] = min(to_go[lane] + world.move, FAR)
        return
    for h in range(assignments):
        amulets, place, cost = tree.masks[h], there, world.move
        if not walkable(world, there, amulets):
            place, cost = cell, world.interact
            if wizard == NONE:
                for lane in range(h, lanes, assignments):
                    points[lane] = FAR
                continue
            if world.holder_of[h, world.wizard_colour[wizard]] == wizard:
                amulets |= 1 << world.wizard_colour[wizard]
        plan_expert(world, amulets, place)
        for lane in range(h, lanes, assignments):
            points[lane] = min(world.expert[amulets, place, lane] + cost, FAR)


@inlined
def novice_points(world: World, tree: Tree, node: int, action: int) -> None:
    """Q of an action in every lane, for an agent that does not know the holders.

    It goes for the nearest wizard of a lacking colour that it has not asked (`novice_to_go`).
    Of other kinds' lanes it would choose what is of the least Q. Asking a wizard that it has no use
    for is an action like any other but never its choice.
    """
    npc, cell, asked = tree.npc[node], tree.cell[node], tree.asked[node]
    there, assignments = world.ahead[cell, action], world.assignments
    if there == NONE:
        for lane in range(world.lanes):
            tree.points[node, action, lane] = tree.chosen[action, lane] = FAR
        return
    wizard = world.wizard_at[there]
    amulet = EMPTY if wizard == NONE else 1 << world.wizard_colour[wizard]
    for goal in range(world.goals):
        if kind_of(world, npc, goal) != NOVICE:
            for lane in range(goal * assignments, (goal + 1) * assignments):
                tree.chosen[action, lane] = tree.points[node, action, lane]
            continue
        needed = max(world.need[npc, goal], 0)
        before, q, wanted = NONE, FAR, False
        for h in range(assignments):
            amulets = tree.masks[h]
            moves = walkable(world, there, amulets)
            after = amulets
            if amulet and world.holder_of[h, world.wizard_colour[wizard]] == wizard:
                after |= amulet
            if before != (amulets << 32 | after):  # else as under the assignment before
                before = amulets << 32 | after
                wanted = needed & ~amulets & amulet != 0 and not asked >> wizard & 1
                if moves:
                    q = world.move + novice_to_go(world, goal, needed, amulets, asked, there)
                elif not amulet:
                    q = FAR
                elif wanted:
                    q = world.interact
                else:
                    now = asked | 1 << wizard
                    q = world.interact + novice_to_go(world, goal, needed, after, now, cell)
            lane = goal * assignments + h
            tree.points[node, action, lane] = q
            tree.chosen[action, lane] = q if moves or wanted else FAR


@compiled
def novice_to_go(world: World, goal: int, needed: int, amulets: int, asked: int, cell: int) -> int:
    """Least points to the nearest unasked wizard of a lacking colour, or else to the chest."""
    lacking = needed & ~amulets
    if not lacking:
        return distance(world, goal, amulets, cell)
    least = FAR
    for wizard in range(world.wizards):
        if lacking >> world.wizard_colour[wizard] & 1 and not asked >> wizard & 1:
            least = min(least, asking(world, wizard, amulets, cell))
    return least


@inlined
def boltzmann(world: World, tree: Tree, node: int) -> None:
    """What P ∝ exp(−β Q) of each action at a node is made of, over the actions of finite Q."""
    points, least, total = tree.points[node], tree.least[node], tree.total[node]
    for lane in range(world.lanes):
        least[lane] = min(
            min(points[0, lane], points[1, lane]), min(points[2, lane], points[3, lane])
        )
    for lane in range(world.lanes):
        total[lane] = 0.0
        for action in range(4):
            if points[action, lane] < FAR:
                total[lane] += power_of(tree, points[action, lane] - least[lane])


@compiled
def power_of(tree: Tree, points: int) -> float:
    """exp(−β points)."""
    return tree.power[points] if points < POWERS else math.exp(-tree.beta * points)
