"""Datasets made in the background, so that a page can show the progress.

They are kept in the database: several processes serve the pages, and any of them may be asked.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import delete, select, update

from onlooker.web.export.dataset import Export
from onlooker.web.participant import assignment
from onlooker.web.store import BusyError, Store
from onlooker.web.store.clock import Clock, now, parse_timestamp, timestamp
from onlooker.web.store.models import ArchiveRow

SILENT = timedelta(minutes=2)  # after which the process that made it is gone
STEPS = 20  # how often the progress is stored

logger = logging.getLogger("onlooker.web")

Progress = Callable[[int, int], None]  # sessions done, of how many
Making = Callable[[Progress], Export]


@dataclass(frozen=True, slots=True)
class Archive:
    """A dataset as it is being made, or made."""

    asked_at: str
    done: int  # sessions
    of: int
    ready: bool
    problems: int  # sessions whose log could not be replayed
    error: str  # why it could not be made

    @property
    def running(self) -> bool:
        """Whether it is still being made."""
        return not self.ready and not self.error


class Archives:
    """The newest dataset of participants and that of test runs."""

    def __init__(self, store: Store, clock: Clock = now) -> None:
        self._store, self._clock = store, clock

    def get(self, tests: bool) -> Archive | None:
        """The newest dataset; None if nobody has asked for one."""
        ready = ArchiveRow.content.is_not(None)
        with self._store.read() as orm:
            found = orm.execute(
                select(ArchiveRow, ready).where(ArchiveRow.tests.is_(tests))
            ).first()
        if found is None:
            return None
        row, made = found
        error = row.error
        silent = self._clock() - parse_timestamp(row.changed_at) > SILENT
        if not made and not error and silent:
            error = "the server was stopped meanwhile"
        return Archive(row.asked_at, row.done, row.of, made, row.problems, error)

    def content(self, tests: bool) -> bytes | None:
        """The zip file of the newest dataset."""
        with self._store.read() as orm:
            query = select(ArchiveRow.content).where(ArchiveRow.tests.is_(tests))
            return orm.scalar(query)

    def start(self, tests: bool, time: str, make: Making) -> bool:
        """Make a dataset in a thread; False if one is being made already."""
        found = self.get(tests)
        if found is not None and found.running:
            return False
        with self._store.write() as tx:
            assignment.queue_up(tx.orm)  # nobody else starts one at the same time
            tx.orm.execute(delete(ArchiveRow).where(ArchiveRow.tests.is_(tests)))
            new = {"done": 0, "of": 0, "problems": 0, "error": ""}
            tx.orm.add(ArchiveRow(tests=tests, asked_at=time, changed_at=time, **new))
        threading.Thread(target=self._run, args=(tests, time, make), daemon=True).start()
        return True

    def _run(self, tests: bool, time: str, make: Making) -> None:
        def progress(done: int, of: int) -> None:
            if done % max(1, of // STEPS) == 0:
                self._change(tests, time, done=done, of=of)

        try:
            made = make(progress)
            self._change(tests, time, content=made.zipped(), problems=len(made.problems))
        except Exception as error:  # nobody waits for the thread: the page shows it
            logger.exception("the dataset could not be made")
            self._change(tests, time, error=str(error) or type(error).__name__)

    def _change(self, tests: bool, time: str, **values: object) -> None:
        """Store the progress, unless somebody in the dataset was erased or it was begun again."""
        ours = (ArchiveRow.tests.is_(tests), ArchiveRow.asked_at == time)
        changes = values | {"changed_at": timestamp(self._clock())}
        try:
            with self._store.write() as tx:
                tx.orm.execute(update(ArchiveRow).where(*ours).values(**changes))
        except BusyError:
            logger.warning("the progress of a dataset could not be stored")
