"""The lattice of a trial: an observer's values at every combination of steps seen.

What NPCs do is fixed, so as long as a player only watches, what it knows depends only on how many
steps it has seen of each NPC.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from onlooker.game import Trial
from onlooker.inference.failures import failure
from onlooker.inference.parameters import Parameters
from onlooker.observers.kernels.lattices import lattice_batch
from onlooker.observers.running import NODES, Parts
from onlooker.planning.packing import Packed
from onlooker.support.arrays import FloatArray

MOST_COMBINATIONS = 1_000_000


@dataclass(frozen=True)
class Lattice:
    """Values at every combination of steps seen: axes are the steps of each NPC, then choices."""

    trial: Trial
    values: FloatArray  # (…, choices): acting, then watching each NPC; −inf once it has arrived
    looks: FloatArray  # (…, npcs): steps that it expects to watch, at least one; nan if unknown

    @property
    def steps(self) -> tuple[int, ...]:
        """How many steps each NPC takes."""
        return tuple(size - 1 for size in self.values.shape[:-1])


class LatticeError(ValueError):
    """A trial has more combinations of steps than can be appraised."""


def lattices(
    trials: Sequence[Trial], packed: Packed, parameters: Parameters, parts: Parts
) -> list[Lattice]:
    """The lattices of trials for an observer of some parts."""
    about, values, looks = lattice_batch(
        packed, parameters.settings, int(parts.appraisal), MOST_COMBINATIONS, NODES
    )
    found = []
    for trial, row in zip(trials, about.tolist(), strict=True):
        error, npc, step, start, count, *steps = row
        if error:
            raise failure(trial, parameters, error, npc, step)
        if count > MOST_COMBINATIONS:
            raise LatticeError(
                f"{trial.label}: {count} combinations of steps are more than {MOST_COMBINATIONS}"
            )
        npcs = len(trial.npcs)
        shape = tuple(length + 1 for length in steps[:npcs])
        part = slice(start, start + count)
        found.append(
            Lattice(
                trial,
                values[part, : npcs + 1].reshape(*shape, npcs + 1),
                looks[part, :npcs].reshape(*shape, npcs),
            )
        )
    return found
