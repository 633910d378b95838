"""Bonuses: computed from the event log and recorded in a ledger, so that nobody is paid twice."""

from __future__ import annotations

import csv
import io
import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from sqlalchemy import select

from onlooker.web.participant import assignment
from onlooker.web.settings import Payment
from onlooker.web.store import Store, queries
from onlooker.web.store.audit import audit
from onlooker.web.store.models import BonusRow, EventRow, ParticipantRow, SessionRow
from onlooker.web.study.course import Courses
from onlooker.web.study.flow import session_bonus
from onlooker.web.study.session_state import SessionState


@dataclass(frozen=True, slots=True)
class BonusDue:
    """A bonus that has not been recorded yet."""

    session_id: int
    pseudonym: str
    amount: Decimal


@dataclass(frozen=True, slots=True)
class BonusOnHold:
    """A session whose bonus needs a decision first."""

    pseudonym: str
    problem: str


@dataclass(frozen=True)
class OpenBonuses:
    """The bonuses that are not in the ledger."""

    due: list[BonusDue] = field(default_factory=list)
    on_hold: list[BonusOnHold] = field(default_factory=list)

    @property
    def total(self) -> Decimal:
        """The sum of all that is due."""
        return sum((due.amount for due in self.due), Decimal("0.00"))


@dataclass(frozen=True, slots=True)
class PaymentBatch:
    """Bonuses that were recorded together."""

    name: str
    time: str
    people: int
    total: Decimal
    currency: str


def open_bonuses(
    store: Store, payment: Payment, courses: Courses, tests: bool = False
) -> OpenBonuses:
    """The bonuses of complete sessions that are not in the ledger; test runs only if asked for."""
    recorded, people = _recorded(store), queries.people(store)
    open_ = [
        session
        for session in store.sessions(test=tests)
        if session.end_reason == "complete" and session.id not in recorded
    ]
    bonuses = OpenBonuses()
    for session, events in queries.logs(store, open_):
        pseudonym = people[session.participant_id].pseudonym
        amount = _amount(store, payment, courses, session, events)
        if isinstance(amount, str):
            bonuses.on_hold.append(BonusOnHold(pseudonym, amount))
        else:
            bonuses.due.append(BonusDue(session.id, pseudonym, amount))
    return bonuses


def _amount(
    store: Store,
    payment: Payment,
    courses: Courses,
    session: SessionRow,
    events: Sequence[EventRow],
) -> Decimal | str:
    """A session's bonus by its log, or why it is unclear."""
    if problems := audit(session, events, courses):
        return problems[0]
    course = courses[session.experiment]
    amount = session_bonus(course, payment, SessionState.load(session.state))  # where the log leads
    reply = json.loads(queries.last_reply(store, session) or "{}")
    promised = reply.get("view", {}).get("bonus", {}).get("amount")
    if promised != str(amount):
        return f"the last page showed {promised}, but the log and the settings give {amount}"
    return amount


def record_bonuses(store: Store, due: Sequence[BonusDue], currency: str, time: str) -> str | None:
    """Record bonuses as one batch; its name, or None if all were recorded before."""
    batch = f"{time[:10]}-{secrets.token_hex(3)}"
    with store.write() as tx:
        assignment.queue_up(tx.orm)  # nobody else records bonuses at the same time
        recorded = set(tx.orm.scalars(select(BonusRow.session_id)))
        new = [item for item in due if item.session_id not in recorded]
        tx.orm.add_all(
            BonusRow(
                session_id=item.session_id,
                batch=batch,
                amount=str(item.amount),
                currency=currency,
                entered_at=time,
            )
            for item in new
        )
    return batch if new else None


def payment_batches(store: Store) -> list[PaymentBatch]:
    """All batches, the newest first."""
    with store.read() as orm:
        rows = orm.scalars(select(BonusRow).order_by(BonusRow.id)).all()
    grouped: dict[str, list[BonusRow]] = {}
    for row in rows:
        grouped.setdefault(row.batch, []).append(row)
    found = [
        PaymentBatch(
            name,
            group[0].entered_at,
            len(group),
            sum((Decimal(row.amount) for row in group), Decimal(0)),
            group[0].currency,
        )
        for name, group in grouped.items()
    ]
    return found[::-1]


def payment_file(store: Store, batch: str) -> str | None:
    """A batch as Prolific reads it, `id,amount` on each line; None if there is no such batch.

    A bonus of zero is in the ledger but not in the file, since Prolific refuses zeros.
    """
    query = (
        select(ParticipantRow.pid, BonusRow.amount)
        .join(SessionRow, SessionRow.id == BonusRow.session_id)
        .join(ParticipantRow, ParticipantRow.id == SessionRow.participant_id)
        .where(BonusRow.batch == batch)
        .order_by(BonusRow.id)
    )
    with store.read() as orm:
        rows = orm.execute(query).all()
    if not rows:
        return None
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerows((pid, amount) for pid, amount in rows if Decimal(amount) > 0)
    return text.getvalue()


def _recorded(store: Store) -> set[int]:
    with store.read() as orm:
        return set(orm.scalars(select(BonusRow.session_id)))
