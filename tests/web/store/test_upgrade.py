"""A database of version 0.1.0 opened with the present code: everything in it still holds.

The files in `release` were made with version 0.1.0 (`release/make.py`).
"""

from __future__ import annotations

import csv
import io
import json
import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import select

from onlooker.experiments.dataset import data_file
from onlooker.web.export.dataset import export
from onlooker.web.participant.messages import IntentRequest
from onlooker.web.participant.service import StudyService
from onlooker.web.researcher.bonuses import open_bonuses, payment_batches
from onlooker.web.settings import load_settings
from onlooker.web.store import Store
from onlooker.web.store.models import Base, EventRow
from onlooker.web.study.course import load_courses
from waiting import HANG

RELEASE = Path(__file__).parent / "release"
PLAYED = datetime(2026, 11, 16, 14, tzinfo=UTC)  # an hour after the release's study was played
EXPECTED: dict[str, Any] = json.loads((RELEASE / "expected.json").read_text("utf-8"))


@pytest.fixture
def service(tmp_path: Path) -> Iterator[StudyService]:
    """The old study, served with the same settings and trials as before."""
    file = tmp_path / "study.db"
    connection = sqlite3.connect(file)
    connection.executescript((RELEASE / "study.sql").read_text("utf-8"))
    connection.close()
    settings = load_settings(RELEASE / "study.toml")
    with Store(str(file), HANG) as store:
        yield StudyService(settings, store, load_courses(settings), lambda: PLAYED)


def test_the_tables_are_those_of_a_new_database(service: StudyService) -> None:
    with service.store.engine.connect() as connection:
        context = MigrationContext.configure(connection)
        assert compare_metadata(context, Base.metadata) == []


def test_sessions_and_logs_hold(service: StudyService) -> None:
    store = service.store
    found = [[s.screen, s.seq, s.ordering, s.end_reason] for s in store.sessions()]
    assert found == EXPECTED["sessions"]
    assert [store.verify(s.id, service.courses) for s in store.sessions()] == [[]] * len(found)


def test_the_ledger_and_the_bonuses_due_are_the_same(service: StudyService) -> None:
    for _ in range(2):  # replayed, then from the stored results
        bonuses = open_bonuses(service.store, service.settings.payment, service.courses)
        assert [[due.pseudonym, str(due.amount)] for due in bonuses] == EXPECTED["due"]
        assert [due.note for due in bonuses] == [""] * len(bonuses)
    batches = payment_batches(service.store)
    assert [[batch.people, str(batch.total)] for batch in batches] == EXPECTED["batches"]


YES_NO = {"yes": "true", "no": "false"}  # as version 0.1.0 wrote it


@pytest.mark.parametrize("name", sorted(set(EXPECTED["data"]) - {"surveys"}))
def test_the_dataset_has_what_it_had(service: StudyService, name: str) -> None:
    made = export(service.store, service.settings, service.courses)
    assert made.problems == []
    then = list(csv.DictReader(io.StringIO(EXPECTED["data"][name])))
    now = list(csv.DictReader(io.StringIO(made.files[data_file(1, name)])))
    assert then
    then = [{key: YES_NO.get(value, value) for key, value in row.items()} for row in then]
    assert [{key: row[key] for key in then[0]} for row in now] == then


def test_answers_of_the_survey_are_all_there(service: StudyService) -> None:
    made = export(service.store, service.settings, service.courses)
    then = list(csv.DictReader(io.StringIO(EXPECTED["data"]["surveys"])))
    now = csv.DictReader(io.StringIO(made.files[data_file(1, "answers")]))
    said = {row["participant"]: row["answer"] for row in now if row["question"] == "feedback"}
    assert said == {row["participant"]: row["feedback"] for row in then if row["feedback"]}


def test_what_people_agreed_to_is_all_there(service: StudyService) -> None:
    made = export(service.store, service.settings, service.courses)
    rows = list(csv.DictReader(io.StringIO(made.files[data_file(1, "consents")])))
    assert len(rows) == sum(seq > 0 for _, seq, _, _ in EXPECTED["sessions"])
    assert {(row["version"], len(row["text_hash"]), row["agreed"]) for row in rows} <= {
        (service.settings.consent.version, 64, "true"),
        (service.settings.consent.version, 64, "false"),
    }


def test_somebody_who_played_goes_on(service: StudyService) -> None:
    token = EXPECTED["token"]
    seen = json.loads(service.view(token).body)["view"]
    assert {key: seen["game"][key] for key in EXPECTED["game"]} == EXPECTED["game"]
    with service.store.read() as orm:
        session = next(s for s in service.store.sessions() if s.screen == "trial")
        last = orm.scalars(
            select(EventRow).where(EventRow.session_id == session.id).order_by(EventRow.seq)
        ).all()[-1]
    again = IntentRequest(last.intent_id, last.seq, last.kind, last.data)
    assert service.intent(token, again).body == last.reply  # what was promised stays
    choice = seen["game"]["choices"][0]["choice"]
    request = IntentRequest("goes-on-1", seen["seq"], "choose", {"choice": choice})
    assert service.intent(token, request).status == 200
    assert service.store.verify(session.id, service.courses) == []
