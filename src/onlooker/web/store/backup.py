"""Backing up and restoring a study's database."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import subprocess
import tempfile
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from sqlalchemy import create_engine, inspect
from sqlalchemy.engine import URL

from onlooker.web.store.connection import database_url
from onlooker.web.store.use import InUseError, restore_lock

TABLE = "participants"  # a study's database has it


class BackupError(Exception):
    """A backup cannot be made or restored; nothing has changed."""


def backup(database: str, output: str | os.PathLike[str], replace: bool = False) -> Path:
    """Copy a database to a file, also while the server runs; the copy is of one moment."""
    url, output = _url(database), Path(output)
    if output.exists() and not replace:
        raise BackupError(f"{output}: the file exists already and is not replaced")
    output.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=output.parent, prefix=f".{output.name}.") as folder:
        new = Path(folder, "copy")
        if url.get_backend_name() == "sqlite":
            _copy(_existing(url), new)
        else:
            options = [
                "--no-owner",
                "--no-privileges",
                "--clean",
                "--if-exists",
                "--file",
                str(new),
            ]
            _run("pg_dump", url, options)
        new.chmod(0o600)  # it contains participants' ids
        new.replace(output)
    return output


def restore(source: str | os.PathLike[str], database: str, replace: bool = False) -> None:
    """Restore a backup; an existing database is replaced only with `replace`.

    A database that a server uses is refused.
    """
    url, source = _url(database), Path(source)
    _check_file(source)
    if url.get_backend_name() == "sqlite":
        target = Path(url.database or "")
        _refuse_existing(target, replace)  # before a lock is put beside it
        target.parent.mkdir(parents=True, exist_ok=True)
    try:
        with restore_lock(url):
            if url.get_backend_name() == "sqlite":
                _restore_file(source, Path(url.database or ""), replace)
            else:
                _restore_dump(source, url, replace)
    except InUseError as error:
        raise BackupError(f"{url.render_as_string()}: {error}") from None


def _restore_file(source: Path, target: Path, replace: bool) -> None:
    _refuse_existing(target, replace)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=f".{target.name}.") as folder:
        new = Path(folder, "copy")
        _copy(source, new)
        new.chmod(0o600)
        _put_aside(target)
        new.replace(target)


def _refuse_existing(target: Path, replace: bool) -> None:
    if target.exists() and not replace:
        raise BackupError(f"{target}: the database exists already; --replace moves it aside")


def _put_aside(target: Path) -> None:
    """Keep a database, in case it was a mistake, under the first number that is free."""
    number = 1
    while (aside := target.with_name(f"{target.name}.before-restore-{number}")).exists():
        number += 1
    for ending in ("-wal", "-shm", ""):
        old = target.with_name(target.name + ending)
        if old.exists():
            old.replace(aside.with_name(aside.name + ending))


def _restore_dump(source: Path, url: URL, replace: bool) -> None:
    _check_dump(source)
    engine = create_engine(url)
    try:
        there = inspect(engine).has_table(TABLE)
    finally:
        engine.dispose()
    if there and not replace:
        shown = url.render_as_string()
        raise BackupError(f"{shown}: the database has tables already; --replace drops them first")
    options = ["--quiet", "--single-transaction", "--set", "ON_ERROR_STOP=1", "--file", str(source)]
    _run("psql", url, options)


def _check_dump(source: Path) -> None:
    """BackupError unless a file is a dump that makes a study's tables."""
    table = re.compile(rf"CREATE TABLE (\w+\.)?{TABLE} ")
    with source.open(encoding="utf-8", errors="replace") as lines:
        if not any(table.match(line) for line in lines):
            raise BackupError(f"{source}: not a dump of a study's database")


def _copy(source: Path, target: Path) -> None:
    """Copy an SQLite database with SQLite's own backup, and check the copy."""
    try:
        with (
            closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True)) as old,
            closing(sqlite3.connect(target)) as new,
        ):
            old.backup(new)
            new.execute("PRAGMA journal_mode=DELETE").fetchall()  # one file, nothing beside it
            [[verdict]] = new.execute("PRAGMA integrity_check").fetchall()
            names = {name for (name,) in new.execute("SELECT name FROM sqlite_master")}
    except sqlite3.Error as error:
        raise BackupError(f"{source}: {error}") from None
    if verdict != "ok":
        raise BackupError(f"{source}: the database is damaged: {verdict}")
    if TABLE not in names:
        raise BackupError(f"{source}: not a study's database")


def _run(program: str, url: URL, options: Sequence[str]) -> None:
    """Run one of PostgreSQL's programs on a database; the password is passed in the environment."""
    if shutil.which(program) is None:
        raise BackupError(
            f"{program} is not installed; it comes with PostgreSQL's client programs"
            " (postgresql-client on Debian and Ubuntu)"
        )
    plain = url.set(drivername="postgresql", password=None)
    environment = dict(os.environ)
    if url.password is not None:
        environment["PGPASSWORD"] = str(url.password)
    done = subprocess.run(
        [program, *options, "--dbname", plain.render_as_string(hide_password=False)],
        env=environment,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    if done.returncode:
        raise BackupError(f"{program}: {done.stderr.strip() or f'status {done.returncode}'}")


def _check_file(path: Path) -> None:
    if not path.is_file():
        found = "expected a file, not a folder" if path.is_dir() else "there is no such file"
        raise BackupError(f"{path}: {found}")


def _existing(url: URL) -> Path:
    path = Path(url.database or "")
    _check_file(path)
    return path


def _url(database: str) -> URL:
    try:
        return database_url(database)
    except ValueError as error:
        raise BackupError(str(error)) from None
