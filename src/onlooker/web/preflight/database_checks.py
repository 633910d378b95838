"""Checks of the database that a study will use, or uses already."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from sqlalchemy import inspect

from onlooker.web.preflight.findings import Finding, must, replayed, should
from onlooker.web.store import BusyError, Store, check_database
from onlooker.web.store.backup import TABLE, BackupError, backup
from onlooker.web.store.connection import database_url, open_database
from onlooker.web.store.health import MIN_FREE_BYTES, Health, write_problem
from onlooker.web.study.course import Courses


def check_database_in_use(database: str, courses: Courses) -> Iterator[Finding]:
    """Check a database: it can be written and copied, its logs hold, and it is meant for people."""
    try:
        if not _has_study(database):
            yield Finding("ok", "the database is empty: serve makes the tables")
            yield from _backup_programs(database)
            return
        check_database(database)
        with Store(database) as store:
            yield from _opened(store, courses)
    except (BusyError, ValueError, OSError) as error:
        yield Finding("not ready", f"the database cannot be used: {error}")
        return
    yield _copied(database)


def _backup_programs(database: str) -> Iterator[Finding]:
    """Whether a PostgreSQL database, which has nothing to copy yet, could be copied."""
    if database_url(database).get_backend_name() == "postgresql":
        missing = [name for name in ("pg_dump", "psql") if shutil.which(name) is None]
        yield must(
            not missing,
            "the programs that make and restore backups are installed",
            f"backup: {', '.join(missing)} not found; it comes with PostgreSQL's client programs",
        )


def _has_study(database: str) -> bool:
    """Whether there are tables already; OSError or BusyError if there can be none."""
    url = database_url(database)
    if url.get_backend_name() == "sqlite":
        file = Path(url.database or "")
        with tempfile.TemporaryFile(dir=file.parent):  # can files be made there?
            return file.exists()
    engine = open_database(url, 5)
    try:
        with engine.connect() as connection:
            return inspect(connection).has_table(TABLE)
    except Exception as error:
        raise BusyError(str(error.__cause__ or error)) from None
    finally:
        engine.dispose()


def _opened(store: Store, courses: Courses) -> Iterator[Finding]:
    problem = write_problem(store)
    yield must(not problem, "the database can be written", f"it cannot be written: {problem}")
    free = Health(store).free_bytes()
    yield should(
        free is None or free >= MIN_FREE_BYTES,
        "there is room on the disk",
        f"only {(free or 0) // 2**20} MB are free",
    )
    yield replayed(store, courses, "every log in the database gives the stored state")
    people = len(store.sessions())
    yield should(
        not people,
        "the database has no sessions of participants yet",
        f"it has {people}; use another one unless the study goes on",
    )
    paused = [number for number in courses if store.paused(number)]
    yield should(not paused, "no experiment is paused", f"paused: {paused}")


def _copied(database: str) -> Finding:
    with tempfile.TemporaryDirectory(prefix="onlooker-preflight-") as folder:
        try:
            backup(database, Path(folder, "copy"))
        except BackupError as error:
            return Finding("not ready", f"the database cannot be copied: {error}")
    return Finding("ok", "the database can be copied")
