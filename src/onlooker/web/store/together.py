"""Rows of many sessions read and written together, with statements that are compiled once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, cast

from sqlalchemy import Connection, bindparam, insert, select, update

from onlooker.web.store.models import EventRow, SessionRow, TabRow
from onlooker.web.store.transaction import Stamp
from onlooker.web.study.session_state import SessionState, hash_state


class Place(Protocol):
    """What carrying out a choice needs to know about a session."""

    @property
    def id(self) -> int:
        """The session's number."""

    @property
    def experiment(self) -> int:
        """Which experiment it is in."""

    @property
    def test(self) -> bool:
        """Whether it is a test run."""

    @property
    def seed(self) -> int:
        """The session's random number."""

    @property
    def seq(self) -> int:
        """How many events there are."""

    @property
    def state(self) -> str:
        """The state as text."""

    @property
    def last_seen(self) -> str:
        """When the participant was last seen."""

    @property
    def ended_at(self) -> str | None:
        """When it ended; None if it has not."""

    @property
    def stimulus_hash(self) -> str:
        """The stimuli that it began with."""


_FIND = (
    select(
        TabRow.token_hash,
        SessionRow.id,
        SessionRow.experiment,
        SessionRow.test,
        SessionRow.seed,
        SessionRow.seq,
        SessionRow.state,
        SessionRow.last_seen,
        SessionRow.ended_at,
        SessionRow.stimulus_hash,
    )
    .join(SessionRow, TabRow.session_id == SessionRow.id)
    .where(TabRow.token_hash.in_(bindparam("hashes", expanding=True)))
    .where(SessionRow.tab_hash == TabRow.token_hash)  # the tab is in charge
    # Many people must not wait for one: a session that another transaction holds is left out.
    .with_for_update(of=SessionRow, skip_locked=True)
)
_APPEND = insert(EventRow)
_CHANGED = ("seq", "state", "state_hash", "last_seen")
_MOVE_ON = (
    update(SessionRow)
    .where(SessionRow.id == bindparam("session"))
    .values({name: bindparam(f"new_{name}") for name in _CHANGED})
)


class Together:
    """Sessions that go on in one transaction; nothing is stored before the commit."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._events: list[dict[str, Any]] = []
        self._moves: list[dict[str, Any]] = []

    def find(self, hashes: Sequence[str]) -> Mapping[str, Place]:
        """The sessions that tabs are in charge of, by the hash of the token; not those in use."""
        rows = self._connection.execute(_FIND, {"hashes": hashes})
        return {row[0]: cast(Place, row) for row in rows}

    def append(
        self,
        place: Place,
        intent_id: str,
        kind: str,
        data: dict[str, Any],
        state: SessionState,
        stamp: Stamp,
    ) -> None:
        """Add an event that does not end a session to its log, and update the session's state."""
        text = state.dump()
        state_hash = hash_state(text)
        self._events.append(
            {
                "session_id": place.id,
                "seq": place.seq,
                "intent_id": intent_id,
                "kind": kind,
                "data": data,
                "state_hash": state_hash,
                **stamp.columns(place),
            }
        )
        self._moves.append(
            {
                "session": place.id,
                "new_seq": place.seq + 1,
                "new_state": text,
                "new_state_hash": state_hash,
                "new_last_seen": stamp.time,
            }
        )

    def write(self) -> None:
        """Send everything to the database."""
        if self._events:
            self._connection.execute(_APPEND, self._events)
            self._connection.execute(_MOVE_ON, self._moves)
