"""Bots: they get through every experiment, check the server, and come back after failures."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import httpx
import numpy as np
import pytest

from onlooker.game import replay
from onlooker.observers import find_observer
from onlooker.web.bots.crew import Bot, BotPlan, Tally, run_bots
from onlooker.web.bots.rounds import BotRound, MismatchError, Repertoire, shows
from onlooker.web.store import Store
from onlooker.web.study.course import Courses
from onlooker.web.study.game_view import game_view
from onlooker.web.texts import load_texts
from waiting import HANG
from web.short_study import short_study, shortened

pytestmark = pytest.mark.server

OBSERVER = find_observer("rational_mentalizing")


def test_bots_finish_are_flagged_and_leave_whole_logs(store: Store, courses: Courses) -> None:
    with short_study(store, courses) as study:
        tally = study.bots(3)
    assert tally.problems == []
    assert tally.finished == 3
    assert store.sessions() == []
    sessions = store.sessions(test=True)
    assert sum(session.seq for session in sessions) == tally.actions
    assert [store.verify(session.id, study.courses) for session in sessions] == [[]] * 3
    assert any("p95" in line for line in tally.lines())


def test_some_drop_out(store: Store, courses: Courses) -> None:
    with short_study(store, courses) as study:
        tally = study.bots(4, drop_out=1.0, seed=3)
    assert tally.problems == []
    assert tally.ends.count("left") >= 2


def test_bots_need_a_server_that_allows_test_runs(store: Store, courses: Courses) -> None:
    with short_study(store, courses) as study:
        closed = study.settings.study.model_copy(update={"allow_test_runs": False})
    with short_study(store, courses, study=closed) as study:
        tally = study.bots(2)
    assert len(tally.problems) == 2
    assert "no_participant" in tally.problems[0]


@pytest.mark.parametrize("experiment", [1, 2, 3, 4])
@pytest.mark.parametrize("observer", ["rational_mentalizing", "rational_observer"])
def test_a_bot_finds_its_way_even_where_trials_look_alike(
    courses: Courses, experiment: int, observer: str
) -> None:
    repertoire = Repertoire(courses[experiment], find_observer(observer))
    rng = np.random.default_rng(experiment)
    for stage in list(courses[experiment].stages.values())[:12]:
        log: tuple[str, ...] = ()
        game = json.loads(json.dumps(game_view(stage, [], False)))
        round_ = BotRound(repertoire, game, rng)
        while not game["finished"]:
            log = (*log, round_.choose())
            game = json.loads(json.dumps(game_view(stage, replay(stage, log), False)))
            round_.took(log[-1], game)
        assert shows(stage, log, game, load_texts("en"))


def test_a_view_that_breaks_the_rules_is_noticed(courses: Courses) -> None:
    repertoire = Repertoire(courses[1], OBSERVER)
    stage = next(iter(courses[1].stages.values()))
    round_ = BotRound(repertoire, game_view(stage, [], False), np.random.default_rng(1))
    choice = round_.choose()
    after: dict[str, Any] = dict(game_view(stage, replay(stage, [choice]), False))
    with pytest.raises(MismatchError, match="does not follow from the rules"):
        round_.took(choice, after | {"points": {"budget": stage.budget, "left": 0}})


Handler = Callable[[httpx.Request], httpx.Response]


def bot_at(handler: Handler, courses: Courses) -> tuple[Bot, Tally]:
    client = httpx.AsyncClient(base_url="http://study", transport=httpx.MockTransport(handler))
    tally, plan = Tally(), BotPlan(1, OBSERVER, rate=0, patience=HANG)
    repertoires = {1: Repertoire(courses[1], OBSERVER)}
    return Bot(client, "test-bot-1", plan, repertoires, tally, np.random.default_rng(1)), tally


def view(screen: str, seq: int) -> dict[str, Any]:
    return {"screen": screen, "seq": seq, "study": {"title": "T", "experiment": 1}}


def consenting(replies: list[httpx.Response | Exception], asked: list[dict[str, Any]]) -> Handler:
    """A study that has only a consent form."""

    def handler(request: httpx.Request) -> httpx.Response:
        if request.url.path == "/api/arrive":
            return httpx.Response(200, json={"session": "t", "view": view("consent", 0)})
        if request.url.path == "/api/view":
            return httpx.Response(200, json={"view": view("declined", 1)})
        asked.append(json.loads(request.content))
        reply = replies.pop(0)
        if isinstance(reply, Exception):
            raise reply
        return reply

    return handler


async def live(bot: Bot) -> None:
    async with bot.client:
        await bot.live()


def test_an_unanswered_call_is_made_again_with_the_same_id(courses: Courses) -> None:
    done = httpx.Response(200, json={"view": view("declined", 1)})
    asked: list[dict[str, Any]] = []
    replies = [httpx.ConnectError("down"), httpx.ReadTimeout("slow"), httpx.Response(503), done]
    bot, tally = bot_at(consenting(replies, asked), courses)
    asyncio.run(live(bot))
    assert tally.problems == []
    assert tally.retries == 3
    assert len({body["id"] for body in asked}) == 1


@pytest.mark.parametrize(("seq", "counted"), [(0, "0"), (2, "2")])
def test_a_lost_or_doubled_action_is_noticed(courses: Courses, seq: int, counted: str) -> None:
    reply = httpx.Response(200, json={"view": view("declined", seq)})
    bot, tally = bot_at(consenting([reply], []), courses)
    asyncio.run(live(bot))
    assert f"the server counts {counted} actions, the bot 1" in tally.problems[0]


def test_a_refusal_stops_a_bot(courses: Courses) -> None:
    bot, tally = bot_at(consenting([httpx.Response(422, json={})], []), courses)
    asyncio.run(live(bot))
    assert "422" in tally.problems[0]
    assert tally.ends == ["stopped"]


def test_bots_without_a_server_say_so(courses: Courses) -> None:
    plan = BotPlan(1, OBSERVER, rate=0, patience=0.2)
    seen: list[tuple[int, int]] = []
    tally = run_bots(
        "http://127.0.0.1:9", shortened(courses), plan, lambda *counts: seen.append(counts)
    )
    assert "ConnectError" in tally.problems[0]
    assert set(seen) <= {(0, 1), (1, 1)}
