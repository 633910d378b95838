"""Logs are replayed once, outside of the writer's lock, and the results are stored."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from sqlalchemy import select, text

from onlooker.web.export.dataset import export
from onlooker.web.participant import service as services
from onlooker.web.participant.messages import IntentRequest
from onlooker.web.participant.service import StudyService
from onlooker.web.researcher.bonuses import open_bonuses
from onlooker.web.store import BusyError, audit
from onlooker.web.store.models import ResultRow
from onlooker.web.study.course import Course
from web.person import Person
from web.short_study import Study
from web.visitor import cheapest_way, find_stage

pytestmark = pytest.mark.server


def two_people(study: Study) -> None:
    study.complete("anna", "bert")


@pytest.fixture
def study(after: Callable[..., Study]) -> Study:
    return after(two_people)


@pytest.fixture
def replays(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The sessions whose logs were replayed."""
    found: list[int] = []
    real = audit._replayed

    def counted(session, events, courses):
        found.append(session.id)
        return real(session, events, courses)

    monkeypatch.setattr(audit, "_replayed", counted)
    return found


def test_bonuses_and_export_read_the_results_of_the_last_call(
    study: Study, replays: list[int]
) -> None:
    assert len(open_bonuses(study.store, study.settings.payment, study.courses)) == 2
    assert export(study.store, study.settings, study.courses).problems == []
    assert replays == []


def test_results_that_are_missing_are_found_once(study: Study, replays: list[int]) -> None:
    expected = export(study.store, study.settings, study.courses).files
    with study.store.write() as tx:
        tx.orm.execute(text("DELETE FROM results"))  # as in a database of the first release
    for _ in range(3):
        assert export(study.store, study.settings, study.courses).files == expected
        assert len(open_bonuses(study.store, study.settings.payment, study.courses)) == 2
    assert replays == [1, 2]


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE sessions SET state_hash = 'x'",
        "UPDATE sessions SET state = replace(state, 'debrief', 'survey')",
        "UPDATE sessions SET ordering = 1 + ordering % 2",
        "UPDATE results SET code_version = 'old'",
    ],
)
def test_a_session_that_changed_is_replayed_anew(
    study: Study, replays: list[int], change: str
) -> None:
    with study.store.write() as tx:
        tx.orm.execute(text(change))
    export(study.store, study.settings, study.courses)
    assert replays == [1, 2]


def at_the_survey(service: StudyService, short: Course) -> Person:
    person = Person(service, "anna").to_first_card()
    while person.view["screen"] != "survey":
        person.send("next")
        for taken in cheapest_way(find_stage(short, person.view["game"])):
            person.send("choose", choice=str(taken.action))
        person.send("next")
    return person


def test_others_write_while_a_log_is_checked(
    service: StudyService, short: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    person, other = at_the_survey(service, short), Person(service, "bert")
    real = services.check_log

    def slow(*arguments):
        service.store.timeout = 0.1
        other.send("consent", agree=True)  # BusyError if the lock is held
        return real(*arguments)

    monkeypatch.setattr(services, "check_log", slow)
    person.send("survey", answers={})
    assert person.view["screen"] == "debrief"
    with service.store.read() as orm:
        row = orm.scalars(select(ResultRow)).one()
    assert (row.problems, row.screens[-1], len(row.screens)) == ([], "debrief", row.seq)


def test_a_session_that_changes_while_it_is_checked_is_asked_to_come_again(
    service: StudyService, short: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    person = at_the_survey(service, short)
    token, seq = person.content["session"], person.view["seq"]
    monkeypatch.setattr(StudyService, "_check_log", lambda self, token: None)
    with pytest.raises(BusyError):
        service.intent(token, IntentRequest("last", seq, "survey", {"answers": {}}))
    assert service.store.sessions()[0].screen == "survey"
    monkeypatch.undo()
    person.send("survey", answers={})
    assert person.view["screen"] == "debrief"
