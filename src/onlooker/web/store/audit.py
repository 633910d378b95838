"""Replaying a session's log and comparing the result with what is stored."""

from __future__ import annotations

from collections.abc import Sequence

from onlooker.web.store.models import EventRow, SessionRow
from onlooker.web.study.course import Course
from onlooker.web.study.flow import ReplayError, replay
from onlooker.web.study.session_state import SessionState, first_state


def audit(session: SessionRow, events: Sequence[EventRow], course: Course | None) -> list[str]:
    """How a session's log differs from what is stored of it; empty if it does not."""
    return replay_session(session, events, course)[0]


def replay_session(
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
