"""What comes in from the routes and what goes back to them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Request:
    """An intent as it came in."""

    id: str
    seq: int
    kind: str
    data: dict[str, Any]
    client_time: str | None = None


@dataclass(frozen=True, slots=True)
class Note:
    """Something the client noticed."""

    kind: str
    detail: str
    client_time: str | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """The status and body of an answer."""

    status: int
    body: str


def reply(content: object, status: int = 200) -> Reply:
    """An answer with some content."""
    return Reply(status, body(content))


def body(content: object) -> str:
    """Content as the text of a body."""
    return json.dumps(content, separators=(",", ":"))


def error_content(code: str, message: str, **more: object) -> dict[str, object]:
    """The content of an answer that says why something was not done."""
    return {"error": code, "message": message, **more}
