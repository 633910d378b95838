"""Compiled: what is seen of NPCs, what would be, and what they really do.

`reference` is the plain version.
"""

from __future__ import annotations

import math

import numpy as np

from onlooker.inference.kernels.behaviour import amulets_held, expand, power_of
from onlooker.inference.kernels.tree import (
    ARRIVED,
    ASKED,
    GAVE,
    MOVED,
    NPC_STUCK,
    OUTCOMES,
    REFUSED,
    TINY,
    UNEXPLAINED,
    UNKNOWN,
    Tree,
    explained_together,
    is_taught,
    log_weight,
    new_node,
)
from onlooker.planning.compiling import compiled, inlined
from onlooker.planning.world import FAR, NONE, World, walkable


@compiled
def after(world: World, tree: Tree, node: int, seen: int) -> int:
    """The node after something was seen; it may leave no hypothesis (see `observe`)."""
    if tree.child[node, seen] == NONE:
        new = grow(world, tree, node, seen)
        tree.child[node, seen] = new
    return tree.child[node, seen]


@inlined
def grow(world: World, tree: Tree, node: int, seen: int) -> int:
    """Weigh every hypothesis by the probability of what was seen, 0 where it cannot have been."""
    expand(world, tree, node)
    if not tree.expanded[node]:
        return NONE
    action, outcome = seen // OUTCOMES, seen % OUTCOMES
    cell, asked = tree.cell[node], tree.asked[node]
    there = world.ahead[cell, action]
    wizard = world.wizard_at[there]
    moved = outcome in (MOVED, ARRIVED)
    if moved:
        new = new_node(tree, node, tree.npc[node], there, asked)
    else:
        new = new_node(tree, node, tree.npc[node], cell, asked | 1 << wizard)
    if new == NONE:
        return NONE
    tree.steps[new], tree.seen[new] = tree.steps[node] + 1, seen
    tree.arrived[new] = outcome == ARRIVED
    multiply(world, tree, node, new, there, action, outcome)
    rescale(world, tree, new)
    return new


@compiled
def multiply(
    world: World, tree: Tree, node: int, new: int, there: int, action: int, outcome: int
) -> None:
    """The weights after an action towards a cell was seen to have an outcome."""
    possible, possible_before = tree.possible[new], tree.possible[node]
    weight, weight_before = tree.weight[new], tree.weight[node]
    points, least, total = tree.points[node, action], tree.least[node], tree.total[node]
    fits, assignments, taught = tree.fits, world.assignments, tree.lesson[node] != NONE
    moved, wizard = outcome in (MOVED, ARRIVED), world.wizard_at[there]
    for h in range(assignments):
        fits[h] = walkable(world, there, amulets_held(world, h, tree.asked[node])) == moved
        if not moved and outcome != ASKED and fits[h]:
            gives = world.holder_of[h, world.wizard_colour[wizard]] == wizard
            fits[h] = gives == (outcome == GAVE)
    for goal in range(world.goals):
        as_seen = not moved or (world.chest_cell[goal] == there) == (outcome == ARRIVED)
        for h in range(assignments):
            lane = goal * assignments + h
            possible[lane] = as_seen and fits[h] and points[lane] < FAR and possible_before[lane]
            weight[lane] = 0.0
            if possible[lane]:
                share = power_of(tree, points[lane] - least[lane]) / total[lane]
                if taught and is_taught(tree, node, lane):
                    share = math.exp(tree.lesson_log_p[tree.lesson[node], action, lane])
                weight[lane] = weight_before[lane] * share


@compiled
def rescale(world: World, tree: Tree, node: int) -> None:
    """The weights at a node as shares of the largest, and their sums over goals."""
    weight, sums = tree.weight[node], tree.holder_weight[node]
    assignments, lanes, largest = world.assignments, world.lanes, 0.0
    for lane in range(lanes):
        largest = max(largest, weight[lane])
    if largest >= TINY:
        for lane in range(lanes):
            weight[lane] /= largest
    else:  # some weight may have been lost
        rescale_in_logs(world, tree, node)
    for h in range(assignments):
        sums[h] = 0.0
        for lane in range(h, lanes, assignments):
            sums[h] += weight[lane]


@compiled
def rescale_in_logs(world: World, tree: Tree, node: int) -> None:
    """The weights at a node as shares of the largest, however small they are."""
    weight, largest = tree.weight[node], -np.inf
    for lane in range(world.lanes):
        weight[lane] = log_weight(tree, node, lane)
        largest = max(largest, weight[lane])
    for lane in range(world.lanes):
        weight[lane] = math.exp(weight[lane] - largest) if tree.possible[node, lane] else 0.0


@compiled
def would_see(world: World, tree: Tree, node: int, lane: int, action: int) -> int:
    """What would be seen of an action if a lane were the truth, NONE if it is not available."""
    goal, h = lane // world.assignments, lane % world.assignments
    there = world.ahead[tree.cell[node], action]
    if there == NONE:
        return NONE
    if walkable(world, there, amulets_held(world, h, tree.asked[node])):
        return action * OUTCOMES + (ARRIVED if there == world.chest_cell[goal] else MOVED)
    wizard = world.wizard_at[there]
    if wizard == NONE:
        return NONE
    if not world.reveals:
        return action * OUTCOMES + ASKED
    gives = world.holder_of[h, world.wizard_colour[wizard]] == wizard
    return action * OUTCOMES + (GAVE if gives else REFUSED)


@inlined
def imagine_step(world: World, tree: Tree, node: int, lane: int) -> int:
    """The node after the NPC's best action in a lane, NONE if it has none."""
    if tree.expanded[node] and tree.imagined[node, lane] != UNKNOWN:
        return tree.imagined[node, lane]
    return imagine_anew(world, tree, node, lane)


@compiled
def imagine_anew(world: World, tree: Tree, node: int, lane: int) -> int:
    """The node after an action that was not imagined before."""
    if tree.arrived[node]:
        return NONE
    expand(world, tree, node)
    if not tree.expanded[node]:
        return NONE
    action = tree.best[node, lane]
    following = NONE
    if action != NONE:
        following = after(world, tree, node, would_see(world, tree, node, lane, action))
        if following == NONE:  # there was no room for it
            return NONE
    tree.imagined[node, lane] = following
    return following


@inlined
def follow(world: World, tree: Tree) -> None:
    """Work out what the NPCs really do: the nodes that they come through and whom they ask."""
    for npc in range(world.npcs):
        length = world.script_length[npc]
        lane = world.npc_goal[npc] * world.assignments + world.truth
        node, step = npc, 0
        while not tree.arrived[node] and step != length:
            cell = tree.cell[node]
            if length == NONE:
                node = imagine_step(world, tree, node, lane)
            else:
                seen = would_see(world, tree, node, lane, world.script[npc, step])
                node = NONE if seen == NONE else after(world, tree, node, seen)
            if node == NONE:
                if not tree.error:
                    tree.error, tree.error_npc = NPC_STUCK, npc
                return
            action, outcome = tree.seen[node] // OUTCOMES, tree.seen[node] % OUTCOMES
            met = world.wizard_at[world.ahead[cell, action]] if outcome >= ASKED else NONE
            tree.met[npc, step] = met
            step += 1
            tree.path[npc, step] = node
        if step < length:  # it was to act on after its arrival
            tree.error, tree.error_npc = NPC_STUCK, npc
            return
        tree.path_length[npc] = step


@inlined
def restart(world: World, tree: Tree) -> None:
    """Back to where nothing was seen of any NPC."""
    for npc in range(world.npcs):
        tree.history[npc] = npc


@compiled
def has_arrived(tree: Tree, npc: int) -> bool:
    """Whether an NPC has arrived, or done everything it does."""
    return tree.steps[tree.history[npc]] >= tree.path_length[npc]


@inlined
def observe(world: World, tree: Tree, npc: int) -> bool:
    """See one more step of an NPC; whether some hypothesis explains it."""
    step = tree.steps[tree.history[npc]] + 1
    tree.history[npc] = tree.path[npc, step]
    explained = explained_together(world, tree)
    if not explained:
        tree.error, tree.error_npc, tree.error_step = UNEXPLAINED, npc, step
    return explained
