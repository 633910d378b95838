"""Backups: of one moment, whole, and never over something else."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from onlooker.web.store import Store
from onlooker.web.store import backup as copies
from onlooker.web.store.backup import BackupError, backup, restore
from onlooker.web.store.connection import database_url
from onlooker.web.store.use import InUseError, restore_lock, server_lock
from onlooker.web.study.course import Courses
from waiting import HANG, wait_until
from web import postgres
from web.short_study import short_study

pytestmark = pytest.mark.server


def test_a_copy_of_a_running_study_is_whole(store: Store, courses: Courses, tmp_path: Path) -> None:
    taken: list[Path] = []
    with short_study(store, courses) as study:
        bots = threading.Thread(target=study.bots, args=(4,))
        bots.start()
        while bots.is_alive() and len(taken) < 4:
            taken.append(backup(str(tmp_path / "study.db"), tmp_path / f"{len(taken)}.db"))
            stored = actions(store) + 60
            wait_until(lambda: actions(store) >= stored or not bots.is_alive())  # noqa: B023
        bots.join()
    assert taken[0].stat().st_mode & 0o077 == 0
    for number, copy in enumerate(taken):
        restore(copy, str(tmp_path / f"restored{number}.db"))
        with Store(str(tmp_path / f"restored{number}.db"), HANG) as other:
            for session in other.sessions(test=True):
                assert other.verify(session.id, study.courses) == []


def actions(store: Store) -> int:
    return sum(session.seq for session in store.sessions(test=True))


def test_nothing_is_overwritten_unless_told(store: Store, tmp_path: Path) -> None:
    database, copy = str(tmp_path / "study.db"), tmp_path / "copy.db"
    backup(database, copy)
    with pytest.raises(BackupError, match="not replaced"):
        backup(database, copy)
    backup(database, copy, replace=True)
    store.set_paused(1, True, "2025-03-01T12:00:00.000Z")
    store.close()
    Path(database + ".lock").unlink(missing_ok=True)
    with pytest.raises(BackupError, match="already"):
        restore(copy, database)
    assert not Path(database + ".lock").exists()
    restore(copy, database, replace=True)
    with Store(database) as again, Store(database + ".before-restore-1") as before:
        assert not again.paused(1)
        assert before.paused(1)


def test_what_is_no_study_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BackupError, match="no such file"):
        backup(str(tmp_path / "none.db"), tmp_path / "copy.db")
    with pytest.raises(BackupError, match="a file, not a folder"):
        backup(str(tmp_path), tmp_path / "copy.db")
    (tmp_path / "text.db").write_text("not a database" * 100)
    with pytest.raises(BackupError, match="not a database"):
        backup(str(tmp_path / "text.db"), tmp_path / "copy.db")
    connection = sqlite3.connect(tmp_path / "other.db")
    connection.execute("CREATE TABLE t (x)")
    connection.close()
    with pytest.raises(BackupError, match="not a study's database"):
        backup(str(tmp_path / "other.db"), tmp_path / "copy.db")
    with pytest.raises(BackupError, match="in memory"):
        backup("sqlite://", tmp_path / "copy.db")
    with pytest.raises(BackupError, match="no such file"):
        restore(tmp_path / "copy.db", str(tmp_path / "new.db"))
    assert not (tmp_path / "copy.db").exists()


def test_without_the_programs_postgresql_is_refused_in_plain_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copies.shutil, "which", lambda program: None)
    with pytest.raises(BackupError, match="pg_dump is not installed"):
        backup("postgresql://localhost/study", tmp_path / "copy.sql")


def test_postgresql_there_and_back(postgres_server: str, tmp_path: Path) -> None:
    with postgres.database(postgres_server) as old, postgres.database(postgres_server) as new:
        with Store(old) as store:
            store.set_paused(2, True, "2025-03-01T12:00:00.000Z")
        copy = backup(old, tmp_path / "copy.sql")
        restore(copy, new)
        with Store(new) as store:
            assert store.paused(2)
            store.set_paused(2, False, "2025-03-01T12:00:00.000Z")
        with pytest.raises(BackupError, match="already"):
            restore(copy, new)
        restore(copy, new, replace=True)
        with Store(new) as store:
            assert store.paused(2)


def test_what_postgresql_complains_of_is_told(postgres_server: str, tmp_path: Path) -> None:
    with postgres.database(postgres_server) as url:
        gone = url
    with pytest.raises(BackupError, match=r"^pg_dump: .*does not exist"):
        backup(gone, tmp_path / "copy.sql")
    assert not list(tmp_path.iterdir())


def test_a_backup_is_not_restored_under_a_server(any_url: str, tmp_path: Path) -> None:
    Store(any_url).close()
    copy = backup(any_url, tmp_path / "copy")
    with (
        server_lock(any_url),
        server_lock(any_url),  # two servers on one database are fine
        pytest.raises(BackupError, match="a server uses this database; stop it first"),
    ):
        restore(copy, any_url, replace=True)
    assert not list(tmp_path.glob("*before-restore*"))
    restore(copy, any_url, replace=True)
    with (
        restore_lock(database_url(any_url)),
        pytest.raises(InUseError, match="being restored"),
        server_lock(any_url),
    ):
        pass


def test_every_database_that_was_replaced_is_kept(tmp_path: Path) -> None:
    database = str(tmp_path / "study.db")
    Store(database).close()
    copy = backup(database, tmp_path / "copy.db")
    for number in range(3):
        with Store(database) as store:
            store.set_paused(1, number % 2 == 0, f"time {number}")
        restore(copy, database, replace=True)
    assert len(list(tmp_path.glob("*before-restore-?"))) == 3
    with Store(f"{database}.before-restore-3") as last:
        assert last.paused(1)


def test_the_lock_ends_with_a_server_that_is_killed(store: Store, tmp_path: Path) -> None:
    database = str(tmp_path / "study.db")
    code = """
import os, sys
from onlooker.web.store.use import server_lock
with server_lock(sys.argv[1]):
    os.kill(os.getpid(), 9)
"""
    done = subprocess.run([sys.executable, "-c", code, database], check=False)
    assert done.returncode == -signal.SIGKILL
    with restore_lock(store.url):
        pass
