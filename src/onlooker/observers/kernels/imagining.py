"""Compiled: what watching an NPC would bring.

`reference.watching` is the plain version.
"""

from __future__ import annotations

import math

from onlooker.inference.kernels.histories import imagine_step
from onlooker.inference.kernels.posteriors import assess, candidates, gather, keep_particles, weigh
from onlooker.inference.kernels.tree import Tree
from onlooker.observers.kernels.thoughts import Thoughts
from onlooker.observers.kernels.tours import c_self
from onlooker.planning.compiling import compiled, inlined
from onlooker.planning.world import NONE, World


@compiled
def residual(world: World, tree: Tree, thoughts: Thoughts, node: int) -> float:
    """What acting alone would cost with the belief at a node, which has been assessed."""
    if thoughts.residual_version[node] != tree.assessed[node]:
        thoughts.residual_version[node] = tree.assessed[node]
        belief = tree.belief[node]
        wizards = candidates(world, tree, belief)
        thoughts.residual[node] = c_self(world, tree, thoughts, wizards, belief)
    return thoughts.residual[node]


@inlined
def imagine(world: World, tree: Tree, node: int, lane: int) -> tuple[int, int]:
    """Where imagining an NPC in a lane ends, and after how many steps."""
    steps = 0
    while True:
        assess(world, tree, node)
        if tree.stop[node]:
            return node, steps
        following = imagine_step(world, tree, node, lane)
        if following == NONE:
            return node, steps
        node = following
        steps += 1


@compiled
def choose_particles(world: World, tree: Tree, thoughts: Thoughts, npc: int) -> None:
    """The hypotheses about an NPC that are worth imagining."""
    gather(world, tree, npc)
    weigh(world, tree, tree.history[npc])
    keep_particles(world, tree)
    for goal in range(world.goals):
        thoughts.goal_p[npc, goal] = tree.goal_p[goal]
    for lane in range(world.lanes):
        thoughts.particle_p[npc, lane] = tree.particle_p[lane]


@inlined
def watching_costs(world: World, tree: Tree, thoughts: Thoughts, npc: int) -> None:
    """What watching an NPC and then acting would cost, into `q_obs`, `looks` and `unwatched`."""
    choose_particles(world, tree, thoughts, npc)
    cost, looks, unwatched = 0.0, 0.0, 0.0
    for lane in range(world.lanes):
        p = thoughts.particle_p[npc, lane]
        if p > 0:
            end, steps = imagine(world, tree, tree.history[npc], lane)
            left = residual(world, tree, thoughts, end)
            thoughts.particle_steps[npc, lane] = steps
            thoughts.particle_residual[npc, lane] = left
            cost += p * (world.observe * steps + left)
            looks += p * max(steps, 1)
            if steps == 0:
                unwatched += p
    thoughts.q_obs[npc], thoughts.looks[npc], thoughts.unwatched[npc] = cost, looks, unwatched


@inlined
def belief_distance(world: World, tree: Tree, thoughts: Thoughts, npc: int, enough: float) -> float:
    """How far watching an NPC to its arrival could move the belief; to the first beyond enough."""
    choose_particles(world, tree, thoughts, npc)
    start = tree.history[npc]
    assess(world, tree, start)
    farthest = 0.0
    thoughts.comparisons += 1
    for lane in range(world.lanes):
        if thoughts.particle_p[npc, lane] <= 0:
            continue
        node = imagine_step(world, tree, start, lane)
        while node != NONE:
            if thoughts.compared[node] != thoughts.comparisons:
                thoughts.compared[node] = thoughts.comparisons
                assess(world, tree, node)
                farthest = max(farthest, moved(world, tree, start, node))
                if farthest > enough:
                    return farthest
            node = imagine_step(world, tree, node, lane)
    return farthest


@inlined
def moved(world: World, tree: Tree, here: int, there: int) -> float:
    """How far the belief over the open colours at a node lies from that at another one."""
    uncertain, total = world.open & ~tree.amulets_now, 0.0
    for wizard in range(world.wizards):
        if uncertain >> world.wizard_colour[wizard] & 1:
            total += (tree.belief[here, wizard] - tree.belief[there, wizard]) ** 2
    return math.sqrt(total)
