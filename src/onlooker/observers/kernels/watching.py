"""Compiled: what watching an NPC would bring.

`reference_watching` is the plain version. `planning.memory` says what the arguments are.
"""

from __future__ import annotations

import math

from onlooker.inference.kernels.histories import imagined
from onlooker.inference.kernels.posteriors import assess, candidates, gather, keep_particles, weigh
from onlooker.observers.kernels.tours import c_self
from onlooker.planning.compiling import compiled
from onlooker.planning.memory import NONE, Floats, Ints, Points, Record


@compiled
def residual(s: Record, i: Ints, f: Floats, c: Points, node: int) -> float:
    """What acting alone would cost with the belief at a node."""
    if not i[s.node_known + node]:
        i[s.node_known + node] = 1
        belief = s.belief + node * s.wizards
        wizards = candidates(s, i, f[belief : belief + s.wizards])
        f[s.residual + node] = c_self(s, i, f, c, wizards, belief)
    return f[s.residual + node]


@compiled
def imagine(s: Record, i: Ints, f: Floats, c: Points, node: int, lane: int) -> tuple[int, int]:
    """Where imagining an NPC in a lane ends, and after how many steps."""
    steps = 0
    while True:
        assess(s, i, f, node)
        if i[s.node_stop + node]:
            return node, steps
        following = imagined(s, i, f, c, node, lane)
        if following == NONE:
            return node, steps
        node = following
        steps += 1


@compiled
def worth(s: Record, i: Ints, f: Floats, c: Points, npc: int) -> float:
    """What watching an NPC and then acting would cost."""
    node = i[s.history + npc]
    gather(s, i, f, npc)
    weigh(s, i, f, node)
    keep_particles(s, f)
    total = 0.0
    for lane in range(s.lanes):
        p = f[s.particle_p + lane]
        if p > 0:
            end, steps = imagine(s, i, f, c, node, lane)
            left = residual(s, i, f, c, end)
            i[s.particle_steps + lane], f[s.particle_residual + lane] = steps, left
            total += p * (s.observe * steps + left)
    return total


@compiled
def moved(s: Record, i: Ints, f: Floats, here: int, there: int) -> float:
    """How far the belief over the open colours at a node lies from that at another one."""
    total = 0.0
    for wizard in range(s.wizards):
        if (s.open & ~s.amulets) >> i[s.wizard_colour + wizard] & 1:
            p = f[s.belief + here * s.wizards + wizard]
            total += (p - f[s.belief + there * s.wizards + wizard]) ** 2
    return math.sqrt(total)


@compiled
def distance(s: Record, i: Ints, f: Floats, c: Points, npc: int, enough: float) -> float:
    """How far watching an NPC to its arrival could move the belief; to the first beyond enough."""
    start = i[s.history + npc]
    gather(s, i, f, npc)
    assess(s, i, f, start)
    weigh(s, i, f, start)
    keep_particles(s, f)
    farthest = 0.0
    for lane in range(s.lanes):
        if f[s.particle_p + lane] <= 0:
            continue
        node = imagined(s, i, f, c, start, lane)
        while node != NONE:
            assess(s, i, f, node)
            farthest = max(farthest, moved(s, i, f, start, node))
            if farthest > enough:
                return farthest
            node = imagined(s, i, f, c, node, lane)
    return farthest
