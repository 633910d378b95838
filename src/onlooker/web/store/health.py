"""Whether a study's database can be written and read, tried out."""

from __future__ import annotations

import secrets
import shutil
import threading
import time
from pathlib import Path

from sqlalchemy import select, update

from onlooker.web.store.models import KeyRow
from onlooker.web.store.store import BusyError, Store

LEAST_FREE = 200 * 2**20  # bytes on the disk; with fewer the dashboard warns
FRESH = 1.0  # seconds for which a result holds, however often somebody asks

_PROBE = "probe"  # the key whose value is written and read


class Health:
    """Tries the database out, at most once a second."""

    def __init__(self, store: Store) -> None:
        self._store, self._lock = store, threading.Lock()
        self._known: tuple[float, str] | None = None  # when, and the problem

    def problem(self) -> str:
        """Why the database cannot be used; empty if it can."""
        with self._lock:
            if self._known is None or time.monotonic() - self._known[0] > FRESH:
                problem = write_problem(self._store)
                self._known = time.monotonic(), problem
            return self._known[1]

    def free_bytes(self) -> int | None:
        """The room on the disk of an SQLite file; None for another database or no folder."""
        if self._store.url.get_backend_name() != "sqlite":
            return None
        try:
            return shutil.disk_usage(Path(self._store.url.database or "").absolute().parent).free
        except OSError:
            return None


def write_problem(store: Store) -> str:
    """Write something and read it back: why that failed; empty if it did not."""
    wanted = secrets.token_hex(16)
    try:
        with store.write() as tx:
            tx.orm.execute(update(KeyRow).where(KeyRow.name == _PROBE).values(value=wanted))
        with store.read() as orm:
            orm.scalar(select(KeyRow.value).where(KeyRow.name == _PROBE))
    except BusyError as error:
        return str(error)
    return ""
