"""Admission: who takes a place, who is refused, and what is left of a refusal."""

from __future__ import annotations

from itertools import product

import pytest

from onlooker.web.limits import Limiter
from onlooker.web.participant.arrivals import Arrival, ArrivalError, LinkProof
from onlooker.web.participant.links import signature, signed_link
from onlooker.web.participant.service import StudyService
from onlooker.web.server.app import create_app
from onlooker.web.settings import Admission, Settings, default_settings
from onlooker.web.store import Store, queries
from onlooker.web.study.course import Course
from web.asgi import Browser
from web.person import Person, Watch, study


@pytest.fixture
def browser(any_store: Store, short: Course) -> Browser:
    settings = default_settings(1)
    service = StudyService(settings, any_store, {1: short})
    return Browser(create_app(settings, any_store, service=service))


@pytest.fixture
def full_of_two(any_store: Store, short: Course, watch: Watch) -> StudyService:
    return StudyService(study(quota={1: 2}), any_store, {1: short}, watch)


def test_invented_ids_fill_no_quota(full_of_two: StudyService) -> None:
    for number in range(8):
        Person(full_of_two, f"invented-{number}")
    assert Person(full_of_two, "anna").to_first_card().view["screen"] == "card"


def test_a_full_study_records_nobody_and_people_may_come_again(
    full_of_two: StudyService, watch: Watch
) -> None:
    Person(full_of_two, "anna").to_first_card().send("withdraw")
    ben = Person(full_of_two, "ben").to_first_card()
    watch.forward(minutes=20)
    Person(full_of_two, "cora").to_first_card()
    late = Person(full_of_two, "dora")
    assert late.view["progress"] is None
    assert (late.view["screen"], late.content["session"]) == ("full", None)
    assert late.view["completion"]["code"] == "EXAMPLE-SCREENED"
    assert "full" in late.view["text"][0]
    assert "dora" not in {p.pid for p in queries.people(full_of_two.store).values()}
    watch.forward(minutes=15)  # nothing was heard of Ben for more than half an hour
    assert Person(full_of_two, "dora").view["screen"] == "consent"
    assert ben.send("next").view["screen"] == "trial"  # he passed the check and may go on


def test_nobody_who_passed_the_check_is_refused(full_of_two: StudyService) -> None:
    people = [Person(full_of_two, name) for name in ("anna", "ben", "cora", "dora")]
    assert {person.to_first_card().view["screen"] for person in people} == {"card"}
    assert Person(full_of_two, "emil").view["screen"] == "full"


def test_nobody_is_kept_out_by_what_others_do(any_store: Store, short: Course) -> None:
    service = StudyService(study(quota={1: 2}), any_store, {1: short})
    browser = Browser(create_app(service.settings, any_store, service=service))
    for number in range(80):
        ids = {"prolific_pid": f"invented{number}", "study_id": "study1"}
        assert browser.post("/api/arrive", json=ids).status_code == 200
    assert Person(service, "anna").to_first_card().view["screen"] == "card"


def test_nobody_uses_up_the_arrivals_of_another(any_store: Store, short: Course) -> None:
    service = StudyService(study(), any_store, {1: short})
    browser = Browser(create_app(service.settings, any_store, service=service))
    browser.app.state.limiter = Limiter(clock=lambda: 0.0)
    ids = {"prolific_pid": "anna", "study_id": "study1"}
    invented = [browser.post("/api/arrive", json=ids | {"token": "x.y.z"}) for _ in range(25)]
    assert invented[-1].status_code == 429
    assert browser.post("/api/arrive", json=ids | {"token": "good"}).status_code == 200


def listed(*study_ids: str) -> Settings:
    changes = {"study_ids": study_ids, "allow_test_runs": False}
    return study(study=default_settings(1).study.model_copy(update=changes))


def test_only_listed_studies_are_let_in(any_store: Store, short: Course) -> None:
    service = StudyService(listed("mine"), any_store, {1: short})
    assert Person(service, "anna", "mine").view["screen"] == "consent"
    with pytest.raises(ArrivalError, match="which study"):
        Person(service, "anna", "another")


def test_a_link_with_unfilled_placeholders_is_explained(browser: Browser) -> None:
    names = {"prolific_pid": "PROLIFIC_PID", "study_id": "STUDY_ID", "session_id": "SESSION_ID"}
    ids = {key: "{{%" + name + "%}}" for key, name in names.items()}
    answer = browser.post("/api/arrive", json=ids)
    assert (answer.status_code, answer.json()["error"]) == (422, "unfilled_link")
    assert "Prolific replaces" in answer.json()["message"]
    ids["prolific_pid"] = "{{% x %}}"
    assert browser.post("/api/arrive", json=ids).json()["error"] == "bad_link"


NO_IDS = ["x" * 10_000, "🧙", "a'; DROP TABLE sessions;--", "a b", "\0", "<b>", "\u202eabc"]


def test_an_id_that_can_be_none_is_explained_without_a_pattern(browser: Browser) -> None:
    for name, no_id in product(("prolific_pid", "study_id", "session_id"), NO_IDS):
        ids = {"prolific_pid": "anna", "study_id": "study1"} | {name: no_id}
        answer = browser.post("/api/arrive", json=ids)
        assert (answer.status_code, answer.json()["error"]) == (422, "bad_link")
        assert answer.json()["message"].startswith("The link is not complete")


def test_a_page_that_is_not_there(store: Store, short: Course) -> None:
    settings = default_settings(1)
    service = StudyService(settings, store, {1: short})
    browser = Browser(create_app(settings, store, service=service))
    for path, accept, kind in (
        ("/nothing", "text/html", "text/html"),
        ("/researcher/nothing", "text/html", "text/html"),
        ("/api/nothing", "text/html", "application/json"),
        ("/nothing", "*/*", "application/json"),
        ("/researcher/nothing", "*/*", "application/json"),
    ):
        answer = browser.get(path, headers={"Accept": accept})
        assert answer.status_code == 404
        assert answer.headers["content-type"].startswith(kind)
        assert ("<h1>There is no such page</h1>" in answer.text) is (kind == "text/html")


def signed(pid: str, expires: int, key: str = "of the lab") -> LinkProof:
    return LinkProof(signature(key, pid, "study1", expires), expires)


def test_only_signed_links_are_let_in(
    any_store: Store, short: Course, watch: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LINK_KEY", "of the lab")
    settings = study(admission=Admission(link_key_env="LINK_KEY"))
    service = StudyService(settings, any_store, {1: short}, watch)
    until = int(watch().timestamp()) + 3600
    good = signed("anna", until)
    link = signed_link("https://a.example/", "of the lab", "anna", "study1", until)
    assert f"EXPIRES={until}&SIGNATURE={good.signature}" in link
    assert service.arrive(Arrival("anna", "study1", "s", link=good)).status == 200
    later = LinkProof(good.signature, until + 1)
    for pid, given in (
        ("anna", LinkProof()),
        ("ben", good),
        ("anna", later),
        ("anna", signed("anna", until, "")),
    ):
        with pytest.raises(ArrivalError, match="not made for you"):
            service.arrive(Arrival(pid, "study1", "s", link=given))
    watch.forward(hours=2)
    assert service.arrive(Arrival("anna", "study1", "s", link=good)).status == 200  # it is hers
    with pytest.raises(ArrivalError, match="has expired"):
        service.arrive(Arrival("ben", "study1", "s", link=signed("ben", until)))
    monkeypatch.delenv("LINK_KEY")
    with pytest.raises(ArrivalError):
        service.arrive(Arrival("anna", "study1", "s", link=signed("anna", until, "")))
