"""What the researcher's side reads from the database; nothing is changed."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Protocol, TypeVar

from sqlalchemy import func, select
from sqlalchemy.orm import Session, defer

from onlooker.web.store import Store
from onlooker.web.store.models import (
    EventRow,
    NoteRow,
    ParticipantRow,
    SessionRow,
    TabRow,
)
from onlooker.web.study.session_state import COMPLETE

PROBLEM_KINDS = ("refused", "forged", "invalid", "incomplete", "error")  # kinds of notes


class _HasSessionId(Protocol):
    @property
    def session_id(self) -> int | None: ...


RowOfSession = TypeVar("RowOfSession", bound=_HasSessionId)


@dataclass(frozen=True)
class SessionData:
    """Everything about some sessions but their logs, by the session's id."""

    sessions: Sequence[SessionRow]
    people: dict[int, ParticipantRow]  # by the participant's id
    notes: dict[int, list[NoteRow]]
    tabs: dict[int, list[TabRow]]


def session_data(orm: Session, tests: bool = False) -> SessionData:
    """Everything about the real sessions, or about the test runs."""
    chosen = select(SessionRow.id).where(SessionRow.test.is_(tests))
    sessions = select(SessionRow).where(SessionRow.test.is_(tests)).order_by(SessionRow.id)
    people = orm.scalars(select(ParticipantRow).where(ParticipantRow.test.is_(tests))).all()
    return SessionData(
        sessions=orm.scalars(sessions).all(),
        people={person.id: person for person in people},
        notes=_grouped(
            orm.scalars(
                select(NoteRow).where(NoteRow.session_id.in_(chosen)).order_by(NoteRow.id)
            ).all()
        ),
        tabs=_grouped(
            orm.scalars(
                select(TabRow).where(TabRow.session_id.in_(chosen)).order_by(TabRow.id)
            ).all()
        ),
    )


def _grouped(rows: Sequence[RowOfSession]) -> dict[int, list[RowOfSession]]:
    groups: dict[int, list[RowOfSession]] = defaultdict(list)
    for row in rows:
        if row.session_id is not None:
            groups[row.session_id].append(row)
    return groups


def log(orm: Session, session: SessionRow) -> list[EventRow]:
    """A session's log; the replies, which are large, are not read."""
    query = (
        select(EventRow)
        .where(EventRow.session_id == session.id)
        .order_by(EventRow.seq)
        .options(defer(EventRow.reply, raiseload=True))
    )
    return list(orm.scalars(query))


def last_reply(orm: Session, session: SessionRow) -> str | None:
    """The reply to the event that ended a session."""
    query = select(EventRow.reply).where(
        EventRow.session_id == session.id, EventRow.seq == session.seq - 1
    )
    return orm.scalar(query)


@dataclass(frozen=True, slots=True)
class Promise:
    """The bonus that a participant read on the last page."""

    amount: Decimal
    currency: str


def promised_bonuses(orm: Session, tests: bool) -> dict[int, Promise]:
    """What complete sessions were promised, by the session's id."""
    query = (
        select(EventRow.session_id, EventRow.reply)
        .join(SessionRow, SessionRow.id == EventRow.session_id)
        .where(SessionRow.end_reason == COMPLETE, SessionRow.test.is_(tests))
        .where(EventRow.seq == SessionRow.seq - 1)
    )
    found = {}
    for row in orm.execute(query):
        bonus = json.loads(row.reply or "{}").get("view", {}).get("bonus")
        if bonus:
            found[row.session_id] = Promise(Decimal(bonus["amount"]), bonus["currency"])
    return found


def people(store: Store) -> dict[int, ParticipantRow]:
    """All participants by id."""
    with store.read() as orm:
        return {person.id: person for person in orm.scalars(select(ParticipantRow)).all()}


def problem_notes(store: Store, most: int = 20) -> tuple[int, Sequence[NoteRow]]:
    """How many notes of problems there are, and the last of them, newest first."""
    with store.read() as orm:
        count = orm.scalar(select(func.count()).where(NoteRow.kind.in_(PROBLEM_KINDS))) or 0
        newest = select(NoteRow).where(NoteRow.kind.in_(PROBLEM_KINDS)).order_by(NoteRow.id.desc())
        return count, orm.scalars(newest.limit(most)).all()


def problems_by_session(store: Store) -> dict[int, int]:
    """How many notes of problems each session has."""
    query = (
        select(NoteRow.session_id, func.count())
        .where(NoteRow.kind.in_(PROBLEM_KINDS), NoteRow.session_id.is_not(None))
        .group_by(NoteRow.session_id)
    )
    with store.read() as orm:
        return {key: count for key, count in orm.execute(query) if key is not None}
