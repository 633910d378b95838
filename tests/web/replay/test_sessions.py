"""Replays of participants and bots: for the researcher only, and true to the log."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from onlooker.web.study.session_state import SessionState
from web.records import events
from web.replay.calls import RESEARCHER, TEXT, ask, offered
from web.short_study import Study

pytestmark = pytest.mark.server


def logged(study: Study, session: int) -> list[list[str]]:
    """The choices of each round, read from the log of events: those after the check was passed."""
    rounds: list[list[str]] = []
    before = ""
    for event in events(study.store, session):
        if event.kind == "answer":
            rounds = []  # what was before it was practice
        elif event.kind == "choose":
            if before != "choose":
                rounds.append([])
            rounds[-1].append(event.data["choice"])
        before = event.kind
    return rounds


def shown(document: dict[str, Any]) -> list[str]:
    return [frame["did"]["choice"] for frame in document["frames"] if frame["did"]]


def anna_and_a_bot(study: Study) -> None:
    study.complete("anna")
    assert study.bots(1).finished == 1


@pytest.fixture
def played_by_two(after: Callable[..., Study]) -> Study:
    return after(anna_and_a_bot)


def test_participants_and_bots_are_for_the_researcher(played_by_two: Study) -> None:
    study = played_by_two
    refused = ask(study.client, trial="exp1/m101", player="session-1")
    assert (refused.status_code, refused.json()["error"]) == (401, "sign_in")
    for call in ("document", "check"):
        response = study.client.post(f"{RESEARCHER}/{call}", json={"text": TEXT})
        assert (response.status_code, response.json()["error"]) == (401, "sign_in")
    assert study.client.get(f"{RESEARCHER}/offer").status_code == 401
    study.sign_in()
    assert study.client.get(f"{RESEARCHER}/offer").headers["cache-control"] == "no-store"
    still = ask(study.client, trial="exp1/m101", player="session-1")
    assert still.status_code == 401  # the cookie is for the researcher's pages alone
    rounds = offered(study.client, RESEARCHER, player="session-1")["rounds"]
    assert [entry["title"] for entry in rounds] == ["Round 1", "Round 2"]
    players = offered(study.client, RESEARCHER, trial=rounds[0]["id"])["players"]
    assert [group["title"] for group in players][:2] == ["Observers", "Participants"]


@pytest.mark.parametrize("session", [1, 2])
def test_a_replay_is_the_log(played_by_two: Study, session: int) -> None:
    study = played_by_two
    study.sign_in()
    log = logged(study, session)
    rounds = offered(study.client, RESEARCHER, player=f"session-{session}")["rounds"]
    assert len(rounds) == len(log) == 2
    for entry, choices in zip(rounds, log, strict=True):
        document = ask(
            study.client, RESEARCHER, trial=entry["id"], player=f"session-{session}"
        ).json()
        assert shown(document) == choices
        assert document["frames"][-1]["game"]["finished"]
        assert document["player"]["kind"] == "participant"
        assert [line["id"] for line in document["lines"]][:2] == [f"session-{session}", "advice"]
        assert len(document["lines"][1]["cells"]) == len(choices)


def test_an_incomplete_session_is_replayed_as_far_as_it_goes(study: Study) -> None:
    visitor = study.visitor("berta")
    visitor.go_to(study.courses[1], "trial")
    for _ in range(2):
        visitor.step(study.courses[1])
    study.sign_in()
    [entry] = offered(study.client, RESEARCHER, player="session-1")["rounds"]
    document = ask(study.client, RESEARCHER, trial=entry["id"], player="session-1").json()
    assert shown(document) == logged(study, 1)[0]
    assert len(document["frames"]) == 3
    assert document["frames"][-1]["mind"]["choice"]
    assert "/researcher/replay?player=session-1" in study.client.get("/researcher").text
    last = ask(study.client, RESEARCHER, player="session-1").json()  # which round is not said
    assert last == document
    visitor.step(study.courses[1])
    again = ask(study.client, RESEARCHER, trial=entry["id"], player="session-1").json()
    assert len(again["frames"]) == 4


def test_what_cannot_be_replayed_is_said(study: Study) -> None:
    study.visitor("clara")
    study.complete("anna")
    study.sign_in()
    for player, trial, words in (
        ("session-9", "exp1/m101", "There is no such session."),
        ("session-x", "exp1/m101", "There is no such session."),
        ("session-1", "exp1/m101", "This session has no round on this trial."),
    ):
        response = ask(study.client, RESEARCHER, trial=trial, player=player)
        assert (response.status_code, response.json()["message"]) == (422, words)
    with study.store.write() as tx:
        session = tx.orm.get(type(study.store.sessions()[0]), 2)
        assert session is not None
        session.stimulus_hash = "other"
        trial = SessionState.load(session.state)
        assert trial.ordering is not None
    response = ask(study.client, RESEARCHER, trial="exp1/m101", player="session-2")
    assert response.json()["message"] == "The stimuli of this session were not stored."
    assert offered(study.client, RESEARCHER, player="session-2")["rounds"] == []
