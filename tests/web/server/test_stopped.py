"""A server that is asked to stop finishes its calls and closes the database."""

from __future__ import annotations

import shutil
import signal
import threading
from pathlib import Path

import httpx
import pytest

from calling import client_of
from onlooker.web.store import Store
from onlooker.web.store.backup import BackupError, backup, restore
from waiting import HANG, wait_until
from web.crash import Server, loaded, settings_file
from web.visitor import Visitor

pytestmark = pytest.mark.server


def test_sigterm_leaves_everything_in_the_main_file_and_only_then_a_backup_is_restored(
    tmp_path: Path,
) -> None:
    settings = settings_file(tmp_path, rounds=1)
    _, courses = loaded(settings)
    server = Server(tmp_path, settings)
    acknowledged: dict[str, int] = {}

    def take_part(pid: str) -> None:
        with client_of(server.url) as client:
            visitor = Visitor(client, pid)
            try:
                visitor.arrive()
                for view in visitor.walk(courses[1]):
                    acknowledged[pid] = view["seq"]
            except (httpx.HTTPError, AssertionError):
                return

    server.start()
    copy = backup(str(server.database), tmp_path / "copy.db")
    with pytest.raises(BackupError, match="stop it first"):
        restore(copy, str(server.database), replace=True)
    threads = [threading.Thread(target=take_part, args=(f"p{n}",)) for n in range(4)]
    for thread in threads:
        thread.start()
    wait_until(lambda: sum(acknowledged.values()) >= 40, "nobody plays")
    server.stop(signal.SIGTERM)
    for thread in threads:
        thread.join()
    assert server.process is not None
    assert server.process.returncode == 0
    assert "Traceback" not in server.log.read_text()
    assert not Path(f"{server.database}-wal").exists()
    alone = shutil.copy(server.database, tmp_path / "alone.db")
    with Store(str(alone), HANG) as store:
        stored = sum(session.seq for session in store.sessions())
        assert stored >= sum(acknowledged.values()) >= 40
        assert [store.verify(s.id, courses) for s in store.sessions()] == [[]] * 4
    restore(copy, str(server.database), replace=True)
