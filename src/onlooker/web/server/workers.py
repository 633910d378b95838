"""Several processes that serve one study: one that dies is replaced; all end with their parent."""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import sys
import threading
import time
from contextlib import ExitStack
from dataclasses import dataclass
from socket import socket

import uvicorn
from fastapi import FastAPI
from uvicorn.supervisors import Multiprocess
from uvicorn.supervisors.multiprocess import Process

from onlooker.game import Trial
from onlooker.web.server.app import create_app
from onlooker.web.server.connections import allow_many_connections
from onlooker.web.server.run import configuration
from onlooker.web.server.thin_log import thin_logs
from onlooker.web.settings import Settings
from onlooker.web.store import BusyError, Store
from onlooker.web.store.use import InUseError, server_lock

MOST_FAILURES = 6  # starts in a row, while nobody serves
LONGEST_PAUSE = 30.0  # seconds before a process is started again
PATIENCE = 30.0  # seconds without an answer after which a process is replaced
STARTING = 180.0  # seconds that a process has to start: a busy machine is slow

logger = logging.getLogger("onlooker.web")


class NoWorkerError(Exception):
    """No process can be started."""


@dataclass(frozen=True)
class WorkerApp:
    """Makes the application in a worker process, with a connection pool of its own."""

    settings: Settings
    database: str
    trials: tuple[Trial, ...]
    connections: int

    def __call__(self) -> FastAPI:
        """The application; its database is closed when the worker stops."""
        thin_logs()
        end_with_parent()
        held = ExitStack()
        try:
            held.enter_context(server_lock(self.database))  # the parent may end before this process
            store = Store(self.database, connections=self.connections)
        except (BusyError, InUseError, ValueError) as error:
            sys.exit(f"a worker process cannot use the database: {error}")
        app = create_app(self.settings, store, trials=self.trials, closes_store=True)
        app.state.held = held
        return app


def end_with_parent() -> None:
    """Let this process finish its calls and stop when its parent dies, however that happens."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def wait() -> None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=wait, name="parent", daemon=True).start()


@dataclass
class Restarts:
    """When to start a process again: after growing pauses, and not for ever.

    >>> restarts = Restarts()
    >>> [restarts.failed(0.0) for _ in range(4)]
    [1.0, 2.0, 4.0, 8.0]
    >>> restarts.hopeless(others_serve=False), restarts.failed(0.0), restarts.failed(0.0)
    (False, 16.0, 30.0)
    >>> restarts.hopeless(others_serve=False), restarts.hopeless(others_serve=True)
    (True, False)
    >>> restarts.succeeded()
    >>> restarts.failed(0.0)
    1.0
    """

    failures: int = 0  # in a row
    not_before: float = 0.0  # seconds

    def failed(self, now: float) -> float:
        """A process ended before it served; the seconds until the next is started."""
        self.failures += 1
        pause = min(2.0 ** (self.failures - 1), LONGEST_PAUSE)
        self.not_before = now + pause
        return pause

    def succeeded(self) -> None:
        """A process serves."""
        self.failures = 0

    def due(self, now: float) -> bool:
        """Whether the pause is over."""
        return now >= self.not_before

    def hopeless(self, others_serve: bool) -> bool:
        """Whether to give up."""
        return self.failures >= MOST_FAILURES and not others_serve


class Workers(Multiprocess):
    """The worker processes; one that dies is replaced."""

    def __init__(self, config: uvicorn.Config, sockets: list[socket]) -> None:
        super().__init__(config, sockets)
        self._restarts = Restarts()
        self._served: set[Process] = set()
        self._started: dict[Process, float] = {}

    def run(self) -> None:
        """Serve until a signal asks to stop; NoWorkerError if no process can be started."""
        super().run()
        if self._restarts.hopeless(others_serve=bool(self._served)):
            raise NoWorkerError(
                f"{MOST_FAILURES} worker processes in a row ended before they served"
            )

    def keep_subprocess_alive(self) -> None:
        """Replace processes that have died; after one that could not start, with a pause."""
        for process in list(self.processes):
            if not self._works(process):
                self._remove(process)
        if self._restarts.hopeless(others_serve=bool(self._served)):
            self.should_exit.set()
        missing = len(self.processes) < self.processes_num
        if missing and not self.should_exit.is_set() and self._restarts.due(time.monotonic()):
            process = Process(self.config, self.sockets)
            process.start()
            self.processes.append(process)

    def _works(self, process: Process) -> bool:
        """Whether a process serves or still starts."""
        if not process.process.is_alive():
            return False
        since = self._started.setdefault(process, time.monotonic())
        if answer(process, PATIENCE if process in self._served else 0.1):
            self._served.add(process)
            self._restarts.succeeded()
            return True
        return process not in self._served and time.monotonic() - since < STARTING

    def _remove(self, process: Process) -> None:
        process.kill()
        process.join()
        self.processes.remove(process)
        self._started.pop(process, None)
        if process in self._served:
            self._served.remove(process)
            logger.warning("a worker process died and is replaced")
        else:
            pause = self._restarts.failed(time.monotonic())
            logger.warning("a worker process did not start; the next one in %.0f s", pause)


def answer(process: Process, patience: float) -> bool:
    """Whether a process says within some seconds that it serves."""
    pipe, serves = process.parent_conn, False
    try:
        pipe.send(b"ping")
        if pipe.poll(patience):
            while pipe.poll(0):  # the newest counts: answers to earlier questions may be there
                serves = bool(pipe.recv())
    except (OSError, EOFError):
        return False
    return serves


def serve_with_workers(worker: WorkerApp, host: str, port: int, workers: int) -> None:
    """Serve with several processes until a signal asks to stop; NoWorkerError if none can start."""
    allow_many_connections()  # the processes inherit it
    config = configuration(worker, host, port, "warning", factory=True, workers=workers)
    Workers(config, sockets=[config.bind_socket()]).run()
