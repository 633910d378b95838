"""Running the application: no access log, since it would contain addresses; a graceful stop."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

import uvicorn
from fastapi import FastAPI

GRACE = 10  # seconds that running calls are given when the server stops


def configuration(
    app: FastAPI | Callable[[], FastAPI], host: str, port: int, log_level: str = "info", **more: Any
) -> uvicorn.Config:
    """The configuration of uvicorn; its log contains no participant's address."""
    return uvicorn.Config(
        app,
        **more,
        host=host,
        port=port,
        http="httptools",
        access_log=False,
        log_level=log_level,
        server_header=False,
        proxy_headers=False,
        ws="none",
        timeout_graceful_shutdown=GRACE,
        timeout_keep_alive=30,
    )


def serve(app: FastAPI, host: str = "127.0.0.1", port: int = 8000, log_level: str = "info") -> None:
    """Serve until a signal asks to stop; then finish the open calls."""
    uvicorn.Server(configuration(app, host, port, log_level)).run()


@contextmanager
def ending_on_sigterm() -> Iterator[None]:
    """Leave the block in order when SIGTERM comes, as systemd and Docker send it; exit status 0.

    Uvicorn finishes the open calls first and then raises the signal again, which would otherwise
    end the process before the database is closed.
    """

    def leave(number: int, frame: FrameType | None) -> None:
        raise SystemExit(0)

    before = signal.signal(signal.SIGTERM, leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def serving(app: FastAPI, host: str = "127.0.0.1") -> Iterator[str]:
    """The application on a free port, in a thread, for as long as the block lasts; its address."""
    server = uvicorn.Server(configuration(app, host, 0, "warning"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    try:
        while not server.started:
            if not thread.is_alive():
                raise RuntimeError("the server did not start")
            time.sleep(0.01)
        yield "http://{}:{}".format(*server.servers[0].sockets[0].getsockname())
    finally:
        server.should_exit = True
        thread.join(GRACE + 5)
