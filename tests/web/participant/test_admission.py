"""Admission: who takes a place, who is refused, and what is left of a refusal."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from onlooker.web.participant.arrivals import Arrival, ArrivalError, NotNowError
from onlooker.web.participant.links import signature, signed_link
from onlooker.web.participant.service import StudyService
from onlooker.web.participant.submissions import ProlificSubmissions, UnavailableError
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
    return StudyService(study(quota={1: 2}), any_store, {1: short}, watch, steady=watch.seconds)


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


def test_a_reserved_place_becomes_free_again(any_store: Store, short: Course, watch: Watch) -> None:
    changes = {"quota": {1: 1}, "admission": Admission(reservation_minutes=5)}
    service = StudyService(study(**changes), any_store, {1: short}, watch, steady=watch.seconds)
    Person(service, "anna")
    assert Person(service, "ben").view["screen"] == "full"
    watch.forward(minutes=6)
    assert Person(service, "ben").view["screen"] == "consent"


def test_arrivals_have_a_rate_of_their_own(any_store: Store, short: Course, watch: Watch) -> None:
    settings = study(admission=Admission(arrivals_per_minute=3))
    service = StudyService(settings, any_store, {1: short}, watch, steady=watch.seconds)
    for name in ("anna", "ben", "cora"):
        Person(service, name)
    with pytest.raises(NotNowError, match="Very many people"):
        service.arrive(Arrival("dora", "study1", "s"))
    assert Person(service, "anna").view["screen"] == "consent"  # she has a session
    watch.forward(seconds=61)
    assert Person(service, "dora").view["screen"] == "consent"


def test_a_clock_that_is_set_back_keeps_nobody_out(
    any_store: Store, short: Course, watch: Watch
) -> None:
    admission = Admission(arrivals_per_minute=3, reservation_minutes=5)
    settings = study(admission=admission, quota={1: 3})
    service = StudyService(settings, any_store, {1: short}, watch, steady=watch.seconds)
    for name in ("anna", "ben", "cora"):
        Person(service, name)
    watch.set_by(hours=-1)
    watch.forward(minutes=6)
    assert Person(service, "dora").view["screen"] == "consent"


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


@pytest.mark.parametrize(
    "pid", ["x" * 10_000, "🧙", "a'; DROP TABLE sessions;--", "a b", "\0", "<b>", "\u202eabc"]
)
def test_an_id_that_can_be_none_is_explained_without_a_pattern(browser: Browser, pid: str) -> None:
    for name in ("prolific_pid", "study_id", "session_id"):
        ids = {"prolific_pid": "anna", "study_id": "study1"} | {name: pid}
        answer = browser.post("/api/arrive", json=ids)
        assert (answer.status_code, answer.json()["error"]) == (422, "bad_link")
        assert answer.json()["message"].startswith("The link is not complete")


@pytest.mark.parametrize(
    ("path", "accept", "kind"),
    [
        ("/nothing", "text/html", "text/html"),
        ("/researcher/nothing", "text/html", "text/html"),
        ("/api/nothing", "text/html", "application/json"),
        ("/nothing", "*/*", "application/json"),
        ("/researcher/nothing", "*/*", "application/json"),
    ],
)
def test_a_page_that_is_not_there(browser: Browser, path: str, accept: str, kind: str) -> None:
    answer = browser.get(path, headers={"Accept": accept})
    assert answer.status_code == 404
    assert answer.headers["content-type"].startswith(kind)
    assert ("<h1>There is no such page</h1>" in answer.text) is (kind == "text/html")


def test_only_signed_links_are_let_in(
    any_store: Store, short: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LINK_KEY", "of the lab")
    settings = study(admission=Admission(link_key_env="LINK_KEY"))
    service = StudyService(settings, any_store, {1: short})
    good = signature("of the lab", "anna", "study1")
    assert f"SIGNATURE={good}" in signed_link("https://a.example/", "of the lab", "anna", "study1")
    assert service.arrive(Arrival("anna", "study1", "s", signature=good)).status == 200
    for pid, given in (("anna", ""), ("ben", good), ("anna", signature("", "anna", "study1"))):
        with pytest.raises(ArrivalError, match="not made for you"):
            service.arrive(Arrival(pid, "study1", "s", signature=given))
    monkeypatch.delenv("LINK_KEY")
    with pytest.raises(ArrivalError):
        service.arrive(Arrival("anna", "study1", "s", signature=signature("", "anna", "study1")))


# -- the platform's API, played by a server of our own ---------------------------------------------

SUBMISSION = {"participant": "anna", "study_id": "study1", "status": "ACTIVE"}


@contextmanager
def platform(answers: dict[str, object]) -> Iterator[tuple[str, list[str]]]:
    """Answers about submissions by their id: a document, or a status."""
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(f"{self.headers['Authorization']} {self.path}")
            found = answers.get(self.path.split("/")[-2], 404)
            self.send_response(found if isinstance(found, int) else 200)
            self.end_headers()
            if not isinstance(found, int):
                self.wfile.write(json.dumps(found).encode())

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", asked
    finally:
        server.shutdown()
        server.server_close()


def test_a_submission_is_looked_up_once(
    any_store: Store, short: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOKEN", "secret")
    with platform({"s1": SUBMISSION, "s3": 500}) as (url, asked):
        admission = Admission(prolific_token_env="TOKEN", prolific_url=url)
        service = StudyService(study(admission=admission), any_store, {1: short})
        for _ in range(2):
            assert service.arrive(Arrival("anna", "study1", "s1")).status == 200
        assert asked == ["Token secret /api/v1/submissions/s1/"]
        for pid, submission in (("ben", "s1"), ("ben", "s2"), ("ben", "")):
            with pytest.raises(ArrivalError, match="does not know your submission"):
                service.arrive(Arrival(pid, "study1", submission))
        with pytest.raises(NotNowError) as raised:
            service.arrive(Arrival("ben", "study1", "s3"))
    assert (raised.value.status, raised.value.code) == (503, "unconfirmed")
    assert len(any_store.sessions()) == 1


@pytest.mark.parametrize(
    ("change", "known"),
    [
        ({}, True),
        ({"study_id": "part", "parent_study_id": "study1"}, True),
        ({"study_id": "other"}, False),
        ({"status": "RETURNED"}, False),
    ],
)
def test_which_submissions_count(change: dict[str, str], known: bool) -> None:
    with platform({"s1": SUBMISSION | change}) as (url, _):
        assert ProlificSubmissions(url, "secret").exists("s1", "anna", "study1") is known
    with pytest.raises(UnavailableError):  # nobody is there any more
        ProlificSubmissions(url, "secret").exists("s1", "anna", "study1")
