"""What an outsider, a participant or a failing disk tries, and what comes of it."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from sqlalchemy import event, func, select, text

from onlooker.experiments.dataset import data_file
from onlooker.web.export.dataset import export
from onlooker.web.participant.messages import IntentRequest, Note
from onlooker.web.participant.service import StudyService
from onlooker.web.replay.builder import NoReplayError
from onlooker.web.replay.catalogue import TrialCatalogue
from onlooker.web.replay.sessions import played
from onlooker.web.server.app import create_app
from onlooker.web.settings import Researcher
from onlooker.web.store import Store
from onlooker.web.store.backup import BackupError, restore
from onlooker.web.store.health import write_problem
from onlooker.web.store.models import NoteRow
from onlooker.web.store.transaction import MAX_NOTE_BYTES
from onlooker.web.study.course import Course
from web import postgres
from web.asgi import Browser
from web.passwords import HASHED, PASSWORD
from web.person import Person, study

# An open field of 30 × 30 with three wizards, which an exact search would take very long on.
LARGE = "\n".join(
    [
        "map:",
        "@" + "." * 29,
        *["." * 30] * 24,
        "b" + "." * 28 + "2",
        "h" + "." * 29,
        "c" + "." * 29,
        "#" * 29 + "=",
        "#" * 29 + "A",
        "",
        "legend:",
        "@ = main agent, goal A",
        "2 = expert agent2, goal A",
        "b = blue wizard",
        "c = blue wizard",
        "h = blue wizard, holder",
        "= = blue barrier",
        "",
    ]
)


def researcher(store: Store, course: Course) -> Browser:
    """The browser of somebody who has signed in."""
    settings = study(researcher=Researcher(password_hash=HASHED))
    service = StudyService(settings, store, {1: course})
    browser = Browser(create_app(settings, store, service=service))
    browser.post("/researcher/login", data={"password": PASSWORD})
    return browser


def stored_bytes(store: Store) -> int:
    with store.read() as orm:
        return orm.scalar(select(func.sum(func.length(NoteRow.detail)))) or 0


def test_a_participant_cannot_fill_the_disk_with_notes(service: StudyService) -> None:
    person, store = Person(service, "anna"), service.store
    token = person.content["session"]
    for _ in range(20):
        service.note(token, [Note("error", "é" * 1000)] * 50)
    assert 0 < stored_bytes(store) < MAX_NOTE_BYTES
    for number in range(120):  # refusals are notes as well
        service.intent(token, IntentRequest(f"refused-{number}", 0, "next", {"x": "y" * 1000}))
    assert stored_bytes(store) < MAX_NOTE_BYTES
    assert person.send("consent", agree=True).view["screen"] == "tutorial"  # it goes on playing


def test_a_disk_without_room_for_a_choice_is_seen(store: Store) -> None:
    assert write_problem(store) == ""

    @event.listens_for(store.engine, "begin")
    def _fill(connection) -> None:
        size = connection.exec_driver_sql("PRAGMA page_count").scalar()
        connection.exec_driver_sql(f"PRAGMA max_page_count = {size}")

    assert "full" in write_problem(store)


def test_a_locked_table_is_seen(postgres_server: str) -> None:
    with (
        postgres.database(postgres_server) as url,
        Store(url) as other,  # first, as it makes the tables: that may take as long as it takes
        Store(url, timeout=2) as store,
    ):
        assert write_problem(store) == ""
        with other.engine.connect() as connection:
            connection.execute(text("LOCK TABLE events IN EXCLUSIVE MODE"))
            assert "lock timeout" in write_problem(store)


def test_trying_the_database_out_leaves_nothing(any_store: Store) -> None:
    assert write_problem(any_store) == ""
    assert any_store.sessions(test=True) == []


def test_a_session_that_no_database_can_have(service: StudyService) -> None:
    for number in ("2147483648", "99999999999", "0" * 300, "٣"):
        with pytest.raises(NoReplayError, match="no such session"):
            played(service, TrialCatalogue(service.courses), f"session-{number}", "")


def test_a_nul_in_an_address_is_no_failure(any_store: Store, short: Course) -> None:
    browser = researcher(any_store, short)
    for path in ("people?search=%00", "bonus/%00.csv", "bonus/x.csv"):
        assert browser.get(f"/researcher/{path}").status_code in (200, 404), path


def test_a_map_that_is_too_large_for_a_search_is_refused_at_once(
    store: Store, short: Course
) -> None:
    asked = {"text": LARGE, "player": "ideal_observer", "parameters": {}}
    answer = researcher(store, short).post("/researcher/replay/document", json=asked)
    assert answer.status_code == 422
    assert "cells, more than" in answer.json()["message"]


def test_a_dump_without_a_study_is_not_restored(postgres_server: str, tmp_path: Path) -> None:
    dump = tmp_path / "dump.sql"
    dump.write_text("-- a dump of nothing\nSELECT 1;\n")
    with (
        postgres.database(postgres_server) as url,
        pytest.raises(BackupError, match="not a dump of a study's database"),
    ):
        restore(dump, url)


def test_no_cell_of_the_data_is_a_formula(service: StudyService) -> None:
    person = Person(service, "anna").send("consent", agree=True)
    service.note(person.content["session"], [Note("error", '=HYPERLINK("http://x")')])
    made = export(service.store, service.settings, service.courses)
    [note] = csv.DictReader(io.StringIO(made.files[data_file(1, "notes")]))
    assert note["detail"].startswith("'=")
