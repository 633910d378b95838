"""Whether a study's database can be written and read, tried out."""

from __future__ import annotations

import secrets
import shutil
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from onlooker.web.store.models import EventRow, KeyRow, ParticipantRow, SessionRow
from onlooker.web.store.store import BusyError, Store

MIN_FREE_BYTES = 200 * 2**20  # bytes on the disk; with fewer the dashboard warns
CACHE_SECONDS = 1.0  # seconds for which a result holds, however often somebody asks

PROBE_EVENTS, PROBE_BYTES = 8, 64 * 1024

_PROBE = "probe"  # the key whose value is written and read


class Health:
    """Tries the database out, at most once a second."""

    def __init__(self, store: Store) -> None:
        self._store, self._lock = store, threading.Lock()
        self._known: tuple[float, str] | None = None  # when, and the problem

    def problem(self) -> str:
        """Why the database cannot be used; empty if it can."""
        known = self._known
        if known is not None and time.monotonic() - known[0] <= CACHE_SECONDS:
            return known[1]
        if not self._lock.acquire(blocking=known is None):
            return known[1] if known else ""  # somebody is trying it out already
        try:
            problem = write_problem(self._store)
            self._known = time.monotonic(), problem
        finally:
            self._lock.release()
        return problem

    def free_bytes(self) -> int | None:
        """The room on the disk of an SQLite file; None for another database or no folder."""
        if self._store.url.get_backend_name() != "sqlite":
            return None
        try:
            return shutil.disk_usage(Path(self._store.url.database or "").absolute().parent).free
        except OSError:
            return None


def write_problem(store: Store) -> str:
    """Write as much as a choice does: why that failed; empty if it did not.

    Rows are added to the tables that choices are written to and flushed, so that a full disk or a
    lock on any of them shows. Then they are rolled back; one value that changes is committed.
    """
    try:
        with suppress(_Undone), store.write() as tx:
            with _small_cache(tx.orm):
                _write_a_choice(tx.orm)
            raise _Undone
        with store.write() as tx:
            filler = {"name": _PROBE, "value": secrets.token_hex(32)}
            tx.orm.execute(update(KeyRow).where(KeyRow.name == _PROBE).values(**filler))
        with store.read() as orm:
            orm.scalar(select(KeyRow.value).where(KeyRow.name == _PROBE))
    except BusyError as error:
        return str(error)
    return ""


class _Undone(Exception):  # noqa: N818  # no error: it undoes a transaction
    pass


@contextmanager
def _small_cache(orm: Session) -> Iterator[None]:
    """Let SQLite write pages to its log before the commit, as if there were many of them."""
    if orm.get_bind().dialect.name != "sqlite":
        yield
        return
    connection = orm.connection().connection
    connection.execute("PRAGMA cache_size = 4").close()
    try:
        yield
    finally:
        connection.execute("PRAGMA cache_size = -2000").close()  # SQLite's default


def _write_a_choice(orm: Session) -> None:
    """A participant, a session and so many events that the file must grow."""
    stamp = {"code_version": "", "config_hash": "", "server_time": ""}
    person = ParticipantRow(pid=_PROBE, pseudonym=_PROBE, test=True, created_at="")
    orm.add(person)
    orm.flush()
    session = SessionRow(
        participant_id=person.id, study_id=_PROBE, experiment=0, test=True, seed=0, screen="",
        state="", state_hash="", seq=0, tab_hash="", note_bytes=0, arrived_at="", last_seen="",
        code_version="", config_hash="", stimulus_hash="",
    )  # fmt: skip
    orm.add(session)
    orm.flush()
    orm.add_all(
        EventRow(
            session_id=session.id, seq=seq, intent_id=f"{_PROBE}-{seq}", kind="", state_hash="",
            data={"filler": secrets.token_hex(PROBE_BYTES // PROBE_EVENTS // 2)}, **stamp,
        )
        for seq in range(PROBE_EVENTS)
    )  # fmt: skip
    orm.flush()
