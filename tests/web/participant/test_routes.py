"""The participant's way through the HTTP API."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from decimal import Decimal

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, given
from hypothesis import settings as examples
from pydantic import TypeAdapter
from sqlalchemy import select

from calling import client_of
from onlooker.web.participant.arrivals import Arrival
from onlooker.web.participant.service import StudyService
from onlooker.web.server.app import create_app
from onlooker.web.server.run import serving
from onlooker.web.settings import Settings, Study, default_settings
from onlooker.web.store import Store
from onlooker.web.store.models import EventRow
from onlooker.web.study.course import Courses
from onlooker.web.study.flow import bonus_amount
from onlooker.web.study.view_types import ScreenView
from web.records import notes
from web.short_study import short_study
from web.visitor import Visitor, assert_nothing_leaks, right_answers, wrong_answers

Serve = Callable[[Settings, Store], httpx.Client]
Visit = Callable[..., Visitor]

VIEW = TypeAdapter(ScreenView)
PATHS = {"/api/arrive", "/api/view", "/api/intent", "/api/note", "/api/texts", "/healthz"}


def changed(experiment: int = 1, **study: object) -> Settings:
    settings = default_settings(experiment)
    return settings.model_copy(update={"study": settings.study.model_copy(update=study)})


# -- the whole way ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("experiment", "rounds"), [(1, 2), (2, 2), (3, 2), (4, 10)])
def test_a_participant_goes_from_consent_to_the_completion_link(
    store: Store, courses: Courses, experiment: int, rounds: int
) -> None:
    with short_study(
        store, courses, experiment=experiment, rounds=rounds, whole_tutorial=True
    ) as study:
        visitor, course = study.visitor("anna"), study.courses[experiment]
        for view in visitor.walk(course):
            VIEW.validate_python(view)
            assert_nothing_leaks(course, view)
            what = {"title": "Treasure hunt", "experiment": experiment, "label": None}
            assert view["study"] == what
    last = visitor.view
    assert last["screen"] == "debrief"
    assert last["completion"]["code"] == "EXAMPLE-COMPLETE"
    assert last["completion"]["url"].endswith("?cc=EXAMPLE-COMPLETE")
    session = store.sessions(experiment)[0]
    assert store.verify(session.id, study.courses) == []
    assert session.end_reason == "complete"
    # It observed each NPC twice in each round and else took the cheapest way.
    names = course.ordering(session.ordering)
    npcs = [course.stages[name].trial.npcs for name in names]
    possible = sum(course.stages[n].budget - course.least_costs[n] for n in names)
    finished = [
        v["game"] for v in visitor.views if v["screen"] == "trial" and v["game"]["finished"]
    ]
    assert len(finished) == rounds
    watched = sum(npc["observed"] for game in finished for npc in game["npcs"])
    assert watched <= 2 * sum(len(group) for group in npcs)
    assert last["unspent"] == possible - watched == sum(g["result"]["unspent"] for g in finished)
    bonus = bonus_amount(default_settings(1).payment, last["unspent"], possible)
    assert Decimal(last["bonus"]["amount"]) == bonus
    assert 0 < bonus < 2
    screens = [view["screen"] for view in visitor.views]
    assert [s for s, t in zip(screens, ["", *screens], strict=False) if s != t] == [
        "consent", "tutorial", "check", *["card", "trial"] * rounds, "survey", "debrief",
    ]  # fmt: skip


def test_a_reload_at_every_step_shows_the_same(courses: Courses, store: Store) -> None:
    def without_history(view):
        if view.get("game"):
            return view | {"game": view["game"] | {"history": []}}
        return view

    with short_study(store, courses, whole_tutorial=True) as study:
        visitor = study.visitor("anna")
        for count, view in enumerate(visitor.walk(study.courses[1])):
            assert without_history(visitor.look()) == view
            if count % 20 == 0 or view["screen"] in ("check", "card", "survey", "debrief"):
                visitor.arrive()  # in another browser
                assert without_history(visitor.view) == view
    assert visitor.view["screen"] == "debrief"
    assert len(store.sessions()) == 1
    assert store.verify(store.sessions()[0].id, study.courses) == []


def test_declining(visit: Visit, store: Store) -> None:
    view = visit(1).send("consent", agree=False)
    assert (view["screen"], view["completion"]["code"]) == ("declined", "EXAMPLE-CONSENT")
    with store.read() as orm:
        consent = orm.scalars(select(EventRow)).one()
    assert (consent.data["agree"], consent.data["version"]) == (False, "example-1")


def test_failing_the_check_twice(visit: Visit, courses: Courses) -> None:
    visitor = visit(3)
    view = visitor.go_to(courses[3], "check")
    assert (view["attempt"], view["attempts"], view["wrong"], view["reminder"]) == (1, 2, None, [])
    view = visitor.send("answer", answers=wrong_answers(courses[3]))
    assert (view["attempt"], view["wrong"]) == (2, ["end", "wizards"])
    assert view["reminder"]
    view = visitor.send("answer", answers=wrong_answers(courses[3]))
    assert (view["screen"], view["completion"]["code"]) == ("failed_check", "EXAMPLE-CHECK")


def test_passing_the_check_the_second_time(visit: Visit, courses: Courses) -> None:
    visitor = visit(2)
    visitor.go_to(courses[2], "check")
    visitor.send("answer", answers=wrong_answers(courses[2]))
    assert visitor.send("answer", answers=right_answers(courses[2]))["screen"] == "card"


def test_withdrawing(visit: Visit, courses: Courses, store: Store) -> None:
    visitor = visit(1)
    visitor.go_to(courses[1], "trial")
    view = visitor.send("withdraw")
    assert (view["screen"], view["completion"]) == ("withdrawn", None)
    assert "return your submission" in " ".join(view["text"])
    visitor.arrive()
    assert visitor.view["screen"] == "withdrawn"
    assert store.sessions()[0].end_reason == "withdrawn"


def test_the_card_tells_goal_budget_and_expertise(visit: Visit, courses: Courses) -> None:
    visitor = visit(4)
    view = visitor.go_to(courses[4], "card")
    assert (view["number"], view["of"], view["progress"]) == (
        1,
        2,
        {"part": "round", "at": 1, "of": 2, "done": 57},
    )
    assert {npc["expertise"] for npc in view["npcs"]} == {"expert", "novice"}
    assert [npc["name"] for npc in view["npcs"]] == ["Agent 2", "Agent 3"]
    game = visitor.send("next")["game"]
    assert (game["main"]["goal"], game["points"]["budget"]) == (view["goal"], view["budget"])


# -- arriving --------------------------------------------------------------------------------------


def test_a_get_never_makes_a_session(visit: Visit, store: Store, served: Serve) -> None:
    client = served(default_settings(1), store)
    for path in ("/", "/?PROLIFIC_PID=anna&STUDY_ID=s&SESSION_ID=x", "/api/view", "/api/arrive"):
        client.get(path)
    assert store.sessions() == []
    assert client.get("/api/arrive").status_code in (404, 405)


def test_test_runs_need_permission(store: Store, served: Serve) -> None:
    client = served(changed(allow_test_runs=False), store)
    for pid in ("", "test-anna"):
        response = Visitor(client, pid).arrive()
        assert (response.status_code, response.json()["error"]) == (422, "no_participant")
    assert Visitor(client, "anna").arrive().status_code == 200


def test_test_runs_are_flagged(store: Store, served: Serve) -> None:
    client = served(default_settings(2), store)
    for body in ({}, {"prolific_pid": None}, {"prolific_pid": ""}, {"prolific_pid": "test-a"}):
        assert client.post("/api/arrive", json=body).status_code == 200
    assert len(store.sessions(test=True)) == 4
    assert store.sessions() == []


def test_an_unknown_study_is_refused(store: Store, served: Serve) -> None:
    study = Study(title="T", contact="us", experiments={"one": 1, "four": 4})
    client = served(default_settings(1).model_copy(update={"study": study}), store)
    assert Visitor(client, "anna", "four").arrive().json()["view"]["study"]["experiment"] == 4
    for unknown in ("two", ""):
        response = Visitor(client, "ben", unknown).arrive()
        assert (response.status_code, response.json()["error"]) == (422, "unknown_study")


def test_a_small_window_is_told_the_minimum(store: Store, served: Serve) -> None:
    client = served(default_settings(1), store)
    response = Visitor(client, "anna").arrive(viewport=[400, 800])
    assert (response.status_code, response.json()["error"]) == (422, "small_window")
    assert response.json()["minimum"] == [900, 600]
    assert store.sessions() == []


def test_a_second_tab_takes_over(visit: Visit, courses: Courses, store: Store) -> None:
    first = visit(1)
    first.go_to(courses[1], "check")
    second = visit(1)
    assert second.view["screen"] == "check"
    assert second.token != first.token
    for response in (
        first.post(first.body("answer", {"answers": right_answers(courses[1])})),
        first.client.get("/api/view", headers=first.headers),
        first.client.post("/api/note", json={"notes": []}, headers=first.headers),
    ):
        assert (response.status_code, response.json()["error"]) == (409, "taken_over")
    second.send("answer", answers=right_answers(courses[1]))
    first.arrive()
    assert first.view["screen"] == "card"
    assert len(store.sessions()) == 1


# -- notes -----------------------------------------------------------------------------------------


def test_notes_are_kept(visit: Visit, store: Store) -> None:
    visitor = visit(1)
    sent = [
        {"kind": kind, "client_time": "2025-03-01T12:00:00.000Z", "detail": f"{kind}\0!"}
        for kind in ("focus", "blur", "resize", "reconnect", "error")
    ]
    response = visitor.client.post("/api/note", json={"notes": sent}, headers=visitor.headers)
    assert (response.status_code, response.content) == (204, b"")
    kept = notes(store)
    assert [note.kind for note in kept] == ["focus", "blur", "resize", "reconnect", "error"]
    assert {note.source for note in kept} == {"client"}
    assert kept[0].detail == "focus!"
    assert kept[0].client_time.startswith("2025-03-01T12:00:00")


def test_notes_are_limited(visit: Visit) -> None:
    visitor = visit(1)
    note = {"kind": "focus", "client_time": "2025-03-01T12:00:00.000Z", "detail": ""}
    many = visitor.client.post("/api/note", json={"notes": [note] * 51}, headers=visitor.headers)
    assert (many.status_code, many.json()["error"]) == (422, "invalid")
    for _ in range(1000):  # one more is allowed each second, so it is soon too many
        last = visitor.client.post("/api/note", json={"notes": [note]}, headers=visitor.headers)
        if last.status_code != 204:
            break
    assert (last.status_code, last.json()["error"]) == (429, "too_fast")
    assert int(last.headers["retry-after"]) >= 1


# -- what holds for every call ---------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/healthz", "/api/view", "/nothing", "/api/openapi.json"])
def test_every_answer_has_the_security_headers(visit: Visit, path: str) -> None:
    headers = visit(1).client.get(path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "http" not in policy
    assert "unsafe" not in policy
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["x-content-type-options"] == "nosniff"
    assert "server" not in headers
    assert "set-cookie" not in headers


def test_health(visit: Visit) -> None:
    response = visit(1).client.get("/healthz").json()
    assert response["ok"] is True
    assert response["version"]


def test_errors_are_json(visit: Visit) -> None:
    client = visit(1).client
    for method, path, status, code in (
        ("GET", "/nothing", 404, "not_found"),
        ("DELETE", "/api/view", 405, "not_allowed"),
        ("GET", "/api/view", 401, "unknown_session"),
    ):
        response = client.request(method, path)
        assert (response.status_code, response.json()["error"]) == (status, code)
        assert response.json()["message"]


def test_only_json_and_not_too_much_of_it(visit: Visit) -> None:
    client = visit(1).client
    form = client.post("/api/arrive", data={"prolific_pid": "x"})
    assert (form.status_code, form.json()["error"]) == (415, "not_json")
    large = client.post("/api/arrive", json={"prolific_pid": "x" * 70_000})
    assert (large.status_code, large.json()["error"]) == (413, "too_large")

    def chunks():
        yield from [b" " * 10_000] * 10

    headers = {"content-type": "application/json"}
    stream = client.post("/api/arrive", content=chunks(), headers=headers)
    assert (stream.status_code, stream.json()["error"]) == (413, "too_large")
    broken = client.post("/api/arrive", content=b"{", headers=headers)
    assert (broken.status_code, broken.json()["error"]) == (422, "invalid")


def test_the_clients_files_are_served(store: Store, courses: Courses) -> None:
    settings = default_settings(1)
    service = StudyService(settings, store, {1: courses[1]})
    app = create_app(settings, store, service=service)
    with serving(app) as url, client_of(url) as client:
        page = client.get("/?PROLIFIC_PID=anna")
        assert '<main id="screen">' in page.text
        assert page.headers["referrer-policy"] == "no-referrer"
        for file in re.findall(r'(?:src|href)="([\w/]+\.(?:js|css|svg))"', page.text):
            assert client.get(f"/{file}").status_code == 200, file
        script = client.get("/participant/app.js")
        assert script.headers["content-type"].startswith("text/javascript")
        assert client.get("/none.js").json()["error"] == "not_found"
        assert client.get("/healthz").json()["ok"]
    assert store.sessions() == []


def test_the_schema_names_every_path(visit: Visit) -> None:
    schema = visit(1).client.get("/api/openapi.json").json()
    assert set(schema["paths"]) >= PATHS
    text = json.dumps(schema)
    for word in ("holder", "script", "goal_of"):
        assert f'"{word}' not in text


# -- the schema, tried at random -------------------------------------------------------------------


CHECKS = [
    schemathesis.checks.not_a_server_error,
    schemathesis.checks.status_code_conformance,
    schemathesis.checks.content_type_conformance,
    schemathesis.checks.response_schema_conformance,
]


@pytest.mark.parametrize("known", [True, False], ids=["known session", "any session"])
def test_random_calls_are_answered_as_documented(
    store: Store, courses: Courses, known: bool
) -> None:
    settings = default_settings(1)
    service = StudyService(settings, store, {1: courses[1]})
    app = create_app(settings, store, service=service)
    token = json.loads(service.arrive(Arrival("anna", "study1")).body)["session"]
    schema = schemathesis.openapi.from_asgi("/api/openapi.json", app)
    for found in schema.get_all_operations():
        operation = found.ok()
        if operation.path not in PATHS:
            continue

        @given(case=operation.as_strategy())
        @examples(max_examples=12, suppress_health_check=list(HealthCheck), database=None)
        def holds(case) -> None:
            headers = {"X-Session": token} if known and case.path != "/api/arrive" else None
            case.call_and_validate(headers=headers, checks=CHECKS)

        holds()
    for session in (*store.sessions(), *store.sessions(test=True)):
        assert store.verify(session.id, service.courses) == []
