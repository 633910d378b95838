"""Replaying a session's log: how it differs from what is stored, and what it comes to.

A log is replayed once, and what that gave is stored: it holds until the session, its stimuli or
the version of the code change.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from onlooker.version import __version__
from onlooker.web.store.models import EventRow, ResultRow, SessionRow
from onlooker.web.study.course import Course
from onlooker.web.study.flow import ReplayError, possible_points, replay, unspent_points
from onlooker.web.study.session_state import SessionState, first_state, hash_state


@dataclass(frozen=True, slots=True)
class Result:
    """What replaying a session's log gave."""

    problems: list[str]  # how the log differs from what is stored
    screens: list[str]  # after each event; none if there are problems
    unspent: int = 0  # points in all finished rounds
    possible: int = 0  # at best


def check_log(session: SessionRow, events: Sequence[EventRow], course: Course | None) -> Result:
    """Replay a session's log."""
    problems, states = _replayed(session, events, course)
    if problems or not states or course is None:
        return Result(problems, [])
    last = states[-1]
    points = sum(unspent_points(course, last)), possible_points(course, last)
    return Result([], [state.screen for state in states], *points)


def _replayed(
    session: SessionRow, events: Sequence[EventRow], course: Course | None
) -> tuple[list[str], list[SessionState]]:
    """How a session's log differs from what is stored of it, and the state after each event."""
    if course is None:
        return ["the stimuli of the session are not in the database"], []
    if [event.seq for event in events] != list(range(session.seq)):
        return [f"expected events 0 to {session.seq - 1}, found {len(events)}"], []
    try:
        states = replay(course, events)
    except ReplayError as error:
        return [str(error)], []
    problems = [
        f"event {event.seq} ({event.kind}): the log leads to another state than was stored"
        for event, state in zip(events, states, strict=True)
        if event.state_hash != state.hash
    ]
    last = states[-1] if states else first_state(course)
    if SessionState.load(session.state) != last or session.state_hash != last.hash:
        problems.append("the session's state is not where its log leads")
    if session.ordering != last.ordering or session.screen != last.screen:
        problems.append("the session's ordering or screen is not where its log leads")
    return problems, states


def known_results(orm: Session) -> dict[int, Result]:
    """The stored results that still hold, by the session's id."""
    query = select(ResultRow, SessionRow).join(
        SessionRow,
        (SessionRow.id == ResultRow.session_id)
        & (SessionRow.seq == ResultRow.seq)
        & (SessionRow.state_hash == ResultRow.state_hash)
        & (SessionRow.stimulus_hash == ResultRow.stimulus_hash),
    )
    return {
        row.session_id: Result(row.problems, row.screens, row.unspent, row.possible)
        for row, session in orm.execute(query).all()
        if row.code_version == __version__ and _consistent(session)
    }


def _consistent(session: SessionRow) -> bool:
    """Whether a session's columns agree with each other."""
    state = SessionState.load(session.state)
    return hash_state(session.state) == session.state_hash and (state.screen, state.ordering) == (
        session.screen,
        session.ordering,
    )


def result_row(session: SessionRow, result: Result) -> ResultRow:
    """The row that stores a session's result."""
    return ResultRow(
        session_id=session.id,
        seq=session.seq,
        state_hash=session.state_hash,
        stimulus_hash=session.stimulus_hash,
        code_version=__version__,
        problems=result.problems,
        screens=result.screens,
        unspent=result.unspent,
        possible=result.possible,
    )
