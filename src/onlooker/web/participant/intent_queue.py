"""Intents that wait for their turn: those that come together share a commit.

A thread carries out all intents that wait in one transaction, and they are answered after it.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue

from fastapi.concurrency import run_in_threadpool

from onlooker.web.participant.messages import IntentRequest, Reply
from onlooker.web.participant.service import LAST_INTENT, Call, Outcome, StudyService
from onlooker.web.store import BusyError

MAX_CALLS = 64  # in one transaction

logger = logging.getLogger("onlooker.web")


@dataclass(slots=True)
class _Waiting:
    """A call that waits for its reply."""

    call: Call
    loop: asyncio.AbstractEventLoop
    outcome: asyncio.Future[Outcome]


def _answer(done: list[tuple[_Waiting, Outcome]]) -> None:
    for waiting, outcome in done:
        if not waiting.outcome.done():  # whoever asked may have gone
            waiting.outcome.set_result(outcome)


@dataclass
class IntentQueue:
    """Intents that wait, and the thread that carries them out."""

    service: StudyService
    _waiting: SimpleQueue[_Waiting | None] = field(default_factory=SimpleQueue)
    _thread: threading.Thread | None = None

    async def reply(self, token: str, request: IntentRequest) -> Reply:
        """The reply to an intent."""
        outcome: Outcome = None
        if request.kind != LAST_INTENT:  # whose log is checked first, which takes long
            outcome = await self._outcome(Call(token, request))
        if outcome is None:
            return await run_in_threadpool(self.service.intent, token, request)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    def close(self) -> None:
        """End the thread once everything that waits has been answered."""
        if self._thread is not None:
            self._waiting.put(None)
            self._thread.join()
            self._thread = None

    async def _outcome(self, call: Call) -> Outcome:
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="intents", daemon=True)
            self._thread.start()
        loop = asyncio.get_running_loop()
        waiting = _Waiting(call, loop, loop.create_future())
        self._waiting.put(waiting)
        return await waiting.outcome

    def _run(self) -> None:
        while (first := self._waiting.get()) is not None:
            together = [first]
            try:
                while len(together) < MAX_CALLS:
                    more = self._waiting.get_nowait()
                    if more is None:
                        self._waiting.put(None)
                        break
                    together.append(more)
            except Empty:
                pass
            self._carry_out(together)

    def _carry_out(self, together: list[_Waiting]) -> None:
        outcomes = self._outcomes([waiting.call for waiting in together])
        by_loop: dict[asyncio.AbstractEventLoop, list[tuple[_Waiting, Outcome]]] = {}
        for waiting, outcome in zip(together, outcomes, strict=True):
            by_loop.setdefault(waiting.loop, []).append((waiting, outcome))
        for loop, done in by_loop.items():
            try:
                loop.call_soon_threadsafe(_answer, done)
            except RuntimeError:  # the loop was closed, so nobody waits any more
                continue

    def _outcomes(self, calls: list[Call]) -> list[Outcome]:
        try:
            return self.service.intents(calls, wait=False)
        except BusyError as error:
            return [error] * len(calls)
        except Exception as error:
            if len(calls) == 1:
                return [error]
            # One call must not spoil the others.
            logger.exception("%d intents are carried out one by one", len(calls))
            return [outcome for call in calls for outcome in self._outcomes([call])]
