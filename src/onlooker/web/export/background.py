"""Datasets made in the background, so that a page can show the progress."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace

from onlooker.web.export.dataset import Export

logger = logging.getLogger("onlooker.web")

Progress = Callable[[int, int], None]  # sessions done, of how many
Making = Callable[[Progress], Export]


@dataclass(frozen=True, slots=True)
class Archive:
    """A dataset as it is being made, or made."""

    asked_at: str
    done: int = 0  # sessions
    of: int = 0
    content: bytes | None = None  # the zip file, once it is made
    problems: int = 0  # sessions whose log could not be replayed
    error: str = ""  # why it could not be made

    @property
    def running(self) -> bool:
        """Whether it is still being made."""
        return self.content is None and not self.error


class Archives:
    """The newest dataset of participants and that of test runs."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._archives: dict[bool, Archive] = {}

    def get(self, tests: bool) -> Archive | None:
        """The newest dataset; None if nobody has asked for one."""
        with self._lock:
            return self._archives.get(tests)

    def clear(self) -> None:
        """Forget what was made: somebody in it was erased."""
        with self._lock:
            done = [tests for tests, found in self._archives.items() if not found.running]
            for tests in done:
                del self._archives[tests]

    def start(self, tests: bool, time: str, make: Making) -> bool:
        """Make a dataset in a thread; False if one is being made already."""
        with self._lock:
            found = self._archives.get(tests)
            if found is not None and found.running:
                return False
            self._archives[tests] = Archive(time)
        threading.Thread(target=self._run, args=(tests, make), daemon=True).start()
        return True

    def _run(self, tests: bool, make: Making) -> None:
        try:
            made = make(lambda done, of: self._change(tests, done=done, of=of))
            self._change(tests, content=made.zipped(), problems=len(made.problems))
        except Exception as error:  # nobody waits for the thread: the page shows it
            logger.exception("the dataset could not be made")
            self._change(tests, error=str(error) or type(error).__name__)

    def _change(self, tests: bool, **values: object) -> None:
        with self._lock:
            self._archives[tests] = replace(self._archives[tests], **values)  # type: ignore[arg-type]
