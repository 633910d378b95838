"""Studies whose replays tests look at."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from onlooker.web.store import Store
from onlooker.web.study.course import Courses
from web.short_study import Study, short_study


@pytest.fixture(scope="module")
def quiet(tmp_path_factory: pytest.TempPathFactory, courses: Courses) -> Iterator[Study]:
    """A study for trying out that nobody comes to."""
    with (
        Store(str(tmp_path_factory.mktemp("quiet") / "study.db")) as store,
        short_study(store, courses) as made,
    ):
        yield made


@pytest.fixture
def study(store: Store, courses: Courses) -> Iterator[Study]:
    """A study that is served for trying out."""
    with short_study(store, courses) as made:
        yield made
