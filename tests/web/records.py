"""What tests read from a study's database."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import select

from onlooker.web.participant import assignment
from onlooker.web.store import Store
from onlooker.web.store.models import EventRow, NoteRow


def events(store: Store, session_id: int) -> Sequence[EventRow]:
    """A session's log."""
    query = select(EventRow).where(EventRow.session_id == session_id).order_by(EventRow.seq)
    with store.read() as orm:
        return orm.scalars(query).all()


def notes(store: Store, session_id: int | None = None) -> Sequence[NoteRow]:
    """What was noted about a session, or everything that was."""
    query = select(NoteRow).order_by(NoteRow.id)
    if session_id is not None:
        query = query.where(NoteRow.session_id == session_id)
    with store.read() as orm:
        return orm.scalars(query).all()


def ordering_counts(
    store: Store, experiment: int, orderings: int, since: str, test: bool = False
) -> dict[int, int]:
    """How many sessions that count each ordering has."""
    with store.read() as orm:
        return assignment.ordering_counts(orm, experiment, orderings, since, test)
