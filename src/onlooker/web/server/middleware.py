"""Middleware for every call: security headers, a limit on bodies, JSON only for the API."""

from __future__ import annotations

import asyncio
import json

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MAX_BYTES = 65_536
TIMEOUT = 15.0  # seconds for a whole body to arrive

_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; "
        "frame-ancestors 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
_ENCODED = [(name.lower().encode(), value.encode()) for name, value in _HEADERS.items()]
_NAMES = {name for name, _ in _ENCODED}


class SecurityHeaders:
    """Adds the security headers to every answer and keeps the API's out of caches."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a call on and add the headers to its answer."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        caching = b"no-store" if scope["path"].startswith("/api/") else b"no-cache"

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                kept = [pair for pair in message["headers"] if pair[0] not in _NAMES]
                if all(name != b"cache-control" for name, _ in kept):
                    kept.append((b"cache-control", caching))
                message["headers"] = [*kept, *_ENCODED]
            await send(message)

        await self.app(scope, receive, send_with_headers)


class BodyGuard:
    """Refuses bodies that are too large or too slow and, for the API, those that are not JSON."""

    def __init__(self, app: ASGIApp, max_bytes: int = MAX_BYTES, timeout: float = TIMEOUT) -> None:
        self.app, self.max_bytes, self.timeout = app, max_bytes, timeout

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Read a call's body up to the limit and pass it on."""
        if scope["type"] != "http" or scope["method"] not in ("POST", "PUT", "PATCH"):
            await self.app(scope, receive, send)
            return
        kind = Headers(scope=scope).get("content-type", "").partition(";")[0].strip().lower()
        if scope["path"].startswith("/api/") and kind != "application/json":
            await _refuse(send, 415, "not_json", "expected the content type application/json")
            return
        try:
            async with asyncio.timeout(self.timeout):
                body = await self._read(receive)
        except TimeoutError:
            await _refuse(send, 408, "too_slow", "the body did not arrive in time")
            return
        if body is None:
            message = f"a body of more than {self.max_bytes} bytes"
            await _refuse(send, 413, "too_large", message)
            return
        whole: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

        async def replay() -> Message:
            return whole.pop() if whole else await receive()

        await self.app(scope, replay, send)

    async def _read(self, receive: Receive) -> bytes | None:
        """The whole body; None if it is too large."""
        body = b""
        while True:
            message = await receive()
            if message["type"] != "http.request":
                return body
            body += bytes(message.get("body", b""))
            if len(body) > self.max_bytes:
                return None
            if not message.get("more_body", False):
                return body


async def _refuse(send: Send, status: int, code: str, text: str) -> None:
    body = json.dumps({"error": code, "message": text}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
    headers.append((b"connection", b"close"))  # the rest of the body may still come
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
