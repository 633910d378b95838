"""Compiled: what the NPCs really do, and seeing it.

`reference` is the plain version. `planning.memory` says what the arguments are.
"""

from __future__ import annotations

from onlooker.inference.kernels.codes import ASKED, NPC_STUCK, OUTCOMES, TOO_LONG, UNEXPLAINED
from onlooker.inference.kernels.histories import after, explained, imagined, together, would_see
from onlooker.planning.compiling import compiled
from onlooker.planning.kernels import ahead, walkable
from onlooker.planning.memory import EMPTY, NONE, Floats, Ints, Points, Record


@compiled
def follow(s: Record, i: Ints, f: Floats, c: Points) -> None:
    """Work out what the NPCs really do: the nodes that they come through and whom they ask."""
    script = s.script
    for npc in range(s.npcs):
        length = i[s.script_length + npc]
        lane = i[s.npc_goal + npc] * s.holders + s.truth
        node, step = i[s.history + npc], 0
        i[s.path + npc * s.steps] = node
        while not i[s.node_arrived + node] and step != length:
            cell = i[s.node_cell + node]
            if length == NONE:
                node = imagined(s, i, f, c, node, lane)
            else:
                node = scripted(s, i, f, c, node, lane, i[script + step])
            if node == NONE or step + 1 >= s.steps:
                s.error_npc = npc
                if not s.error:
                    s.error = NPC_STUCK if node == NONE else TOO_LONG
                return
            action, outcome = i[s.node_seen + node] // OUTCOMES, i[s.node_seen + node] % OUTCOMES
            asked = i[s.wizard_at + ahead(s, cell, action)] if outcome >= ASKED else NONE
            i[s.met + npc * s.steps + step] = asked
            step += 1
            i[s.path + npc * s.steps + step] = node
        if step < length:  # it was to act on after its arrival
            s.error, s.error_npc = NPC_STUCK, npc
            return
        i[s.path_length + npc] = step
        script += max(length, 0)


@compiled
def scripted(s: Record, i: Ints, f: Floats, c: Points, node: int, lane: int, action: int) -> int:
    """The node after an action that the stimulus fixes, NONE if it is not available."""
    seen = would_see(s, i, node, lane, action)
    amulets = EMPTY
    for colour in range(s.colours):
        holder = i[s.holder_of + s.truth * s.colours + colour]
        amulets |= (i[s.node_asked + node] >> holder & 1) << colour
    there = ahead(s, i[s.node_cell + node], action)
    if seen % OUTCOMES < ASKED and not walkable(s, i, there, amulets):
        return NONE
    return after(s, i, f, c, node, seen)


@compiled
def restart(s: Record, i: Ints) -> None:
    """Back to where nothing was seen of any NPC."""
    for npc in range(s.npcs):
        i[s.history + npc] = npc


@compiled
def arrived(s: Record, i: Ints, npc: int) -> bool:
    """Whether an NPC has arrived, or done everything it does."""
    return i[s.node_steps + i[s.history + npc]] >= i[s.path_length + npc]


@compiled
def observe(s: Record, i: Ints, f: Floats, npc: int) -> None:
    """See one more step of an NPC."""
    step = i[s.node_steps + i[s.history + npc]] + 1
    node = i[s.path + npc * s.steps + step]
    i[s.history + npc] = node
    if not explained(s, f, node) or not together(s, i, f):
        s.error, s.error_npc, s.error_step = UNEXPLAINED, npc, step
