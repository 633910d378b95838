"""What the ideal observer knows: everything that could be seen, weighed from the end to the start.

It takes everybody to behave without error, and searches for the amulets so that the search is
cheapest on average.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from onlooker.game import ACTIONS, Action, Trial, needed
from onlooker.inference.failures import failure
from onlooker.inference.kernels.errors import FULL
from onlooker.inference.parameters import Parameters
from onlooker.observers.decoding import Decoder, cell_of, colours_of
from onlooker.observers.results import ACT, Belief
from onlooker.observers.running import NODES
from onlooker.observers.searching import SearchError, check_wizards
from onlooker.planning.packing import Packed, pack
from onlooker.support.arrays import IntArray

MOST_STATES = 1_000_000
STATES = 1 << 14  # room for states at first; where that is too little, they are counted


class Outlook(NamedTuple):
    """What the ideal observer thinks at a point of a trial."""

    choice: str  # an NPC's id, or "act"
    act: float  # points: the expected cost of acting now
    watch: tuple[float | None, ...]  # per NPC, None for one that cannot be watched any more
    belief: Belief  # about the needed colours
    route: tuple[Action, ...]  # if it acts here, and
    asked: tuple[str, ...]  # the wizards that it then asks, one after the other


class Foresight:
    """Everything that can be seen in a trial, weighed from its end to its start.

    >>> from onlooker.game import load_trial
    >>> foresight = Foresight(load_trial("examples/two-experts.map"))
    >>> foresight.expected_cost
    65.0
    >>> foresight.outlook((0, 0)).act, foresight.outlook((0, 1)).act
    (70.5, 56.0)
    """

    def __init__(
        self,
        trial: Trial,
        parameters: Parameters | None = None,
        packed: Packed | None = None,
    ) -> None:
        check_wizards(trial)
        self.trial, self.parameters = trial, parameters or Parameters()
        self.needed = tuple(needed(trial.map, trial.main.at, trial.main.goal) or ())
        self._packed, self._decoder = packed or pack([trial]), Decoder(trial)
        self._kept, self.expected_cost, lengths = self._prepare()
        self._taken = lengths[: len(trial.npcs)]  # how many steps each NPC takes

    def _prepare(self) -> tuple[Any, float, IntArray]:
        """Weigh all states, in as much room as they need."""
        from onlooker.observers.kernels.ideal import prepare_ideal  # only where it is needed

        nodes, states = NODES, min(STATES, MOST_STATES)
        settings = self.parameters.settings
        while True:
            kept, found = prepare_ideal(self._packed, settings, nodes, states)
            error, npc, room, expected, of_npc, goals, lengths = found
            if error == FULL:
                nodes *= 2
            elif error:
                raise failure(self.trial, self.parameters, error, npc)
            elif not room:
                states = count_states(len(self.trial.npcs), of_npc, goals)
                if states > MOST_STATES:
                    raise SearchError(
                        f"{self.trial.label}: {states} states of what can be seen are more than"
                        f" {MOST_STATES}, too many for the ideal observer"
                    )
            else:
                return kept, float(expected), lengths

    def outlook(self, steps: Sequence[int]) -> Outlook:
        """What it thinks after so many real steps of each NPC."""
        from onlooker.observers.kernels.ideal import consult_ideal

        found = consult_ideal(*self._kept, self._counts(steps))
        error, choice, cost, watch, weights, route, asked = found
        if error[0]:
            code, npc, step, square, amulets = error.tolist()
            place, held = cell_of(self.trial, square), colours_of(self.trial, amulets)
            lacking = tuple(colour for colour in self.needed if colour not in held)
            raise failure(self.trial, self.parameters, code, npc, step, place, lacking)
        npcs, wizards = self.trial.npcs, self.trial.map.wizards
        hypotheses = self._decoder.hypotheses
        chances = weights[: len(hypotheses.holders)] @ hypotheses.holds / weights.sum()
        return Outlook(
            npcs[choice].id if choice >= 0 else ACT,
            float(cost),
            tuple(None if value != value else value for value in watch[: len(npcs)].tolist()),
            self._decoder.belief(chances.tolist(), self.needed),
            tuple(ACTIONS[action] for action in route.tolist()),
            tuple(wizards[wizard].id for wizard in asked.tolist()),
        )

    def _counts(self, steps: Sequence[int]) -> IntArray:
        """Steps seen of each NPC; ValueError if nobody can have seen them."""
        taken, counts = self._taken, np.asarray(steps)
        if not counts.size:
            counts = counts.astype(np.int64)  # numpy takes no numbers for floating-point ones
        fits = counts.shape == taken.shape and counts.dtype.kind in "iu"
        if fits and ((counts >= 0) & (counts <= taken)).all():
            return counts.astype(np.int64)
        most = ", ".join(
            f"{npc.id} {count}" for npc, count in zip(self.trial.npcs, taken.tolist(), strict=True)
        )
        raise ValueError(
            f"{self.trial.label}: expected steps seen of each NPC, at most {most}, not {steps!r}"
        )


def count_states(npcs: int, of_npc: IntArray, goals: IntArray) -> int:
    """How many states there are: sights of all NPCs that some holders lead to together."""
    every = (1 << goals.shape[1]) - 1
    counts = Counter({every: 1})  # of states of the NPCs so far, by the holders that lead there
    for npc in range(npcs):
        sights = Counter(
            sum(1 << h for h in np.flatnonzero(row).tolist()) for row in goals[of_npc == npc]
        )
        joined: Counter[int] = Counter()
        for before, states in counts.items():
            for holders, count in sights.items():
                if before & holders:
                    joined[before & holders] += states * count
        counts = joined
    return counts.total()
