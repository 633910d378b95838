"""What the ideal observer knows: everything that could be seen, weighed from the end to the start.

It takes everybody to behave without error, and searches for the amulets so that the search is
cheapest on average.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import prod
from typing import NamedTuple

import numpy as np

from onlooker.game import ACTIONS, Action, Trial
from onlooker.inference.errors import failure
from onlooker.inference.kernels.tree import Tree
from onlooker.inference.parameters import Parameters
from onlooker.inference.room import room_for
from onlooker.observers.decoding import Decoder, failure_in
from onlooker.observers.errors import SearchError, check_wizards
from onlooker.observers.kernels.findings import Search
from onlooker.observers.kernels.ideal import consult, find_sights, weigh_states
from onlooker.observers.kernels.sights import Sights, States
from onlooker.observers.results import ACT, Belief
from onlooker.observers.teaching import with_real_paths
from onlooker.planning.compiling import choose, is_compiled
from onlooker.planning.packing import Packed, pack
from onlooker.planning.structures import Room
from onlooker.planning.world import World
from onlooker.support.arrays import IntArray

USED = (World, Tree, Search, Sights)
MOST_STATES = 1_000_000
UNCOUNTED = 1 << 15  # room is made for so many without counting how many of them there are
LIKELY_STATES = 1 << 11
PLAIN_STATE = 0.001  # seconds for a state that is not compiled, about


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
        self._packed = with_real_paths(packed or pack([trial]), self.parameters.settings)
        self._decoder = Decoder(trial)
        self._room = self._prepare()
        self.expected_cost = self._room[States].expected_cost
        self._taken = self._room[Tree].path_length[: len(trial.npcs)]  # how many steps each takes

    def _prepare(self, expected: int = LIKELY_STATES) -> Room:
        """Weigh all states; where more than expected are found, that may be worth compiling."""
        find, weigh, self._consult = choose(
            find_sights, weigh_states, consult, seconds=PLAIN_STATE * expected
        )
        settings, compiled = self.parameters.settings, is_compiled(find)
        room = room_for(self._packed, settings, compiled, Search, Sights)
        room.call(find, *USED, self._packed)
        if error := room[Tree].error:
            raise failure(self.trial, self.parameters, error, room[Tree].error_npc)
        states = self._room_needed(room)
        if states > expected and not compiled:
            return self._prepare(states)
        room.add(States, states=states)
        room.call(weigh, *USED, States)
        return room

    def _room_needed(self, room: Room) -> int:
        """For how many states there must be room, given what can be seen of each NPC."""
        sights = room[Sights]
        of_npc = room[Tree].npc[sights.node[: sights.count]]
        states = int(prod(np.bincount(of_npc).tolist()))  # at the most
        if states > min(UNCOUNTED, MOST_STATES):
            states = count_states(len(self.trial.npcs), of_npc, sights.goals[: sights.count])
        if states > MOST_STATES:
            raise SearchError(
                f"{self.trial.label}: {states} states of what can be seen are more than"
                f" {MOST_STATES}, too many for the ideal observer"
            )
        return states

    def outlook(self, steps: Sequence[int]) -> Outlook:
        """What it thinks after so many real steps of each NPC."""
        choice, cost, _ = self._room.call(self._consult, *USED, States, self._counts(steps))
        tree, search = self._room[Tree], self._room[Search]
        if tree.error:
            raise failure_in(self.trial, self.parameters, self._room)
        watch, weights = self._room[States].watch, self._room[Sights].holder_weight
        route, asked = search.route[: search.actions], search.asked[: search.interactions]
        npcs, wizards = self.trial.npcs, self.trial.map.wizards
        hypotheses = self._decoder.hypotheses
        chances = weights[: len(hypotheses.holders)] @ hypotheses.holds / weights.sum()
        return Outlook(
            npcs[choice].id if choice >= 0 else ACT,
            float(cost),
            tuple(None if value != value else value for value in watch[: len(npcs)].tolist()),
            self._decoder.belief(chances.tolist(), self.trial.needed),
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
