"""Limits on calls: how often each session may call, held in memory; no internet address is used."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from fastapi import Request
from pydantic import BaseModel, ConfigDict

MAX_KEYS = 20_000


@dataclass(frozen=True, slots=True)
class Rate:
    """How many calls a second are allowed over time, and how many in a burst."""

    per_second: float
    burst: int


INTENTS = Rate(per_second=50, burst=300)
NOTES = Rate(per_second=1, burst=30)
ARRIVALS = Rate(per_second=1, burst=20)
TEST_ARRIVALS = Rate(per_second=20, burst=500)  # all test runs share it
REPLAYS = Rate(per_second=20, burst=100)  # all visitors share it
REFUSALS = Rate(per_second=0.2, burst=100)  # of a session, how many are noted; all are refused
FORGERIES = Rate(per_second=1, burst=100)  # how many are recorded; all are refused


class Limiter:
    """A token bucket for each key.

    >>> limiter = Limiter(clock=lambda: 0.0)
    >>> [limiter.wait("me", Rate(per_second=2, burst=1)) for _ in range(2)]
    [0.0, 0.5]
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._buckets: dict[str, tuple[float, float]] = {}  # calls left, and when that was

    def wait(self, key: str, rate: Rate) -> float:
        """Count a call: 0, or the seconds until the next one is allowed."""
        now = self._clock()
        with self._lock:
            if len(self._buckets) >= MAX_KEYS and key not in self._buckets:
                self._forget()
            left, then = self._buckets.get(key, (float(rate.burst), now))
            left = min(float(rate.burst), left + (now - then) * rate.per_second)
            if left < 1:
                self._buckets[key] = left, now
                return (1 - left) / rate.per_second
            self._buckets[key] = left - 1, now
            return 0.0

    def _forget(self) -> None:
        """Drop the half of the keys that were used least recently."""
        oldest = sorted(self._buckets, key=lambda key: self._buckets[key][1])
        for key in oldest[: MAX_KEYS // 2]:
            del self._buckets[key]


class TooFastError(Exception):
    """Calls come faster than they may."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds


def check_rate(request: Request, key: str, rate: Rate) -> None:
    """Count a call; TooFastError if there are too many."""
    limiter = request.app.state.limiter
    assert isinstance(limiter, Limiter)
    if seconds := limiter.wait(key, rate):
        raise TooFastError(seconds)


class StrictBody(BaseModel):
    """A body of a call in which unknown keys are refused."""

    model_config = ConfigDict(extra="forbid")
