"""Assigning labels and orderings: the least filled one, one session at a time."""

from __future__ import annotations

import random
import secrets
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import TypeVar

from sqlalchemy import and_, func, or_, select
from sqlalchemy.orm import Session
from sqlalchemy.sql.elements import ColumnElement

from onlooker.game import ExperimentName
from onlooker.web.store.models import SessionRow, StudyRow, timestamp

Condition = TypeVar("Condition", int, str)


def counted(cutoff: str) -> ColumnElement[bool]:
    """Whether a session counts: it is complete, or open and seen since the cutoff."""
    active = and_(SessionRow.ended_at.is_(None), SessionRow.last_seen >= cutoff)
    return or_(SessionRow.end_reason == "complete", active)


def cutoff(moment: datetime, active_minutes: int) -> str:
    """The time since which an active session must have been seen."""
    return timestamp(moment - timedelta(minutes=active_minutes))


def lock_studies(orm: Session) -> dict[ExperimentName, bool]:
    """Lock arrivals and assignments; return which experiments are paused."""
    rows = orm.scalars(select(StudyRow).order_by(StudyRow.experiment).with_for_update())
    return {row.experiment: row.paused for row in rows}


def places_taken(orm: Session, experiment: ExperimentName, since: str, test: bool = False) -> int:
    """How many places are taken: by those who passed the check and are complete or active."""
    query = select(func.count()).where(
        SessionRow.experiment == experiment,
        SessionRow.test.is_(test),
        SessionRow.ordering.is_not(None),
        counted(since),
    )
    return orm.scalar(query) or 0


def ordering_counts(
    orm: Session,
    experiment: ExperimentName,
    orderings: int,
    since: str,
    test: bool = False,
    label: str | None = None,
) -> dict[int, int]:
    """How many sessions that count each ordering has, under a label if one is given.

    Orderings are numbered from 1.
    """
    query = (
        select(SessionRow.ordering, func.count())
        .where(
            SessionRow.experiment == experiment,
            SessionRow.test.is_(test),
            SessionRow.ordering.is_not(None),
            counted(since),
        )
        .group_by(SessionRow.ordering)
    )
    if label is not None:
        query = query.where(SessionRow.label == label)
    found: dict[int | None, int] = {row[0]: row[1] for row in orm.execute(query)}
    return {number: found.get(number, 0) for number in range(1, orderings + 1)}


def label_counts(
    orm: Session, experiment: ExperimentName, labels: Sequence[str], since: str, test: bool = False
) -> dict[str, int]:
    """How many sessions that count each label has, from their arrival on."""
    query = (
        select(SessionRow.label, func.count())
        .where(SessionRow.experiment == experiment, SessionRow.test.is_(test), counted(since))
        .group_by(SessionRow.label)
    )
    found: dict[str | None, int] = {row[0]: row[1] for row in orm.execute(query)}
    return {label: found.get(label, 0) for label in labels}


def next_label(
    orm: Session, experiment: ExperimentName, labels: Sequence[str], since: str, test: bool = False
) -> str | None:
    """The least filled label for a new session; None where a study has none."""
    if not labels:
        return None
    counts = label_counts(orm, experiment, labels, since, test)
    return str(least_filled(counts, secrets.randbits(53)))


def give_ordering(orm: Session, session: SessionRow, orderings: int, since: str) -> int:
    """Give a session the least filled of so many orderings; other assignments wait."""
    lock_studies(orm)
    counts = ordering_counts(orm, session.experiment, orderings, since, session.test, session.label)
    session.counts = {str(number): count for number, count in counts.items()}
    session.ordering = least_filled(counts, session.seed)
    return session.ordering


def least_filled(counts: Mapping[Condition, int], seed: int) -> Condition:
    """The ordering or label with the smallest count; the seed decides between several.

    >>> least_filled({1: 4, 2: 3, 3: 4}, seed=7)
    2
    """
    smallest = min(counts.values())
    return random.Random(seed).choice([n for n, count in counts.items() if count == smallest])
