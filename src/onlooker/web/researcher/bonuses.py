"""Bonuses: computed from the event log and recorded in a ledger, so that nobody is paid twice."""

from __future__ import annotations

import csv
import io
import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from sqlalchemy import Select, select

from onlooker.web.participant import assignment
from onlooker.web.settings import Payment
from onlooker.web.store import Store, queries
from onlooker.web.store.models import BonusRow, ParticipantRow, SessionRow
from onlooker.web.store.results import Result, check_log, known_results, store_results
from onlooker.web.study.course import Courses
from onlooker.web.study.flow import bonus_amount
from onlooker.web.study.session_state import COMPLETE


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
    bonuses = OpenBonuses()
    found: dict[int, tuple[SessionRow, Result]] = {}
    with store.read() as orm:
        known = known_results(orm, courses)
        replies = queries.last_replies(orm, COMPLETE, tests)
        for session, pseudonym in orm.execute(_not_recorded(tests)).all():
            result = known.get(session.id)
            if result is None:
                result = check_log(session, queries.log(orm, session), courses)
                found[session.id] = session, result
            amount = _amount(payment, result, replies.get(session.id, "{}"))
            if isinstance(amount, str):
                bonuses.on_hold.append(BonusOnHold(pseudonym, amount))
            else:
                bonuses.due.append(BonusDue(session.id, pseudonym, amount))
    store_results(store, found)
    return bonuses


def _not_recorded(tests: bool) -> Select[SessionRow, str]:
    """Complete sessions that are not in the ledger, with the participant's pseudonym."""
    return (
        select(SessionRow, ParticipantRow.pseudonym)
        .join(ParticipantRow, ParticipantRow.id == SessionRow.participant_id)
        .where(SessionRow.end_reason == COMPLETE, SessionRow.test.is_(tests))
        .where(SessionRow.id.not_in(select(BonusRow.session_id)))
        .order_by(SessionRow.id)
    )


def _amount(payment: Payment, result: Result, last_reply: str) -> Decimal | str:
    """A session's bonus by its log, or why it is unclear."""
    if result.problems:
        return result.problems[0]
    amount = bonus_amount(payment, result.unspent, result.possible)
    promised = json.loads(last_reply).get("view", {}).get("bonus", {}).get("amount")
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
