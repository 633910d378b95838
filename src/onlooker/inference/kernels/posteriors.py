"""Compiled: what the histories of all NPCs say together.

`reference` is the plain version.
"""

from __future__ import annotations

import math

import numpy as np

from onlooker.inference.kernels.tree import TINY, Tree, log_weight
from onlooker.inference.parameters import TOLERANCE
from onlooker.planning.compiling import compiled, inlined
from onlooker.planning.structures import Floats1
from onlooker.planning.world import EMPTY, NONE, TEACHER, World, kind_of


@compiled
def gather(world: World, tree: Tree, npc: int) -> None:
    """Collect the evidence about the holders from everything but an NPC, if it has changed."""
    same = tree.version[npc] > 0
    for k in range(world.npcs):
        if k != npc and tree.gathered_at[npc, k] != tree.history[k]:
            tree.gathered_at[npc, k] = tree.history[k]
            same = False
    if same:
        return
    tree.versions += 1
    tree.version[npc] = tree.versions
    others = tree.others[npc]
    largest = 0.0
    for h in range(world.assignments):
        others[h] = math.exp(tree.own_evidence[h])
        for k in range(world.npcs):
            if k != npc:
                others[h] *= tree.holder_weight[tree.history[k], h]
        largest = max(largest, others[h])
    if largest >= TINY:
        for h in range(world.assignments):
            others[h] /= largest
        return
    largest = -np.inf
    for h in range(world.assignments):
        others[h] = log_others(world, tree, npc, h)
        largest = max(largest, others[h])
    for h in range(world.assignments):
        others[h] = math.exp(others[h] - largest)


@compiled
def log_others(world: World, tree: Tree, npc: int, h: int) -> float:
    """The log evidence for an assignment of holders from everything but an NPC."""
    total = tree.own_evidence[h]
    for k in range(world.npcs):
        if k != npc:
            node, largest, weight = tree.history[k], -np.inf, 0.0
            for lane in range(h, world.lanes, world.assignments):
                largest = max(largest, log_weight(tree, node, lane))
            for lane in range(h, world.lanes, world.assignments):
                if tree.possible[node, lane]:
                    weight += math.exp(log_weight(tree, node, lane) - largest)
            total += largest + math.log(weight) if weight > 0 else -np.inf
    return total


@compiled
def weigh(world: World, tree: Tree, node: int) -> None:
    """P(goal, assignments) at a node into `joint`, with its marginals `goal_p` and `holder_p`."""
    if weigh_marginals(world, tree, node):
        weigh_jointly(world, tree, node)
    else:
        weigh_in_logs(world, tree, node)


@compiled
def weigh_marginals(world: World, tree: Tree, node: int) -> bool:
    """`goal_p` and `holder_p` at a node; whether the weights are near enough to be multiplied."""
    weight, others = tree.weight[node], tree.others[tree.npc[node]]
    goal_p, assignments, total = tree.goal_p, world.assignments, weigh_holders(world, tree, node)
    for goal in range(world.goals):
        p = 0.0
        for h in range(assignments):
            p += weight[goal * assignments + h] * others[h]
        goal_p[goal] = p / total
    return total >= TINY


@compiled
def weigh_holders(world: World, tree: Tree, node: int) -> float:
    """`holder_p` at a node; all weight that there is, which must not be tiny."""
    others, sums, holder_p = tree.others[tree.npc[node]], tree.holder_weight[node], tree.holder_p
    total = 0.0
    for h in range(world.assignments):
        holder_p[h] = others[h] * sums[h]
        total += holder_p[h]
    for h in range(world.assignments):
        holder_p[h] /= total
    return total


@compiled
def weigh_jointly(world: World, tree: Tree, node: int) -> None:
    """P(goal, assignments) at a node into `joint`."""
    weight, others, joint = tree.weight[node], tree.others[tree.npc[node]], tree.joint
    assignments, total = world.assignments, 0.0
    for goal in range(world.goals):
        for h in range(assignments):
            lane = goal * assignments + h
            joint[lane] = weight[lane] * others[h]
            total += joint[lane]
    for lane in range(world.lanes):
        joint[lane] /= total


@compiled
def weigh_in_logs(world: World, tree: Tree, node: int) -> None:
    """All of it where the weights are too far apart to be multiplied."""
    joint, assignments = tree.joint, world.assignments
    largest, total = -np.inf, 0.0
    for h in range(assignments):
        others = log_others(world, tree, tree.npc[node], h)
        for lane in range(h, world.lanes, assignments):
            joint[lane] = others + log_weight(tree, node, lane)
            largest = max(largest, joint[lane])
    for lane in range(world.lanes):
        joint[lane] = math.exp(joint[lane] - largest)
        total += joint[lane]
    for h in range(assignments):
        tree.holder_p[h] = 0.0
    for goal in range(world.goals):
        tree.goal_p[goal] = 0.0
    for lane in range(world.lanes):
        joint[lane] /= total
        tree.goal_p[lane // assignments] += joint[lane]
        tree.holder_p[lane % assignments] += joint[lane]


@compiled
def kept_goals(world: World, tree: Tree) -> int:
    """The goals that are likely enough to be kept, as bits: the first most likely if none is."""
    kept, top = EMPTY, 0.0
    for goal in range(world.goals):
        p = tree.goal_p[goal]
        top = max(top, p)
        if p >= tree.prune:
            kept |= 1 << goal
    goal = 0
    while not kept:
        if tree.goal_p[goal] >= top - TOLERANCE:
            kept = 1 << goal
        goal += 1
    return kept


@compiled
def keep_particles(world: World, tree: Tree) -> None:
    """The hypotheses of `joint` worth imagining into `particle_p`: summing to 1, 0 for others."""
    kept, assignments = kept_goals(world, tree), world.assignments
    total = 0.0
    for goal in range(world.goals):
        p, likely = tree.goal_p[goal], tree.joint[goal * assignments : (goal + 1) * assignments]
        top, least = 0.0, tree.prune
        for h in range(assignments):
            top = max(top, likely[h] / p)
        if top < tree.prune:
            least = top - TOLERANCE
        for h in range(assignments):
            keep = kept >> goal & 1 and likely[h] / p >= least
            tree.particle_p[goal * assignments + h] = likely[h] if keep else 0.0
            total += likely[h] if keep else 0.0
    for lane in range(world.lanes):
        tree.particle_p[lane] /= total


@inlined
def assess(world: World, tree: Tree, node: int) -> None:
    """What would be believed at a node, and whether imagining ends there: settled, or hopeless."""
    if tree.assessed[node] != tree.version[tree.npc[node]]:
        assess_anew(world, tree, node)


@compiled
def assess_anew(world: World, tree: Tree, node: int) -> None:
    """Assess a node with the present evidence."""
    npc = tree.npc[node]
    tree.assessed[node] = tree.version[npc]
    if not weigh_marginals(world, tree, node):
        weigh_in_logs(world, tree, node)
    believe(world, tree, node)
    hopeful = False
    kept = kept_goals(world, tree)
    for goal in range(world.goals):
        if kept >> goal & 1:
            teacher = npc < world.npcs and kind_of(world, npc, goal) == TEACHER  # or nobody
            amulets = world.open if teacher else max(world.need[npc, goal], 0) & world.open
            hopeful |= amulets & ~tree.amulets_now != 0
    tree.stop[node] = not hopeful or settled(world, tree, tree.belief[node])


@compiled
def believe(world: World, tree: Tree, node: int) -> None:
    """The chance of each wizard to be the holder, from `holder_p`."""
    belief, holder_p, holder_of = tree.belief[node], tree.holder_p, world.holder_of
    for wizard in range(world.wizards):
        belief[wizard] = 0.0
    for h in range(world.assignments):
        for colour in range(world.colours):
            belief[holder_of[h, colour]] += holder_p[h]


@compiled
def assess_present(world: World, tree: Tree) -> Floats1:
    """The present belief; it is the same whichever NPC it is read from."""
    gather(world, tree, EMPTY)
    assess(world, tree, tree.history[0])
    return tree.belief[tree.history[0]]


@compiled
def settled(world: World, tree: Tree, belief: Floats1) -> bool:
    """Whether every lacking colour has a wizard that is surely enough its holder."""
    unsettled = world.needed & ~tree.amulets_now
    for wizard in range(world.wizards):
        if belief[wizard] >= tree.converge:
            unsettled &= ~(1 << world.wizard_colour[wizard])
    return unsettled == 0


@compiled
def candidates(world: World, tree: Tree, belief: Floats1) -> int:
    """The wizards of each lacking colour that are worth going to, as bits."""
    wizards = EMPTY
    for colour in range(world.colours):
        if not (world.needed & ~tree.amulets_now) >> colour & 1:
            continue
        top = 0.0
        for wizard in range(world.wizards):
            if world.wizard_colour[wizard] == colour:
                top = max(top, belief[wizard])
        first, kept = NONE, EMPTY
        for wizard in range(world.wizards):
            if world.wizard_colour[wizard] == colour:
                if first == NONE and belief[wizard] >= top - TOLERANCE:
                    first = wizard
                if belief[wizard] >= tree.prune:
                    kept |= 1 << wizard
        wizards |= 1 << first if top >= tree.converge or not kept else kept
    return wizards
