"""Decisions with names, read out of the arrays that compiled functions leave."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from onlooker.game import Trial
from onlooker.inference.hypotheses import Hypotheses
from onlooker.observers.kernels.parts import Appraisal
from onlooker.observers.results import ACT, Belief, Decision, Goals, Particle


class Ingredients(NamedTuple):
    """What a decision was made of, as arrays; of a trace they have one more axis, its rows."""

    value: Any  # (choices)
    probability: Any  # (choices)
    belief: Any  # (wizards)
    goal_p: Any  # (npcs, goals)
    c_self: Any
    q_obs: Any  # (npcs)
    distance: Any  # (npcs)
    particle_p: Any  # (npcs, lanes)
    particle_steps: Any  # (npcs, lanes)
    particle_residual: Any  # (npcs, lanes)


class Decoder:
    """The names behind the numbers of one trial."""

    def __init__(self, trial: Trial) -> None:
        self.trial = trial
        self.hypotheses = Hypotheses(trial.map)

    def decision(
        self,
        appraisal: Appraisal,
        choice: int,
        found: Ingredients,
        colours: Sequence[str],
        first: bool,
    ) -> Decision:
        """What an appraisal computed and what was chosen; `first` if nothing was watched before."""
        npcs = self.trial.npcs
        name = npcs[choice].id if choice >= 0 else ACT
        belief, goals = None, None
        if appraisal not in (Appraisal.MEETING_COSTS, Appraisal.MEETINGS):
            belief = self.belief(found.belief.tolist(), colours)
            goals = self.goals(found.goal_p)
        if appraisal == Appraisal.BELIEF_DISTANCE:
            return Decision(name, belief, goals, distances=self._per_npc(found.distance))
        if appraisal == Appraisal.MEETINGS or (appraisal == Appraisal.MEETING_COSTS and not first):
            return Decision(name)
        particles = None
        if appraisal == Appraisal.IMAGINED_COSTS:
            particles = tuple(self.particles(found, npc) for npc in range(len(npcs)))
        q_obs = self._per_npc(found.q_obs)
        return Decision(name, belief, goals, found.c_self.item(), q_obs, particles)

    def belief(self, chances: Sequence[float], colours: Sequence[str]) -> Belief:
        """For each of some colours, how likely each wizard is its holder."""
        index, wizards_of = self.hypotheses.wizard_index, self.trial.map.wizards_of
        return {
            colour: {w.id: chances[index[w.id]] for w in wizards_of[colour]} for colour in colours
        }

    def goals(self, goal_p: Any) -> tuple[Goals, ...]:
        """How likely each chest is each NPC's goal."""
        letters = self.hypotheses.goals
        npcs = len(self.trial.npcs)
        return tuple(dict(zip(letters, row, strict=False)) for row in goal_p[:npcs].tolist())

    def particles(self, found: Ingredients, npc: int) -> tuple[Particle, ...]:
        """The hypotheses about an NPC that were imagined."""
        hypotheses = self.hypotheses
        holders = len(hypotheses.holders)
        chances = found.particle_p[npc, : holders * len(hypotheses.goals)]
        lanes = np.flatnonzero(chances).tolist()
        return tuple(
            Particle(hypotheses.goals[lane // holders], hypotheses.holders[lane % holders], *rest)
            for lane, *rest in zip(
                lanes,
                chances[lanes].tolist(),
                found.particle_steps[npc, lanes].tolist(),
                found.particle_residual[npc, lanes].tolist(),
                strict=True,
            )
        )

    def _per_npc(self, values: Any) -> tuple[float | None, ...]:
        return tuple(
            None if value != value else value for value in values[: len(self.trial.npcs)].tolist()
        )


class LazyTrace(Sequence[Decision]):
    """The decisions of a run, each made into an object when it is read."""

    def __init__(
        self, decoder: Decoder, appraisal: Appraisal, chosen: Any, rows: Ingredients,
        colours: Sequence[str],
    ) -> None:  # fmt: skip
        self._decoder, self._appraisal, self._colours = decoder, appraisal, colours
        self._chosen, self._rows = chosen, rows
        self._made: dict[int, Decision] = {}

    def __len__(self) -> int:
        return len(self._chosen)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return tuple(self[i] for i in range(*index.indices(len(self))))
        row = range(len(self))[index]
        if row not in self._made:
            found = Ingredients(*(array[row] for array in self._rows))
            self._made[row] = self._decoder.decision(
                self._appraisal, int(self._chosen[row]), found, self._colours, first=row == 0
            )
        return self._made[row]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self._chosen.tolist()))

    def __repr__(self) -> str:
        return repr(tuple(self))
