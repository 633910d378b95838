"""Erasing a participant's data on request; a record says that it happened."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import suppress

from sqlalchemy import delete, func, or_, select
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from onlooker.web.store.models import (
    Base,
    BonusRow,
    ErasureRow,
    EventRow,
    NoteRow,
    ParticipantRow,
    ResultRow,
    SessionRow,
    TabRow,
)
from onlooker.web.store.store import Store

# Everything that belongs to a session; a test fails if a new table is missing here.
OF_A_SESSION: tuple[type[Base], ...] = (
    BonusRow,
    ResultRow,
    NoteRow,
    EventRow,
    TabRow,
)

BACKUPS = (
    "Backups and datasets made before still contain the data: delete them, or erase the "
    "participant again after restoring one."
)


def erase(store: Store, name: str, time: str) -> ErasureRow | None:
    """Erase everything about the participant with an id or pseudonym; None if there is none."""
    with store.write() as tx:
        query = select(ParticipantRow).where(
            or_(ParticipantRow.pid == name, ParticipantRow.pseudonym == name)
        )
        person = tx.orm.scalars(query.with_for_update()).first()
        if person is None:
            return None
        record = _erase_person(tx.orm, person, time)
    _empty_log(store)
    return record


def _erase_person(orm: Session, person: ParticipantRow, time: str) -> ErasureRow:
    # Locking the sessions lets a call that is under way finish before its rows are deleted.
    sessions = orm.scalars(
        select(SessionRow.id).where(SessionRow.participant_id == person.id).with_for_update()
    ).all()
    record = ErasureRow(
        pseudonym=person.pseudonym,
        erased_at=time,
        sessions=len(sessions),
        events=_count(orm, sessions),
        bonuses=_bonuses(orm, sessions),
    )
    for table in OF_A_SESSION:
        orm.execute(delete(table).where(table.session_id.in_(sessions)))  # type: ignore[attr-defined]
    orm.execute(delete(SessionRow).where(SessionRow.id.in_(sessions)))
    orm.execute(delete(ParticipantRow).where(ParticipantRow.id == person.id))
    orm.add(record)
    orm.flush()
    return record


def _count(orm: Session, sessions: Sequence[int]) -> int:
    return orm.scalar(select(func.count()).where(EventRow.session_id.in_(sessions))) or 0


def _bonuses(orm: Session, sessions: Sequence[int]) -> list[str]:
    rows = orm.scalars(select(BonusRow).where(BonusRow.session_id.in_(sessions)))
    return [f"{row.batch}: {row.currency}{row.amount}" for row in rows]


def _empty_log(store: Store) -> None:
    """Move SQLite's log, which has the old pages, into the file; others may delay that a little."""
    if store.url.get_backend_name() == "sqlite":
        with suppress(DBAPIError, sqlite3.Error), store.engine.connect() as connection:
            connection.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").close()


def erasures(store: Store) -> Sequence[ErasureRow]:
    """What was erased, the newest first."""
    with store.read() as orm:
        return orm.scalars(select(ErasureRow).order_by(ErasureRow.id.desc())).all()
