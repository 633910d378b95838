"""The people of a study: a page of sessions, and the search for one of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Literal

from sqlalchemy import Select, func, or_, select
from sqlalchemy.orm import Session

from onlooker.game import ExperimentName
from onlooker.web.store import Store
from onlooker.web.store.models import (
    BonusRow,
    EventRow,
    ParticipantRow,
    SessionRow,
    parse_timestamp,
)
from onlooker.web.study.intents import SurveyAnswers

ON_A_PAGE = 50

Shown = Literal["finished", "open", "all"]


@dataclass(frozen=True, slots=True)
class PersonSession:
    """A participant's session as the page shows it."""

    id: int
    pseudonym: str
    experiment: ExperimentName
    study_id: str
    screen: str
    end_reason: str | None
    ordering: int | None
    arrived_at: str
    ended_at: str | None
    minutes: float | None
    bonus: str | None  # as recorded in the ledger
    feedback: str


@dataclass(frozen=True, slots=True)
class PeoplePage:
    """Some of the sessions, the newest first."""

    sessions: Sequence[PersonSession]
    found: int
    page: int  # from 1
    pages: int
    shown: Shown
    search: str
    tests: bool


def people_page(
    store: Store, shown: Shown = "finished", search: str = "", page: int = 1, tests: bool = False
) -> PeoplePage:
    """A page of the sessions; the search wants an id, or the beginning of a pseudonym."""
    search = search.replace("\0", "").strip()  # PostgreSQL has no such character
    with store.read() as orm:
        chosen = _filtered(shown, search, tests)
        found = orm.scalar(select(func.count()).select_from(chosen.subquery())) or 0
        pages = max(1, -(-found // ON_A_PAGE))
        page = min(max(page, 1), pages)
        rows = orm.execute(chosen.offset((page - 1) * ON_A_PAGE).limit(ON_A_PAGE)).all()
        said = _feedback(orm, [row[0].id for row in rows])
    sessions = [_person(row[0], row[1], said.get(row[0].id, ""), row[2]) for row in rows]
    return PeoplePage(sessions, found, page, pages, shown, search, tests)


def _filtered(shown: Shown, search: str, tests: bool) -> Select[SessionRow, str, str | None]:
    query = (
        select(SessionRow, ParticipantRow.pseudonym, BonusRow.amount)
        .join(ParticipantRow, ParticipantRow.id == SessionRow.participant_id)
        .outerjoin(BonusRow, BonusRow.session_id == SessionRow.id)
        .where(SessionRow.test.is_(tests))
        .order_by(SessionRow.id.desc())
    )
    if search:
        named = ParticipantRow.pseudonym.startswith(search, autoescape=True)
        query = query.where(or_(ParticipantRow.pid == search, named))
    elif shown == "finished":
        query = query.where(SessionRow.ended_at.is_not(None))
    elif shown == "open":
        query = query.where(SessionRow.ended_at.is_(None))
    return query


def _feedback(orm: Session, sessions: Sequence[int]) -> dict[int, str]:
    """What people answered to the question called feedback, by the session's id."""
    query = select(EventRow.session_id, EventRow.data).where(
        EventRow.session_id.in_(sessions), EventRow.kind == "survey"
    )
    return {
        session: str(SurveyAnswers.model_validate(data).all().get("feedback", ""))
        for session, data in orm.execute(query)
    }


def _person(session: SessionRow, pseudonym: str, feedback: str, bonus: str | None) -> PersonSession:
    minutes = None
    if session.ended_at is not None:
        took = parse_timestamp(session.ended_at) - parse_timestamp(session.arrived_at)
        minutes = took / timedelta(minutes=1)
    return PersonSession(
        id=session.id,
        pseudonym=pseudonym,
        experiment=session.experiment,
        study_id=session.study_id,
        screen=session.screen,
        end_reason=session.end_reason,
        ordering=session.ordering,
        arrived_at=session.arrived_at,
        ended_at=session.ended_at,
        minutes=minutes,
        bonus=bonus,
        feedback=feedback,
    )
