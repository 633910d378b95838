"""What people did in single trials of a dataset, ready to be played again."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import pandas as pd

from onlooker.experiments.archive.importing import imported_by
from onlooker.experiments.psych_ds import Dataset, read_dataset
from onlooker.experiments.replaying import Games, Key, Played, played_trials
from onlooker.experiments.stimuli import stimuli
from onlooker.experiments.trialset import load_trials
from onlooker.game import Stage, Trial
from onlooker.support.problems import DataError, Problem, first_names

NO_ACTIONS = "there is no table actions, so what people did step by step is not known"


class NoRecordingError(ValueError):
    """There is nothing to show of a participant or trial; the text says what was expected."""


@dataclass(frozen=True, slots=True)
class Recording:
    """What somebody did in a trial."""

    participant: str
    position: int  # of the trial in the ordering, from 1
    stage: Stage  # the game by whose rules it was played
    log: tuple[str, ...]
    waits: tuple[float | None, ...]  # seconds before each choice, where they are known


class Recordings:
    """All trials of a dataset that were replayed on the game and whose trials are available."""

    def __init__(self, dataset: Dataset, trials: Iterable[Trial]) -> None:
        if "actions" not in dataset.tables:
            raise DataError([Problem("", NO_ACTIONS)])
        self.name, self._games = dataset.description.name, Games(trials, dataset.description.rules)
        self._unknown: dict[str, dict[str, Played]] = {}
        self._known: dict[str, dict[str, Played]] = {}
        for played in played_trials(dataset.tables):
            kind = self._known if played.key in self._games.trials else self._unknown
            kind.setdefault(played.participant, {})[played.key[1]] = played
        listed = dataset.tables["participants"]["participant"]
        self.participants = [name for name in listed if name in self._known]

    def __iter__(self) -> Iterator[Recording]:
        return (self._recording(each) for name in self.participants for each in self.rounds(name))

    def rounds(self, participant: str) -> list[Played]:
        """The trials of a participant in the order of play."""
        mine = self._known.get(participant, {}).values()
        return sorted(mine, key=lambda played: played.trial["position"])

    def trial(self, key: Key) -> Trial:
        """The trial of an experiment and name."""
        return self._games.trials[key]

    def find(self, participant: str, level: str) -> Recording:
        """What a participant did in a trial; NoRecordingError says what there is instead."""
        if level in self._unknown.get(participant, {}):
            reason = f"trial {level} is not among the stimuli; expected the trials that were played"
            raise NoRecordingError(reason)
        if participant not in self._known:
            names = first_names(self.participants) or "nobody"
            reason = f"there is no participant {participant!r} with a trial to replay"
            raise NoRecordingError(f"{reason}; expected {names}")
        if level not in self._known[participant]:
            levels = [played.key[1] for played in self.rounds(participant)]
            reason = f"{participant} has no replay of a level {level!r}"
            raise NoRecordingError(f"{reason}; expected {first_names(levels)}")
        return self._recording(self._known[participant][level])

    def _recording(self, played: Played) -> Recording:
        stage = self._games.judged(played)
        if isinstance(stage, Problem):
            raise DataError([stage])
        rows = [row for _, row in played.actions]
        log = tuple(row["choice"] for row in rows)
        position = int(played.trial["position"])
        return Recording(played.participant, position, stage, log, tuple(_waits(rows)))


def read_recordings(
    folder: str | os.PathLike[str], paths: Iterable[str | os.PathLike[str]] = ()
) -> Recordings:
    """What people did, from a dataset or the import of an archive.

    The trials are those of some files and folders, else those of the import, else ours.
    """
    people, trials = imported_by(Path(folder)) or (Path(folder), None)
    given = [*paths] or trials
    known = load_trials(given) if given else stimuli()
    return Recordings(read_dataset(people, known, complete=False), known)


def _waits(rows: list[dict[str, Any]]) -> Iterator[float | None]:
    """The time before each choice; where only the server's clock is known, not of the first."""
    if not rows:
        return
    times = [_time(row) for row in rows]
    yield times[0] if "seconds" in rows[0] else None
    for before, after in pairwise(times):
        yield None if before is None or after is None else after - before


def _time(row: dict[str, Any]) -> float | None:
    value = row["seconds"] if "seconds" in row else row.get("time")
    if value is None or pd.isna(value):
        return None
    return value.timestamp() if isinstance(value, datetime) else float(value)
