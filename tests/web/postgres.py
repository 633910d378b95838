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
from pathlib import Path

import psycopg

VARIABLE = "ONLOOKER_TEST_POSTGRES"


class NoPostgresError(Exception):
    """Why there is none."""


@contextmanager
def server() -> Iterator[str]:
    """The URL of a server on which databases can be made."""
    if url := os.environ.get(VARIABLE):
        yield url.replace("postgresql+psycopg://", "postgresql://")
        return
    folder = Path(tempfile.mkdtemp(prefix="onlooker-pg-"))
    try:
        with _started(_programs(), folder) as url:
            yield url
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def database(server_url: str) -> Iterator[str]:
    """The URL of a new, empty database."""
    name = f"onlooker_test_{uuid.uuid4().hex}"
    with psycopg.connect(server_url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
        address, question, query = server_url.partition("?")
        base = address.rsplit("/", 1)[0]
        yield f"{base}/{name}{question}{query}"
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


def _programs() -> Path:
    found = shutil.which("pg_ctl")
    places = [Path(found).parent] if found else []
    places += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    for place in places:
        if (place / "pg_ctl").exists() and (place / "initdb").exists():
            return place
    raise NoPostgresError(f"{VARIABLE} is not set and no PostgreSQL server is installed")


def _as_user(folder: Path) -> list[str]:
    """PostgreSQL refuses to run as root, so root runs it as somebody else."""
    if os.geteuid() != 0:
        return []
    for user in ("postgres", "nobody"):
        try:
            entry = pwd.getpwnam(user)
        except KeyError:
            continue
        if shutil.which("runuser"):
            os.chown(folder, entry.pw_uid, entry.pw_gid)
            return ["runuser", "-u", user, "--"]
    raise NoPostgresError("PostgreSQL does not run as root and there is no other user to run it")


@contextmanager
def _started(programs: Path, folder: Path) -> Iterator[str]:
    user, data = _as_user(folder), folder / "data"
    run = {"check": True, "capture_output": True, "cwd": folder}
    options = f"-c listen_addresses='' -c unix_socket_directories='{folder}' -c fsync=off"
    try:
        subprocess.run(
            [*user, programs / "initdb", "-D", data, "-U", "onlooker", "-A", "trust", "-N"], **run
        )
        control = [*user, programs / "pg_ctl", "-D", data, "-w", "-t", "60"]
        subprocess.run([*control, "-o", options, "-l", folder / "log", "start"], **run)
    except (subprocess.CalledProcessError, OSError) as error:
        raise NoPostgresError(f"PostgreSQL could not be started: {error}") from None
    try:
        yield f"postgresql://onlooker@/postgres?host={folder}"
    finally:
        subprocess.run([*control, "-m", "immediate", "stop"], **run)
