from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from calling import client_of
from onlooker.web.participant.service import StudyService
from onlooker.web.researcher import sign_in
from onlooker.web.server.app import create_app
from onlooker.web.server.run import serving
from onlooker.web.settings import Settings, default_settings
from onlooker.web.store import Store
from onlooker.web.study.course import Course, Courses, load_courses
from onlooker.web.study.tutorial import Page
from waiting import HANG
from web import postgres
from web.person import Watch, study
from web.short_study import Study, short_study, shortened
from web.visitor import Visitor

SERVERS = {"served", "visit", "postgres_server", "study", "played"}  # fixtures that start one


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that need a server."""
    for item in items:
        if Path(__file__).parent in item.path.parents and SERVERS & set(
            getattr(item, "fixturenames", ())
        ):
            item.add_marker(pytest.mark.server)


@pytest.fixture(scope="session")
def courses() -> Courses:
    """All four experiments, read once."""
    return {number: load_courses(default_settings(number))[number] for number in (1, 2, 3, 4)}


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    with ExitStack() as stack:
        try:
            url = stack.enter_context(postgres.server())
        except postgres.NoPostgresError as error:
            pytest.skip(f"no PostgreSQL: {error}")
        yield url


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.server)])
def system(request: pytest.FixtureRequest) -> str:
    """Each database system."""
    return str(request.param)


@pytest.fixture
def any_url(system: str, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """An empty database, once on each system."""
    if system == "sqlite":
        yield str(tmp_path / "study.db")
        return
    with postgres.database(request.getfixturevalue("postgres_server")) as url:
        yield url


@pytest.fixture(scope="session")
def postgres_tables(postgres_server: str) -> Iterator[str]:
    """The name of a PostgreSQL database with all tables, to copy."""
    with postgres.database(postgres_server) as url:
        with Store(url, HANG) as store:
            name = str(store.url.database)
        yield name


@pytest.fixture(scope="session")
def no_sessions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An SQLite file with all tables, to copy: making them takes eight times as long."""
    file = tmp_path_factory.mktemp("tables") / "study.db"
    Store(str(file), HANG).close()
    return file


@pytest.fixture
def store(tmp_path: Path, no_sessions: Path) -> Iterator[Store]:
    with Store(shutil.copy(no_sessions, tmp_path / "study.db").as_posix(), HANG) as store:
        yield store


@pytest.fixture
def any_store(system: str, request: pytest.FixtureRequest) -> Iterator[Store]:
    """A study's database with nobody in it, once on each system."""
    if system == "sqlite":
        yield request.getfixturevalue("store")
        return
    server, tables = map(request.getfixturevalue, ("postgres_server", "postgres_tables"))
    with postgres.database(server, tables) as url, Store(url, HANG) as store:
        yield store


@pytest.fixture(scope="session")
def played(
    tmp_path_factory: pytest.TempPathFactory, courses: Courses
) -> Callable[[Callable[[Study], None]], Path]:
    """Let people play the short study, once; the file that they leave, to be copied."""
    files: dict[Callable[[Study], None], Path] = {}

    def play(part: Callable[[Study], None]) -> Path:
        if part not in files:
            files[part] = tmp_path_factory.mktemp("played") / "study.db"
            with Store(str(files[part]), HANG) as store, short_study(store, courses) as made:
                part(made)
        return files[part]

    return play


@pytest.fixture
def after(
    played: Callable[[Callable[[Study], None]], Path], tmp_path: Path, courses: Courses
) -> Iterator[Callable[[Callable[[Study], None]], Study]]:
    """The short study, served, after people have played in it."""
    with ExitStack() as stack:

        def serve(part: Callable[[Study], None]) -> Study:
            file = shutil.copy(played(part), tmp_path / "study.db")
            store = stack.enter_context(Store(str(file), HANG))
            return stack.enter_context(short_study(store, courses))

        yield serve


@pytest.fixture
def served(courses: Courses) -> Iterator[Callable[[Settings, Store], httpx.Client]]:
    """Serve a shortened study; a client for it, with no stimuli read anew."""
    with ExitStack() as stack:

        def start(settings: Settings, store: Store) -> httpx.Client:
            known = {number: shortened(courses, number)[number] for number in settings.study.run}
            app = create_app(settings, store, service=StudyService(settings, store, known))
            url = stack.enter_context(serving(app))
            return stack.enter_context(client_of(url))

        yield start


@pytest.fixture
def visit(
    store: Store, served: Callable[[Settings, Store], httpx.Client]
) -> Callable[..., Visitor]:
    """A visitor who has arrived at an experiment that runs with the default settings."""
    clients: dict[int, httpx.Client] = {}

    def arrive(experiment: int = 1, pid: str = "anna") -> Visitor:
        if experiment not in clients:
            clients[experiment] = served(default_settings(experiment), store)
        visitor = Visitor(clients[experiment], pid, f"study{experiment}")
        visitor.arrive()
        return visitor

    return arrive


@pytest.fixture
def short(courses: Courses) -> Course:
    """Experiment 1 with a tutorial of one page."""
    return replace(courses[1], pages=(Page("Short", ("Play.",)),), practice=())


@pytest.fixture(autouse=True)
def _no_delay(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let signing in take no time."""
    monkeypatch.setattr(sign_in, "DELAY", 0.0)


@pytest.fixture
def watch() -> Watch:
    return Watch()


@pytest.fixture
def service(any_store: Store, short: Course, watch: Watch) -> StudyService:
    return StudyService(study(), any_store, {1: short}, watch)
