"""The people of a dataset as players: what they did, as the dataset recorded it."""

from __future__ import annotations

from onlooker.experiments.naming import rank
from onlooker.experiments.recordings import Recordings
from onlooker.game import ExperimentName, Trial
from onlooker.web.replay.builder import NoReplayError
from onlooker.web.replay.catalogue import TrialCatalogue
from onlooker.web.replay.document import DATA, PlayedLog, recorded_log
from onlooker.web.replay.sessions import PlayedRound, ReplayPlayer


def recorded_trials(data: Recordings) -> dict[ExperimentName, list[Trial]]:
    """The trials of each experiment that somebody played."""
    keys = {played.key for name in data.participants for played in data.rounds(name)}
    found: dict[ExperimentName, list[Trial]] = {}
    for key in sorted(keys, key=lambda key: (rank(key[0]), key[1])):
        found.setdefault(key[0], []).append(data.trial(key))
    return found


def recorded_people(data: Recordings, catalogue: TrialCatalogue) -> list[ReplayPlayer]:
    """Everybody of a dataset."""
    return [
        ReplayPlayer(f"{DATA}{name}", name, f"Data: {data.name}", _rounds(data, catalogue, name))
        for name in data.participants
    ]


def recorded(data: Recordings, catalogue: TrialCatalogue, player: str, trial: str) -> PlayedLog:
    """What somebody of a dataset did in a trial; in the last one unless a trial is named.

    NoReplayError if there is nothing to show.
    """
    name = player.removeprefix(DATA)
    levels = {
        round_.trial: played.key[1]
        for round_, played in zip(_rounds(data, catalogue, name), data.rounds(name), strict=True)
    }
    trial = trial or next(reversed(levels), "")
    if trial not in levels:
        raise NoReplayError("This participant has no replay of this trial.")
    return recorded_log(data.find(name, levels[trial]), trial)


def _rounds(data: Recordings, catalogue: TrialCatalogue, name: str) -> tuple[PlayedRound, ...]:
    return tuple(
        PlayedRound(
            int(played.trial["position"]), catalogue.data_id(played.key[0], data.trial(played.key))
        )
        for played in data.rounds(name)
    )
