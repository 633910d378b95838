"""The store, on SQLite and on PostgreSQL."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import inspect, select, text

from onlooker.web.participant.service import StudyService
from onlooker.web.store import BusyError, Store
from onlooker.web.store.connection import database_url, migrate
from onlooker.web.store.models import Base, ParticipantRow
from onlooker.web.study.course import Course
from web.person import Person, study


def test_the_migrations_make_the_tables_of_the_models(any_store: Store) -> None:
    with any_store.engine.connect() as connection:
        options = {"compare_type": True, "include_object": _is_known}
        context = MigrationContext.configure(connection, opts=options)
        differences = compare_metadata(context, Base.metadata)
    assert differences == []


def _is_known(thing: object, name: str, kind: str, reflected: bool, other: object) -> bool:
    """Later migrations may make tables whose models are not imported here."""
    return kind != "table" or name in Base.metadata.tables


def test_opening_a_store_again_keeps_what_is_there(any_url: str, short: Course) -> None:
    with Store(any_url) as store:
        Person(StudyService(study(), store, {1: short}), "anna")
    with Store(any_url) as store:
        migrate(store.engine)
        assert len(store.sessions()) == 1


def test_no_column_is_for_addresses(any_store: Store) -> None:
    tables = inspect(any_store.engine)
    for table in tables.get_table_names():
        for column in tables.get_columns(table):
            assert column["name"] not in ("ip", "address", "host", "user_agent")


@pytest.mark.parametrize("url", ["sqlite://", "sqlite:///:memory:", "mysql://host/db"])
def test_only_databases_that_keep_the_data(url: str) -> None:
    with pytest.raises(ValueError, match="expected an SQLite file"):
        database_url(url)


def test_sqlite_is_set_up_to_lose_nothing(tmp_path: Path) -> None:
    with Store(str(tmp_path / "study.db")) as store, store.engine.connect() as connection:
        pragmas = {
            name: connection.execute(text(f"PRAGMA {name}")).scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        }
    assert pragmas == {
        "journal_mode": "wal",
        "synchronous": 2,
        "foreign_keys": 1,
        "busy_timeout": 2000,
    }


def test_a_transaction_that_fails_leaves_nothing(any_store: Store, service: StudyService) -> None:
    def fails() -> Iterator[None]:
        with any_store.write() as tx:
            tx.participant("anna", False, "2025")
            raise RuntimeError("in the middle")

    with pytest.raises(RuntimeError):
        fails()
    with any_store.read() as orm:
        assert orm.scalars(select(ParticipantRow)).all() == []


def test_a_locked_database_is_busy_for_a_while(tmp_path: Path, short: Course) -> None:
    path = tmp_path / "study.db"
    with Store(str(path), timeout=1) as store:
        service = StudyService(study(), store, {1: short})
        person = Person(service, "anna")
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(BusyError):
                person.send("consent", agree=True)
            assert json.loads(service.view(person.content["session"]).body)  # reading goes on
            other.execute("ROLLBACK")
        assert person.send("consent", agree=True).view["seq"] == 1


def test_a_database_that_cannot_be_reached_is_busy(tmp_path: Path) -> None:
    with pytest.raises(BusyError):
        Store(f"postgresql://nobody@/none?host={tmp_path}", timeout=0.5)
    with pytest.raises(BusyError):
        Store(str(tmp_path / "no folder" / "study.db"))
