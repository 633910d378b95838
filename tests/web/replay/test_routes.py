"""The replay over HTTP: what is offered, refused and limited."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import httpx
import pytest

from calling import client_of
from maps import BEHIND_A_BARRIER
from onlooker.experiments.stimuli import stimuli
from onlooker.game.needs import ENDLESS_SEARCH
from onlooker.web.limits import REPLAYS, Limiter
from onlooker.web.participant.service import StudyService
from onlooker.web.server.app import create_app
from onlooker.web.server.run import serving
from onlooker.web.settings import default_settings
from onlooker.web.store import Store
from onlooker.web.study.course import Courses
from web.replay.calls import OPEN, RESEARCHER, TEXT, ask, ids, offered
from web.short_study import ROUNDS, Study, short_study

pytestmark = pytest.mark.server


def test_everything_but_participants_is_open_for_trying_out(quiet: Study) -> None:
    for path in ("/replay", "/gallery"):
        assert "<html" in quiet.client.get(path).text
    offer = offered(quiet.client)
    assert not offer["hidden"]
    assert {"exp1/m101", "exp4/m401_1", "gallery/early-turn"} <= ids(offer["trials"])
    assert [group["title"] for group in offer["players"]] == ["Observers"]
    document = ask(quiet.client, trial="exp1/m101", player="naive_observer").json()
    assert document["player"]["title"] == "Naive Observer"
    assert len(quiet.client.get(f"{OPEN}/gallery").json()["cards"]) == 13


def test_the_same_twice_is_the_same(quiet: Study) -> None:
    bodies = [{"trial": "exp3/m301_1", "parameters": {"beta": "0.3"}}] * 2
    one, two = (ask(quiet.client, **body) for body in bodies)
    assert one.content == two.content
    assert ask(quiet.client, trial="exp3/m301_1").content != one.content


@pytest.mark.parametrize(
    ("body", "status", "code", "message"),
    [
        ({"trial": "exp1/none"}, 404, "no_trial", "There is no trial 'exp1/none'."),
        ({}, 404, "no_trial", "There is no trial ''."),
        ({"trial": "exp1/m101", "player": "os:path"}, 404, "no_player", "no player 'os:path'"),
        (
            {"trial": "exp1/m101", "parameters": {"beta": "-1"}},
            422,
            "parameters",
            "beta must be at least 0, not -1.0",
        ),
        (
            {"trial": "exp1/m101", "parameters": {"speed": "1"}},
            422,
            "parameters",
            "there is no parameter 'speed'",
        ),
        ({"trial": "exp1/m101", "more": 1}, 422, "invalid", "more"),
        ({"text": "map:\n@.\n"}, 422, "not_valid", "The map is not valid."),
    ],
)
def test_what_is_wrong_is_told(
    quiet: Study, body: dict[str, Any], status: int, code: str, message: str
) -> None:
    response = ask(quiet.client, **body)
    assert (response.status_code, response.json()["error"]) == (status, code)
    assert message in response.json()["message"]


def test_a_pasted_map_is_checked_with_the_words_of_the_command(quiet: Study) -> None:
    def check(text: str) -> httpx.Response:
        return quiet.client.post(f"{OPEN}/check", json={"text": text})

    assert check(TEXT).json() == {"ok": True, "title": "m301_1", "warnings": []}
    behind, stuck = (check(text).json()["warnings"] for text in (BEHIND_A_BARRIER, _STUCK))
    assert behind == [ENDLESS_SEARCH]
    assert stuck[0] == ENDLESS_SEARCH
    assert stuck[1].startswith("the observers cannot run on it: ")
    wrong = check("map:\n@.A\n")
    assert wrong.status_code == 422
    assert wrong.json()["problems"][0] == (
        "line 2, column 1: unknown character '@'; add it to the legend"
    )
    stuck = check("map:\n@.A\n#.#\n2b#\n#.#\n#$#\n\nlegend:\n@ = main agent, goal A\n" + _NOVICE)
    assert stuck.status_code == 422
    assert stuck.json()["problems"]


_STUCK = BEHIND_A_BARRIER.replace("$.@...%b", "b.@...%$")


_NOVICE = """2 = novice agent2, goal A
b = blue wizard
$ = blue wizard, holder
"""


def test_a_pasted_map_is_replayed(quiet: Study) -> None:
    document = ask(quiet.client, text=TEXT, player="mentalizing_observer").json()
    kept = ask(quiet.client, trial="exp3/m301_1", player="mentalizing_observer").json()
    assert document["frames"] == kept["frames"]
    assert document["trial"]["id"] == ""


def test_trials_of_a_folder_are_on_offer(store: Store, courses: Courses) -> None:
    settings = default_settings(1)
    own = replace(stimuli(2)[0], name="mine")
    service = StudyService(settings, store, {1: courses[1]})
    app = create_app(settings, store, service=service, trials=[own])
    with serving(app) as url, client_of(url) as client:
        assert "own/mine" in ids(offered(client)["trials"])
        assert ask(client, trial="own/mine").json()["trial"]["title"] == "mine"


def test_the_studys_own_trials_are_on_offer(store: Store, courses: Courses) -> None:
    stage = next(iter(courses[1].stages.values()))
    trial = replace(stage.trial, name="mine", reveals_outcomes=False)
    own = replace(courses[1], stages={"mine": replace(stage, trial=trial)}, orderings=(("mine",),))
    settings = default_settings(1)
    app = create_app(settings, store, service=StudyService(settings, store, {1: own}))
    with serving(app) as url, client_of(url) as client:
        titles = [group["title"] for group in offered(client)["trials"]]
        assert "This study, Experiment 1" in titles
        assert ask(client, trial="study-exp1/mine").json()["trial"]["title"] == "mine"


def test_a_bundled_trial_keeps_its_id_in_another_experiment(store: Store, courses: Courses) -> None:
    stages = dict(list(courses[3].stages.items())[:ROUNDS])
    costs = courses[3].least_costs
    moved = replace(courses[1], stages=stages, orderings=(tuple(stages),), least_costs=costs)
    with short_study(store, {1: moved}) as study:
        assert study.bots(1).finished == 1
        study.sign_in()
        rounds = offered(study.client, RESEARCHER, player="session-1")["rounds"]
        assert [entry["id"] for entry in rounds] == [f"exp3/{name}" for name in stages]
        document = ask(study.client, RESEARCHER, player="session-1").json()
        last = document["trial"]["id"]
        assert last in ids(offered(study.client, RESEARCHER)["trials"])
        assert "session-1" in ids(offered(study.client, RESEARCHER, trial=last)["players"])
        assert ask(study.client, RESEARCHER, trial=last, player="naive_observer").status_code == 200


def test_a_link_leads_on_after_signing_in(study: Study) -> None:
    link = "/researcher/replay?trial=exp1/m101&player=session-1&step=3"
    turned_away = study.client.get(link)
    assert turned_away.status_code == 303
    login = turned_away.headers["location"]
    assert login.startswith("/researcher/login?next=")
    page = study.client.get(login).text
    assert 'value="/researcher/replay?trial=exp1/m101&amp;player=session-1&amp;step=3"' in page
    signed = study.client.post(
        "/researcher/login", data={"password": "correct horse", "next": link}
    )
    assert signed.headers["location"] == link
    assert "<html" in study.client.get(link).text


@pytest.mark.parametrize(
    "path",
    [
        "https://elsewhere.example/researcher/replay",
        "//elsewhere.example",
        "/researcher/replay/../data.zip",
        "/researcher/replay?x=1\r\nSet-Cookie: a=b",
        "/researcher/ids",
    ],
)
def test_nothing_else_does(quiet: Study, path: str) -> None:
    with client_of(quiet.url) as client:  # without a cookie that other tests would send
        form = {"password": "correct horse", "next": path}
        signed = client.post("/researcher/login", data=form)
    assert signed.headers["location"] == "/researcher"


def test_too_many_calls_are_refused(store: Store, courses: Courses) -> None:
    settings = default_settings(1)
    app = create_app(settings, store, service=StudyService(settings, store, {1: courses[1]}))
    limiter = Limiter(clock=lambda: 0.0)
    app.state.limiter = limiter
    while not limiter.wait(f"replay {OPEN}", REPLAYS):
        pass
    with serving(app) as url, client_of(url) as client:
        response = ask(client, trial="exp1/m101")
        assert (response.status_code, response.json()["error"]) == (429, "too_fast")
        assert int(response.headers["retry-after"]) >= 1
        assert client.get("/healthz").status_code == 200


@pytest.mark.parametrize(
    ("width", "height", "npcs", "wizards", "words"),
    [
        (41, 31, 1, 0, "it has 1271 cells, more than 900"),
        (10, 10, 7, 0, "it has 7 NPCs, more than 6"),
        (30, 30, 1, 56, "its hypotheses × states are"),
    ],
)
def test_a_map_that_is_too_large_is_told_so(
    quiet: Study, width: int, height: int, npcs: int, wizards: int, words: str
) -> None:
    cells = "@A" + "123456789"[:npcs] + "b" * wizards + "r" * min(wizards, 1)
    cells = cells.ljust(width * height, ".")
    rows = [cells[i : i + width] for i in range(0, width * height, width)]
    legend = ["@ = main agent, goal A", *(f"{i + 1} = expert n{i}, goal A" for i in range(npcs))]
    if wizards:
        legend += ["b = blue wizard", "h = blue wizard, holder", "r = red wizard, holder"]
        rows[-1] = rows[-1][:-1] + "h"
    text = "\n".join(["map:", *rows, "", "legend:", *legend, ""])
    for call in ("check", "document"):
        response = quiet.client.post(f"{OPEN}/{call}", json={"text": text})
        assert (response.status_code, response.json()["error"]) == (422, "too_large")
        assert words in response.json()["message"]
        assert "not valid" not in response.json()["message"]


def test_a_body_that_is_too_large_or_no_json_is_refused(quiet: Study) -> None:
    assert ask(quiet.client, text="x" * 70_000).status_code == 413
    assert ask(quiet.client, text="x" * 61_000).status_code == 422
    assert quiet.client.post(f"{OPEN}/check", data={"text": TEXT}).status_code == 415
