"""Times as the tables store them: UTC, ISO 8601, milliseconds, so that it sorts as text."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

Clock = Callable[[], datetime]


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
