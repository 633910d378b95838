"""A study of two rounds for tests of the researcher's side, with visitors and bots in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import httpx

from onlooker.experiments.recordings import Recordings
from onlooker.observers import find_observer
from onlooker.web.bots.crew import BotPlan, Tally, run_bots
from onlooker.web.participant.service import StudyService
from onlooker.web.server.app import create_app
from onlooker.web.server.run import serving
from onlooker.web.settings import Researcher, Settings, default_settings
from onlooker.web.settings.passwords import hash_password
from onlooker.web.store import Store
from onlooker.web.study.course import Courses
from waiting import HANG
from web.visitor import Visitor

PASSWORD = "correct horse"
HASHED = hash_password(PASSWORD)
ROUNDS = 2


@dataclass
class Study:
    settings: Settings
    store: Store
    courses: Courses
    url: str
    client: httpx.Client

    def visitor(self, pid: str) -> Visitor:
        visitor = Visitor(self.client, pid, "study1")
        visitor.arrive()
        return visitor

    def complete(self, *pids: str) -> None:
        for pid in pids:
            for _ in self.visitor(pid).walk(self.courses[1]):
                pass

    def bots(self, number: int, **how: Any) -> Tally:
        plan = BotPlan(number, find_observer("rational_mentalizing"), rate=0, **how)
        return run_bots(self.url, self.courses, plan)

    def sign_in(self, password: str = PASSWORD) -> httpx.Response:
        return self.client.post("/researcher/login", data={"password": password})

    def token(self) -> str:
        return re.findall(r'name="token" value="([\w-]+)"', self.client.get("/researcher").text)[0]

    def send(self, path: str, **fields: str) -> httpx.Response:
        return self.client.post(path, data={"token": self.token(), **fields})


def shortened(courses: Courses, experiment: int = 1, rounds: int = ROUNDS) -> Courses:
    course = courses[experiment]
    short = tuple(ordering[:rounds] for ordering in course.orderings)
    return {experiment: replace(course, orderings=short)}


@contextmanager
def short_study(
    store: Store,
    courses: Courses,
    recordings: Recordings | None = None,
    experiment: int = 1,
    rounds: int = ROUNDS,
    **changes: Any,
) -> Iterator[Study]:
    """An experiment with two rounds, served; with the people of a dataset, if there is one."""
    settings = default_settings(experiment)
    researcher = Researcher(password_hash=HASHED)
    settings = settings.model_copy(update={"researcher": researcher, **changes})
    known = shortened(courses, experiment, rounds)
    service = StudyService(settings, store, known)
    app = create_app(settings, store, service=service, recordings=recordings)
    with serving(app) as url, httpx.Client(base_url=url, timeout=HANG) as client:
        yield Study(settings, store, known, url, client)
