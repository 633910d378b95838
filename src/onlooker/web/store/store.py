"""Access to the database: transactions, the pause switch, sessions and their audit."""

from __future__ import annotations

import logging
import sqlite3
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import create_engine, select
from sqlalchemy.exc import (
    DatabaseError,
    DBAPIError,
    InterfaceError,
    InternalError,
    OperationalError,
)
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.orm import Session

from onlooker.game import ExperimentName
from onlooker.web.store.audit import Result, check_log, result_row
from onlooker.web.store.connection import (
    MIGRATIONS,
    READ_ONLY,
    database_url,
    file_identity,
    migrate,
    open_database,
)
from onlooker.web.store.models import EventRow, SessionRow, StimuliRow, StudyRow
from onlooker.web.store.transaction import Transaction
from onlooker.web.study.course import Course, Courses
from onlooker.web.study.course_document import dump_course, load_course_document

SLOW_COMMIT = 1.0  # seconds
LOCK_TIMEOUT = 2.0  # seconds to wait for the database before saying that it is busy
MOVED = "its file was moved, deleted or replaced"


logger = logging.getLogger("onlooker.web")


class BusyError(Exception):
    """The database is locked, read-only or cannot be reached; nothing was written."""


class Store:
    """A study's database; missing tables are created. ValueError if it is something else.

    >>> import tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> with Store(folder.name + "/study.db") as store:
    ...     store.paused(1), store.sessions()
    (False, [])
    >>> folder.cleanup()
    """

    def __init__(self, url: str, timeout: float = LOCK_TIMEOUT, connections: int = 40) -> None:
        self.url = database_url(url)
        self.timeout = timeout
        self._courses: dict[str, Course | None] = {}  # by the hash of their stimuli
        self.engine = open_database(self.url, timeout, connections)
        # SQLite has one writer; waiting for a lock here is fairer and faster than on its file lock.
        self._write_lock = threading.Lock() if self.url.get_backend_name() == "sqlite" else None
        self._reading: dict[str, Any] = {READ_ONLY: True}
        if self._write_lock is None:
            self._reading["isolation_level"] = "REPEATABLE READ"
        try:
            with self._errors():
                migrate(self.engine)
        except (DatabaseError, CommandError) as error:
            self.close()
            raise ValueError(f"not a study's database: {error.__cause__ or error}") from error
        self._file = file_identity(self.url)

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Close all connections; everything is then in an SQLite file, with no log beside it."""
        if self._write_lock is not None:
            with suppress(DBAPIError, sqlite3.Error), self.engine.connect() as connection:
                # Not for long: another process may use the file, and then it does this later.
                for pragma in ("busy_timeout=100", "wal_checkpoint(TRUNCATE)"):
                    connection.connection.execute(f"PRAGMA {pragma}").close()
        self.engine.dispose()

    # -- transactions ------------------------------------------------------------------------------

    @contextmanager
    def write(self) -> Iterator[Transaction]:
        """A transaction, committed when the block ends and undone when it raises."""
        with (
            self._write_turn(),
            self._errors(),
            Session(self.engine, expire_on_commit=False) as orm,
        ):
            tx = Transaction(orm)
            yield tx
            tx.flush()
            self._commit(orm)

    def _commit(self, orm: Session) -> None:
        began = time.monotonic()
        orm.commit()
        if (took := time.monotonic() - began) > SLOW_COMMIT:
            logger.warning("a commit took %.1f s", took)

    @contextmanager
    def read(self) -> Iterator[Session]:
        """A read-only session: it sees one snapshot and blocks nobody."""
        with self._errors(), self.engine.connect() as connection:
            connection = connection.execution_options(**self._reading)
            with Session(connection, expire_on_commit=False) as orm:
                yield orm

    @contextmanager
    def _write_turn(self) -> Iterator[None]:
        if self._write_lock is None:
            yield
            return
        if not self._write_lock.acquire(timeout=self.timeout):
            raise BusyError("the database is locked")
        try:
            if file_identity(self.url) != self._file:
                raise BusyError(MOVED)  # what is written to a deleted file is lost with the process
            yield
        finally:
            self._write_lock.release()

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except (OperationalError, InterfaceError, InternalError, PoolTimeoutError) as error:
            raise BusyError(str(error.__cause__ or error)) from error

    # -- switches ----------------------------------------------------------------------------------

    def paused(self, experiment: ExperimentName) -> bool:
        """Whether an experiment is paused."""
        with self.read() as orm:
            query = select(StudyRow.paused).where(StudyRow.experiment == experiment)
            return bool(orm.scalar(query))

    def set_paused(self, experiment: ExperimentName, paused: bool, time: str) -> None:
        """Pause an experiment or open it again; running sessions continue."""
        with self.write() as tx:
            tx.orm.merge(StudyRow(experiment=experiment, paused=paused, changed_at=time))

    # -- reading -----------------------------------------------------------------------------------

    def sessions(
        self, experiment: ExperimentName | None = None, test: bool = False
    ) -> Sequence[SessionRow]:
        """The sessions of an experiment, or of all, by arrival; test runs or real ones."""
        query = select(SessionRow).where(SessionRow.test.is_(test)).order_by(SessionRow.id)
        if experiment is not None:
            query = query.where(SessionRow.experiment == experiment)
        with self.read() as orm:
            return orm.scalars(query).all()

    # -- what sessions are played on ---------------------------------------------------------------

    def keep_stimuli(self, courses: Courses) -> None:
        """Store courses, each once, so that sessions can be shown whatever becomes of them."""
        with self.read() as orm:
            known = set(orm.scalars(select(StimuliRow.stimulus_hash)))
        every = (variant for course in courses.values() for variant in course.variants)
        for course in every:
            if course.stimulus_hash not in known:
                with self.write() as tx:
                    row = StimuliRow(
                        stimulus_hash=course.stimulus_hash, document=dump_course(course)
                    )
                    tx.orm.merge(row)

    def course_of(self, session: SessionRow, courses: Courses) -> Course | None:
        """The course that a session is played on; None if it was not stored."""
        whole = courses.get(session.experiment)
        present = whole and whole.under(session.label)
        if present is not None and present.stimulus_hash == session.stimulus_hash:
            return present
        key = session.stimulus_hash
        if key not in self._courses:
            with self.read() as orm:
                row = orm.get(StimuliRow, key)
            if row is None:
                return None
            self._courses[key] = load_course_document(row.document)
        return self._courses[key]

    # -- audit -------------------------------------------------------------------------------------

    def verify(self, session_id: int, courses: Courses) -> list[str]:
        """Replay a session's log; list how it differs from what is stored."""
        with self.read() as orm:
            session = orm.get(SessionRow, session_id)
            query = select(EventRow).where(EventRow.session_id == session_id)
            events = orm.scalars(query.order_by(EventRow.seq)).all()
        if session is None:
            return [f"there is no session {session_id}"]
        return check_log(session, events, self.course_of(session, courses)).problems

    def keep_results(self, found: Mapping[int, tuple[SessionRow, Result]]) -> None:
        """Store the results of sessions that have ended, unless the database is busy."""
        ended = [(session, result) for session, result in found.values() if session.ended_at]
        try:
            for start in range(0, len(ended), 50):  # short transactions: others write too
                with self.write() as tx:
                    for session, result in ended[start : start + 50]:
                        tx.orm.merge(result_row(session, result))
        except BusyError:
            return  # they are found again the next time


def check_database(text: str) -> None:
    """ValueError unless a database is a study's already; nothing is written."""
    url = database_url(text)
    if url.get_backend_name() == "sqlite":
        file = Path(url.database or "")
        if not file.is_file():
            raise ValueError("there is no such file")
        reading = {"mode": "ro", "uri": "true"}
        engine = create_engine(url.set(database=file.absolute().as_uri(), query=reading))
    else:
        engine = open_database(url, LOCK_TIMEOUT)
    try:
        with engine.connect() as connection:
            versions = set(MigrationContext.configure(connection).get_current_heads())
    except DatabaseError as error:
        raise ValueError(f"not a study's database: {error.__cause__ or error}") from error
    finally:
        engine.dispose()
    ours = {each.revision for each in ScriptDirectory(str(MIGRATIONS)).walk_revisions()}
    if not versions or not versions <= ours:
        raise ValueError("not a study's database, or one of a newer onlooker")
