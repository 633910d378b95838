"""Choices in rounds, the calls that come most often: those that come together share a commit.

A thread stores all choices that wait in one transaction, and they are answered after the commit.
What is not simply the next choice of a session, and whatever goes wrong, is passed on to the route,
which carries it out alone.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue

from pydantic import ValidationError
from sqlalchemy.exc import IntegrityError
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from onlooker.web.participant.messages import IntentRequest, Reply
from onlooker.web.participant.routes import IntentBody, iso
from onlooker.web.participant.service import StudyService
from onlooker.web.server.limits import INTENTS, Limiter
from onlooker.web.store import BusyError
from onlooker.web.store.transaction import token_hash

PATH = "/api/intent"
MOST = 64  # choices in one transaction

logger = logging.getLogger("onlooker.web")


@dataclass(slots=True)
class _Call:
    """A choice that waits for its reply."""

    token: str
    request: IntentRequest
    loop: asyncio.AbstractEventLoop
    reply: asyncio.Future[Reply | None]


def _answer(done: list[tuple[_Call, Reply | None]]) -> None:
    for call, reply in done:
        if not call.reply.done():  # whoever asked may have gone
            call.reply.set_result(reply)


@dataclass
class Actions:
    """Choices that wait, and the thread that carries them out."""

    service: StudyService
    _waiting: SimpleQueue[_Call | None] = field(default_factory=SimpleQueue)
    _thread: threading.Thread | None = None

    async def choose(self, token: str, request: IntentRequest) -> Reply | None:
        """The reply to a choice; None if it has to be carried out alone."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="actions", daemon=True)
            self._thread.start()
        loop = asyncio.get_running_loop()
        call = _Call(token, request, loop, loop.create_future())
        self._waiting.put(call)
        return await call.reply

    def close(self) -> None:
        """End the thread once everything that waits has been answered."""
        if self._thread is not None:
            self._waiting.put(None)
            self._thread.join()
            self._thread = None

    def _run(self) -> None:
        while (call := self._waiting.get()) is not None:
            calls = [call]
            try:
                while len(calls) < MOST:
                    more = self._waiting.get_nowait()
                    if more is None:
                        self._waiting.put(None)
                        break
                    calls.append(more)
            except Empty:
                pass
            self._carry_out(calls)

    def _carry_out(self, calls: list[_Call]) -> None:
        replies: list[Reply | None] = [None] * len(calls)
        try:
            asked = [(call.token, call.request) for call in calls]
            replies = self.service.choose_together(asked)
        except (BusyError, IntegrityError):
            pass  # the route says what is wrong
        except Exception:
            logger.exception("choices could not be carried out together")
        by_loop: dict[asyncio.AbstractEventLoop, list[tuple[_Call, Reply | None]]] = {}
        for call, reply in zip(calls, replies, strict=True):
            by_loop.setdefault(call.loop, []).append((call, reply))
        for loop, done in by_loop.items():
            try:
                loop.call_soon_threadsafe(_answer, done)
            except RuntimeError:  # the loop was closed, so nobody waits any more
                continue


class ActionCalls:
    """Answers choices before they reach the routes; `BodyGuard` has read the whole body."""

    def __init__(self, app: ASGIApp, actions: Actions, limiter: Limiter) -> None:
        self.app, self.actions, self.limiter = app, actions, limiter

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a choice, or pass the call on."""
        if scope["type"] != "http" or scope["path"] != PATH or scope["method"] != "POST":
            await self.app(scope, receive, send)
            return
        message = await receive()
        reply = await self._reply(scope, message)
        if reply is not None:
            await _send(send, reply)
            return
        unread = [message]

        async def again() -> Message:
            return unread.pop() if unread else await receive()

        await self.app(scope, again, send)

    async def _reply(self, scope: Scope, message: Message) -> Reply | None:
        body = message.get("body", b"")
        if b'"choose"' not in body:
            return None
        token = next((value for name, value in scope["headers"] if name == b"x-session"), b"")
        try:
            asked = IntentBody.model_validate_json(body)
            text = token.decode("latin-1")
        except (ValidationError, UnicodeError):
            return None
        if asked.kind != "choose" or not text:
            return None
        if self.limiter.wait(f"intent {token_hash(text)}", INTENTS):
            return None
        scope.setdefault("state", {})["counted"] = True
        request = IntentRequest(asked.id, asked.seq, asked.kind, asked.data, iso(asked.client_time))
        return await self.actions.choose(text, request)


async def _send(send: Send, reply: Reply) -> None:
    body = reply.body.encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": reply.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
