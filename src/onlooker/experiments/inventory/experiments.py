"""What an experiment has: maps, trials and who is on them. The paper's four are known here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from onlooker.experiments.layout import base_maps
from onlooker.game import ExperimentName, Expertise, Trial


@dataclass(frozen=True, slots=True)
class Experiment:
    """An experiment, by what its trials have."""

    name: ExperimentName
    title: str
    maps: int  # base maps
    scenarios: int  # trials on each map, which share its layout
    npcs: tuple[Expertise, ...]
    chests: int
    reveals_outcomes: bool

    @property
    def number(self) -> int:
        """The number of one of the paper's."""
        assert isinstance(self.name, int)
        return self.name

    @property
    def trials(self) -> int:
        """How many trials there are in all."""
        return self.maps * self.scenarios

    @classmethod
    def of(cls, name: ExperimentName, trials: Sequence[Trial]) -> Experiment:
        """An experiment by its trials; where they differ, by those with the most to explain."""
        if not trials:
            raise ValueError(f"there are no trials of Experiment {name}")
        bases = len(base_maps(trials))
        return cls(
            name,
            known.title if (known := paper_experiment(name)) else "",
            bases,
            len(trials) // bases,
            _cast(trials),
            max(len(trial.map.chests) for trial in trials),
            all(trial.reveals_outcomes for trial in trials),
        )


_EXPERT, _NOVICE = Expertise.EXPERT, Expertise.NOVICE

PAPER_EXPERIMENTS: dict[int, Experiment] = {  # what the paper reports is of these
    experiment.number: experiment
    for experiment in (
        Experiment(1, "one expert, one chest", 20, 1, (_EXPERT,), 1, True),
        Experiment(2, "one expert, three chests", 24, 2, (_EXPERT,), 3, True),
        Experiment(3, "two experts, three chests", 20, 2, (_EXPERT, _EXPERT), 3, True),
        Experiment(4, "expert and novice, three chests", 20, 2, (_EXPERT, _NOVICE), 3, False),
    )
}


def _cast(trials: Sequence[Trial]) -> tuple[Expertise, ...]:
    """The NPCs of the trial that has the most, and whatever kind it lacks; experts come first."""
    fullest = max(trials, key=lambda trial: (len(trial.npcs), len(set(_kinds(trial)))))
    found = _kinds(fullest)
    others = {kind for trial in trials for kind in _kinds(trial)} - set(found)
    return tuple(sorted([*found, *others], key=list(Expertise).index))


def _kinds(trial: Trial) -> list[Expertise]:
    return [npc.label for npc in trial.npcs]  # as the player is told


def paper_experiment(name: ExperimentName | None) -> Experiment | None:
    """The experiment of the paper that has a name, if one has."""
    return PAPER_EXPERIMENTS.get(name) if isinstance(name, int) else None


def experiment_title(name: ExperimentName) -> str:
    """An experiment's name in words, with what the paper's have.

    >>> experiment_title(1), experiment_title("pilot")
    ('Experiment 1: one expert, one chest', 'Experiment pilot')
    """
    known = paper_experiment(name)
    return f"Experiment {name}" + (f": {known.title}" if known else "")


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
