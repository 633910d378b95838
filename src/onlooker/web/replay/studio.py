"""Where replays are made: one at a time, a few waiting, the last ones kept."""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable

from onlooker.game import Problem, Trial, TrialError, parse_trial
from onlooker.game.limits import table_size
from onlooker.planning import NoPathError, Tables, main_path, npc_paths
from onlooker.web.replay.shapes import Document

MOST_KEPT = 64
MOST_WAITING = 6  # more would keep participants' calls from a thread
MOST_CELLS = 900
MOST_TABLE = 200_000


class FullError(Exception):
    """Too many replays are being asked for."""


class Studio:
    """Makes replays and keeps the last ones as text.

    >>> studio = Studio(kept=1)
    >>> studio.made("one", lambda: {"frames": []})
    b'{"frames":[]}'
    """

    def __init__(self, kept: int = MOST_KEPT, waiting: int = MOST_WAITING) -> None:
        self._kept, self._documents = kept, OrderedDict[Hashable, bytes]()
        self._queue, self._turn = threading.Semaphore(waiting), threading.Lock()

    def made(self, key: Hashable, make: Callable[[], Document]) -> bytes:
        """The replay of a key, made now unless it was made lately."""
        if not self._queue.acquire(blocking=False):
            raise FullError
        try:
            with self._turn:
                if key not in self._documents:
                    text = json.dumps(make(), separators=(",", ":"), allow_nan=False)
                    self._documents[key] = text.encode()
                    if len(self._documents) > self._kept:
                        self._documents.popitem(last=False)
                self._documents.move_to_end(key)
                return self._documents[key]
        finally:
            self._queue.release()

    def checked(self, text: str) -> Trial:
        """The trial in a text that passes all that `onlooker check` looks at; else TrialError."""
        if not self._queue.acquire(blocking=False):
            raise FullError
        try:
            with self._turn:
                return check(text)
        finally:
            self._queue.release()


def check(text: str) -> Trial:
    """The trial in a text that passes all that `onlooker check` looks at, and is not too large."""
    trial = parse_trial(text)
    limit(trial)
    tables = Tables(trial.map)
    try:
        npc_paths(tables, trial)
        main_path(tables, trial)
    except NoPathError as error:
        raise TrialError([Problem("npcs", str(error))]) from None
    return trial


def limit(trial: Trial) -> None:
    """Refuse a trial that would keep the server busy for too long."""
    map = trial.map
    if map.width * map.height > MOST_CELLS or table_size(map) > MOST_TABLE:
        reason = (
            "too large to be replayed here; `onlooker explain FILE --html OUT` has no such limit"
        )
        raise TrialError([Problem("", reason)])
