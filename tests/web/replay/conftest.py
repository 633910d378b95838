"""Studies whose replays tests look at."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from onlooker.web.replay import builder
from onlooker.web.replay.worker import Worker
from onlooker.web.store import Store
from onlooker.web.study.course import Courses
from waiting import HANG
from web.short_study import Study, short_study


class SharedWorker(Worker):
    """Computes for one server after the other, and ends with none of them."""

    def close(self) -> None:
        return


@pytest.fixture(scope="session")
def shared_worker() -> Iterator[SharedWorker]:
    worker = SharedWorker()
    yield worker
    Worker.close(worker)


@pytest.fixture(scope="module", autouse=True)
def _one_process(shared_worker: SharedWorker) -> Iterator[None]:
    """Start one process that computes replays, instead of one for each server."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(builder, "Worker", lambda: shared_worker)
        yield


@pytest.fixture(scope="module")
def quiet(tmp_path_factory: pytest.TempPathFactory, courses: Courses) -> Iterator[Study]:
    """A study for trying out that nobody comes to."""
    with (
        Store(str(tmp_path_factory.mktemp("quiet") / "study.db"), HANG) as store,
        short_study(store, courses) as made,
    ):
        yield made


@pytest.fixture
def study(store: Store, courses: Courses) -> Iterator[Study]:
    """A study that is served for trying out."""
    with short_study(store, courses) as made:
        yield made
