"""Choices that come together: one commit for all, and nothing that a single choice would not do."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from sqlalchemy import event

from onlooker.web.participant.actions import ActionCalls, Actions
from onlooker.web.participant.arrivals import Arrival
from onlooker.web.participant.messages import IntentRequest, Reply
from onlooker.web.participant.service import StudyService
from onlooker.web.server.limits import INTENTS, Limiter
from onlooker.web.store import BusyError, Store
from onlooker.web.study.course import Course
from web import postgres
from web.person import Person, Watch, study
from web.records import events


def players(service: StudyService, number: int) -> list[Person]:
    """People in the first round of experiment 1."""
    return [Person(service, f"p{place}").to_first_card().send("next") for place in range(number)]


def choice(person: Person, text: str = "observe agent2", **changes: Any) -> Any:
    asked = {"id": f"choice-{person.view['seq']}", "seq": person.view["seq"], "kind": "choose"}
    request = IntentRequest(**{**asked, "data": {"choice": text}, **changes})
    return person.content["session"], request


def content(reply: Reply | None) -> Any:
    assert reply is not None
    return reply.status, json.loads(reply.body)["view"]["game"]


def test_choices_of_many_are_stored_with_one_commit(service: StudyService) -> None:
    everybody = players(service, 5)
    commits: list[object] = []
    event.listen(service.store.engine, "commit", commits.append)
    replies = service.choose_together([choice(person) for person in everybody])
    assert len(commits) == 1
    for person, reply, session in zip(everybody, replies, service.store.sessions(), strict=True):
        again = service.intent(*choice(person))  # alone, and the second time
        assert content(again) == content(reply)
        assert again.body == reply.body  # type: ignore[union-attr]
        assert session.seq == person.view["seq"] + 1
        stored = events(service.store, session.id)[-1]
        assert (stored.kind, stored.data) == ("choose", {"choice": "observe agent2"})
        assert (stored.state_hash, stored.seed) == (session.state_hash, session.seed)
        assert service.store.verify(session.id, service.courses) == []


def test_what_is_not_simply_the_next_choice_is_left_alone(
    service: StudyService, watch: Watch
) -> None:
    stale, forged, refused, twice, gone = players(service, 5)
    service.arrive(Arrival("p4", "study1", "another tab"))
    before = [session.seq for session in service.store.sessions()]
    calls = [
        choice(stale, seq=3),
        ("x" * 43, choice(forged)[1]),
        choice(refused, "observe agent9"),
        choice(twice),
        choice(twice),
        choice(gone),
    ]
    replies = service.choose_together(calls)
    assert [reply is None for reply in replies] == [True, True, True, False, True, True]
    added = [s.seq - seq for s, seq in zip(service.store.sessions(), before, strict=True)]
    assert added == [0, 0, 0, 1, 0]
    watch.forward(hours=service.settings.timeouts.expiry_hours + 1)
    assert service.choose_together([choice(stale)]) == [None]


def test_an_id_that_was_used_before_spoils_nobody_elses_choice(service: StudyService) -> None:
    first, second = players(service, 2)
    used = events(service.store, service.store.sessions()[0].id)[0].intent_id

    async def both() -> list[Reply | None]:
        actions = Actions(service)
        calls = [actions.choose(*choice(first, id=used)), actions.choose(*choice(second))]
        replies = await asyncio.gather(*calls)
        actions.close()
        return replies

    replies = asyncio.run(both())
    sessions = service.store.sessions()
    assert replies[0] is None
    assert sessions[0].seq == first.view["seq"]
    if replies[1] is None:  # undone together with the first, so it is carried out alone
        assert sessions[1].seq == second.view["seq"]
        assert service.intent(*choice(second)).status == 200
    assert service.store.sessions()[1].seq == second.view["seq"] + 1


def test_nobody_waits_for_a_session_that_is_in_use(
    postgres_server: str, short: Course, watch: Watch
) -> None:
    with postgres.database(postgres_server) as url, Store(url) as store:
        service = StudyService(study(), store, {1: short}, watch)
        held, free = players(service, 2)
        with store.write() as tx:
            tx.session_of(held.content["session"])
            replies = service.choose_together([choice(held), choice(free)])
        assert replies[0] is None
        assert content(replies[1])[0] == 200
        assert service.intent(*choice(held)).status == 200


def test_nothing_is_answered_before_the_commit(
    service: StudyService, monkeypatch: pytest.MonkeyPatch
) -> None:
    person = players(service, 1)[0]

    def fail(*args: object) -> None:
        raise BusyError("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(service.store, "_commit", fail)
        with pytest.raises(BusyError):
            service.choose_together([choice(person)])
        assert asyncio.run(Actions(service).choose(*choice(person))) is None
    assert service.store.sessions()[0].seq == person.view["seq"]
    assert service.intent(*choice(person)).status == 200


def test_a_call_that_is_passed_on_is_counted_once(service: StudyService) -> None:
    person = players(service, 1)[0]
    limiter, passed_on = Limiter(clock=lambda: 0.0), []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        passed_on.append((scope.get("state"), await receive()))

    body = json.dumps({"id": "choice-1", "seq": 0, "kind": "choose", "data": {"choice": "up"}})
    message = {"type": "http.request", "body": body.encode(), "more_body": False}
    headers = [(b"x-session", person.content["session"].encode())]
    scope = {"type": "http", "path": "/api/intent", "method": "POST", "headers": headers}

    async def call() -> None:
        async def receive() -> Any:
            return message

        async def send(message: Any) -> None:
            raise AssertionError("a stale choice is not answered here")

        calls = ActionCalls(app, Actions(service), limiter)
        for _ in range(INTENTS.burst + 1):
            await calls(dict(scope), receive, send)

    asyncio.run(call())
    assert passed_on[:-1] == [({"counted": True}, message)] * INTENTS.burst
    assert passed_on[-1] == (None, message)  # the route says that it is too fast
