"""Where tasks run: on the cores of this machine, or on a Dask cluster; both through joblib."""

from __future__ import annotations

import signal
import threading
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import takewhile
from multiprocessing import resource_tracker
from typing import Any, Protocol

from onlooker.sweep import SweepError, cluster_extra, sweep_extra
from onlooker.sweep.tasks import Done, Refused, run_task

with sweep_extra():
    import joblib  # type: ignore[import-untyped]

TaskWords = tuple[Any, ...]  # the arguments of run_task
PATIENCE = 10  # seconds for a cluster to answer


class Pool:
    """Workers that are ready."""

    def __init__(self, workers: int) -> None:
        self.workers = workers

    def run(self, tasks: Iterable[TaskWords]) -> Generator[Done | Refused, None, None]:
        """Do tasks, and give what they found in the order in which they finish.

        After Ctrl-C no more are begun, and KeyboardInterrupt comes when those at work are done: to
        break them off is not clean in joblib. A second Ctrl-C does.
        """
        parallel = joblib.Parallel(
            n_jobs=self.workers, batch_size=1, return_as="generator_unordered"
        )
        enough = threading.Event()
        with _asked_to_stop(enough) as asked:
            begun = takewhile(lambda _: not enough.is_set(), tasks)
            with _held_back():
                results = parallel(joblib.delayed(run_task)(*task) for task in begun)
            try:
                yield from _whole(results)
            finally:
                enough.set()
                deque(results, maxlen=0)
        if asked:
            raise KeyboardInterrupt


def _whole(results: Iterable[Done | Refused]) -> Iterator[Done | Refused]:
    """The results; SweepError if the workers are lost. They stay open when this is closed."""
    try:
        for found in results:  # noqa: UP028 - `yield from` would close them too
            yield found
    except BrokenProcessPool:
        raise SweepError(
            "a worker process died; if the machine ran out of memory, give fewer --jobs"
        ) from None


@contextmanager
def _asked_to_stop(enough: threading.Event) -> Iterator[list[int]]:
    """Within this block, let the first Ctrl-C only be noted, in the list and by the event."""
    asked: list[int] = []
    if threading.current_thread() is not threading.main_thread():
        yield asked  # only the main thread hears it
        return

    def note(number: int, _: object) -> None:
        if asked:
            raise KeyboardInterrupt
        asked.append(number)
        enough.set()

    before = signal.getsignal(signal.SIGINT)
    if before != signal.SIG_IGN:
        signal.signal(signal.SIGINT, note)
    try:
        yield asked
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def _held_back() -> Iterator[None]:
    """Let processes that are begun within this block not hear Ctrl-C, which is for this one.

    A signal that a thread holds back stays held back in the processes that it begins. Here it is
    heard at the end of the block: to ignore it, which is inherited too, would be to lose it.
    """
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    resource_tracker.ensure_running()  # or else its start ends the holding back
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class Backend(Protocol):
    """A place where tasks run."""

    def open(self) -> Any:
        """A context that gives a Pool."""


@dataclass(frozen=True, slots=True)
class Local:
    """Processes on this machine; a single one is this process itself."""

    jobs: int = 0  # 0: as many as there are cores

    @contextmanager
    def open(self) -> Iterator[Pool]:
        """The workers, for as long as the block lasts."""
        with joblib.parallel_config(backend="loky"):
            yield Pool(self.jobs or joblib.cpu_count())


@dataclass(frozen=True, slots=True)
class Dask:
    """The workers of a cluster that is there already."""

    address: str  # of its scheduler, such as tcp://10.0.0.1:8786

    @contextmanager
    def open(self) -> Iterator[Pool]:
        """The workers, for as long as the block lasts."""
        with cluster_extra():
            from distributed import Client

            from onlooker.sweep.dask_backend import LoudDaskBackend
        try:
            client: Any = Client(self.address, timeout=PATIENCE)  # type: ignore[no-untyped-call]
        except (OSError, ValueError, TypeError) as error:
            reason = f"expected the address of a Dask scheduler that answers ({error})"
            raise SweepError(f"--dask {self.address}: {reason}") from None
        with client:
            try:
                client.wait_for_workers(1, timeout=PATIENCE)
            except TimeoutError:
                raise SweepError(f"--dask {self.address}: the cluster has no workers") from None
            with joblib.parallel_config(backend=LoudDaskBackend(client=client)):
                yield Pool(max(2, sum(client.ncores().values())))
