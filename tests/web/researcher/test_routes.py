"""The researcher's pages: who gets in, what they show and what they do."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable, Iterator

import pytest

from calling import client_of
from onlooker.web.researcher.sign_in import COOKIE
from onlooker.web.settings import Payment, Researcher
from onlooker.web.store import Store, queries
from onlooker.web.study.course import Courses
from waiting import HANG
from web.passwords import PASSWORD
from web.records import notes
from web.short_study import Study, short_study

pytestmark = pytest.mark.server

PATHS = [
    "",
    "/",
    "/people",
    "/live",
    "/data",
    "/data.zip",
    "/bonus",
    "/bonus/some.csv",
]


@pytest.fixture
def study(store: Store, courses: Courses) -> Iterator[Study]:
    with short_study(store, courses) as made:
        yield made


@pytest.fixture(scope="module")
def quiet(tmp_path_factory: pytest.TempPathFactory, courses: Courses) -> Iterator[Study]:
    """A study that nobody changes."""
    file = tmp_path_factory.mktemp("quiet") / "study.db"
    with Store(str(file), HANG) as store, short_study(store, courses) as made:
        yield made


def two_people(study: Study) -> None:
    study.complete("anna", "bert")


@pytest.fixture
def completed(after: Callable[..., Study]) -> Study:
    """A study that two people completed; the researcher has signed in."""
    made = after(two_people)
    made.sign_in()
    return made


@pytest.mark.parametrize("path", PATHS)
def test_nobody_sees_anything_without_signing_in(quiet: Study, path: str) -> None:
    response = quiet.client.get(f"/researcher{path}")
    assert response.status_code == 303
    assert response.headers["location"] == "/researcher/login"


@pytest.mark.parametrize("path", ["/pause", "/end", "/erase", "/ids", "/bonus"])
def test_nobody_does_anything_without_signing_in(quiet: Study, path: str) -> None:
    form = {"experiment": "1", "paused": "yes", "sure": "yes", "token": "0"}
    assert quiet.client.post(f"/researcher{path}", data=form).status_code == 303
    assert not quiet.store.paused(1)


def test_signing_in_gives_a_cookie_that_only_our_pages_send(study: Study) -> None:
    response = study.sign_in()
    assert response.status_code == 303
    cookie = response.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert "Path=/researcher" in cookie
    assert "Secure" not in cookie
    assert study.client.get("/researcher").status_code == 200
    behind_tls = study.client.post(
        "/researcher/login", data={"password": PASSWORD}, headers={"X-Forwarded-Proto": "https"}
    )
    assert "Secure" in behind_tls.headers["set-cookie"]


def test_a_forged_or_changed_cookie_is_worth_nothing(study: Study) -> None:
    study.sign_in()
    known = study.client.cookies[COOKIE]
    for forged in ("", "x", "9999999999.x.y", known[:-1], "9" + known):
        with client_of(study.url, cookies={COOKIE: forged}) as client:
            assert client.get("/researcher").status_code == 303


def test_without_a_password_nobody_gets_in(store: Store, courses: Courses) -> None:
    with short_study(store, courses, researcher=Researcher()) as study:
        assert "No password is set" in study.client.get("/researcher/login").text
        assert study.sign_in("").status_code == 403


def test_a_form_without_the_token_does_nothing(study: Study) -> None:
    study.sign_in()
    for fields in ({}, {"token": "0" * 64}):
        form = {"experiment": "1", "paused": "yes", **fields}
        assert study.client.post("/researcher/pause", data=form).status_code == 403
    form = {"experiment": "1", "paused": "yes", "token": study.token()}
    other = {"Sec-Fetch-Site": "cross-site"}
    assert study.client.post("/researcher/pause", data=form, headers=other).status_code == 403
    assert not study.store.paused(1)


def test_the_switch_pauses_the_study_for_newcomers_only(study: Study) -> None:
    begun = study.visitor("anna")
    study.sign_in()
    assert study.send("/researcher/pause", experiment="1", paused="yes").status_code == 303
    assert study.visitor("bert").view["screen"] == "paused"
    assert begun.send("consent", agree=True)["screen"] == "tutorial"
    assert "paused" in study.client.get("/researcher").text
    study.send("/researcher/pause", experiment="1", paused="no")
    assert study.visitor("carl").view["screen"] == "consent"
    assert study.send("/researcher/pause", experiment="3", paused="no").status_code == 400


def test_the_dashboard_counts(study: Study) -> None:
    study.complete("anna")
    study.visitor("bert").go_to(study.courses[1], "check")
    study.visitor("carl").send("consent", agree=False)
    study.visitor("test-me")
    study.sign_in()
    text = re.sub(r"\s+", " ", study.client.get("/researcher").text)
    for name, value in (("Complete", 1), ("Active", 1), ("Dropped", 0), ("Arrived", 3)):
        assert f"<dt>{name}</dt><dd>{value}<" in text
    for screen, reached in (("Consent", 3), ("Tutorial", 2), ("Comprehension check", 2)):
        assert re.search(rf">{screen}</th><td><meter [^>]*>{reached}</meter>", text)
    assert "did not consent" in text
    assert "End with pay" in text
    assert re.search(r"Implied wage</dt><dd>\$\d", text)
    tests = study.client.get("/researcher?tests=1").text
    assert "never count" in tests
    assert "<dt>Arrived</dt><dd>1<" in tests


def test_places_are_counted_as_the_door_counts_them(store: Store, courses: Courses) -> None:
    with short_study(store, courses, quota={1: 2}) as study:
        study.complete("anna")
        study.visitor("bert").go_to(study.courses[1], "check")  # has no place yet
        study.sign_in()
        assert "1 of 2 places are taken" in study.client.get("/researcher").text
        assert study.visitor("carl").view["screen"] == "consent"
        study.complete("carl")
        assert "2 of 2 places are taken" in study.client.get("/researcher").text
        assert study.visitor("dora").view["screen"] == "full"


def test_a_session_can_be_ended_with_pay(study: Study) -> None:
    visitor = study.visitor("anna")
    study.sign_in()
    [session] = study.store.sessions()
    asked = study.send("/researcher/end", session=str(session.id))
    assert (asked.status_code, "This cannot be undone" in asked.text) == (200, True)
    assert visitor.look()["screen"] == "consent"  # nothing has happened yet
    sure = study.send("/researcher/end", session=str(session.id), sure="yes")
    assert sure.status_code == 303
    assert visitor.look()["screen"] == "technical"
    assert visitor.look()["completion"]["code"] == "EXAMPLE-TECHNICAL"
    assert study.send("/researcher/end", session="99").status_code == 400


def test_people_are_found_by_id_with_their_feedback(completed: Study) -> None:
    study = completed
    study.visitor("carl")
    page = study.client.get("/researcher/people").text
    assert page.count("Fine.") == 2
    assert re.search(r'<time datetime="[\d-]+T[\d:.]+Z">', page)
    assert "2 sessions" in page
    found = study.client.get("/researcher/people", params={"search": "anna"}).text
    assert "1 session of" in re.sub(r"\s+", " ", found)
    nobody = study.client.get("/researcher/people", params={"search": "<b>"}).text
    assert "Nobody has the id “&lt;b&gt;”" in nobody
    everybody = study.client.get("/researcher/people", params={"show": "all"}).text
    assert "on the screen consent" in everybody
    assert "anna" not in everybody  # an id is searched for, not shown
    long = {"search": "a" * 65}
    wrong = study.client.get("/researcher/people", params=long, headers={"Accept": "text/html"})
    assert wrong.status_code == 422
    assert "<h1>" in wrong.text


def test_a_session_that_is_not_there_is_neither_ended_nor_erased(study: Study) -> None:
    study.sign_in()
    for number in ("", "x", "-1", "0", "9" * 10, "9" * 30, "9" * 5000):
        for path in ("/researcher/end", "/researcher/erase"):
            answer = study.send(path, session=number, sure="yes")
            assert answer.status_code == 400, (number, path)


def test_an_error_of_the_server_is_a_page_for_the_researcher(
    study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*given: object) -> None:
        raise RuntimeError("broken")

    study.sign_in()
    monkeypatch.setattr("onlooker.web.researcher.routes.people_page", fail)
    page = study.client.get("/researcher/people", headers={"Accept": "text/html"})
    assert page.status_code == 500
    assert "<h1>This did not work</h1>" in page.text


def test_a_participant_is_erased_after_a_question(completed: Study) -> None:
    study = completed
    session, other = study.store.sessions()
    person = queries.people(study.store)[session.participant_id]
    asked = study.send("/researcher/erase", session=str(session.id))
    assert f"Erase everything about {person.pseudonym}?" in asked.text
    assert len(study.store.sessions()) == 2
    gone = study.send("/researcher/erase", session=str(session.id), sure="yes")
    assert gone.headers["location"] == "/researcher/people"
    assert [left.id for left in study.store.sessions()] == [other.id]
    page = study.client.get("/researcher/people").text
    assert person.pseudonym in page
    assert "Backups and datasets made before" in page
    assert f"participant {person.pseudonym} erased" in [note.detail for note in notes(study.store)]


def test_errors_and_refused_calls_are_shown_and_escaped(study: Study) -> None:
    visitor = study.visitor("anna")
    note = {"kind": "error", "detail": "<script>alert(1)</script>"}
    study.client.post("/api/note", json={"notes": [note]}, headers=visitor.headers)
    study.sign_in()
    text = study.client.get("/researcher").text
    assert "Errors and refused calls: 1" in text
    assert "&lt;script&gt;alert" in text


def test_a_currency_is_escaped_on_every_page(store: Store, courses: Courses) -> None:
    payment = Payment(base=4, currency="<i>&")
    with short_study(store, courses, payment=payment) as study:
        study.complete("anna")
        study.sign_in()
        for path in ("/researcher", "/researcher/live", "/researcher/bonus"):
            text = study.client.get(path).text
            assert "<i>" not in text
            assert "&lt;i&gt;&amp;" in text
        study.send("/researcher/bonus")
        assert "<i>" not in study.client.get("/researcher/bonus").text


def test_currencies_that_are_words_stand_apart_from_amounts(store: Store, courses: Courses) -> None:
    with short_study(store, courses, payment=Payment(base=4, currency="CHF")) as study:
        study.complete("anna")
        study.sign_in()
        for path in ("/researcher", "/researcher/bonus"):
            assert re.findall(r"CHF.", study.client.get(path).text) != []
            assert set(re.findall(r"CHF(.)", study.client.get(path).text)) == {"\xa0"}


def test_the_dataset_and_the_list_of_ids_are_separate_downloads(study: Study) -> None:
    study.complete("anna-the-participant")
    study.sign_in()
    assert "1 sessions" in study.client.get("/researcher/data").text
    response = study.client.get("/researcher/data.zip")
    assert response.headers["content-type"] == "application/zip"
    assert response.headers["cache-control"] == "no-store"
    archive = zipfile.ZipFile(io.BytesIO(response.content))
    assert "dataset_description.json" in archive.namelist()
    assert not any(b"anna-the" in archive.read(name) for name in archive.namelist())
    assert study.send("/researcher/ids").status_code == 400
    listed = study.send("/researcher/ids", sure="yes").text
    assert "anna-the-participant" in listed
    details = [note.detail for note in notes(study.store) if note.kind == "researcher"]
    assert "the list of ids was downloaded" in details


def test_bonuses_are_entered_once(completed: Study) -> None:
    study = completed
    assert "2 bonuses are due" in study.client.get("/researcher/bonus").text
    assert study.send("/researcher/bonus").status_code == 303
    text = study.client.get("/researcher/bonus").text
    assert "No bonuses are due" in text
    [file] = re.findall(r"/researcher/bonus/[\w-]+\.csv", text)
    lines = study.client.get(file).text.splitlines()
    assert [line.split(",")[0] for line in lines] == ["anna", "bert"]
    study.send("/researcher/bonus")
    assert study.client.get("/researcher/bonus").text.count(".csv") == 1


def test_signing_out(study: Study) -> None:
    study.sign_in()
    study.send("/researcher/logout")
    study.client.cookies.clear()
    assert study.client.get("/researcher").status_code == 303


@pytest.mark.parametrize(
    ("name", "status"),
    [("researcher.css", 200), ("researcher.js", 200), ("x", 404), ("..%2fsign_in.py", 404)],
)
def test_only_the_pages_files_are_served(quiet: Study, name: str, status: int) -> None:
    assert quiet.client.get(f"/researcher/static/{name}").status_code == status


def test_pages_have_nothing_that_their_policy_forbids(completed: Study) -> None:
    study = completed
    for path in ("", "/data", "/bonus", "/login"):
        response = study.client.get(f"/researcher{path}")
        assert "default-src 'self'" in response.headers["content-security-policy"]
        assert not re.search(r"style=|onclick=|<style|<script>", response.text)
