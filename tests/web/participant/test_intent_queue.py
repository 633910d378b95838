"""Intents that come together: one commit for all, and the replies that each would get alone."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from sqlalchemy import event

from onlooker.web.participant.arrivals import Arrival
from onlooker.web.participant.intent_queue import IntentQueue
from onlooker.web.participant.messages import IntentRequest, Reply
from onlooker.web.participant.service import Call, Outcome, StudyService
from onlooker.web.store import BusyError, Store
from onlooker.web.store.transaction import TakenOverError, UnknownSessionError
from onlooker.web.study.course import Course
from waiting import HANG
from web import postgres
from web.person import Person, Watch, study
from web.records import events, notes
from web.visitor import right_answers


def players(service: StudyService, number: int) -> list[Person]:
    """People in the first round of experiment 1."""
    return [Person(service, f"p{place}").to_first_card().send("next") for place in range(number)]


def choice(person: Person, text: str = "observe agent2", **changes: Any) -> Call:
    asked = {"id": f"choice-{person.view['seq']}", "seq": person.view["seq"], "kind": "choose"}
    request = IntentRequest(**{**asked, "data": {"choice": text}, **changes})
    return Call(person.content["session"], request)


def alone(service: StudyService, call: Call) -> Reply:
    return service.intent(call.token, call.request)


def content(reply: Outcome) -> Any:
    assert isinstance(reply, Reply)
    return reply.status, json.loads(reply.body)["view"]["game"]


def ask(service: StudyService, *calls: Call) -> list[Any]:
    """The outcomes of calls that come at the same time."""

    async def together() -> list[Any]:
        queue = IntentQueue(service)
        waiting = [queue.reply(call.token, call.request) for call in calls]
        outcomes = await asyncio.gather(*waiting, return_exceptions=True)
        queue.close()
        return outcomes

    return asyncio.run(together())


def test_intents_of_many_are_stored_with_one_commit(service: StudyService) -> None:
    everybody = players(service, 5)
    commits: list[object] = []
    event.listen(service.store.engine, "commit", commits.append)
    replies = service.intents([choice(person) for person in everybody])
    assert len(commits) == 1
    for person, reply, session in zip(everybody, replies, service.store.sessions(), strict=True):
        again = alone(service, choice(person))  # the second time
        assert content(again) == content(reply)
        assert again.body == reply.body  # type: ignore[union-attr]
        assert session.seq == person.view["seq"] + 1
        stored = events(service.store, session.id)[-1]
        assert (stored.kind, stored.data) == ("choose", {"choice": "observe agent2"})
        assert (stored.state_hash, stored.seed) == (session.state_hash, session.seed)
        assert service.store.verify(session.id, service.courses) == []


def test_each_call_gets_the_reply_that_it_would_get_alone(service: StudyService) -> None:
    stale, forged, refused, twice, gone, left = players(service, 6)
    service.arrive(Arrival("p4", "study1", "another tab"))
    before = [session.seq for session in service.store.sessions()]
    calls = [
        choice(stale, seq=3),
        Call("x" * 43, choice(forged).request),
        choice(refused, "observe agent9"),
        choice(twice),
        choice(twice),
        choice(gone),
        choice(left, kind="withdraw", data={}),
    ]
    outcomes = service.intents(calls)
    statuses = [each.status if isinstance(each, Reply) else type(each) for each in outcomes]
    expected = [409, UnknownSessionError, 422, 200, 200, TakenOverError, 200]
    assert statuses == expected
    assert outcomes[3] == outcomes[4]  # the same intent, sent twice
    sessions = service.store.sessions()
    assert [s.seq - seq for s, seq in zip(sessions, before, strict=True)] == [0, 0, 0, 1, 0, 1]
    assert sessions[5].end_reason == "withdrawn"
    assert [(n.kind, n.session_id) for n in notes(service.store) if n.kind != "resume"] == [
        ("refused", sessions[2].id)
    ]


def test_sessions_that_were_silent_for_too_long_end_beside_those_that_go_on(
    service: StudyService, watch: Watch
) -> None:
    (silent,) = players(service, 1)
    watch.forward(hours=service.settings.timeouts.expiry_hours + 1)
    active = Person(service, "active").to_first_card().send("next")
    outcomes = service.intents([choice(silent), choice(active)])
    assert [each.status for each in outcomes if isinstance(each, Reply)] == [422, 200]
    assert [s.end_reason for s in service.store.sessions()] == ["expired", None]


def test_people_who_pass_the_check_together_get_different_orderings(
    service: StudyService,
) -> None:
    number = len(service.courses[1].orderings)
    people = [
        Person(service, f"p{place}").send("consent", agree=True).send("next")
        for place in range(number)
    ]
    answers = {"answers": right_answers(service.courses[1])}
    outcomes = service.intents([choice(p, kind="answer", data=answers) for p in people])
    assert [each.status for each in outcomes if isinstance(each, Reply)] == [200] * number
    given = [session.ordering for session in service.store.sessions()]
    assert sorted(filter(None, given)) == list(range(1, number + 1))


def test_an_id_that_was_used_before_spoils_nobody_elses_choice(service: StudyService) -> None:
    first, second = players(service, 2)
    used = events(service.store, service.store.sessions()[0].id)[0].intent_id
    replies = ask(service, choice(first, id=used), choice(second))
    assert [reply.status for reply in replies] == [200, 200]
    sessions = service.store.sessions()
    assert sessions[0].seq == first.view["seq"]  # it is answered as it was the first time
    assert sessions[1].seq == second.view["seq"] + 1


def test_a_call_that_fails_spoils_nobody_elses(
    service: StudyService, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = players(service, 2)
    original = service._view

    def fail(session: Any, *args: Any, **named: Any) -> Any:
        if session.id == service.store.sessions()[0].id:
            raise RuntimeError("a fault of ours")
        return original(session, *args, **named)

    monkeypatch.setattr(service, "_view", fail)
    outcomes = ask(service, choice(first), choice(second))
    assert isinstance(outcomes[0], RuntimeError)
    assert outcomes[1].status == 200
    added = [
        s.seq - p.view["seq"]
        for s, p in zip(service.store.sessions(), (first, second), strict=True)
    ]
    assert added == [0, 1]


def test_nobody_waits_for_a_session_that_is_in_use(
    postgres_server: str, short: Course, watch: Watch
) -> None:
    with postgres.database(postgres_server) as url, Store(url, HANG) as store:
        service = StudyService(study(), store, {1: short}, watch)
        held, free = players(service, 2)
        with store.write() as tx:
            tx.session_of(held.content["session"])
            replies = service.intents([choice(held), choice(free)], wait=False)
        assert replies[0] is None
        assert content(replies[1])[0] == 200
        assert alone(service, choice(held)).status == 200


def test_nothing_is_answered_before_the_commit(
    service: StudyService, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = players(service, 2)

    def fail(*args: object) -> None:
        raise BusyError("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(service.store, "_commit", fail)
        outcomes = ask(service, choice(first), choice(second))
        assert [type(each) for each in outcomes] == [BusyError, BusyError]
    assert service.store.sessions()[0].seq == first.view["seq"]
    assert alone(service, choice(first)).status == 200
