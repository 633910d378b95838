"""A process of its own for replays: what it computes never slows the calls of participants.

The process that serves participants therefore needs neither compiled code nor its time to load.
Calls and results are pickled and go through the process's pipes, so it ends with the server, also
with one that is killed.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, ParamSpec, TypeVar

NICENESS = 10  # participants' calls come first

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


class WorkerError(RuntimeError):
    """The process ended while it was computing."""


class Worker:
    """A process that computes one call after the other; the first call starts it.

    >>> worker = Worker()
    >>> worker.run(max, 2, 3)
    3
    >>> worker.close()
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None

    def run(
        self,
        function: Callable[Arguments, Result],
        *arguments: Arguments.args,
        **named: Arguments.kwargs,
    ) -> Result:
        """What a function of a module gives, or what it raises; WorkerError if the process ends."""
        with self._lock:
            process = self._started()
            assert process.stdin is not None
            assert process.stdout is not None
            try:
                pickle.dump((function, arguments, named), process.stdin)
                process.stdin.flush()
                ok, result = pickle.load(process.stdout)
            except (EOFError, OSError, pickle.UnpicklingError) as error:
                self._end()
                raise WorkerError("the process that computes replays has ended") from error
        if ok:
            return result  # type: ignore[no-any-return]
        raise result

    def close(self) -> None:
        """End the process, if there is one."""
        with self._lock:
            self._end()

    def __del__(self) -> None:
        self._end()  # of an application that was never closed

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            self._end()
            self._process = subprocess.Popen(
                [sys.executable, "-m", __name__],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                start_new_session=True,  # Ctrl-C is for the server
            )
        return self._process

    def _end(self) -> None:
        if self._process is None:
            return
        for pipe in (self._process.stdin, self._process.stdout):
            with suppress(OSError):
                assert pipe is not None
                pipe.close()
        self._process.kill()
        self._process.wait()
        self._process = None


def _outcome(call: tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]) -> bytes:
    function, arguments, named = call
    try:
        return pickle.dumps((True, function(*arguments, **named)))
    except Exception as error:
        try:
            again = pickle.dumps((False, error))
            pickle.loads(again)  # some errors cannot be made again
        except Exception:
            return pickle.dumps((False, RuntimeError(f"{type(error).__name__}: {error}")))
        return again


def main() -> None:
    """Compute what comes in until nobody is there to ask."""
    os.nice(NICENESS)
    results = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # whatever is printed is not a result
    while True:
        try:
            call = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        with suppress(BrokenPipeError):
            results.write(_outcome(call))
            results.flush()


if __name__ == "__main__":
    main()
