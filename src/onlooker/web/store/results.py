"""The results of sessions: their logs are replayed once, and what that gave is stored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from onlooker.version import __version__
from onlooker.web.store.audit import replay_session
from onlooker.web.store.models import EventRow, ResultRow, SessionRow
from onlooker.web.store.store import BusyError, Store
from onlooker.web.study.course import Course
from onlooker.web.study.flow import possible_points, unspent_points
from onlooker.web.study.session_state import SessionState, hash_state


@dataclass(frozen=True, slots=True)
class Result:
    """What replaying a session's log gave."""

    problems: list[str]  # how the log differs from what is stored
    screens: list[str]  # after each event; none if there are problems
    unspent: int = 0  # points in all finished rounds
    possible: int = 0  # at best


def check_log(session: SessionRow, events: Sequence[EventRow], course: Course | None) -> Result:
    """Replay a session's log."""
    problems, states = replay_session(session, events, course)
    if problems or not states or course is None:
        return Result(problems, [])
    last = states[-1]
    points = sum(unspent_points(course, last)), possible_points(course, last)
    return Result([], [state.screen for state in states], *points)


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


def store_results(store: Store, found: Mapping[int, tuple[SessionRow, Result]]) -> None:
    """Store the results of sessions that have ended, unless the database is busy."""
    ended = [(session, result) for session, result in found.values() if session.ended_at]
    try:
        for start in range(0, len(ended), 50):  # short transactions: others write too
            with store.write() as tx:
                for session, result in ended[start : start + 50]:
                    tx.orm.merge(result_row(session, result))
    except BusyError:
        return  # they are found again the next time
