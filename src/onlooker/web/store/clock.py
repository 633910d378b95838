"""Times as the tables store them: UTC, ISO 8601, milliseconds, so that it sorts as text."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

Clock = Callable[[], datetime]
Steady = Callable[[], float]  # seconds since some moment; nobody can set it

JUMP = timedelta(seconds=30)  # a clock that differs by more was set


def now() -> datetime:
    """The current time."""
    return datetime.now(UTC)


def timestamp(moment: datetime) -> str:
    """A moment as text.

    >>> timestamp(datetime(2025, 3, 1, 12, 30, tzinfo=UTC))
    '2025-03-01T12:30:00.000Z'
    """
    text = moment.astimezone(UTC).isoformat(timespec="milliseconds")
    return text.removesuffix("+00:00") + "Z"


def parse_timestamp(text: str) -> datetime:
    """The moment of a text that `timestamp` made."""
    return datetime.fromisoformat(text)


def steady_seconds() -> float:
    """The seconds since the machine was started; sleep counts where the system counts it."""
    boot = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic() if boot is None else time.clock_gettime(boot)


class ClockWatch:
    """Measures how long ago something was, though the clock may have been set since."""

    def __init__(self, clock: Clock, steady: Steady = steady_seconds) -> None:
        self._clock, self._steady, self._lock = clock, steady, threading.Lock()
        self._offset = self._measure()
        self._jumps: list[tuple[datetime, timedelta]] = []  # the last moment before, and how far

    def since(self, moment: datetime) -> timedelta:
        """The time that has passed since a moment, which was read from the clock."""
        with self._lock:
            offset, now = self._measure(), self._clock()
            if abs(offset - self._offset) > JUMP:
                by = offset - self._offset
                self._jumps.append((now - by, by))
                self._offset = offset
            jumped = sum((by for before, by in self._jumps if moment <= before), timedelta(0))
            return now - moment - jumped

    def _measure(self) -> timedelta:
        """The time on the clock at which the steady seconds were 0, as a distance from 1970."""
        return timedelta(seconds=self._clock().timestamp() - self._steady())
