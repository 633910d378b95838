"""Participants, test runs and bots as players: what they did, read from the study's store."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from onlooker.web.participant.service import StudyService
from onlooker.web.replay.builder import NoReplayError
from onlooker.web.replay.catalogue import TrialCatalogue
from onlooker.web.replay.document import PlayedLog
from onlooker.web.store import queries
from onlooker.web.store.models import SessionRow
from onlooker.web.study.session_state import SessionState

PREFIX = "session-"


@dataclass(frozen=True, slots=True)
class PlayedRound:
    """A round that has begun."""

    number: int
    trial: str  # its id in the catalogue


@dataclass(frozen=True, slots=True)
class ReplayPlayer:
    """A session, or somebody of a dataset, with at least one round that has begun."""

    id: str
    name: str
    group: str  # under which heading it is offered
    rounds: tuple[PlayedRound, ...]


def people(service: StudyService, catalogue: TrialCatalogue) -> list[ReplayPlayer]:
    """All sessions with a round to replay, participants first, in order of arrival."""
    store = service.store
    names = {key: row.pseudonym for key, row in queries.people(store).items()}
    rows = [*store.sessions(), *store.sessions(test=True)]
    found = [
        ReplayPlayer(
            f"{PREFIX}{row.id}",
            names[row.participant_id],
            "Bots and test runs" if row.test else "Participants",
            _rounds(service, catalogue, row),
        )
        for row in rows
    ]
    return [person for person in found if person.rounds]


def played(service: StudyService, catalogue: TrialCatalogue, player: str, trial: str) -> PlayedLog:
    """What a session did in a trial; in the last one unless a trial is named.

    NoReplayError if there is nothing to show.
    """
    row = _row(service, player)
    if row is None:
        raise NoReplayError("There is no such session.")
    course = service.store.course_of(row, service.courses)
    if course is None:
        raise NoReplayError("The stimuli of this session were not stored.")
    for round_ in reversed(_rounds(service, catalogue, row)):
        if trial and round_.trial != trial:
            continue
        state = SessionState.load(row.state)
        assert state.ordering is not None
        stage = course.stage(state.ordering, round_.number - 1)
        name = queries.people(service.store)[row.participant_id].pseudonym
        kind = "Test run" if row.test else "Participant"
        return PlayedLog(
            {
                "id": player,
                "title": f"{kind} {name}",
                "kind": "participant",
                "note": f"Round {round_.number} of {course.rounds}",
            },
            stage,
            state.logs[round_.number - 1],
            round_.trial,
        )
    raise NoReplayError("This session has no round on this trial.")


def _row(service: StudyService, player: str) -> SessionRow | None:
    number = player.removeprefix(PREFIX)
    if not number.isascii() or not number.isdecimal() or int(number) >= 2**31:
        return None
    with service.store.read() as orm:
        return orm.get(SessionRow, int(number))


def _rounds(
    service: StudyService, catalogue: TrialCatalogue, row: SessionRow
) -> tuple[PlayedRound, ...]:
    state, course = SessionState.load(row.state), service.store.course_of(row, service.courses)
    if state.ordering is None or course is None:
        return ()
    names: Sequence[str] = course.ordering(state.ordering)
    return tuple(
        PlayedRound(
            number, catalogue.study_id(row.experiment, course.stages[names[number - 1]].trial)
        )
        for number in range(1, len(state.logs) + 1)
    )
