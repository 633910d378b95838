"""What goes wrong is seen: by a monitor and on the dashboard."""

from __future__ import annotations

import re
import shutil
import socket
import stat
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from onlooker.web.participant.service import StudyService
from onlooker.web.server.app import create_app
from onlooker.web.server.middleware import BodyGuard
from onlooker.web.server.run import serving
from onlooker.web.settings import Researcher, default_settings
from onlooker.web.store import BusyError, Store, health
from onlooker.web.store.health import write_problem
from onlooker.web.study.course import Course
from running import ROOT
from waiting import HANG
from web import postgres
from web.asgi import Browser
from web.passwords import HASHED, PASSWORD
from web.visitor import Visitor

pytestmark = pytest.mark.server

SETTINGS = default_settings(1).model_copy(update={"researcher": Researcher(password_hash=HASHED)})


@pytest.fixture
def browser(store: Store, short: Course) -> Browser:
    app = create_app(SETTINGS, store, service=StudyService(SETTINGS, store, {1: short}))
    return Browser(app)


def test_health_is_tried_out_and_answers_head(browser: Browser, store: Store) -> None:
    assert browser.get("/healthz").json()["ok"] is True
    head = browser.request("HEAD", "/healthz")
    assert (head.status_code, head.content) == (200, b"")
    assert write_problem(store) == ""


def test_a_database_that_cannot_be_written_is_seen(
    browser: Browser, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser.post("/researcher/login", data={"password": PASSWORD})

    def full() -> None:
        raise BusyError("database or disk is full")

    with monkeypatch.context() as patched:
        patched.setattr(store, "_write_turn", full)
        sick = browser.get("/healthz")
        assert (sick.status_code, sick.json()["ok"]) == (503, False)
        page = browser.get("/researcher").text
    assert "The database cannot be written: database or disk is full" in page


def test_nobody_waits_for_somebody_elses_look_at_the_database(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, go_on = threading.Event(), threading.Event()
    monkeypatch.setattr(health, "CACHE_SECONDS", -1.0)
    looking = health.Health(store)
    assert looking.problem() == ""

    def slow(store: Store) -> str:
        begun.set()
        go_on.wait(HANG)
        return "the disk is slow"

    monkeypatch.setattr(health, "write_problem", slow)
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(looking.problem)
        assert begun.wait(HANG)
        try:
            assert pool.submit(looking.problem).result(HANG / 2) == ""  # what was known before
        finally:
            go_on.set()
        assert first.result() == "the disk is slow"


def test_only_what_uvicorn_documents_is_used() -> None:
    """Its classes change between versions; `pyproject.toml` sets no upper bound."""
    source = "".join(path.read_text("utf-8") for path in (ROOT / "src").rglob("*.py"))
    assert set(re.findall(r"(?<!\w)uvicorn[.\w]*", source)) == {
        "uvicorn",
        "uvicorn.Config",
        "uvicorn.Server",
    }
    assert not re.search(r"class \w+\([^)]*uvicorn", source)


@pytest.mark.parametrize("how", ["the file", "the folder", "replaced"])
def test_nothing_is_acknowledged_that_goes_into_a_deleted_file(
    tmp_path: Path, short: Course, how: str
) -> None:
    folder, aside = tmp_path / "data", tmp_path / "aside"
    folder.mkdir()
    file = folder / "study.db"
    moved = folder if how == "the folder" else file
    with Store(str(file), HANG) as store:
        app = create_app(SETTINGS, store, service=StudyService(SETTINGS, store, {1: short}))
        browser = Browser(app)
        browser.post("/researcher/login", data={"password": PASSWORD})
        moved.rename(aside)
        if how == "replaced":
            shutil.copy(aside, file)
        arrival = {"prolific_pid": "test-1"}
        assert browser.post("/api/arrive", json=arrival).status_code == 503
        assert browser.get("/healthz").status_code == 503
        page = browser.get("/researcher")
        assert page.status_code == 200
        assert "its file was moved, deleted or replaced" in page.text
        aside.replace(moved)
        assert browser.post("/api/arrive", json=arrival).status_code == 200


def test_a_read_only_database_is_refused(postgres_server: str) -> None:
    with postgres.database(postgres_server) as url:
        Store(url, HANG).close()
        engine = create_engine(url.replace("postgresql://", "postgresql+psycopg://"))
        with engine.begin() as connection:
            name = connection.scalar(text("SELECT current_database()"))
            connection.execute(
                text(f'ALTER DATABASE "{name}" SET default_transaction_read_only = on')
            )
        engine.dispose()
        with Store(url, HANG) as store:
            assert "read-only transaction" in write_problem(store)


def test_a_database_file_is_readable_by_its_owner_only(tmp_path: Path) -> None:
    with Store(str(tmp_path / "study.db")) as store:
        assert write_problem(store) == ""
        modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}
    assert set(modes.values()) == {0o600}, modes


def test_half_a_body_is_not_waited_for(
    store: Store, short: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(BodyGuard.__init__, "__defaults__", (65_536, 0.2))
    app = create_app(SETTINGS, store, service=StudyService(SETTINGS, store, {1: short}))
    with serving(app) as url:
        port = int(url.rpartition(":")[2])
        with socket.create_connection(("127.0.0.1", port), timeout=HANG) as connection:
            connection.sendall(
                b"POST /api/arrive HTTP/1.1\r\nHost: study\r\nContent-Type: application/json\r\n"
                b"Content-Length: 100\r\n\r\n{"
            )
            answer = b""
            while part := connection.recv(4096):  # until the server closes the connection
                answer += part
    assert answer.startswith(b"HTTP/1.1 408")


def test_refused_intents_of_one_session_do_not_fill_the_database(
    visit: Callable[..., Visitor], store: Store
) -> None:
    visitor = visit(1)
    for _ in range(120):
        body = visitor.body("next", {})
        assert visitor.post(body).status_code == 422
    with store.read() as orm:
        count = orm.scalar(text("SELECT count(*) FROM notes WHERE kind = 'refused'"))
    assert 100 <= count < 115
