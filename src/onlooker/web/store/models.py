"""The tables of the database. Times are UTC in ISO 8601, so that they sort as text."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    Dialect,
    ForeignKey,
    Index,
    MetaData,
    String,
    Text,
    TypeDecorator,
    UniqueConstraint,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from onlooker.game import ExperimentName

Clock = Callable[[], datetime]

_NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s",
    "pk": "pk_%(table_name)s",
}
_TIME = 32
_HASH = 64


class _Name(TypeDecorator[ExperimentName]):
    """An experiment's name: text in the database, a number if it is one."""

    impl = String(30)
    cache_ok = True

    def process_bind_param(self, value: ExperimentName | None, dialect: Dialect) -> str | None:
        """What is stored."""
        return None if value is None else str(value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> ExperimentName | None:
        """What was stored."""
        return int(value) if value is not None and value.isdecimal() else value


class Base(DeclarativeBase):
    """What all tables share."""

    metadata = MetaData(naming_convention=_NAMES)
    type_annotation_map = {dict[str, Any]: JSON(none_as_null=True), list[str]: JSON}  # noqa: RUF012


class Stamped:
    """When a row was written, with which version, settings and stimuli."""

    code_version: Mapped[str] = mapped_column(String(40))
    config_hash: Mapped[str] = mapped_column(String(_HASH))
    stimulus_hash: Mapped[str | None] = mapped_column(String(_HASH))
    seed: Mapped[int | None] = mapped_column(BigInteger)  # the session's
    server_time: Mapped[str] = mapped_column(String(_TIME))
    client_time: Mapped[str | None] = mapped_column(String(40))


class ParticipantRow(Base):
    """A participant; the only table that links a pseudonym to an id."""

    __tablename__ = "participants"

    id: Mapped[int] = mapped_column(primary_key=True)
    pid: Mapped[str] = mapped_column(String(64), unique=True)  # PROLIFIC_PID
    pseudonym: Mapped[str] = mapped_column(String(20), unique=True)  # random
    test: Mapped[bool]
    created_at: Mapped[str] = mapped_column(String(_TIME))


class SessionRow(Base):
    """A participant's one session in a study."""

    __tablename__ = "sessions"
    __table_args__ = (
        UniqueConstraint("participant_id", "study_id"),
        Index(None, "experiment", "test", "ordering"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    participant_id: Mapped[int] = mapped_column(ForeignKey("participants.id"))
    study_id: Mapped[str] = mapped_column(String(64))
    experiment: Mapped[ExperimentName] = mapped_column(_Name)
    label: Mapped[str | None] = mapped_column(String(20))  # what is told of NPCs that teach
    test: Mapped[bool]
    seed: Mapped[int] = mapped_column(BigInteger)  # breaks ties between orderings
    ordering: Mapped[int | None]  # from 1
    counts: Mapped[dict[str, Any] | None]  # how full the orderings were when it was given
    screen: Mapped[str] = mapped_column(String(20))
    state: Mapped[str] = mapped_column(Text)
    state_hash: Mapped[str] = mapped_column(String(_HASH))
    seq: Mapped[int]  # how many events there are
    tab_hash: Mapped[str] = mapped_column(String(_HASH))  # of the token of the tab in charge
    arrived_at: Mapped[str] = mapped_column(String(_TIME))
    last_seen: Mapped[str] = mapped_column(String(_TIME), index=True)
    note_bytes: Mapped[int] = mapped_column(default=0)  # of all its notes
    ended_at: Mapped[str | None] = mapped_column(String(_TIME))
    end_reason: Mapped[str | None] = mapped_column(String(40))  # "complete" if all is there
    code_version: Mapped[str] = mapped_column(String(40))
    config_hash: Mapped[str] = mapped_column(String(_HASH))
    stimulus_hash: Mapped[str] = mapped_column(String(_HASH))


class TabRow(Base):
    """An arrival: each opens a tab with a new token and locks the earlier tabs."""

    __tablename__ = "tabs"

    id: Mapped[int] = mapped_column(primary_key=True)
    session_id: Mapped[int] = mapped_column(ForeignKey("sessions.id"), index=True)
    token_hash: Mapped[str] = mapped_column(String(_HASH), unique=True)
    prolific_session: Mapped[str] = mapped_column(String(64))  # SESSION_ID
    viewport: Mapped[str | None] = mapped_column(String(20))  # "1280x720"
    opened_at: Mapped[str] = mapped_column(String(_TIME))
    gap_seconds: Mapped[int | None]  # since the session was last seen


class EventRow(Stamped, Base):
    """An intent that was carried out."""

    __tablename__ = "events"
    __table_args__ = (
        UniqueConstraint("session_id", "seq"),
        UniqueConstraint("session_id", "intent_id"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    session_id: Mapped[int] = mapped_column(ForeignKey("sessions.id"))
    seq: Mapped[int]  # from 0
    intent_id: Mapped[str] = mapped_column(String(64))
    kind: Mapped[str] = mapped_column(String(20))
    data: Mapped[dict[str, Any]]
    ordering: Mapped[int | None]  # given with this event
    reply: Mapped[str | None] = mapped_column(Text)  # only of the last: what was promised
    state_hash: Mapped[str] = mapped_column(String(_HASH))  # after it


class StimuliRow(Base):
    """What sessions are played on, whatever the settings and the bundled stimuli become."""

    __tablename__ = "stimuli"

    stimulus_hash: Mapped[str] = mapped_column(String(_HASH), primary_key=True)
    document: Mapped[str] = mapped_column(Text)  # a course


class ResultRow(Base):
    """What replaying a session's log gave; valid for one state, stimuli and version of the code."""

    __tablename__ = "results"

    session_id: Mapped[int] = mapped_column(ForeignKey("sessions.id"), primary_key=True)
    seq: Mapped[int]
    state_hash: Mapped[str] = mapped_column(String(_HASH))
    stimulus_hash: Mapped[str] = mapped_column(String(_HASH))
    code_version: Mapped[str] = mapped_column(String(40))
    problems: Mapped[list[str]]
    screens: Mapped[list[str]]  # after each event
    unspent: Mapped[int]  # points in all finished rounds
    possible: Mapped[int]  # at best


class NoteRow(Stamped, Base):
    """A note about a session that is not part of its log."""

    __tablename__ = "notes"

    id: Mapped[int] = mapped_column(primary_key=True)
    session_id: Mapped[int | None] = mapped_column(ForeignKey("sessions.id"), index=True)
    source: Mapped[str] = mapped_column(String(10))  # client or server
    kind: Mapped[str] = mapped_column(String(20))
    detail: Mapped[str] = mapped_column(Text)


class StudyRow(Base):
    """An experiment's pause switch; arrivals and assignments lock these rows."""

    __tablename__ = "studies"

    experiment: Mapped[ExperimentName] = mapped_column(_Name, primary_key=True)
    paused: Mapped[bool]
    changed_at: Mapped[str | None] = mapped_column(String(_TIME))


class BonusRow(Base):
    """A bonus in the ledger; a session has at most one."""

    __tablename__ = "bonuses"

    id: Mapped[int] = mapped_column(primary_key=True)
    session_id: Mapped[int] = mapped_column(ForeignKey("sessions.id"), unique=True)
    batch: Mapped[str] = mapped_column(String(40), index=True)
    amount: Mapped[str] = mapped_column(String(12))
    currency: Mapped[str] = mapped_column(String(5))
    entered_at: Mapped[str] = mapped_column(String(_TIME))


class KeyRow(Base):
    """A secret that all processes of a study share."""

    __tablename__ = "keys"

    name: Mapped[str] = mapped_column(String(20), primary_key=True)
    value: Mapped[str] = mapped_column(String(_HASH))


class EndedSignInRow(Base):
    """A researcher's sign-in that was ended before its cookie expires."""

    __tablename__ = "ended_sign_ins"

    sign_in_hash: Mapped[str] = mapped_column(String(_HASH), primary_key=True)
    ended_at: Mapped[str] = mapped_column(String(_TIME))


class ErasureRow(Base):
    """A participant whose data was erased; the random pseudonym is all that is left."""

    __tablename__ = "erasures"

    id: Mapped[int] = mapped_column(primary_key=True)
    pseudonym: Mapped[str] = mapped_column(String(20))  # to find them in datasets made before
    erased_at: Mapped[str] = mapped_column(String(_TIME))
    sessions: Mapped[int]
    events: Mapped[int]
    bonuses: Mapped[list[str]]  # "batch: amount", for the accounts


# -- times ----------------------------------------------------------------------------------------


def now() -> datetime:
    """The current time."""
    return datetime.now(UTC)


def timestamp(moment: datetime) -> str:
    """A moment as text.

    >>> timestamp(datetime(2025, 3, 1, 12, 30, tzinfo=UTC))
    '2025-03-01T12:30:00.000Z'
    """
    text = moment.astimezone(UTC).isoformat(timespec="milliseconds")
    return text.removesuffix("+00:00") + "Z"


def parse_timestamp(text: str) -> datetime:
    """The moment of a text that `timestamp` made."""
    return datetime.fromisoformat(text)
