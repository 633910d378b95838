"""Where tasks run: in this process, on the cores of this machine, or on a Dask cluster."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    CancelledError,
    Future,
    ProcessPoolExecutor,
    wait,
)
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from itertools import islice
from multiprocessing import resource_tracker
from typing import Any, Protocol

from onlooker.sweep import SweepError, cluster_extra
from onlooker.sweep.tasks import run_task, work_on_cluster

TaskArguments = tuple[Any, ...]  # of the work, which is run_task for a sweep
Work = Callable[..., Any]
PATIENCE = 10  # seconds for a cluster to answer
WORKER_DIED = "a worker process died; if the machine ran out of memory, give fewer --jobs"
CLUSTER_FAILED = "the cluster gave up on a task"
BREAKING_OFF = "interrupted: finishing what has begun; Ctrl-C again breaks it off"


@dataclass(frozen=True)
class Pool:
    """Workers that are ready."""

    submit: Callable[[TaskArguments], Future[Any]]
    workers: int
    waiting: int = 1  # tasks that are submitted beyond one for each worker
    losses: Mapping[type[BaseException], str] = field(default_factory=dict)  # what an error means

    def run(self, tasks: Iterable[TaskArguments]) -> Generator[Any, None, None]:
        """Do tasks, and give what they found in the order in which they finish.

        After Ctrl-C no more are begun. What those at work find is still given, and then comes
        KeyboardInterrupt. A second Ctrl-C breaks them off.
        """
        with _interrupts() as interrupted:
            try:
                yield from self._results(iter(tasks), interrupted)
            except tuple(self.losses) as error:
                raise SweepError(self.losses[type(error)].format(error=error)) from None
        if interrupted:
            raise KeyboardInterrupt

    def _results(self, tasks: Iterator[TaskArguments], stop: Sequence[int]) -> Iterator[Any]:
        """What tasks found; no more are begun once there is something in `stop`."""
        running = {self.submit(task) for task in islice(tasks, self.workers + self.waiting)}
        while running:
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for future in sorted(done, key=lambda future: future.exception() is not None):
                yield future.result()
            if not stop:
                running |= {self.submit(task) for task in islice(tasks, len(done))}


@contextmanager
def _interrupts() -> Iterator[list[int]]:
    """Within this block, the first Ctrl-C is only noted, in the list that this gives."""
    seen: list[int] = []
    if threading.current_thread() is not threading.main_thread():
        yield seen  # only the main thread gets signals
        return

    def note(number: int, _: object) -> None:
        if seen:
            raise KeyboardInterrupt
        seen.append(number)
        print(BREAKING_OFF, file=sys.stderr, flush=True)

    before = signal.getsignal(signal.SIGINT)
    if before != signal.SIG_IGN:
        signal.signal(signal.SIGINT, note)
    try:
        yield seen
    finally:
        signal.signal(signal.SIGINT, before)


class Backend(Protocol):
    """A place where tasks run."""

    def open(self, work: Work = run_task) -> AbstractContextManager[Pool]:
        """Workers that do some work on tasks, for as long as the block lasts."""


# -- this machine ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Local:
    """Processes on this machine; a single one is this process itself."""

    jobs: int = 0  # 0: as many as there are cores

    @contextmanager
    def open(self, work: Work = run_task) -> Iterator[Pool]:
        """Workers that do some work on tasks, for as long as the block lasts."""
        workers = self.jobs or _cores()
        if workers == 1:
            yield Pool(lambda task: _done_here(work, task), 1, waiting=0)
            return
        others = set(multiprocessing.active_children())
        context = multiprocessing.get_context("spawn")  # a fork would copy the locks of threads
        executor = ProcessPoolExecutor(workers, context, initializer=_start_worker)

        def submit(task: TaskArguments) -> Future[Any]:
            with _holding_interrupts_back():  # it may start a process
                return executor.submit(work, *task)

        try:
            yield Pool(submit, workers, losses={BrokenProcessPool: WORKER_DIED})
        except KeyboardInterrupt:
            for process in set(multiprocessing.active_children()) - others:
                process.terminate()
            raise
        finally:
            executor.shutdown(cancel_futures=True)


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _done_here(work: Work, task: TaskArguments) -> Future[Any]:
    """Do a task in this process."""
    future: Future[Any] = Future()
    with warnings.catch_warnings():
        # What an unusual setting is warned of is the very thing that a sweep tries out.
        warnings.simplefilter("ignore")
        future.set_result(work(*task))
    return future


def _start_worker() -> None:
    """Make a process a worker: Ctrl-C is for the command, and nobody reads its warnings."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    warnings.simplefilter("ignore")


@contextmanager
def _holding_interrupts_back() -> Iterator[None]:
    """Let processes that start within this block not get Ctrl-C, which a terminal sends to all.

    A signal that a thread blocks stays blocked in the processes that it starts. `_start_worker`
    ignores it, but only once everything is imported, and a Ctrl-C before that would end them. This
    process gets the signal at the end of the block. To ignore it here would lose it.
    """
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    resource_tracker.ensure_running()  # its start would end the blocking
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


# -- a cluster -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Dask:
    """The workers of a cluster that is there already."""

    address: str  # of its scheduler, such as tcp://10.0.0.1:8786

    @contextmanager
    def open(self, work: Work = run_task) -> Iterator[Pool]:
        """Workers that do some work on tasks, for as long as the block lasts."""
        with cluster_extra():
            from distributed import Client, KilledWorker
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
            executor = client.get_executor(pure=False)
            yield Pool(
                lambda task: executor.submit(work_on_cluster, work, *task),
                sum(client.ncores().values()),
                losses={
                    KilledWorker: f"{CLUSTER_FAILED}: {{error}}",
                    CancelledError: f"{CLUSTER_FAILED}: the connection to it was lost",
                },
            )
