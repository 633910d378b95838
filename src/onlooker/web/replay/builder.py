"""Making replays: in a process of its own, one at a time, a short queue, a cache of the last."""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from typing import Any, ParamSpec

from onlooker.game import (
    Problem,
    Trial,
    TrialError,
    can_search_alone,
    parse_trial,
)
from onlooker.game.needs import ENDLESS_SEARCH
from onlooker.game.problems import table_size
from onlooker.inference.errors import UnexplainedError
from onlooker.observers import Engine
from onlooker.planning import NoPathError, Tables, main_path, npc_paths
from onlooker.web.replay.document_types import Document
from onlooker.web.replay.timelines import results_of
from onlooker.web.replay.worker import Worker

Arguments = ParamSpec("Arguments")

MAX_KEPT = 64_000_000  # bytes of all replays in the cache
MAX_WAITING = 6  # more would block the threads of participants' calls
MAX_CELLS = 900
MAX_TABLE = 200_000
MAX_NPCS = 6
MAX_SEARCHED = 8  # wizards of the needed colours, for who searches exactly


class FullError(Exception):
    """Too many replays are waiting."""


class NoReplayError(ValueError):
    """There is nothing to replay; the text says why."""


class TooLargeError(ValueError):
    """A trial would keep the server busy for too long; the text says what is too large."""


class ReplayBuilder:
    """Makes replays and caches the last ones as text.

    `run` computes a function of a module: in another process, or here in tests.

    >>> builder = ReplayBuilder(kept=100)
    >>> builder.made("one", dict, frames=[])
    b'{"frames":[]}'
    >>> builder.close()
    """

    def __init__(
        self,
        kept: int = MAX_KEPT,
        waiting: int = MAX_WAITING,
        run: Callable[..., Any] | None = None,
    ) -> None:
        self._worker = Worker()
        self._run: Callable[..., Any] = run or self._worker.run
        self._kept, self._size = kept, 0
        self._documents = OrderedDict[Hashable, bytes]()
        self._queue, self._turn = threading.Semaphore(waiting), threading.Lock()

    def close(self) -> None:
        """End the process that computes."""
        self._worker.close()

    def made(
        self,
        key: Hashable,
        make: Callable[Arguments, Document],
        *arguments: Arguments.args,
        **named: Arguments.kwargs,
    ) -> bytes:
        """The replay of a key, from the cache if it is there; else as `make` makes it."""
        with self._place():
            if key in self._documents:
                self._documents.move_to_end(key)
                return self._documents[key]
            text: bytes = self._run(written, make, *arguments, **named)
            self._keep(key, text)
            return text

    def _keep(self, key: Hashable, text: bytes) -> None:
        """Cache a replay and drop those that were used least recently."""
        self._documents[key] = text
        self._size += len(text)
        while self._size > self._kept:
            _, old = self._documents.popitem(last=False)
            self._size -= len(old)

    def checked(self, text: str) -> Trial:
        """The trial in a text that passes all that `onlooker check` looks at; see `check`."""
        with self._place():
            trial: Trial = self._run(check, text)
            return trial

    def checked_with_warnings(self, text: str) -> tuple[Trial, list[str]]:
        """The same, with its warnings."""
        with self._place():
            trial: Trial = self._run(check, text)
            warnings: list[str] = self._run(warnings_of, trial)
            return trial, warnings

    @contextmanager
    def _place(self) -> Iterator[None]:
        """Wait for the lock; FullError if too many are waiting."""
        if not self._queue.acquire(blocking=False):
            raise FullError
        try:
            with self._turn:
                yield
        finally:
            self._queue.release()


def written(
    make: Callable[Arguments, Document], *arguments: Arguments.args, **named: Arguments.kwargs
) -> bytes:
    """A replay as text; NoReplayError if there is none."""
    try:
        document = make(*arguments, **named)
    except (NoPathError, UnexplainedError) as error:
        raise NoReplayError(str(error)) from None
    return json.dumps(document, separators=(",", ":"), allow_nan=False).encode()


def check(text: str) -> Trial:
    """The trial in a text that passes all that `onlooker check` looks at; else TrialError.

    TooLargeError if it is too large to be replayed here.
    """
    trial = parse_trial(text)
    limit(trial)
    tables = Tables(trial.map)
    try:
        npc_paths(tables, trial)
        main_path(tables, trial)
    except NoPathError as error:
        raise TrialError([Problem("npcs", str(error))]) from None
    return trial


def warnings_of(trial: Trial) -> list[str]:
    """What `onlooker check` warns of, and whether the observers can run on a trial at all."""
    found = []
    if not can_search_alone(trial.map, trial.main.at, trial.main.goal):
        found.append(ENDLESS_SEARCH)
    try:
        results_of(Engine(trial), exact=False)
    except (NoPathError, UnexplainedError) as error:
        found.append(f"the observers cannot run on it: {error}")
    return found


def limit(trial: Trial) -> None:
    """Refuse a trial that would keep the server busy for too long: TooLargeError."""
    map = trial.map
    if map.width * map.height > MAX_CELLS:
        raise TooLargeError(f"it has {map.width * map.height} cells, more than {MAX_CELLS}")
    if len(trial.npcs) > MAX_NPCS:
        raise TooLargeError(f"it has {len(trial.npcs)} NPCs, more than {MAX_NPCS}")
    if (size := table_size(map)) > MAX_TABLE:
        raise TooLargeError(f"its hypotheses × states are {size}, more than {MAX_TABLE}")


MAX_SEARCHED_CELLS = 150  # for who searches exactly: the time grows with their number


def searched(trial: Trial) -> int:
    """How many wizards an exact search would choose among."""
    return sum(len(trial.map.wizards_of[colour]) for colour in trial.needed)


def searchable(trial: Trial) -> bool:
    """Whether an exact search would not keep the server busy for too long."""
    cells = trial.map.width * trial.map.height
    return searched(trial) <= MAX_SEARCHED and cells <= MAX_SEARCHED_CELLS


def limit_search(trial: Trial) -> None:
    """Refuse a trial that an exact search would take too long on: TooLargeError."""
    if searched(trial) > MAX_SEARCHED:
        raise TooLargeError(
            f"it has {searched(trial)} wizards of the needed colours, more than {MAX_SEARCHED},"
            " for this player"
        )
    if not searchable(trial):
        cells = trial.map.width * trial.map.height
        raise TooLargeError(
            f"it has {cells} cells, more than {MAX_SEARCHED_CELLS}, for this player"
        )
