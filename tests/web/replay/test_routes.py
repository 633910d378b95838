"""The replay over HTTP: who may see what, while a study is live and while it is not."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any

import httpx
import pytest

from maps import BEHIND_A_BARRIER
from onlooker.experiments.stimuli import stimuli
from onlooker.game import dump_map_text
from onlooker.game.needs import ENDLESS_SEARCH
from onlooker.web.participant.service import StudyService
from onlooker.web.replay.builder import FullError, ReplayBuilder
from onlooker.web.server.app import create_app
from onlooker.web.server.limits import REPLAYS, Limiter
from onlooker.web.server.run import serving
from onlooker.web.settings import default_settings
from onlooker.web.store import Store
from onlooker.web.study.course import Courses
from onlooker.web.study.session_state import SessionState
from web.records import events
from web.short_study import ROUNDS, Study, short_study

OPEN, DESK = "/api/replay", "/researcher/replay"
TEXT = dump_map_text(stimuli(3)[0])


@pytest.fixture(scope="module")
def quiet(tmp_path_factory: pytest.TempPathFactory, courses: Courses) -> Iterator[Study]:
    """A study for trying out that nobody comes to."""
    with (
        Store(str(tmp_path_factory.mktemp("quiet") / "study.db")) as store,
        short_study(store, courses) as made,
    ):
        yield made


@pytest.fixture
def study(store: Store, courses: Courses) -> Iterator[Study]:
    """A study that is served for trying out."""
    with short_study(store, courses) as made:
        yield made


def live_study(store: Store, courses: Courses) -> AbstractContextManager[Study]:
    """A study with completion codes of its own."""
    codes = default_settings(1).completion.model_copy(update={"complete": "C1234"})
    return short_study(store, courses, completion=codes)


def ask(client: httpx.Client, base: str = OPEN, **body: Any) -> httpx.Response:
    return client.post(f"{base}/document", json=body)


def offered(client: httpx.Client, base: str = OPEN, **query: str) -> dict[str, Any]:
    response = client.get(f"{base}/offer", params=query)
    assert response.status_code == 200
    return response.json()


def ids(groups: list[dict[str, Any]]) -> set[str]:
    return {entry["id"] for group in groups for entry in group["entries"]}


def logged(study: Study, session: int) -> list[list[str]]:
    """The choices of each round, read from the log of events."""
    rounds: list[list[str]] = []
    screen = ""
    for event in events(study.store, session):
        if event.kind == "choose" and screen == "trial":
            rounds[-1].append(event.data["choice"])
        was = screen
        screen = str(json.loads(event.reply)["view"]["screen"])
        if screen == "trial" and was == "card":
            rounds.append([])
    return rounds


def shown(document: dict[str, Any]) -> list[str]:
    return [frame["did"]["choice"] for frame in document["frames"] if frame["did"]]


# -- for trying out --------------------------------------------------------------------------------


def test_everything_but_participants_is_open_for_trying_out(quiet: Study) -> None:
    for path in ("/replay", "/gallery"):
        assert "<html" in quiet.client.get(path).text
    offer = offered(quiet.client)
    assert not offer["hidden"]
    assert {"exp1/m101", "exp4/m401_1", "gallery/early-turn"} <= ids(offer["trials"])
    assert [group["title"] for group in offer["players"]] == ["Observers"]
    document = ask(quiet.client, trial="exp1/m101", player="naive_observer").json()
    assert document["player"]["title"] == "Naive Observer"
    assert len(quiet.client.get(f"{OPEN}/gallery").json()["cards"]) == 8


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
        "line 2, column 1: unknown character '@'; the legend must say"
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
    with serving(app) as url, httpx.Client(base_url=url) as client:
        assert "own/mine" in ids(offered(client)["trials"])
        assert ask(client, trial="own/mine").json()["trial"]["title"] == "mine"


def test_the_studys_own_trials_are_on_offer(store: Store, courses: Courses) -> None:
    stage = next(iter(courses[1].stages.values()))
    trial = replace(stage.trial, name="mine", reveals_outcomes=False)
    own = replace(courses[1], stages={"mine": replace(stage, trial=trial)}, orderings=(("mine",),))
    settings = default_settings(1)
    app = create_app(settings, store, service=StudyService(settings, store, {1: own}))
    with serving(app) as url, httpx.Client(base_url=url) as client:
        titles = [group["title"] for group in offered(client)["trials"]]
        assert "This study, Experiment 1" in titles
        assert ask(client, trial="study1/mine").json()["trial"]["title"] == "mine"


def test_a_bundled_trial_keeps_its_id_in_another_experiment(store: Store, courses: Courses) -> None:
    stages = dict(list(courses[3].stages.items())[:ROUNDS])
    costs = courses[3].least_costs
    moved = replace(courses[1], stages=stages, orderings=(tuple(stages),), least_costs=costs)
    with short_study(store, {1: moved}) as study:
        assert study.bots(1).finished == 1
        study.sign_in()
        rounds = offered(study.client, DESK, player="session-1")["rounds"]
        assert [entry["id"] for entry in rounds] == [f"exp3/{name}" for name in stages]
        document = ask(study.client, DESK, player="session-1").json()
        last = document["trial"]["id"]
        assert last in ids(offered(study.client, DESK)["trials"])
        assert "session-1" in ids(offered(study.client, DESK, trial=last)["players"])
        assert ask(study.client, DESK, trial=last, player="naive_observer").status_code == 200


# -- participants ----------------------------------------------------------------------------------


def test_participants_and_bots_are_for_the_researcher(study: Study) -> None:
    study.complete("anna")
    assert study.bots(1).finished == 1
    refused = ask(study.client, trial="exp1/m101", player="session-1")
    assert (refused.status_code, refused.json()["error"]) == (401, "sign_in")
    for call in ("document", "check"):
        response = study.client.post(f"{DESK}/{call}", json={"text": TEXT})
        assert (response.status_code, response.json()["error"]) == (401, "sign_in")
    assert study.client.get(f"{DESK}/offer").status_code == 401
    study.sign_in()
    assert study.client.get(f"{DESK}/offer").headers["cache-control"] == "no-store"
    still = ask(study.client, trial="exp1/m101", player="session-1")
    assert still.status_code == 401  # the cookie is for the researcher's pages alone
    rounds = offered(study.client, DESK, player="session-1")["rounds"]
    assert [entry["title"] for entry in rounds] == ["Round 1", "Round 2"]
    players = offered(study.client, DESK, trial=rounds[0]["id"])["players"]
    assert [group["title"] for group in players][:2] == ["Observers", "Participants"]


@pytest.mark.parametrize("session", [1, 2])
def test_a_replay_is_the_log(study: Study, session: int) -> None:
    study.complete("anna")
    study.bots(1)
    study.sign_in()
    log = logged(study, session)
    rounds = offered(study.client, DESK, player=f"session-{session}")["rounds"]
    assert len(rounds) == len(log) == 2
    for entry, choices in zip(rounds, log, strict=True):
        document = ask(study.client, DESK, trial=entry["id"], player=f"session-{session}").json()
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
    [entry] = offered(study.client, DESK, player="session-1")["rounds"]
    document = ask(study.client, DESK, trial=entry["id"], player="session-1").json()
    assert shown(document) == logged(study, 1)[0]
    assert len(document["frames"]) == 3
    assert document["frames"][-1]["mind"]["choice"]
    assert "/researcher/replay?player=session-1" in study.client.get("/researcher").text
    last = ask(study.client, DESK, player="session-1").json()  # which round is not said
    assert last == document
    visitor.step(study.courses[1])
    again = ask(study.client, DESK, trial=entry["id"], player="session-1").json()
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
        response = ask(study.client, DESK, trial=trial, player=player)
        assert (response.status_code, response.json()["message"]) == (422, words)
    with study.store.write() as tx:
        session = tx.orm.get(type(study.store.sessions()[0]), 2)
        assert session is not None
        session.stimulus_hash = "other"
        trial = SessionState.load(session.state)
        assert trial.ordering is not None
    response = ask(study.client, DESK, trial="exp1/m101", player="session-2")
    assert response.json()["message"] == "The stimuli are not those of this session any more."
    assert offered(study.client, DESK, player="session-2")["rounds"] == []


# -- live ------------------------------------------------------------------------------------------


def test_a_live_study_keeps_its_trials_to_itself(store: Store, courses: Courses) -> None:
    with live_study(store, courses) as study:
        offer = offered(study.client)
        assert offer["hidden"]
        used = {f"exp1/{name}" for name in study.courses[1].stages}
        assert used
        assert used.isdisjoint(ids(offer["trials"]))
        for trial in sorted(used)[:3]:
            response = ask(study.client, trial=trial)
            assert (response.status_code, response.json()["error"]) == (401, "sign_in")
        assert ask(study.client, trial="exp3/m301_1").status_code == 200
        assert ask(study.client, trial="gallery/two-experts").status_code == 200
        assert len(study.client.get(f"{OPEN}/gallery").json()["cards"]) == 8
        study.sign_in()
        assert used <= ids(offered(study.client, DESK)["trials"])
        assert ask(study.client, DESK, trial=min(used)).status_code == 200


def test_another_scenario_on_a_map_of_the_study_is_kept_too(store: Store, courses: Courses) -> None:
    """Both scenarios of a map have the same holders."""
    one, two = stimuli(2)[:2]
    assert one.map == two.map
    course = courses[2]
    short = replace(
        course,
        stages={one.label: course.stages[one.label]},
        orderings=((one.label,),),
    )
    settings = default_settings(2)
    codes = settings.completion.model_copy(update={"complete": "C1"})
    settings = settings.model_copy(update={"completion": codes})
    copy = replace(two, name="a copy")
    service = StudyService(settings, store, {2: short})
    app = create_app(settings, store, service=service, trials=[copy])
    with serving(app) as url, httpx.Client(base_url=url) as client:
        for trial in (f"exp2/{one.label}", f"exp2/{two.label}", "own/a copy"):
            assert ask(client, trial=trial).status_code == 401
        assert ask(client, trial=f"exp2/{stimuli(2)[4].label}").status_code == 200


def test_a_pasted_map_of_the_study_tells_nothing(store: Store, courses: Courses) -> None:
    """Every guess at the holders is answered alike: by a replay with the holders that it names."""
    with live_study(store, courses) as study:
        trial = next(iter(study.courses[1].stages.values())).trial
        colour = next(c for c, wizards in trial.map.wizards_of.items() if len(wizards) > 1)
        for wizard in trial.map.wizards_of[colour]:
            guess = replace(trial, holders={**trial.holders, colour: wizard.id}, name=None)
            text = dump_map_text(guess)
            response = ask(study.client, text=text)
            assert response.status_code == 200
            document = response.json()
            assert document["trial"]["text"] == text
            assert document["trial"]["id"] == ""
            checked = study.client.post(f"{OPEN}/check", json={"text": text})
            assert checked.json() == {"ok": True, "title": "unnamed trial", "warnings": []}


def test_the_first_participant_makes_a_study_live(study: Study) -> None:
    study.bots(1)
    assert ask(study.client, trial="exp1/m101").status_code == 200
    study.visitor("anna")
    assert ask(study.client, trial="exp1/m101").status_code == 401


def test_without_test_runs_a_study_is_live(store: Store, courses: Courses) -> None:
    study_part = default_settings(1).study.model_copy(update={"allow_test_runs": False})
    with short_study(store, courses, study=study_part) as study:
        assert ask(study.client, trial="exp1/m101").status_code == 401


# -- signing in ------------------------------------------------------------------------------------


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
def test_nothing_else_does(study: Study, path: str) -> None:
    signed = study.client.post(
        "/researcher/login", data={"password": "correct horse", "next": path}
    )
    assert signed.headers["location"] == "/researcher"


# -- limits ----------------------------------------------------------------------------------------


def test_too_many_calls_are_refused(store: Store, courses: Courses) -> None:
    settings = default_settings(1)
    app = create_app(settings, store, service=StudyService(settings, store, {1: courses[1]}))
    limiter = Limiter(clock=lambda: 0.0)
    app.state.limiter = limiter
    while not limiter.wait(f"replay {OPEN}", REPLAYS):
        pass
    with serving(app) as url, httpx.Client(base_url=url) as client:
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


def test_the_studio_makes_one_at_a_time_and_keeps_the_last() -> None:
    builder, begun, go_on = ReplayBuilder(kept=15, waiting=1), threading.Event(), threading.Event()

    def make() -> Any:
        begun.set()
        go_on.wait(5)
        return {"frames": []}

    thread = threading.Thread(target=builder.made, args=("a", make))
    thread.start()
    begun.wait(5)
    with pytest.raises(FullError):
        builder.made("b", make)
    go_on.set()
    thread.join()
    made: list[str] = []
    for key in ("a", "b", "c", "b", "a"):
        builder.made(key, lambda key=key: made.append(key) or {})  # type: ignore[misc]
    assert made == ["b", "c", "a"]


def test_the_studio_keeps_no_more_than_it_has_room_for() -> None:
    builder, made = ReplayBuilder(kept=100), list[str]()

    def ask(key: str, size: int) -> bytes:
        return builder.made(key, lambda: made.append(key) or {"x": "x" * size})  # type: ignore[func-returns-value,return-value]

    for key, size in (("a", 30), ("b", 30), ("large", 200), ("a", 30), ("b", 30), ("a", 30)):
        assert len(ask(key, size)) == size + len('{"x":""}')
    assert made == ["a", "b", "large", "a", "b"]  # nothing stays beside the large one, nor itself
