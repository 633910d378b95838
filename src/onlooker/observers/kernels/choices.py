"""Compiled: how each of the four observers chooses whom to watch, and whom to trust.

`reference` is the plain version. `planning.memory` says what the arguments are.
"""

from __future__ import annotations

import numpy as np

from onlooker.inference.kernels.paths import arrived
from onlooker.inference.kernels.posteriors import assess, gather, settled
from onlooker.observers.kernels.tours import c_self, colours_of
from onlooker.observers.kernels.watching import distance, residual, worth
from onlooker.planning.compiling import compiled
from onlooker.planning.memory import EMPTY, NONE, Floats, Ints, Points, Record

MARGIN = 1e-9  # points by which watching must be cheaper


@compiled
def present(s: Record, i: Ints, f: Floats) -> int:
    """Where the present belief lies; it is the same whichever NPC it is read from."""
    gather(s, i, f, EMPTY)
    assess(s, i, f, i[s.history])
    return s.belief + i[s.history] * s.wizards


@compiled
def rational_mentalizing(s: Record, i: Ints, f: Floats, c: Points) -> int:
    """The NPC of the least Q_obs if that is below C_self, the first among equals; else NONE."""
    present(s, i, f)
    least = now = residual(s, i, f, c, i[s.history])
    for npc in range(s.npcs):
        f[s.q_obs + npc] = np.inf if arrived(s, i, npc) else worth(s, i, f, c, npc)
        least = min(least, f[s.q_obs + npc])
    if least < now - MARGIN:
        for npc in range(s.npcs):
            if f[s.q_obs + npc] <= least + MARGIN:
                return npc
    return NONE


@compiled
def mentalizing_observer(s: Record, i: Ints, f: Floats, c: Points, last: int) -> int:
    """The next NPC in turn whose future could move the belief, NONE if that is settled."""
    belief = present(s, i, f)
    if settled(s, i, f[belief : belief + s.wizards]):
        return NONE
    for turn in range(1, s.npcs + 1):
        npc = (last + turn) % s.npcs
        if not arrived(s, i, npc) and distance(s, i, f, c, npc, s.epsilon) > s.epsilon:
            return npc
    return NONE


@compiled
def meet(s: Record, i: Ints, npc: int, amulets: int) -> bool:
    """Wait for an NPC until it first asks a wizard of some colours; whether it ever does."""
    for step in range(i[s.path_length + npc]):
        wizard = i[s.met + npc * s.steps + step]
        if wizard != NONE and amulets >> i[s.wizard_colour + wizard] & 1:
            i[s.until + npc], i[s.trusted + npc] = step + 1, wizard
            return True
    return False


@compiled
def rational_observer(s: Record, i: Ints, f: Floats, c: Points) -> None:
    """Decide whom to watch to its first interaction: the experts worth it, or else the novices."""
    every, holders = EMPTY, EMPTY
    for wizard in range(s.wizards):
        colour = i[s.wizard_colour + wizard]
        if s.needed >> colour & 1:
            every |= 1 << wizard
            if i[s.holder_of + s.truth * s.colours + colour] == wizard:
                holders |= 1 << wizard
    informed, alone = c_self(s, i, f, c, holders, NONE), c_self(s, i, f, c, every, NONE)
    for expert in range(1, -1, -1):
        found = False
        for npc in range(s.npcs):
            if i[s.npc_expert + npc] == expert and meet(s, i, npc, s.masks - 1):
                if s.observe * i[s.until + npc] + informed < alone - MARGIN:
                    found = True
                else:
                    i[s.until + npc], i[s.trusted + npc] = 0, NONE
        if found:
            break


@compiled
def naive_observer(s: Record, i: Ints) -> None:
    """Decide to watch every expert to its first relevant interaction, or to its arrival."""
    for npc in range(s.npcs):
        if not (s.anyone or i[s.npc_expert + npc]):
            continue
        if not meet(s, i, npc, s.masks - 1 if s.anyone else s.open):
            i[s.until + npc] = i[s.path_length + npc]


@compiled
def trust(s: Record, i: Ints) -> int:
    """The candidates of a trusting observer: of each needed colour the trusted ones, or all."""
    trusted = EMPTY
    for npc in range(s.npcs):
        if i[s.trusted + npc] != NONE:
            trusted |= 1 << i[s.trusted + npc]
    colours = colours_of(s, i, trusted)
    wizards = 0
    for wizard in range(s.wizards):
        bit = 1 << i[s.wizard_colour + wizard]
        if s.needed & bit and (trusted >> wizard & 1 or not colours & bit):
            wizards |= 1 << wizard
    return wizards


@compiled
def next_in_turn(s: Record, i: Ints, last: int) -> int:
    """The next NPC in turn that a trusting observer has not watched long enough, or NONE."""
    for turn in range(1, s.npcs + 1):
        npc = (last + turn) % s.npcs
        if i[s.node_steps + i[s.history + npc]] < i[s.until + npc]:
            return npc
    return NONE
