"""Erasing a participant: nothing is left but the record that it happened."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import select

from onlooker.web.export.dataset import export, pid_map
from onlooker.web.participant.service import StudyService
from onlooker.web.store import Store, queries
from onlooker.web.store.erasure import OF_A_SESSION, erase, erasures
from onlooker.web.store.models import Base, BonusRow
from onlooker.web.store.transaction import UnknownSessionError
from onlooker.web.study.course import Course
from web.person import Person, study

TIME = "2025-03-01T12:00:00.000Z"


def test_everything_of_a_session_is_in_the_list() -> None:
    linked = {
        mapper.class_
        for mapper in Base.registry.mappers
        if any(key.column.table.name == "sessions" for key in mapper.local_table.foreign_keys)
    }
    assert linked == set(OF_A_SESSION)


@pytest.mark.parametrize("by_pseudonym", [False, True])
def test_a_participant_is_erased_and_nobody_else(service: StudyService, by_pseudonym: bool) -> None:
    store = service.store
    anna = Person(service, "anna").to_first_card()
    ben = Person(service, "ben").to_first_card()
    first, second = store.sessions()
    with store.write() as tx:
        money = {"amount": "1.20", "currency": "$", "entered_at": TIME}
        tx.orm.add(BonusRow(session_id=first.id, batch="b1", **money))
    names = {person.pid: person.pseudonym for person in queries.people(store).values()}
    record = erase(store, names["anna"] if by_pseudonym else "anna", TIME)
    assert record is not None
    assert (record.pseudonym, record.sessions, record.events) == (names["anna"], 1, 3)
    assert record.bonuses == ["b1: $1.20"]
    with store.read() as orm:
        for table in OF_A_SESSION:
            assert first.id not in set(orm.scalars(select(table.session_id)))
    assert [person.pid for person in queries.people(store).values()] == ["ben"]
    assert [session.id for session in store.sessions()] == [second.id]
    made = export(store, service.settings, service.courses)
    assert not [name for name, content in made.files.items() if names["anna"] in content]
    assert "anna" not in pid_map(store)
    with pytest.raises(UnknownSessionError):
        anna.send("next")
    assert ben.send("next").view["screen"] == "trial"
    assert store.verify(second.id, service.courses) == []
    assert [each.pseudonym for each in erasures(store)] == [names["anna"]]
    assert erase(store, "anna", TIME) is None


def test_nothing_is_left_in_an_sqlite_file(store: Store, short: Course, tmp_path: Path) -> None:
    service = StudyService(study(), store, {1: short})
    Person(service, "an-id-to-look-for").to_first_card()
    assert erase(store, "an-id-to-look-for", TIME)
    for file in tmp_path.iterdir():
        assert b"an-id-to-look-for" not in file.read_bytes(), file
