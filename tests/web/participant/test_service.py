"""The service: what it stores, whom it lets in and how sessions end, on both databases."""

from __future__ import annotations

import csv
import hashlib
import io
import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from sqlalchemy import delete, select, text

from onlooker.experiments.dataset import data_file
from onlooker.web.export.dataset import export
from onlooker.web.participant.messages import IntentRequest
from onlooker.web.participant.service import StudyService
from onlooker.web.settings import default_settings
from onlooker.web.store import Store
from onlooker.web.store.models import (
    EventRow,
    ParticipantRow,
    StimuliRow,
    TabRow,
    timestamp,
)
from onlooker.web.study.course import Course, Courses
from web.person import Person, Watch, study
from web.records import events, notes
from web.visitor import cheapest_way, right_answers


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
        row = orm.scalars(select(EventRow)).one()
    assert row.code_version
    assert row.config_hash == service.config_hash
    assert row.stimulus_hash == session.stimulus_hash
    assert row.seed == session.seed
    assert row.server_time == "2025-03-01T12:00:00.000Z"
    assert row.client_time == "2025-03-01T12:00:00Z"
    assert row.data["agree"] is True


def test_the_form_that_people_agree_to_is_kept_whatever_the_browser_says(
    service: StudyService,
) -> None:
    token = Person(service, "anna").content["session"]
    said = {"agree": True, "version": "invented", "text_hash": "0"}
    assert service.intent(token, IntentRequest("id-1", 0, "consent", said)).status == 200
    with service.store.read() as orm:
        kept = orm.scalars(select(EventRow)).one().data
    consent = service.settings.consent
    text = f"{consent.text}\n\n{consent.data_protection}"
    assert kept == {
        "agree": True,
        "version": consent.version,
        "text_hash": hashlib.sha256(text.encode()).hexdigest(),
    }


def test_attempts_at_the_check_are_kept(service: StudyService) -> None:
    person = Person(service, "anna").send("consent", agree=True).send("next")
    right = right_answers(service.courses[1])
    person.send("answer", answers=right | {"end": "a"}).send("answer", answers=right)
    made = export(service.store, service.settings, service.courses)
    rows = list(csv.DictReader(io.StringIO(made.files[data_file(1, "checks")])))
    wrong = [(row["attempt"], row["question"]) for row in rows if row["right"] == "false"]
    assert wrong == [("1", "end")]
    assert {(row["attempt"], row["passed"]) for row in rows} == {("1", "false"), ("2", "true")}


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


def test_a_session_whose_stimuli_were_not_stored_is_over_with_pay(
    any_store: Store, courses: Courses, short: Course
) -> None:
    Person(StudyService(study(), any_store, {1: short}), "anna").send("consent", agree=True)
    with any_store.write() as tx:  # as in databases of version 0.1.0
        tx.orm.execute(delete(StimuliRow))
    again = Person(StudyService(study(), any_store, {1: courses[1]}), "anna")
    assert again.view["screen"] == "technical"
    assert again.view["completion"]["code"] == "EXAMPLE-TECHNICAL"


def test_a_round_without_end_is_over_and_unfinished_in_the_data(
    any_store: Store, short: Course
) -> None:
    service = StudyService(study(), any_store, {1: replace(short, most_choices=6)})
    person = Person(service, "anna").to_first_card().send("next")
    there = next(c for c in person.view["game"]["choices"] if c["kind"] == "move")["choice"]
    back = {"up": "down", "down": "up", "left": "right", "right": "left"}[there]
    for choice in (there, back) * 3:
        person.send("choose", choice=choice)
    game = person.view["game"]
    assert (game["finished"], game["choices"]) == (True, [])
    assert game["result"] == {"unspent": 0, "too_long": True}
    assert person.send("next").view["screen"] == "card"
    assert person.view["total"] == 0
    made = export(any_store, service.settings, service.courses)
    assert made.problems == []
    [trial] = csv.DictReader(io.StringIO(made.files[data_file(1, "trials")]))
    assert (trial["finished"], trial["moves"]) == ("false", "6")
    actions = csv.DictReader(io.StringIO(made.files[data_file(1, "actions")]))
    assert len(list(actions)) == 6


def test_the_researcher_can_end_a_session_with_pay(service: StudyService) -> None:
    person = Person(service, "anna").send("consent", agree=True)
    session = service.store.sessions()[0]
    assert service.end_session(session.id, "server_moved")
    assert not service.end_session(session.id, "server_moved")
    view = json.loads(service.view(person.content["session"]).body)["view"]
    assert (view["screen"], view["completion"]["code"]) == ("technical", "EXAMPLE-TECHNICAL")
    assert service.store.verify(session.id, service.courses) == []


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


def test_one_event_for_one_intent_under_concurrency(service: StudyService) -> None:
    person = Person(service, "anna")
    request = IntentRequest("same", 0, "consent", {"agree": True})
    with ThreadPoolExecutor(10) as pool:
        replies = list(
            pool.map(lambda _: service.intent(person.content["session"], request), range(10))
        )
    assert {reply.body for reply in replies} == {replies[0].body}
    assert len(events(service.store, service.store.sessions()[0].id)) == 1


def test_an_id_that_was_used_before_is_answered_as_it_was_then(service: StudyService) -> None:
    person = Person(service, "anna")
    token = person.content["session"]
    first = service.intent(token, IntentRequest("same", 0, "consent", {"agree": True}))
    service.intent(token, IntentRequest("other", 1, "next", {}))
    for seq in (0, 1, 2, 3):  # 2 is the present one
        again = service.intent(token, IntentRequest("same", seq, "withdraw", {}))
        assert again == first
    [session] = service.store.sessions()
    assert (session.screen, session.seq) == ("check", 2)
    with service.store.read() as orm:
        assert set(orm.scalars(select(EventRow.reply))) == {None}  # nothing large is stored


def test_of_two_intents_for_the_same_place_one_is_stale(service: StudyService) -> None:
    person = Person(service, "anna")
    token = person.content["session"]
    requests = [IntentRequest(f"id-{n}", 0, "consent", {"agree": True}) for n in range(6)]
    with ThreadPoolExecutor(6) as pool:
        replies = list(pool.map(lambda request: service.intent(token, request), requests))
    assert sorted(reply.status for reply in replies) == [200] + [409] * 5


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
    view = person.send("survey", answers={}).view
    session = any_store.sessions()[0]
    if tampered:
        assert (view["screen"], view["completion"]["code"]) == ("technical", "EXAMPLE-TECHNICAL")
        assert [note.kind for note in notes(any_store)] == ["incomplete"]
        assert session.end_reason == "technical"
    else:
        assert (view["screen"], view["completion"]["code"]) == ("debrief", "EXAMPLE-COMPLETE")
        assert view["bonus"] == {"amount": "2.00", "currency": "$", "text": "$2.00"}
        assert session.end_reason == "complete"
        assert any_store.verify(session.id, service.courses) == []
