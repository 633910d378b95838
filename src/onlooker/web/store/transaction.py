"""Reading and writing rows within one transaction."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass
from typing import Any, Protocol

from sqlalchemy import select
from sqlalchemy.orm import Session

from onlooker.version import __version__
from onlooker.web.store.models import (
    CheckRow,
    ConsentRow,
    EventRow,
    NoteRow,
    ParticipantRow,
    SessionRow,
    TabRow,
)
from onlooker.web.study.session_state import SessionState

MAX_NOTE = 2000  # characters of one note
MAX_NOTE_BYTES = 200_000  # of all notes of a session: nobody fills the disk with them
NOTE_OVERHEAD = 200  # bytes that a note takes besides its text
_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"  # no two look alike


class UnknownSessionError(Exception):
    """A token that no session has."""


class TakenOverError(Exception):
    """A token whose session has been taken over by another tab."""


class Origin(Protocol):
    """What a stamp says about a session."""

    @property
    def stimulus_hash(self) -> str:
        """The stimuli that it began with."""

    @property
    def seed(self) -> int:
        """The session's random number."""


@dataclass(frozen=True, slots=True)
class Stamp:
    """When a row is written, and with which settings."""

    time: str  # the server's
    config_hash: str
    client_time: str | None = None

    def columns(self, session: Origin | None) -> dict[str, Any]:
        """The columns that every stamped row has."""
        return {
            "code_version": __version__,
            "config_hash": self.config_hash,
            "stimulus_hash": session and session.stimulus_hash,
            "seed": session and session.seed,
            "server_time": self.time,
            "client_time": self.client_time,
        }


def token_hash(token: str) -> str:
    """The hash of a token, which is all that is stored of it."""
    return hashlib.sha256(token.encode()).hexdigest()


class Transaction:
    """Rows read and written together; nothing is stored before the commit."""

    def __init__(self, orm: Session) -> None:
        self.orm = orm

    # -- finding -----------------------------------------------------------------------------------

    def session_of(self, token: str, lock: bool = True) -> SessionRow:
        """The session that a token is in charge of."""
        hashed = token_hash(token)
        query = (
            select(SessionRow)
            .join(TabRow, TabRow.session_id == SessionRow.id)
            .where(TabRow.token_hash == hashed)
        )
        if lock:
            query = query.with_for_update(of=SessionRow)
        session = self.orm.scalar(query)
        if session is None:
            raise UnknownSessionError
        if session.tab_hash != hashed:
            raise TakenOverError
        return session

    def session_in(self, pid: str, study_id: str, lock: bool = True) -> SessionRow | None:
        """A participant's session in a study."""
        query = (
            select(SessionRow)
            .join(ParticipantRow, ParticipantRow.id == SessionRow.participant_id)
            .where(ParticipantRow.pid == pid, SessionRow.study_id == study_id)
        )
        return self.orm.scalar(query.with_for_update(of=SessionRow) if lock else query)

    def took_part_elsewhere(self, participant_id: int, study_id: str) -> bool:
        """Whether a participant has a session in another study that it was let into."""
        query = select(SessionRow.id).where(
            SessionRow.participant_id == participant_id,
            SessionRow.study_id != study_id,
            SessionRow.screen.not_in(("screened_out", "declined")),
        )
        return self.orm.scalar(query.limit(1)) is not None

    def event_of(self, session: SessionRow, intent_id: str) -> EventRow | None:
        """The event that an intent led to, if it has been carried out."""
        return self.orm.scalar(
            select(EventRow).where(
                EventRow.session_id == session.id, EventRow.intent_id == intent_id
            )
        )

    # -- writing -----------------------------------------------------------------------------------

    def participant(self, pid: str, test: bool, time: str) -> ParticipantRow:
        """The participant with this id, created if new."""
        row = self.orm.scalar(select(ParticipantRow).where(ParticipantRow.pid == pid))
        if row is None:
            row = ParticipantRow(pid=pid, pseudonym=_pseudonym(), test=test, created_at=time)
            self.orm.add(row)
            self.orm.flush()
        return row

    def open_session(
        self,
        participant: ParticipantRow,
        study_id: str,
        experiment: int,
        stimulus_hash: str,
        state: SessionState,
        stamp: Stamp,
    ) -> SessionRow:
        """A new session at its first state."""
        session = SessionRow(
            participant_id=participant.id,
            study_id=study_id,
            experiment=experiment,
            test=participant.test,
            seed=secrets.randbits(53),
            screen=state.screen,
            state=state.dump(),
            state_hash=state.hash,
            seq=0,
            tab_hash="",
            note_bytes=0,
            arrived_at=stamp.time,
            last_seen=stamp.time,
            code_version=__version__,
            config_hash=stamp.config_hash,
            stimulus_hash=stimulus_hash,
        )
        self.orm.add(session)
        self.orm.flush()
        return session

    def open_tab(
        self,
        session: SessionRow,
        prolific_session: str,
        viewport: str | None,
        time: str,
        gap_seconds: int | None,
    ) -> str:
        """A new tab in charge of the session; returns its token, of which only a hash is stored."""
        token = secrets.token_urlsafe(32)
        session.tab_hash = token_hash(token)
        session.last_seen = time
        self.orm.add(
            TabRow(
                session_id=session.id,
                token_hash=session.tab_hash,
                prolific_session=prolific_session,
                viewport=viewport,
                opened_at=time,
                gap_seconds=gap_seconds,
            )
        )
        return token

    def append(
        self,
        session: SessionRow,
        event: EventRow,
        state: SessionState,
        stamp: Stamp,
    ) -> None:
        """Add an event to a session's log and update the session's state."""
        event.session_id = session.id
        event.seq = session.seq
        event.state_hash = state.hash
        for name, value in stamp.columns(session).items():
            setattr(event, name, value)
        self.orm.add(event)
        session.seq += 1
        session.state = state.dump()
        session.state_hash = event.state_hash
        session.screen = state.screen
        session.last_seen = stamp.time
        if state.ended:
            session.ended_at = stamp.time
            session.end_reason = state.end_reason

    def note(
        self, session: SessionRow | None, source: str, kind: str, detail: str, stamp: Stamp
    ) -> None:
        """Record a note about a session, unless it has as many as fit into MAX_NOTE_BYTES."""
        detail = detail[:MAX_NOTE].replace("\0", "")
        if session is not None:
            size = NOTE_OVERHEAD + len(detail.encode())
            if session.note_bytes + size > MAX_NOTE_BYTES:
                return
            session.note_bytes += size
        self.orm.add(
            NoteRow(
                session_id=session and session.id,
                source=source,
                kind=kind,
                detail=detail,
                **stamp.columns(session),
            )
        )

    def consent(
        self, session: SessionRow, version: str, text: str, agreed: bool, stamp: Stamp
    ) -> None:
        """Record an answer to the consent form."""
        text_hash = hashlib.sha256(text.encode()).hexdigest()
        self.orm.add(
            ConsentRow(
                session_id=session.id,
                version=version,
                text_hash=text_hash,
                agreed=agreed,
                **stamp.columns(session),
            )
        )

    def check(
        self, session: SessionRow, state: SessionState, answers: dict[str, str], stamp: Stamp
    ) -> None:
        """Record an attempt at the comprehension check."""
        wrong = list(state.wrong or ())
        self.orm.add(
            CheckRow(
                session_id=session.id,
                attempt=state.attempts,
                answers=dict(answers),
                wrong=wrong,
                passed=not wrong,
                **stamp.columns(session),
            )
        )


def _pseudonym() -> str:
    return "p" + "".join(secrets.choice(_LETTERS) for _ in range(10))
