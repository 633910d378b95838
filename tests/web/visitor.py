"""A participant for tests: talks to the HTTP API and plays well, since it knows the stimuli."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from functools import cache
from typing import Any

import httpx

from onlooker.game import Stage
from onlooker.planning import Steps, Tables, main_path
from onlooker.web.study.course import Course
from onlooker.web.study.session_state import ENDS

View = dict[str, Any]


class Walking:
    """Goes through the study, by whatever way intents are sent."""

    view: View

    def send(self, kind: str, **data: Any) -> object:
        """Send an intent; the view is that of the reply then."""
        raise NotImplementedError

    def walk(self, course: Course) -> Iterator[View]:
        """Every step of the way from where one is to the end."""
        while self.view["screen"] not in ENDS:
            self.step(course)
            yield self.view

    def go_to(self, course: Course, screen: str) -> View:
        while self.view["screen"] != screen:
            self.step(course)
        return self.view

    def step(self, course: Course) -> View:
        """Do what the screen asks for."""
        view = self.view
        match view["screen"]:
            case "consent":
                self.send("consent", agree=True)
            case "tutorial" | "trial":
                if view["game"] is None or view["game"]["finished"]:
                    self.send("next")
                else:
                    self.send("choose", choice=good_choice(course, view["game"]))
            case "check":
                self.send("answer", answers=right_answers(course))
            case "card":
                self.send("next")
            case "questions" | "survey" as screen:
                self.send(screen, answers=survey_answers(view["questions"]))
            case screen:
                raise AssertionError(screen)
        return self.view


class Visitor(Walking):
    """One browser tab."""

    def __init__(self, client: httpx.Client, pid: str = "", study: str = "study1") -> None:
        self.client, self.pid, self.study = client, pid, study
        self.token: str | None = None
        self.view: View = {}
        self.views: list[View] = []

    def arrive(self, **more: Any) -> httpx.Response:
        ids = {"prolific_pid": self.pid, "study_id": self.study, "session_id": "s" + self.pid}
        response = self.client.post("/api/arrive", json=ids | {"viewport": [1280, 800]} | more)
        if response.status_code == 200:
            self.token = response.json()["session"]
            self._seen(response.json()["view"])
        return response

    @property
    def headers(self) -> dict[str, str]:
        return {"X-Session": self.token or ""}

    def look(self) -> View:
        response = self.client.get("/api/view", headers=self.headers)
        assert response.status_code == 200, response.text
        return response.json()["view"]

    def body(self, kind: str, data: dict[str, Any], **more: Any) -> dict[str, Any]:
        body = {"id": str(uuid.uuid4()), "seq": self.view["seq"], "kind": kind, "data": data}
        return body | {"client_time": "2025-03-01T12:00:00.000Z"} | more

    def post(self, body: Any, **headers: str) -> httpx.Response:
        headers = self.headers | headers | {"Content-Type": "application/json"}
        return self.client.post("/api/intent", content=json.dumps(body), headers=headers)

    def send(self, kind: str, **data: Any) -> View:
        response = self.post(self.body(kind, data))
        assert response.status_code == 200, response.text
        self._seen(response.json()["view"])
        return self.view

    def _seen(self, view: View) -> None:
        self.view = view
        self.views.append(view)


def survey_answers(questions: list[dict[str, Any]]) -> dict[str, Any]:
    """Answers to the questions that a study asks by default, but for attention."""
    wanted = {"age": 30, "feedback": "Fine."}
    gender = next((q["options"][0]["value"] for q in questions if q["id"] == "gender"), None)
    known = {question["id"] for question in questions}
    given = wanted | ({} if gender is None else {"gender": gender})
    given |= {
        q["id"]: q["options"][0]["value"] for q in questions if q["required"] and q["options"]
    }
    return {key: value for key, value in given.items() if key in known}


def right_answers(course: Course) -> dict[str, str]:
    return {question.id: question.right for question in course.questions}


def wrong_answers(course: Course) -> dict[str, str]:
    return right_answers(course) | {course.questions[0].id: "a", course.questions[1].id: "a"}


def find_stage(course: Course, game: View) -> Stage:
    """The stage that a view is of."""
    walls = {tuple(cell) for cell in game["walls"]}
    wizards = [(wizard["id"], tuple(wizard["at"])) for wizard in game["wizards"]]
    for stage in (*course.practice, *course.stages.values()):
        map = stage.trial.map
        if (
            walls == map.walls
            and wizards == [(wizard.id, wizard.at) for wizard in map.wizards]
            and stage.trial.main.goal == game["main"]["goal"]
            and stage.budget == game["points"]["budget"]
        ):
            return stage
    raise AssertionError("no stage looks like this")


def good_choice(course: Course, game: View) -> str:
    """One observation of each NPC at first, then the cheapest way to the chest."""
    for choice in game["choices"]:
        if choice["kind"] == "observation":
            npc = next(n for n in game["npcs"] if choice["choice"] == f"observe {n['id']}")
            if npc["observed"] < 2:
                return choice["choice"]
    path = cheapest_way(find_stage(course, game))
    spent = game["points"]["budget"] - game["points"]["left"]
    spent -= sum(npc["observed"] for npc in game["npcs"]) * game["costs"]["observe"]
    for taken in path:
        if spent == 0:
            return str(taken.action)
        spent -= taken.event.cost
    raise AssertionError("it strayed from the way")


@cache
def _way(stage_id: int) -> Steps:
    stage = _stages[stage_id]
    return main_path(Tables(stage.trial.map), stage.trial)


_stages: dict[int, Stage] = {}


def cheapest_way(stage: Stage) -> Steps:
    _stages[id(stage)] = stage
    return _way(id(stage))


# -- what must not be in a view --------------------------------------------------------------------

LEAKS = {
    "holder", "holders", "holds", "decoy", "goals", "script", "scripts", "actions_left", "path",
    "plan", "right", "correct", "answer", "scenario", "name_of_trial", "level", "seed", "ordering",
    "pseudonym", "pid", "prolific_pid", "least_cost", "optimal",
}  # fmt: skip


def keys(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        yield from value
        for inner in value.values():
            yield from keys(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from keys(inner)


def assert_nothing_leaks(course: Course, view: View) -> None:
    assert not LEAKS & set(keys(view)), view["screen"]
    text = json.dumps(view)
    assert not [name for name in course.stages if f'"{name}"' in text]
    games = [view["game"]] if view.get("game") else []
    games += (view.get("example") or {}).get("frames", [])
    for game in games:
        for npc in game["npcs"]:
            assert set(npc) == {"id", "name", "expertise", "at", "arrived", "observed"}
        for wizard in game["wizards"]:
            assert set(wizard) == {"id", "at", "colour"}
