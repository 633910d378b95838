"""Players over the trials of an experiment, and the data that they leave."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from onlooker.experiments.naming import is_name, slug
from onlooker.experiments.records import Records
from onlooker.game import (
    MOST_CHOICES,
    Choice,
    ExperimentName,
    Player,
    PlayerError,
    PlayerView,
    Stage,
    play_trial,
)
from onlooker.observers.registry import describe
from onlooker.players.datasets import record_plays
from onlooker.players.registry import Entrant

Progress = Callable[[Iterable[Stage], int], Iterable[Stage]]


@dataclass(frozen=True)
class Failure:
    """A trial that a player could not go on with; what it had played until then is kept."""

    participant: str
    level: str
    reason: str


@dataclass
class Playing:
    """What an entrant did: the tables of a study, and where it failed."""

    records: Records = field(default_factory=Records)
    failures: list[Failure] = field(default_factory=list)


def let_play(
    entrant: Entrant,
    stages: Sequence[Stage],
    repeats: int = 1,
    seed: int = 1,
    most: int = MOST_CHOICES,
    progress: Progress = lambda items, total: items,
) -> Playing:
    """Let an entrant play all stages, several times if it does not always play the same way.

    Each time is a participant. A trial that a player fails in is ended there, and the player starts
    the next one as if nothing had happened.
    """
    playing = Playing()
    times = repeats if entrant.stochastic else 1
    seeds = np.random.SeedSequence([seed, *entrant.name.encode()]).spawn(times)
    groups = _by_experiment(stages)
    for number, own in enumerate(seeds, start=1):
        done = iter(progress(stages, len(stages)))  # once around for each repeat
        for experiment, group in groups.items():
            participant = f"{entrant.name}-{slug(experiment)}-{number}"
            logs: list[list[Choice]] = []
            for stage, each in zip(group, own.spawn(len(group)), strict=True):
                log, reason = _log(entrant, stage, each, most)
                logs.append(log)
                if reason:
                    playing.failures.append(Failure(participant, stage.trial.label, reason))
                next(done, None)
            playing.records.extend(record_plays(experiment, participant, group, logs))
    return playing


class _Remembering:
    """A player, and what it has chosen so far, which is kept when it fails."""

    def __init__(self, player: Player) -> None:
        self.player, self.chosen = player, list[Choice]()

    def choose(self, view: PlayerView) -> Choice:
        choice = self.player.choose(view)
        self.chosen.append(choice)
        return choice


def _log(
    entrant: Entrant, stage: Stage, seed: np.random.SeedSequence, most: int
) -> tuple[list[Choice], str]:
    """The choices of one play, and why it ended before the chest, if it did."""
    player = _Remembering(entrant.make(stage.trial, seed))
    try:
        turns = play_trial(stage, player, most)
    except PlayerError as error:
        return [
            turn.choice for turn in error.turns
        ], f"choice {len(error.turns) + 1}: {error.reason}"
    except Exception as error:  # whatever somebody's own player does
        return player.chosen, f"choice {len(player.chosen) + 1}: {describe(error)}"
    over = bool(turns) and turns[-1].situation.over
    return [turn.choice for turn in turns], "" if over else f"not done after {most} choices"


def _by_experiment(stages: Sequence[Stage]) -> dict[ExperimentName, list[Stage]]:
    found: dict[ExperimentName, list[Stage]] = {}
    for stage in stages:
        name = stage.trial.experiment
        if not is_name(name):
            raise ValueError(f"{stage.trial.label}: expected a trial that names an experiment")
        found.setdefault(name, []).append(stage)
    return found
