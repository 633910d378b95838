"""Compiled: what the histories of all NPCs tell together.

`reference` is the plain version. `planning.memory` says what the arguments are.
"""

from __future__ import annotations

import math

import numpy as np

from onlooker.inference.parameters import TOLERANCE
from onlooker.planning.compiling import compiled
from onlooker.planning.kernels import fill
from onlooker.planning.memory import NONE, Floats, Ints, Record


@compiled
def gather(s: Record, i: Ints, f: Floats, npc: int) -> None:
    """Collect the evidence about the holders from everything but an NPC, if it has changed."""
    same = i[s.version + npc] > 0
    for k in range(s.npcs):
        if k != npc and i[s.assessed + npc * s.agents + k] != i[s.history + k]:
            i[s.assessed + npc * s.agents + k] = i[s.history + k]
            same = False
    if same:
        return
    s.version_count += 1
    i[s.version + npc] = s.version_count
    for h in range(s.holders):
        total = f[s.own + h]
        for k in range(s.npcs):
            if k != npc:
                total += log_holders(s, f, i[s.history + k], h)
        f[s.others + npc * s.holders + h] = total


@compiled
def log_holders(s: Record, f: Floats, node: int, h: int) -> float:
    """The log of an assignment's weight at a node, summed over goals."""
    top = -np.inf
    for goal in range(s.goals):
        top = max(top, f[s.log_w + node * s.lanes + goal * s.holders + h])
    if top == -np.inf:
        return top
    total = 0.0
    for goal in range(s.goals):
        total += math.exp(f[s.log_w + node * s.lanes + goal * s.holders + h] - top)
    return top + math.log(total)


@compiled
def weigh(s: Record, i: Ints, f: Floats, node: int) -> None:
    """P(goal, holders) at a node into `joint`, with its marginals `goal_p` and `holder_p`."""
    log_w = f[s.log_w + node * s.lanes : s.log_w + (node + 1) * s.lanes]
    others = s.others + i[s.node_npc + node] * s.holders
    others = f[others : others + s.holders]
    joint = f[s.joint : s.joint + s.lanes]
    top = -np.inf
    for goal in range(s.goals):
        for h in range(s.holders):
            lane = goal * s.holders + h
            joint[lane] = log_w[lane] + others[h]
            top = max(top, joint[lane])
    total = 0.0
    for lane in range(s.lanes):
        joint[lane] = math.exp(joint[lane] - top)
        total += joint[lane]
    fill(f, s.holder_p, s.holders, 0.0)
    for goal in range(s.goals):
        p = 0.0
        for h in range(s.holders):
            lane = goal * s.holders + h
            joint[lane] /= total
            p += joint[lane]
            f[s.holder_p + h] += joint[lane]
        f[s.goal_p + goal] = p


@compiled
def kept_goals(s: Record, f: Floats) -> int:
    """The goals that are likely enough to be kept, as bits: the first most likely if none is."""
    kept, top = 0, 0.0
    for goal in range(s.goals):
        p = f[s.goal_p + goal]
        top = max(top, p)
        if p >= s.prune:
            kept |= 1 << goal
    goal = 0
    while not kept:
        if f[s.goal_p + goal] >= top - TOLERANCE:
            kept = 1 << goal
        goal += 1
    return kept


@compiled
def assess(s: Record, i: Ints, f: Floats, node: int) -> None:
    """What would be believed at a node, and whether imagining ends there: settled, or hopeless."""
    npc = i[s.node_npc + node]
    if i[s.node_version + node] == i[s.version + npc]:
        return
    i[s.node_version + node] = i[s.version + npc]
    i[s.node_known + node] = 0
    weigh(s, i, f, node)
    belief = f[s.belief + node * s.wizards : s.belief + (node + 1) * s.wizards]
    fill(f, s.belief + node * s.wizards, s.wizards, 0.0)
    for h in range(s.holders):
        for colour in range(s.colours):
            belief[i[s.holder_of + h * s.colours + colour]] += f[s.holder_p + h]
    hopeful = False
    kept = kept_goals(s, f)
    for goal in range(s.goals):
        if kept >> goal & 1:
            needed = max(i[s.need + npc * s.goals + goal], 0)
            hopeful |= needed & s.open & ~s.amulets != 0
    i[s.node_stop + node] = not hopeful or settled(s, i, belief)


@compiled
def settled(s: Record, i: Ints, belief: Floats) -> bool:
    """Whether every lacking colour has a wizard that is surely enough its holder."""
    unsettled = s.needed & ~s.amulets
    for wizard in range(s.wizards):
        if belief[wizard] >= s.converge:
            unsettled &= ~(1 << i[s.wizard_colour + wizard])
    return unsettled == 0


@compiled
def candidates(s: Record, i: Ints, belief: Floats) -> int:
    """The wizards of each lacking colour that are worth going to, as bits."""
    bits = 0
    for colour in range(s.colours):
        if not (s.needed & ~s.amulets) >> colour & 1:
            continue
        top = 0.0
        for wizard in range(s.wizards):
            if i[s.wizard_colour + wizard] == colour:
                top = max(top, belief[wizard])
        first, kept = NONE, 0
        for wizard in range(s.wizards):
            if i[s.wizard_colour + wizard] == colour:
                if first == NONE and belief[wizard] >= top - TOLERANCE:
                    first = wizard
                if belief[wizard] >= s.prune:
                    kept |= 1 << wizard
        bits |= 1 << first if top >= s.converge or not kept else kept
    return bits


@compiled
def keep_particles(s: Record, f: Floats) -> None:
    """The hypotheses of `joint` worth imagining into `particle_p`: summing to 1, 0 for others."""
    kept = kept_goals(s, f)
    total = 0.0
    for goal in range(s.goals):
        first = s.joint + goal * s.holders
        top, least = 0.0, s.prune
        for h in range(s.holders):
            top = max(top, f[first + h] / f[s.goal_p + goal])
        if top < s.prune:
            least = top - TOLERANCE
        for h in range(s.holders):
            lane = goal * s.holders + h
            keep = kept >> goal & 1 and f[first + h] / f[s.goal_p + goal] >= least
            f[s.particle_p + lane] = f[first + h] if keep else 0.0
            total += f[s.particle_p + lane]
    for lane in range(s.lanes):
        f[s.particle_p + lane] /= total
