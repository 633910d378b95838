"""Log messages of one kind are written once a minute, with the number of those left out."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

SECONDS = 60.0
LOGGERS = ("onlooker.web", "uvicorn.error")


class OnceAMinute(logging.Filter):
    """Lets the first message of each form through, then one a minute.

    >>> thin = OnceAMinute(clock=lambda: 0.0)
    >>> record = logging.makeLogRecord({"levelno": logging.WARNING, "msg": "no %s", "args": ("x",)})
    >>> thin.filter(record), thin.filter(record)
    (True, False)
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock, self._lock = clock, threading.Lock()
        self._forms: dict[str, tuple[float, int]] = {}  # when one was written, how many were not

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a message is written."""
        if record.levelno < logging.WARNING:
            return True
        form, now = str(record.msg), self._clock()
        with self._lock:
            written, left_out = self._forms.get(form, (-SECONDS, 0))
            if now - written < SECONDS:
                self._forms[form] = written, left_out + 1
                return False
            self._forms[form] = now, 0
        if left_out:
            record.msg = f"{form} (and {left_out} more like this before)"
        return True


def thin_logs() -> None:
    """Thin the server's log, so that no caller can fill the disk with it."""
    thin = OnceAMinute()
    for name in LOGGERS:
        logging.getLogger(name).addFilter(thin)
