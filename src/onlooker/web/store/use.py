"""A lock on a database: servers share it, and restoring a backup needs it alone.

It ends with the process that holds it, however that ends.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from sqlalchemy import create_engine, text
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError

from onlooker.web.store.connection import database_url

ENDING = ".lock"
_HEADER = b"SQLite format 3\0"
_LOCK = 7_301_944_512_660_032  # PostgreSQL's advisory locks are numbers


class InUseError(Exception):
    """The database is in use by a server or a restore, or its lock cannot be taken."""


@contextmanager
def server_lock(database: str) -> Iterator[None]:
    """Hold a database as a server; several servers may."""
    with _lock(database_url(database), False, "a backup is being restored to it; try again later"):
        yield


@contextmanager
def restore_lock(url: URL) -> Iterator[None]:
    """Hold a database alone; InUseError if a server runs on it."""
    with _lock(url, True, "a server uses this database; stop it first"):
        yield


@contextmanager
def _lock(url: URL, alone: bool, refusal: str) -> Iterator[None]:
    found = (
        _file_lock(url, alone) if url.get_backend_name() == "sqlite" else _named_lock(url, alone)
    )
    with found as held:
        if not held:
            raise InUseError(refusal)
        yield


@contextmanager
def _file_lock(url: URL, alone: bool) -> Iterator[bool]:
    """SQLite's own lock, which works on every system, on an empty file beside the database."""
    database, file = Path(url.database or ""), Path(f"{url.database}{ENDING}")
    if not file.parent.is_dir():
        raise InUseError(f"{file.parent}: there is no such folder")
    if not alone and not _may_be_sqlite(database):  # then nothing is put beside it either
        raise InUseError("not a study's database: file is not a database")
    try:
        opened = sqlite3.connect(file, timeout=0, isolation_level=None)
    except sqlite3.OperationalError as error:
        raise InUseError(f"{file}: {error}; expected a folder that can be written") from None
    with closing(opened) as connection:
        try:
            connection.execute("BEGIN EXCLUSIVE" if alone else "BEGIN")
            connection.execute("SELECT * FROM sqlite_master").fetchall()  # takes the shared lock
            held = True
        except sqlite3.OperationalError as error:
            if "locked" not in str(error):
                raise InUseError(f"{file}: {error}") from None
            held = False
        yield held


def _may_be_sqlite(path: Path) -> bool:
    """Whether a path is an SQLite file, an empty one, or nothing yet."""
    if not path.exists():
        return True
    if not path.is_file():
        return False
    with open(path, "rb") as file:
        return file.read(len(_HEADER)) in (b"", _HEADER)


@contextmanager
def _named_lock(url: URL, alone: bool) -> Iterator[bool]:
    """PostgreSQL's advisory lock, on a connection of its own."""
    engine = create_engine(url, isolation_level="AUTOCOMMIT")
    function = "pg_try_advisory_lock" if alone else "pg_try_advisory_lock_shared"
    try:
        try:
            connection = engine.connect()
        except DBAPIError as error:
            raise InUseError(str(error.__cause__ or error)) from None
        with connection:
            try:
                yield bool(connection.scalar(text(f"SELECT {function}({_LOCK})")))
            finally:  # else it ends with the session, a moment after the connection
                with suppress(DBAPIError):
                    connection.execute(text("SELECT pg_advisory_unlock_all()"))
    finally:
        engine.dispose()
