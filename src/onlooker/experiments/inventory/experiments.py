"""The four experiments: how many maps and trials each has, and who is on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from onlooker.game import Expertise, Trial


@dataclass(frozen=True, slots=True)
class Experiment:
    """One experiment of the paper."""

    number: int
    title: str
    maps: int  # base maps
    scenarios: int  # trials on each map, which share its layout
    npcs: tuple[Expertise, ...]
    chests: int
    reveals_outcomes: bool

    @property
    def trials(self) -> int:
        """How many trials there are in all."""
        return self.maps * self.scenarios


_EXPERT, _NOVICE = Expertise.EXPERT, Expertise.NOVICE

EXPERIMENTS: dict[int, Experiment] = {
    experiment.number: experiment
    for experiment in (
        Experiment(1, "one expert, one chest", 20, 1, (_EXPERT,), 1, True),
        Experiment(2, "one expert, three chests", 24, 2, (_EXPERT,), 3, True),
        Experiment(3, "two experts, three chests", 20, 2, (_EXPERT, _EXPERT), 3, True),
        Experiment(4, "expert and novice, three chests", 20, 2, (_EXPERT, _NOVICE), 3, False),
    )
}


def differences(experiment: Experiment, trials: Sequence[Trial]) -> list[str]:
    """How a set of trials differs from an experiment's inventory, in words; none if it does not."""
    found = []
    if len(trials) != experiment.trials:
        found.append(f"{len(trials)} trials, not {experiment.trials}")
    for trial in trials:
        npcs = sorted(npc.expertise for npc in trial.npcs)
        if npcs != sorted(experiment.npcs):
            found.append(f"{trial.label}: its NPCs are {', '.join(npcs) or 'none'}")
        if len(trial.map.chests) != experiment.chests:
            found.append(f"{trial.label}: {len(trial.map.chests)} chests")
        if trial.reveals_outcomes is not experiment.reveals_outcomes:
            word = "reveals" if trial.reveals_outcomes else "hides"
            found.append(f"{trial.label}: {word} outcomes")
    return found
