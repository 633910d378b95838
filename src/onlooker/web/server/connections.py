"""Connections on which nothing useful arrives are closed; many may be open at the same time."""

from __future__ import annotations

import sys
from asyncio import TimerHandle, Transport

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

PATIENCE = 15.0  # seconds for the head of a call to arrive
MOST_FILES = 65_536  # every connection is one


class Connection(HttpToolsProtocol):
    """A connection that is closed if the head of a call does not arrive in time.

    Without this, somebody who opens connections and says nothing takes all that there can be.
    """

    patience = PATIENCE
    _limit: TimerHandle | None = None

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        """Begin to wait for the first call."""
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Begin to wait for the rest of a head, unless a call is being answered."""
        if self.cycle is None or self.cycle.response_complete:
            self._wait()
        super().data_received(data)

    def on_headers_complete(self) -> None:
        """Stop waiting; how long the body may take is the application's business."""
        self._stop_waiting()
        super().on_headers_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        self._stop_waiting()
        super().connection_lost(exc)

    def _wait(self) -> None:
        if self._limit is None:
            self._limit = self.loop.call_later(self.patience, self.transport.close)

    def _stop_waiting(self) -> None:
        if self._limit is not None:
            self._limit.cancel()
            self._limit = None


def allow_many_connections() -> None:
    """Raise the number of open files that this process may have as far as the system allows."""
    if sys.platform == "win32":
        return
    import resource

    now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_FILES if most == resource.RLIM_INFINITY else min(most, MOST_FILES)
    if now != resource.RLIM_INFINITY and now < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))
