"""Compiled: whole runs of the observers on many trials.

`planning.memory` says what the arguments are.
"""

from __future__ import annotations

from typing import Any

from onlooker.inference.kernels.codes import TOO_LONG
from onlooker.inference.kernels.histories import plant
from onlooker.inference.kernels.paths import follow, observe, restart
from onlooker.inference.kernels.posteriors import candidates
from onlooker.observers.kernels.choices import (
    mentalizing_observer,
    naive_observer,
    next_in_turn,
    present,
    rational_mentalizing,
    rational_observer,
    trust,
)
from onlooker.observers.kernels.tours import act
from onlooker.planning.compiling import Entry, compiled
from onlooker.planning.kernels import begin, fill
from onlooker.planning.memory import EMPTY, NONE, Floats, Ints, Points, Record, Records

# What a run leaves, in this order
ERROR, ERROR_NPC, ERROR_STEP, WATCHED, CANDIDATES, TAKEN, INTERACTIONS, OBSERVED = range(8)
RATIONAL_MENTALIZING, MENTALIZING_OBSERVER, RATIONAL_OBSERVER, NAIVE_OBSERVER = range(4)


@compiled
def watch(s: Record, i: Ints, f: Floats, c: Points, observer: int) -> tuple[int, int]:
    """Observe as long as an observer does; how many steps, and the candidates it then acts on."""
    restart(s, i)
    fill(i, s.until, s.npcs, 0)
    fill(i, s.trusted, s.npcs, NONE)
    if s.open and observer == RATIONAL_OBSERVER:
        rational_observer(s, i, f, c)
    if s.open and observer == NAIVE_OBSERVER:
        naive_observer(s, i)
    count, npc = 0, NONE
    while s.open and not s.error:
        if observer == RATIONAL_MENTALIZING:
            npc = rational_mentalizing(s, i, f, c)
        elif observer == MENTALIZING_OBSERVER:
            npc = mentalizing_observer(s, i, f, c, npc)
        else:
            npc = next_in_turn(s, i, npc)
        if npc == NONE or s.error:
            break
        if count >= s.moves:
            s.error = TOO_LONG
            break
        i[s.choices + count] = npc
        count += 1
        observe(s, i, f, npc)
    if observer in (RATIONAL_OBSERVER, NAIVE_OBSERVER):
        return count, trust(s, i)
    belief = present(s, i, f)
    return count, candidates(s, i, f[belief : belief + s.wizards])


def _run_all(
    records: Records,
    packed: Ints,
    i: Ints,
    f: Floats,
    c: Points,
    observers: Ints,
    outcomes: Any,
    choices: Any,
    routes: Any,
) -> None:
    """Run observers on trials, one after the other in the same memory."""
    for trial in range(len(records)):
        s = records[trial]
        s.error = 0
        begin(s, packed, i)
        plant(s, i, f)
        s.tour_count = 0
        follow(s, i, f, c)
        for index in range(len(observers)):
            out = outcomes[trial, index]
            if not s.error:
                s.cell, s.amulets = s.main_cell, EMPTY
                chosen, route = choices[trial, index], routes[trial, index]
                run_one(s, i, f, c, observers[index], out, chosen, route)
            out[ERROR], out[ERROR_NPC], out[ERROR_STEP] = s.error, s.error_npc, s.error_step


@compiled
def run_one(
    s: Record, i: Ints, f: Floats, c: Points, observer: int, out: Any, choices: Any, route: Any
) -> None:
    """Run one observer on the trial that is laid out, and write down what it did."""
    watched, wizards = watch(s, i, f, c, observer)
    if s.error:
        return
    count, interactions = act(s, i, c, wizards)
    out[WATCHED], out[CANDIDATES] = watched, wizards
    out[TAKEN], out[INTERACTIONS] = count, interactions
    for npc in range(s.npcs):
        out[OBSERVED + npc] = i[s.node_steps + i[s.history + npc]]
    for index in range(watched):
        choices[index] = i[s.choices + index]
    for index in range(count):
        route[index] = i[s.route + index]


run_all = Entry(_run_all)
