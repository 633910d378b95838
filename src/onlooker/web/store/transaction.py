"""Reading and writing rows within one transaction."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import bindparam, insert, select, update
from sqlalchemy.orm import Session

from onlooker.game import ExperimentName
from onlooker.version import __version__
from onlooker.web.store.models import (
    EventRow,
    NoteRow,
    ParticipantRow,
    SessionRow,
    TabRow,
)
from onlooker.web.study.session_state import SessionState, hash_state

MAX_NOTE = 2000  # characters of one note
MAX_NOTE_BYTES = 200_000  # of all notes of a session: nobody fills the disk with them
NOTE_OVERHEAD = 200  # bytes that a note takes besides its text
_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"  # none looks like another


class UnknownSessionError(Exception):
    """A token that no session has."""


class TakenOverError(Exception):
    """A token whose session has been taken over by another tab."""


@dataclass(frozen=True, slots=True)
class Stamp:
    """When a row is written, and with which settings."""

    time: str  # the server's
    config_hash: str
    client_time: str | None = None

    def columns(self, session: SessionRow | None) -> dict[str, Any]:
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


_FIND = (
    select(TabRow.token_hash, SessionRow)
    .join(SessionRow, TabRow.session_id == SessionRow.id)
    .where(TabRow.token_hash.in_(bindparam("hashes", expanding=True)))
)
_FIND_AND_LOCK = _FIND.with_for_update(of=SessionRow)
_FIND_FREE = _FIND.with_for_update(of=SessionRow, skip_locked=True)
_APPEND = insert(EventRow.__table__)  # type: ignore[arg-type]
_CHANGED = (
    "ordering",
    "counts",
    "screen",
    "state",
    "state_hash",
    "seq",
    "tab_hash",
    "last_seen",
    "note_bytes",
    "ended_at",
    "end_reason",
)
_CHANGE = (
    update(SessionRow.__table__)  # type: ignore[arg-type]
    .where(SessionRow.__table__.c.id == bindparam("session"))
    .values({name: bindparam(f"new_{name}") for name in _CHANGED})
)


class Transaction:
    """Rows read and written together; nothing is stored before the commit.

    Events, and what changes of sessions, are the bulk of what a study writes. They are collected
    and written with two statements, in a third of the time that the ORM takes.
    """

    def __init__(self, orm: Session) -> None:
        self._orm = orm
        self._events: list[dict[str, Any]] = []
        self._changed: dict[int, SessionRow] = {}

    @property
    def orm(self) -> Session:
        """The ORM's session, which sees everything that this transaction has written."""
        self.flush()
        return self._orm

    def flush(self) -> None:
        """Send what was collected to the database."""
        if self._events:
            events, self._events = self._events, []
            self._orm.connection().execute(_APPEND, events)
        if self._changed:
            changed, self._changed = self._changed.values(), {}
            self._orm.connection().execute(_CHANGE, [_new_values(each) for each in changed])

    def _found(self, session: SessionRow) -> SessionRow:
        """A session whose changes are collected here, not by the ORM."""
        self._orm.expunge(session)
        return session

    # -- finding -----------------------------------------------------------------------------------

    def session_of(self, token: str, lock: bool = True) -> SessionRow:
        """The session that a token is in charge of."""
        found = self.sessions_of([token], lock)[0]
        if isinstance(found, SessionRow):
            return found
        raise found or UnknownSessionError

    def sessions_of(
        self, tokens: Sequence[str], lock: bool = True, wait: bool = True
    ) -> list[SessionRow | Exception | None]:
        """For each token, the session that it is in charge of, or why it is in charge of none.

        Without `wait`, None for sessions that another transaction holds, and for unknown tokens.
        """
        hashes = [token_hash(token) for token in tokens]
        query = _FIND if not lock else _FIND_AND_LOCK if wait else _FIND_FREE
        rows = self.orm.execute(query, {"hashes": hashes})
        found: dict[str, SessionRow] = {row[0]: row[1] for row in rows}
        for session in set(found.values()):
            self._orm.expunge(session)
        return [self._in_charge(found.get(hashed), hashed, wait) for hashed in hashes]

    @staticmethod
    def _in_charge(
        session: SessionRow | None, hashed: str, wait: bool
    ) -> SessionRow | Exception | None:
        if session is None:
            return UnknownSessionError() if wait else None
        return session if session.tab_hash == hashed else TakenOverError()

    def session(self, session_id: int) -> SessionRow:
        """The session with a number."""
        query = select(SessionRow).where(SessionRow.id == session_id).with_for_update()
        return self._found(self.orm.scalars(query).one())

    def session_in(self, pid: str, study_id: str, lock: bool = True) -> SessionRow | None:
        """A participant's session in a study."""
        query = (
            select(SessionRow)
            .join(ParticipantRow, ParticipantRow.id == SessionRow.participant_id)
            .where(ParticipantRow.pid == pid, SessionRow.study_id == study_id)
        )
        found = self.orm.scalar(query.with_for_update(of=SessionRow) if lock else query)
        return found and self._found(found)

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
        experiment: ExperimentName,
        stimulus_hash: str,
        state: SessionState,
        stamp: Stamp,
        label: str | None = None,
    ) -> SessionRow:
        """A new session at its first state."""
        session = SessionRow(
            participant_id=participant.id,
            study_id=study_id,
            experiment=experiment,
            label=label,
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
        return self._found(session)

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
        self.touch(session, time)
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

    def touch(self, session: SessionRow, time: str) -> None:
        """Record that a participant was seen."""
        session.last_seen = time
        self._changed[session.id] = session

    def append(
        self,
        session: SessionRow,
        intent_id: str,
        kind: str,
        data: dict[str, Any],
        state: SessionState,
        stamp: Stamp,
        *,
        ordering: int | None = None,
        reply: str | None = None,
    ) -> None:
        """Add an event to a session's log and update the session's state."""
        session.state = state.dump()
        session.state_hash = hash_state(session.state)
        self._events.append(
            {
                "session_id": session.id,
                "seq": session.seq,
                "intent_id": intent_id,
                "kind": kind,
                "data": data,
                "ordering": ordering,
                "reply": reply,
                "state_hash": session.state_hash,
                **stamp.columns(session),
            }
        )
        session.seq += 1
        session.screen = state.screen
        if state.ended:
            session.ended_at = stamp.time
            session.end_reason = state.end_reason
        self.touch(session, stamp.time)

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
            self._changed[session.id] = session
        self._orm.add(
            NoteRow(
                session_id=session and session.id,
                source=source,
                kind=kind,
                detail=detail,
                **stamp.columns(session),
            )
        )


def _new_values(session: SessionRow) -> dict[str, Any]:
    values = {f"new_{name}": getattr(session, name) for name in _CHANGED}
    return {"session": session.id, **values}


def _pseudonym() -> str:
    return "p" + "".join(secrets.choice(_LETTERS) for _ in range(10))
