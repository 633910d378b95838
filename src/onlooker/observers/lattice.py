"""The lattice of a trial: an observer's values at every combination of steps seen.

What NPCs do is fixed, so as long as a player only watches, what it knows depends only on how many
steps it has seen of each NPC.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from onlooker.game import Trial
from onlooker.inference.errors import TooLargeError, failure
from onlooker.inference.kernels.tree import Tree
from onlooker.inference.parameters import Parameters
from onlooker.inference.room import room_for
from onlooker.observers.errors import check_searchable
from onlooker.observers.kernels.findings import Search
from onlooker.observers.kernels.lattices import Rows, lattice_batch
from onlooker.observers.kernels.lookahead_lattices import lookahead_batch
from onlooker.observers.kernels.plans import Lookahead
from onlooker.observers.kernels.thoughts import Thoughts
from onlooker.observers.running import Parts
from onlooker.observers.teaching import with_real_paths
from onlooker.planning.compiling import Entry, choose, is_compiled
from onlooker.planning.packing import Packed, alike
from onlooker.planning.world import World
from onlooker.support.arrays import BoolArray, FloatArray, IntArray

MOST_COMBINATIONS = 1_000_000
ROWS = 1 << 14  # that there is room for at first, at the most


class _Task(NamedTuple):
    """How a lattice is made."""

    entry: Entry
    memory: tuple[type, ...]  # structures beside those of all lattices
    nodes: int  # that there is room for at first
    seconds: float  # for a combination, if it is not compiled


_PRESENT = _Task(lattice_batch, (), 256, 0.0005)
# Everything that could be seen makes a large tree.
_AHEAD = _Task(lookahead_batch, (Search, Lookahead), 1 << 13, 0.005)


@dataclass(frozen=True)
class Lattice:
    """An observer at every combination of steps seen: axes are the steps of each NPC, then others.

    Choices are numbered: 0 is acting, `1 + n` is watching NPC n. The NPC watched last is
    numbered in the same way: 0 is none.
    """

    trial: Trial
    values: FloatArray  # (…, choices): −inf once an NPC has arrived; nan if it has no values
    looks: FloatArray  # (…, npcs): steps that it expects to watch, at least one; nan if unknown
    chosen: IntArray  # (…, last): its own choice, after the NPC that was watched last
    actions: IntArray  # (…): of the main agent if it acts there, −1 if that gets stuck
    interactions: IntArray  # (…): among them

    @property
    def steps(self) -> tuple[int, ...]:
        """How many steps each NPC takes."""
        return tuple(size - 1 for size in self.values.shape[:-1])

    @property
    def available(self) -> BoolArray:
        """(…, choices): what can be chosen; acting always, an NPC until it has arrived."""
        found = np.ones(self.values.shape, bool)
        for npc, steps in enumerate(self.steps):
            np.moveaxis(found[..., 1 + npc], npc, 0)[steps] = False
        return found

    @property
    def takes_turns(self) -> bool:
        """Whether its own choice depends on whom it watched last."""
        return bool((self.chosen != self.chosen[..., :1]).any())


class LatticeError(TooLargeError):
    """A trial has more combinations of steps than can be appraised."""

    def __init__(self, trial: Trial, count: int) -> None:
        super().__init__(
            f"{trial.label}: {count} combinations of steps are more than {MOST_COMBINATIONS}"
        )


def lattices(
    trials: Sequence[Trial], packed: Packed, parameters: Parameters, parts: Parts
) -> list[Lattice]:
    """The lattices of trials for an observer of some parts."""
    task = _AHEAD if parts.appraisal.looks_ahead else _PRESENT
    if task is _AHEAD:
        check_searchable(trials, parameters)
    combinations = sum((t.map.width + t.map.height) ** len(t.npcs) for t in trials)  # about
    [call] = choose(task.entry, seconds=task.seconds * combinations)
    used, settings = (Thoughts, *task.memory), parameters.settings
    packed = with_real_paths(packed, settings)
    room = room_for(packed, settings, is_compiled(call), *used, nodes=task.nodes)
    # These lie in memory of their own, which is all that lattices keep.
    room.add(Rows, trials=len(trials), rows=min(combinations, ROWS))
    rows = room[Rows]
    rows.appraisal, rows.rule, rows.trust = map(int, parts)
    rows.limit = MOST_COMBINATIONS
    if task is _AHEAD:
        rows.alike[:] = alike(packed)
    room.call(call, World, Tree, *used, Rows, packed)
    return _unpack(trials, parameters, room[Rows])


def _unpack(trials: Sequence[Trial], parameters: Parameters, rows: Rows) -> list[Lattice]:
    """The lattices out of the rows of all trials; the first trial that fails is raised."""
    found = []
    values, looks, chosen, acting = rows.value, rows.looks, rows.chosen, rows.acting
    for number, trial in enumerate(trials):
        if error := int(rows.error[number]):
            npc, step = int(rows.error_npc[number]), int(rows.error_step[number])
            raise failure(trial, parameters, error, npc, step)
        start, count = int(rows.start[number]), int(rows.count[number])
        if count > rows.limit:
            raise LatticeError(trial, count)
        npcs = len(trial.npcs)
        shape = tuple((rows.steps[number, :npcs] + 1).tolist())
        part = slice(start, start + count)
        found.append(
            Lattice(
                trial,
                values[part, : npcs + 1].reshape(*shape, npcs + 1),
                looks[part, :npcs].reshape(*shape, npcs),
                chosen[part, : npcs + 1].reshape(*shape, npcs + 1),
                acting[part, 1].reshape(shape),
                acting[part, 2].reshape(shape),
            )
        )
    return found
