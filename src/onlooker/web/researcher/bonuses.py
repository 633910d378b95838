"""Bonuses: what people were promised, recorded in a ledger, so that nobody is paid twice."""

from __future__ import annotations

import csv
import io
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from sqlalchemy import Select, select

from onlooker.web.participant import assignment
from onlooker.web.settings import Payment
from onlooker.web.store import Store, queries
from onlooker.web.store.audit import Result, check_log, known_results
from onlooker.web.store.models import BonusRow, ParticipantRow, SessionRow
from onlooker.web.study.course import Courses
from onlooker.web.study.flow import bonus_amount
from onlooker.web.study.session_state import COMPLETE


@dataclass(frozen=True, slots=True)
class BonusDue:
    """A bonus that has not been recorded yet."""

    session_id: int
    pseudonym: str
    amount: Decimal
    currency: str
    note: str = ""  # how the log differs from what was promised


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
) -> list[BonusDue]:
    """The bonuses of complete sessions that are not in the ledger; test runs only if asked for.

    What the last page promised is paid; a log that gives another amount is a note beside it.
    """
    due: list[BonusDue] = []
    found: dict[int, tuple[SessionRow, Result]] = {}
    with store.read() as orm:
        known, promises = known_results(orm), queries.promised_bonuses(orm, tests)
        for session, pseudonym in orm.execute(_not_recorded(tests)).all():
            result = known.get(session.id)
            if result is None:
                course = store.course_of(session, courses)
                result = check_log(session, queries.log(orm, session), course)
                found[session.id] = session, result
            by_log = bonus_amount(payment, result.unspent, result.possible)
            promise = promises.get(session.id) or queries.Promise(by_log, payment.currency)
            note = next(iter(result.problems), "")
            if not note and promise.amount != by_log:
                note = f"the log and the present settings give {by_log}"
            due.append(BonusDue(session.id, pseudonym, promise.amount, promise.currency, note))
    store.keep_results(found)
    return due


def totals(due: Sequence[BonusDue]) -> dict[str, Decimal]:
    """The sum of all that is due, by currency."""
    sums: dict[str, Decimal] = {}
    for item in due:
        sums[item.currency] = sums.get(item.currency, Decimal("0.00")) + item.amount
    return sums


def _not_recorded(tests: bool) -> Select[SessionRow, str]:
    """Complete sessions that are not in the ledger, with the participant's pseudonym."""
    return (
        select(SessionRow, ParticipantRow.pseudonym)
        .join(ParticipantRow, ParticipantRow.id == SessionRow.participant_id)
        .where(SessionRow.end_reason == COMPLETE, SessionRow.test.is_(tests))
        .where(SessionRow.id.not_in(select(BonusRow.session_id)))
        .order_by(SessionRow.id)
    )


def record_bonuses(store: Store, due: Sequence[BonusDue], time: str) -> list[str]:
    """Record bonuses, those of each currency as one batch; the names of the batches."""
    batches = {
        currency: f"{time[:10]}-{secrets.token_hex(3)}"
        for currency in sorted({item.currency for item in due})
    }
    with store.write() as tx:
        assignment.lock_studies(tx.orm)  # nobody else records bonuses at the same time
        recorded = set(tx.orm.scalars(select(BonusRow.session_id)))
        new = [item for item in due if item.session_id not in recorded]
        tx.orm.add_all(
            BonusRow(
                session_id=item.session_id,
                batch=batches[item.currency],
                amount=str(item.amount),
                currency=item.currency,
                entered_at=time,
            )
            for item in new
        )
    return sorted({batches[item.currency] for item in new})


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
