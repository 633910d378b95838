"""What the routes pass to the service, and what they get back."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class IntentRequest:
    """An intent as it was received."""

    id: str
    seq: int
    kind: str
    data: dict[str, Any]
    client_time: str | None = None


@dataclass(frozen=True, slots=True)
class Note:
    """Something the browser noticed."""

    kind: str
    detail: str
    client_time: str | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """The status and body of an answer."""

    status: int
    body: str


def reply(content: object, status: int = 200) -> Reply:
    """An answer with this content."""
    return Reply(status, body(content))


def body(content: object) -> str:
    """Content as the text of a body."""
    return json.dumps(content, separators=(",", ":"))


def error_content(code: str, message: str, **more: object) -> dict[str, object]:
    """The content of an answer that reports an error."""
    return {"error": code, "message": message, **more}
