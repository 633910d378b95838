"""What goes wrong in the field: repeated, stale, forged and lost calls, locks, restarts."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest

from onlooker.web.settings import Settings, default_settings
from onlooker.web.store import Store
from onlooker.web.study.course import Courses
from waiting import HANG
from web.records import events, notes, ordering_counts
from web.visitor import Visitor

Serve = Callable[[Settings, Store], httpx.Client]
Visit = Callable[..., Visitor]


def at_trial(visit: Visit, courses: Courses, experiment: int = 1) -> Visitor:
    visitor = visit(experiment)
    visitor.go_to(courses[experiment], "trial")
    return visitor


def event_count(store: Store) -> int:
    return len(events(store, store.sessions()[0].id))


def test_the_same_call_ten_times_is_one_event_and_one_charge(
    visit: Visit, courses: Courses, store: Store
) -> None:
    visitor = at_trial(visit, courses)
    before, left = event_count(store), visitor.view["game"]["points"]["left"]
    body = visitor.body("choose", {"choice": "observe agent2"})
    with ThreadPoolExecutor(10) as pool:
        answers = list(pool.map(lambda _: visitor.post(body), range(10)))
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.text for answer in answers}) == 1
    assert event_count(store) == before + 1
    assert visitor.look()["game"]["points"]["left"] == left - 1
    later = visitor.post(body | {"seq": 0, "data": {"choice": "up"}})  # the id alone counts
    assert later.text == answers[0].text


def test_a_stale_call_changes_nothing(visit: Visit, courses: Courses, store: Store) -> None:
    visitor = at_trial(visit, courses)
    before, view = event_count(store), visitor.look()
    for seq in (view["seq"] - 1, view["seq"] + 1, 0):
        answer = visitor.post(visitor.body("choose", {"choice": "observe agent2"}, seq=seq))
        assert (answer.status_code, answer.json()["error"]) == (409, "stale")
        assert answer.json()["view"]["seq"] == view["seq"]
        assert answer.json()["view"]["game"] == view["game"]
    assert event_count(store) == before


FORGED = [
    ("choose", {"choice": "observe agent9"}),
    ("choose", {"choice": "teleport"}),
    ("choose", {"choice": "observe agent2", "cost": 0}),
    ("choose", {"choice": "observe agent2", "points": 1000}),
    ("choose", {"choice": ["up"]}),
    ("next", {}),
    ("consent", {"agree": True}),
    ("survey", {"answers": {}}),
    ("answer", {"answers": {}}),
    ("technical", {"reason": "pay me"}),
    ("\0", {"\ud800": "\ud800"}),
    ("choose", {"choice": "\ud800"}),
]


def test_forged_calls_are_refused_and_recorded(
    visit: Visit, courses: Courses, store: Store
) -> None:
    visitor = at_trial(visit, courses)
    before, view = event_count(store), visitor.look()
    for kind, data in FORGED:
        answer = visitor.post(visitor.body(kind, data))
        assert (answer.status_code, answer.json()["error"]) == (422, "not_available"), kind
        assert answer.json()["view"]["game"] == view["game"]
    assert event_count(store) == before
    assert [(n.source, n.kind) for n in notes(store)] == [("server", "refused")] * len(FORGED)
    left = visitor.send("choose", choice="observe agent2")["game"]["points"]["left"]
    assert left == view["game"]["points"]["left"] - 1


def choices(view: dict[str, Any]) -> set[str]:
    return {choice["choice"] for choice in view["game"]["choices"]}


def test_walking_into_walls_is_refused_and_free(
    visit: Visit, courses: Courses, store: Store
) -> None:
    visitor = at_trial(visit, courses)
    while not (blocked := {"up", "down", "left", "right"} - choices(visitor.view)):
        visitor.send("choose", choice="left")
    for choice in blocked:
        answer = visitor.post(visitor.body("choose", {"choice": choice}))
        assert answer.status_code == 422
        assert choice in answer.json()["message"]
    assert visitor.look()["game"]["points"] == visitor.view["game"]["points"]


@pytest.mark.parametrize(
    "change",
    [{"seq": "many"}, {"seq": -1}, {"id": "x"}, {"id": None}, {"data": []}, {"bonus": 2}],
)
def test_a_malformed_call_is_refused_and_recorded(
    visit: Visit, store: Store, change: dict[str, object]
) -> None:
    visitor = visit(1)
    answer = visitor.post(visitor.body("consent", {"agree": True}) | change)
    assert (answer.status_code, answer.json()["error"]) == (422, "invalid")
    assert answer.json()["problems"]
    assert notes(store)[-1].kind == "invalid"
    assert store.sessions()[0].seq == 0


def test_a_forged_session_is_refused_and_recorded(visit: Visit, store: Store) -> None:
    visitor = visit(1)
    token, visitor.token = visitor.token, "x" * 43
    answer = visitor.post(visitor.body("consent", {"agree": True}))
    assert (answer.status_code, answer.json()["error"]) == (401, "unknown_session")
    assert notes(store)[-1].kind == "forged"
    assert notes(store)[-1].session_id is None
    assert token not in (store.sessions()[0].tab_hash, notes(store)[-1].detail)


def test_the_token_is_not_in_the_database(visit: Visit, store: Store, tmp_path: Path) -> None:
    visitor = visit(1)
    visitor.send("consent", agree=True)
    stored = b"".join(path.read_bytes() for path in tmp_path.glob("study.db*"))
    assert b"anna" in stored
    assert visitor.token.encode() not in stored
    assert b"127.0.0.1" not in stored


def test_points_go_below_zero_and_the_round_goes_on(visit: Visit, courses: Courses) -> None:
    visitor = at_trial(visit, courses)
    moves = [c["choice"] for c in visitor.view["game"]["choices"] if c["kind"] == "move"]
    back = {"up": "down", "down": "up", "left": "right", "right": "left"}
    while visitor.view["game"]["points"]["left"] >= 0:
        visitor.send("choose", choice=moves[0])
        visitor.send("choose", choice=back[moves[0]])
    assert not visitor.view["game"]["finished"]


# -- the database ----------------------------------------------------------------------------------


def test_a_locked_database_is_told_and_nothing_is_acknowledged(
    tmp_path: Path, served: Serve, courses: Courses
) -> None:
    path = tmp_path / "study.db"
    with Store(str(path), timeout=1) as store:
        visitor = Visitor(served(default_settings(1), store), "anna")
        visitor.arrive()
        visitor.go_to(courses[1], "trial")
        before = event_count(store)
        body = visitor.body("choose", {"choice": "observe agent2"})
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with ThreadPoolExecutor(5) as pool:
                answers = list(pool.map(lambda _: visitor.post(body), range(5)))
            for answer in answers:
                assert (answer.status_code, answer.json()["error"]) == (503, "busy")
                assert int(answer.headers["retry-after"]) >= 1
            assert Visitor(visitor.client, "ben").arrive().status_code == 503
            assert visitor.client.get("/healthz").status_code == 503
            other.execute("ROLLBACK")
        assert event_count(store) == before
        assert visitor.post(body).status_code == 200
        assert visitor.post(body).status_code == 200
        assert event_count(store) == before + 1
        assert store.verify(store.sessions()[0].id, courses) == []


def test_a_new_server_on_the_same_file_goes_on(
    tmp_path: Path, served: Serve, courses: Courses
) -> None:
    path = str(tmp_path / "study.db")
    with Store(path, HANG) as store:
        visitor = Visitor(served(default_settings(4), store), "anna")
        visitor.arrive()
        visitor.go_to(courses[4], "trial")
        visitor.send("choose", choice="observe agent2")
        body = visitor.body("choose", {"choice": "observe agent3"})
        answered = visitor.post(body)
    with Store(path, HANG) as store:
        again = Visitor(served(default_settings(4), store), "anna")
        again.token, again.view = visitor.token, visitor.view
        seen = again.look()["game"]
        assert [turn["text"] for turn in seen["history"]] == [visitor.view["game"]["last"]["text"]]
        assert seen | {"history": []} == answered.json()["view"]["game"]
        assert again.post(body).text == answered.text  # the reply that was lost on the way
        again.view = again.look()
        for _ in again.walk(courses[4]):
            pass
        assert again.view["screen"] == "debrief"
        assert store.verify(store.sessions()[0].id, courses) == []


def test_simultaneous_participants(store: Store, served: Serve, courses: Courses) -> None:
    client = served(default_settings(1), store)

    def take_part(number: int) -> int:
        visitor = Visitor(client, f"p{number}")
        visitor.arrive()
        visitor.go_to(courses[1], "card")
        return visitor.view["seq"]

    with ThreadPoolExecutor(8) as pool:
        assert len(list(pool.map(take_part, range(8)))) == 8
    sessions = store.sessions()
    counts = ordering_counts(store, 1, 8, "2000")
    assert set(counts.values()) == {1}
    for session in sessions:
        assert store.verify(session.id, courses) == []


def test_the_same_person_arriving_many_times_at_once_has_one_session(
    store: Store, served: Serve
) -> None:
    client = served(default_settings(1), store)
    visitors = [Visitor(client, "anna") for _ in range(10)]
    with ThreadPoolExecutor(10) as pool:
        answers = list(pool.map(Visitor.arrive, visitors))
    assert {answer.status_code for answer in answers} == {200}
    assert len(store.sessions()) == 1
    looks = [client.get("/api/view", headers=visitor.headers) for visitor in visitors]
    assert sorted(look.status_code for look in looks) == [200] + [409] * 9
