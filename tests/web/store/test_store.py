"""The store, on SQLite and on PostgreSQL."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import inspect, select, text

from onlooker.web.participant.arrivals import Arrival
from onlooker.web.participant.messages import IntentRequest
from onlooker.web.participant.service import StudyService
from onlooker.web.settings import Settings, default_settings
from onlooker.web.store import BusyError, Store
from onlooker.web.store.clock import timestamp
from onlooker.web.store.connection import database_url, migrate
from onlooker.web.store.models import Base, CheckRow, ConsentRow, EventRow, ParticipantRow, TabRow
from onlooker.web.study.course import Course, Courses
from onlooker.web.study.tutorial import Page
from web.records import events, notes, ordering_counts
from web.visitor import cheapest_way, right_answers


class Watch:
    """A clock that tests set."""

    def __init__(self) -> None:
        self.time = datetime(2025, 3, 1, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.time

    def forward(self, **by: float) -> None:
        self.time += timedelta(**by)


class Person:
    """Somebody who talks to the service directly."""

    def __init__(self, service: StudyService, pid: str, study: str = "study1") -> None:
        self.service = service
        self.content = json.loads(service.arrive(Arrival(pid, study, "s")).body)
        self.count = 0

    @property
    def view(self):
        return self.content["view"]

    def send(self, kind: str, **data) -> Person:
        self.count += 1
        request = IntentRequest(f"{kind}-{self.count}", self.view["seq"], kind, data)
        token = self.content["session"]
        reply = self.service.intent(token, request)
        assert reply.status == 200, reply.body
        self.content = {"session": token, **json.loads(reply.body)}
        return self

    def to_first_card(self) -> Person:
        course = self.service.courses[self.view["study"]["experiment"]]
        self.send("consent", agree=True).send("next")
        return self.send("answer", answers=right_answers(course))


@pytest.fixture
def short(courses: Courses) -> Course:
    """Experiment 1 with a tutorial of one page."""
    return replace(courses[1], pages=(Page("Short", ("Play.",)),), practice=())


def study(**changes) -> Settings:
    return default_settings(1).model_copy(update=changes)


@pytest.fixture
def watch() -> Watch:
    return Watch()


@pytest.fixture
def service(any_store: Store, short: Course, watch: Watch) -> StudyService:
    return StudyService(study(), any_store, {1: short}, watch)


# -- tables ----------------------------------------------------------------------------------------


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


# -- sessions --------------------------------------------------------------------------------------


def test_what_is_stored_of_an_arrival(service: StudyService) -> None:
    Person(service, "anna")
    with service.store.read() as orm:
        person = orm.scalars(select(ParticipantRow)).one()
        tab = orm.scalars(select(TabRow)).one()
    session = service.store.sessions()[0]
    assert person.pid == "anna"
    assert "anna" not in person.pseudonym
    assert (session.study_id, tab.prolific_session, session.test) == ("study1", "s", False)
    assert (session.screen, session.seq, session.ordering) == ("consent", 0, None)
    assert session.config_hash == service.config_hash
    assert session.stimulus_hash == service.courses[1].stimulus_hash


def test_every_row_is_stamped(service: StudyService) -> None:
    person = Person(service, "anna")
    token = person.content["session"]
    service.intent(
        token, IntentRequest("id-1", 0, "consent", {"agree": True}, "2025-03-01T12:00:00Z")
    )
    session = service.store.sessions()[0]
    with service.store.read() as orm:
        rows = [orm.scalars(select(table)).one() for table in (EventRow, ConsentRow)]
    for row in rows:
        assert row.code_version
        assert row.config_hash == service.config_hash
        assert row.stimulus_hash == session.stimulus_hash
        assert row.seed == session.seed
        assert row.server_time == "2025-03-01T12:00:00.000Z"
        assert row.client_time == "2025-03-01T12:00:00Z"
    assert rows[1].version == service.settings.consent.version


def test_attempts_at_the_check_are_kept(service: StudyService) -> None:
    person = Person(service, "anna").send("consent", agree=True).send("next")
    right = right_answers(service.courses[1])
    person.send("answer", answers=right | {"end": "a"}).send("answer", answers=right)
    with service.store.read() as orm:
        checks = orm.scalars(select(CheckRow).order_by(CheckRow.attempt)).all()
    assert [(c.attempt, c.wrong, c.passed) for c in checks] == [(1, ["end"], False), (2, [], True)]


def test_the_gap_before_a_resume_is_kept(service: StudyService, watch: Watch) -> None:
    Person(service, "anna").send("consent", agree=True)
    watch.forward(minutes=7)
    again = Person(service, "anna")
    assert again.view["screen"] == "tutorial"
    with service.store.read() as orm:
        assert [t.gap_seconds for t in orm.scalars(select(TabRow).order_by(TabRow.id))] == [
            None,
            420,
        ]
    assert [n.kind for n in notes(service.store)] == ["resume"]


def test_a_session_that_was_silent_for_too_long_is_over(
    service: StudyService, watch: Watch
) -> None:
    Person(service, "anna").send("consent", agree=True)
    watch.forward(hours=25)
    again = Person(service, "anna")
    assert again.view["screen"] == "technical"
    assert again.view["completion"] is None
    session = service.store.sessions()[0]
    assert session.end_reason == "expired"
    assert service.store.verify(session.id, service.courses) == []


def test_a_session_on_other_stimuli_is_over_with_pay(
    any_store: Store, courses: Courses, short: Course
) -> None:
    Person(StudyService(study(), any_store, {1: short}), "anna").send("consent", agree=True)
    again = Person(StudyService(study(), any_store, {1: courses[1]}), "anna")
    assert again.view["screen"] == "technical"
    assert again.view["completion"]["code"] == "EXAMPLE-TECHNICAL"


def test_the_researcher_can_end_a_session_with_pay(service: StudyService) -> None:
    person = Person(service, "anna").send("consent", agree=True)
    session = service.store.sessions()[0]
    assert service.end_session(session.id, "server_moved")
    assert not service.end_session(session.id, "server_moved")
    view = json.loads(service.view(person.content["session"]).body)["view"]
    assert (view["screen"], view["completion"]["code"]) == ("technical", "EXAMPLE-TECHNICAL")
    assert service.store.verify(session.id, service.courses) == []


# -- who is let in ---------------------------------------------------------------------------------


def test_a_pause_holds_for_new_arrivals_only(service: StudyService) -> None:
    before = Person(service, "anna")
    service.store.set_paused(1, True, timestamp(service.clock()))
    assert service.store.paused(1)
    after = Person(service, "ben")
    assert (after.view["screen"], after.content["session"]) == ("paused", None)
    assert before.send("consent", agree=True).view["screen"] == "tutorial"
    assert Person(service, "anna").view["screen"] == "tutorial"
    assert len(service.store.sessions()) == 1
    service.store.set_paused(1, False, timestamp(service.clock()))
    assert Person(service, "ben").view["screen"] == "consent"


def test_a_full_study_turns_people_away(any_store: Store, short: Course, watch: Watch) -> None:
    service = StudyService(study(quota={1: 2}), any_store, {1: short}, watch)
    Person(service, "anna").send("withdraw")
    Person(service, "ben")
    watch.forward(minutes=20)
    Person(service, "cora")
    late = Person(service, "dora")
    assert late.view["screen"] == "screened_out"
    assert late.view["completion"]["code"] == "EXAMPLE-SCREENED"
    assert "full" in late.view["text"][0]
    watch.forward(minutes=15)  # nothing was heard of Ben for more than half an hour
    assert Person(service, "emil").view["screen"] == "consent"
    assert Person(service, "ben").view["screen"] == "consent"  # but he may go on
    assert Person(service, "dora").view["screen"] == "screened_out"


def test_nobody_takes_part_in_two_experiments(
    any_store: Store, courses: Courses, short: Course
) -> None:
    studies = default_settings(1).study.model_copy(
        update={"experiment": None, "experiments": {"first": 1, "second": 2, "third": 1}}
    )
    service = StudyService(study(study=studies), any_store, {1: short, 2: courses[2]})
    Person(service, "anna", "first").send("consent", agree=True)
    for other in ("second", "third"):
        turned_away = Person(service, "anna", other)
        assert turned_away.view["screen"] == "screened_out"
        assert "already taken part" in turned_away.view["text"][0]
    assert Person(service, "anna", "first").view["screen"] == "tutorial"
    Person(service, "ben", "first").send("consent", agree=False)
    assert Person(service, "ben", "second").view["screen"] == "consent"
    for session in any_store.sessions():
        assert any_store.verify(session.id, service.courses) == []


# -- orderings -------------------------------------------------------------------------------------


def spread(counts: dict[int, int]) -> int:
    return max(counts.values()) - min(counts.values())


@pytest.mark.parametrize("people", [321])
def test_simultaneous_arrivals_with_drop_outs_fill_the_orderings_evenly(
    service: StudyService, people: int
) -> None:
    """Three in ten leave on the way, before they have an ordering or after it."""

    def take_part(number: int) -> None:
        person = Person(service, f"p{number}")
        if number % 10 == 0:
            return
        person.to_first_card()
        if number % 10 in (1, 2):
            person.send("withdraw")

    with ThreadPoolExecutor(16) as pool:
        list(pool.map(take_part, range(people)))
    sessions = service.store.sessions()
    assert len(sessions) == people
    given = Counter(s.ordering for s in sessions if s.ordering)
    assert len(given) == 8
    assert len({s.seed for s in sessions}) == people
    # Those who left make room for those who come after them.
    with ThreadPoolExecutor(16) as pool:
        more = [f"more{number}" for number in range(sum(given.values()) // 2)]
        list(pool.map(lambda pid: Person(service, pid).to_first_card(), more))
    counts = ordering_counts(service.store, 1, 8, "2025-03-01")
    assert spread(counts) <= 1


def test_drop_outs_before_the_rounds_do_not_unbalance_anything(service: StudyService) -> None:
    def take_part(number: int) -> None:
        person = Person(service, f"p{number}")
        if number % 10 > 2:
            person.to_first_card()

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(take_part, range(60)))
    given = Counter(s.ordering for s in service.store.sessions() if s.ordering)
    assert sum(given.values()) == 42
    assert spread({number: given[number] for number in range(1, 9)}) <= 1


def test_the_silent_do_not_count(service: StudyService, watch: Watch) -> None:
    first = Person(service, "anna").to_first_card()
    watch.forward(minutes=31)
    sessions = service.store.sessions()
    cutoff = timestamp(watch() - timedelta(minutes=30))
    assert sum(ordering_counts(service.store, 1, 8, cutoff).values()) == 0
    first.send("next")
    assert ordering_counts(service.store, 1, 8, cutoff)[sessions[0].ordering] == 1


def test_test_runs_are_spread_by_themselves_and_never_counted(service: StudyService) -> None:
    for number in range(8):
        Person(service, f"test-{number}").to_first_card()
    assert {s.ordering for s in service.store.sessions(test=True)} == set(range(1, 9))
    assert service.store.sessions() == []
    assert sum(ordering_counts(service.store, 1, 8, "2025").values()) == 0


def test_how_an_ordering_was_given_can_be_retraced(service: StudyService) -> None:
    from onlooker.web.participant.assignment import least_filled

    for number in range(5):
        Person(service, f"p{number}").to_first_card()
    for session in service.store.sessions():
        counts = {int(number): count for number, count in session.counts.items()}
        assert least_filled(counts, session.seed) == session.ordering


# -- the log ---------------------------------------------------------------------------------------


def test_one_event_for_one_intent_under_concurrency(service: StudyService) -> None:
    person = Person(service, "anna")
    request = IntentRequest("same", 0, "consent", {"agree": True})
    with ThreadPoolExecutor(10) as pool:
        replies = list(
            pool.map(lambda _: service.intent(person.content["session"], request), range(10))
        )
    assert {reply.body for reply in replies} == {replies[0].body}
    assert len(events(service.store, service.store.sessions()[0].id)) == 1


def test_of_two_intents_for_the_same_place_one_is_stale(service: StudyService) -> None:
    person = Person(service, "anna")
    token = person.content["session"]
    requests = [IntentRequest(f"id-{n}", 0, "consent", {"agree": True}) for n in range(6)]
    with ThreadPoolExecutor(6) as pool:
        replies = list(pool.map(lambda request: service.intent(token, request), requests))
    assert sorted(reply.status for reply in replies) == [200] + [409] * 5


@pytest.mark.parametrize(
    ("tampering", "told"),
    [
        (
            "UPDATE sessions SET state = replace(state, 'check', 'card')",
            "state is not where",
        ),
        ("UPDATE sessions SET ordering = 3", "ordering or screen"),
        ("UPDATE events SET state_hash = 'x' WHERE seq = 0", "leads to another state"),
        ("UPDATE events SET kind = 'back' WHERE seq = 0", "event 0 \\(back\\)"),
        ("DELETE FROM events WHERE seq = 0", "expected events 0 to 1, found 1"),
    ],
)
def test_what_the_log_does_not_explain_is_found(
    service: StudyService, tampering: str, told: str
) -> None:
    person = Person(service, "anna").send("consent", agree=True)
    person.send("next")
    session = service.store.sessions()[0]
    assert service.store.verify(session.id, service.courses) == []
    with service.store.write() as tx:
        tx.orm.execute(text(tampering))
    problems = service.store.verify(session.id, service.courses)
    assert problems
    with pytest.raises(AssertionError, match=told):
        raise AssertionError("; ".join(problems))


@pytest.mark.parametrize("tampered", [False, True])
def test_the_completion_link_is_given_only_if_everything_is_there(
    any_store: Store, short: Course, tampered: bool
) -> None:
    course = replace(short, orderings=(("m101",),))
    service = StudyService(study(), any_store, {1: course})
    person = Person(service, "anna").to_first_card().send("next")
    for taken in cheapest_way(course.stages["m101"]):
        person.send("choose", choice=str(taken.action))
    person.send("next")
    if tampered:
        with any_store.write() as tx:
            tx.orm.execute(text("DELETE FROM events WHERE seq = 5"))
    view = person.send("survey", age=None, gender=None, feedback="").view
    session = any_store.sessions()[0]
    if tampered:
        assert (view["screen"], view["completion"]["code"]) == ("technical", "EXAMPLE-TECHNICAL")
        assert [note.kind for note in notes(any_store)] == ["incomplete"]
        assert session.end_reason == "technical"
    else:
        assert (view["screen"], view["completion"]["code"]) == ("debrief", "EXAMPLE-COMPLETE")
        assert view["bonus"] == {"amount": "2.00", "currency": "$"}
        assert session.end_reason == "complete"
        assert any_store.verify(session.id, service.courses) == []


def test_a_transaction_that_fails_leaves_nothing(any_store: Store, service: StudyService) -> None:
    def fails() -> Iterator[None]:
        with any_store.write() as tx:
            tx.participant("anna", False, "2025")
            raise RuntimeError("in the middle")

    with pytest.raises(RuntimeError):
        fails()
    with any_store.read() as orm:
        assert orm.scalars(select(ParticipantRow)).all() == []


# -- a busy database -------------------------------------------------------------------------------


def test_a_locked_database_is_busy_for_a_while(tmp_path: Path, short: Course) -> None:
    path = tmp_path / "study.db"
    with Store(str(path), patience=0.2) as store:
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
        Store(f"postgresql://nobody@/none?host={tmp_path}", patience=0.5)
    with pytest.raises(BusyError):
        Store(str(tmp_path / "no folder" / "study.db"))
