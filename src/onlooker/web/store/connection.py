"""Connecting to SQLite or PostgreSQL so that committed data is never lost; migrations."""

from __future__ import annotations

import os
import sqlite3
from contextlib import suppress
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, Engine, create_engine, event, make_url, text
from sqlalchemy.engine import URL

MIGRATIONS = Path(__file__).with_name("migrations")
READ_ONLY = "onlooker_read_only"  # execution option of a connection that only reads
_MIGRATION_LOCK = 7_301_944_512_660_031


def database_url(text: str) -> URL:
    """The URL of a database; a path is an SQLite file, and psycopg connects to PostgreSQL.

    >>> str(database_url("study.db")), database_url("postgres://host/study").drivername
    ('sqlite:///study.db', 'postgresql+psycopg')
    """
    if "://" not in text:
        return URL.create("sqlite", database=text)
    url = make_url(text)
    if url.drivername in ("postgres", "postgresql"):
        url = url.set(drivername="postgresql+psycopg")
    if url.get_backend_name() not in ("sqlite", "postgresql"):
        raise ValueError(f"expected an SQLite file or a PostgreSQL URL, not {url.drivername!r}")
    if url.get_backend_name() == "sqlite" and url.database in (None, "", ":memory:"):
        raise ValueError("expected an SQLite file: a database in memory would lose the data")
    return url


def open_database(url: URL, timeout: float, connections: int = 40) -> Engine:
    """A database with so many connections, which wait at most `timeout` seconds for a lock."""
    if url.get_backend_name() == "sqlite":
        return _open_sqlite(url, timeout)
    milliseconds = round(timeout * 1000)
    given = url.query.get("options", "")  # of the URL
    options = f"{given} -c lock_timeout={milliseconds} -c statement_timeout={5 * milliseconds}"
    return create_engine(
        url,
        pool_size=max(1, connections // 2),
        max_overflow=connections - max(1, connections // 2),
        pool_timeout=timeout,
        pool_pre_ping=True,
        connect_args={"options": options, "connect_timeout": max(2, round(timeout))},
    )


def file_identity(url: URL) -> tuple[int, int] | None:
    """Which file an SQLite database is in at this moment; None if there is none."""
    if url.get_backend_name() != "sqlite":
        return None
    try:
        found = os.stat(url.database or "")
    except OSError:
        return None
    return found.st_dev, found.st_ino


def migrate(engine: Engine) -> None:
    """Bring the tables to the newest version; several servers may start at the same time."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    with engine.begin() as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(text("SELECT set_config('lock_timeout', '60s', true)"))
            connection.execute(text(f"SELECT pg_advisory_xact_lock({_MIGRATION_LOCK})"))
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


def _open_sqlite(url: URL, timeout: float) -> Engine:
    with suppress(OSError):  # what is wrong with the place is said when it is connected to
        os.close(os.open(url.database or "", os.O_CREAT, 0o600))  # it contains participants' ids
    engine = create_engine(
        url,
        pool_size=20,
        max_overflow=20,
        pool_timeout=timeout,
        connect_args={"check_same_thread": False, "timeout": timeout},
    )

    @event.listens_for(engine, "connect")
    def _set_up(connection: sqlite3.Connection, record: Any) -> None:
        connection.isolation_level = (
            None  # transactions begin below, not where the driver begins them
        )
        # secure_delete overwrites what is deleted or changed, also in the log.
        for pragma in (
            "journal_mode=WAL",
            "synchronous=FULL",
            "foreign_keys=ON",
            "secure_delete=ON",
        ):
            connection.execute(f"PRAGMA {pragma}").close()

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        reads = connection.get_execution_options().get(READ_ONLY, False)
        connection.exec_driver_sql("BEGIN" if reads else "BEGIN IMMEDIATE")

    return engine
