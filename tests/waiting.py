"""Waiting in tests: for something that happens, with a limit that only a hang reaches."""

from __future__ import annotations

import time
from collections.abc import Callable

HANG = 300.0  # seconds; nothing takes as long, however busy the machine is


def wait_until(happened: Callable[[], object], what: str = "it did not happen") -> None:
    """Wait until something is the case; a hang fails the test and says what was waited for."""
    end = time.monotonic() + HANG
    while not happened():
        assert time.monotonic() < end, what
        time.sleep(0.02)
