"""Times as the tables store them: UTC, ISO 8601, milliseconds, so that it sorts as text."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

Clock = Callable[[], datetime]
Steady = Callable[[], float]  # seconds since some moment; nobody can set it

JUMP = timedelta(seconds=30)  # a clock that differs by more was set
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


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


@dataclass(frozen=True, slots=True)
class _Era:
    """The time between two settings of the clock, as the clock shows it."""

    begin: datetime
    end: datetime
    offset: timedelta  # the time on the clock when the steady seconds were 0, since 1970


class ClockWatch:
    """Measures how long ago something was, though the clock may have been set since."""

    def __init__(self, clock: Clock, steady: Steady = steady_seconds) -> None:
        self._clock, self._steady, self._lock = clock, steady, threading.Lock()
        self._eras: list[_Era] = []  # before the clock was set last
        self._begin = clock()
        self._checked, self._offset = self._measure()

    def since(self, moment: datetime) -> timedelta:
        """The time that has passed since a moment, which was read from the clock.

        If the clock showed that moment several times, the last of them is meant.
        """
        with self._lock:
            seconds, offset = self._measure()
            if abs(offset - self._offset) > JUMP:
                end, begin = _shown(seconds, self._offset), _shown(self._checked, offset)
                self._eras.append(_Era(self._begin, end, self._offset))
                self._begin, self._offset = begin, offset
            self._checked = seconds
            now = _Era(self._begin, _shown(seconds, offset), offset)
            eras = [now, *reversed(self._eras)]
            era = next((era for era in eras if era.begin <= moment <= era.end), eras[-1])
            return _shown(seconds, era.offset) - moment

    def _measure(self) -> tuple[float, timedelta]:
        """The steady seconds, and the offset of the clock from them."""
        seconds = self._steady()
        return seconds, timedelta(seconds=self._clock().timestamp() - seconds)


def _shown(seconds: float, offset: timedelta) -> datetime:
    """What a clock with an offset shows when the steady seconds are so many."""
    return _EPOCH + offset + timedelta(seconds=seconds)
