"""joblib's Dask backend, made to tell when the cluster gives up on a task.

joblib learns of a task's end by a callback that it does not get when the cluster itself fails the
task, for instance because one worker after the other died of it; it would then wait for ever.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from joblib._dask import DaskDistributedBackend  # type: ignore[import-untyped]

from onlooker.sweep import SweepError


class LoudDaskBackend(DaskDistributedBackend):  # type: ignore[misc]
    """The backend that `parallel_config(backend="dask")` gives, with that one change.

    And another: tasks go to the cluster even if it has a single core, where joblib would do them
    on this machine.
    """

    def effective_n_jobs(self, n_jobs: int) -> int:
        """How many tasks run at once."""
        return max(2, int(super().effective_n_jobs(n_jobs)))

    def submit(self, func: Any, callback: Callable[[Any], None]) -> Future[Any]:
        """Send a task to the cluster; the callback is called with what becomes of it."""
        future: Future[Any] = super().submit(func, callback)

        def tell(done: Future[Any]) -> None:
            if done.exception() is not None:
                callback(done)

        future.add_done_callback(tell)
        return future

    def retrieve_result_callback(self, out: Any) -> Any:
        """The results of a task; what the cluster could not do is an error."""
        if isinstance(out, Future):
            raise SweepError(f"the cluster gave up on a task: {out.exception()}")
        return super().retrieve_result_callback(out)
