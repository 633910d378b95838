"""Participants, test runs and bots as players: what they did, read from the study's store."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from onlooker.web.participant.service import Conductor
from onlooker.web.replay.document import Played
from onlooker.web.replay.shelf import Shelf
from onlooker.web.store import queries
from onlooker.web.store.models import SessionRow
from onlooker.web.study.session_state import Standing

PREFIX = "session-"


class NoReplayError(ValueError):
    """A session cannot be replayed; the text says why."""


@dataclass(frozen=True, slots=True)
class Round:
    """A round that somebody has begun."""

    number: int
    trial: str  # the id on the shelf


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who has begun at least one round."""

    id: str
    name: str
    test: bool
    rounds: tuple[Round, ...]


def people(conductor: Conductor, shelf: Shelf) -> list[Person]:
    """Everybody with a round to replay, participants first, in the order they came."""
    store = conductor.store
    names = {key: row.pseudonym for key, row in queries.people(store).items()}
    rows = [*store.sessions(), *store.sessions(test=True)]
    found = [
        Person(
            f"{PREFIX}{row.id}",
            names[row.participant_id],
            row.test,
            _rounds(conductor, shelf, row),
        )
        for row in rows
        if _fits(conductor, row)
    ]
    return [person for person in found if person.rounds]


def played(conductor: Conductor, shelf: Shelf, player: str, trial: str) -> Played:
    """What somebody did in a trial, the last one if it is not said which.

    NoReplayError if there is nothing to show.
    """
    row = _row(conductor, player)
    if row is None:
        raise NoReplayError("There is no such session.")
    if not _fits(conductor, row):
        raise NoReplayError("The stimuli are not those of this session any more.")
    course = conductor.courses[row.experiment]
    for round_ in reversed(_rounds(conductor, shelf, row)):
        if trial and round_.trial != trial:
            continue
        standing = Standing.load(row.state)
        assert standing.ordering is not None
        stage = course.stage(standing.ordering, round_.number - 1)
        name = queries.people(conductor.store)[row.participant_id].pseudonym
        kind = "Test run" if row.test else "Participant"
        return Played(
            {
                "id": player,
                "title": f"{kind} {name}",
                "kind": "participant",
                "note": f"Round {round_.number} of {course.rounds}",
            },
            stage,
            standing.logs[round_.number - 1],
            round_.trial,
        )
    raise NoReplayError("This session has no round on this trial.")


def _row(conductor: Conductor, player: str) -> SessionRow | None:
    number = player.removeprefix(PREFIX)
    if not number.isascii() or not number.isdecimal() or len(number) > 12:
        return None
    with conductor.store.read() as orm:
        return orm.get(SessionRow, int(number))


def _fits(conductor: Conductor, row: SessionRow) -> bool:
    course = conductor.courses.get(row.experiment)
    return course is not None and course.stimulus_hash == row.stimulus_hash


def _rounds(conductor: Conductor, shelf: Shelf, row: SessionRow) -> tuple[Round, ...]:
    standing, course = Standing.load(row.state), conductor.courses[row.experiment]
    if standing.ordering is None:
        return ()
    names: Sequence[str] = course.ordering(standing.ordering)
    return tuple(
        Round(number, shelf.study_id(row.experiment, course.stages[names[number - 1]].trial))
        for number in range(1, len(standing.logs) + 1)
    )
