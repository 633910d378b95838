"""A study of two rounds for tests of the researcher's side, with visitors and bots in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import httpx

from calling import client_of
from onlooker.experiments.recordings import Recordings
from onlooker.observers import find_observer
from onlooker.web.bots.crew import BotPlan, Tally, run_bots
from onlooker.web.participant.service import StudyService
from onlooker.web.server.app import create_app
from onlooker.web.server.run import serving
from onlooker.web.settings import Researcher, Settings, default_settings
from onlooker.web.store import Store
from onlooker.web.study.course import Course, Courses
from waiting import HANG
from web.passwords import HASHED, PASSWORD
from web.visitor import Visitor

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
        patient = {"rate": 0, "patience": HANG, "timeout": HANG}
        plan = BotPlan(number, find_observer("rational_mentalizing"), **patient | how)
        return run_bots(self.url, self.courses, plan)

    def sign_in(self, password: str = PASSWORD) -> httpx.Response:
        return self.client.post("/researcher/login", data={"password": password})

    def token(self) -> str:
        return re.findall(r'name="token" value="([\w-]+)"', self.client.get("/researcher").text)[0]

    def send(self, path: str, **fields: str) -> httpx.Response:
        return self.client.post(path, data={"token": self.token(), **fields})


def brief(course: Course) -> Course:
    """A course whose tutorial is its first page and its first practice round."""
    practice = next(page for page in course.pages if page.practice == 0)
    return replace(course, pages=(course.pages[0], practice), practice=course.practice[:1])


def shortened(
    courses: Courses, experiment: int = 1, rounds: int = ROUNDS, whole_tutorial: bool = False
) -> Courses:
    course = courses[experiment] if whole_tutorial else brief(courses[experiment])
    short = tuple(ordering[:rounds] for ordering in course.orderings)
    return {experiment: replace(course, orderings=short)}


@contextmanager
def short_study(
    store: Store,
    courses: Courses,
    recordings: Recordings | None = None,
    experiment: int = 1,
    rounds: int = ROUNDS,
    whole_tutorial: bool = False,
    **changes: Any,
) -> Iterator[Study]:
    """An experiment with two rounds, served; with the people of a dataset, if there is one."""
    settings = default_settings(experiment)
    researcher = Researcher(password_hash=HASHED)
    settings = settings.model_copy(update={"researcher": researcher, **changes})
    known = shortened(courses, experiment, rounds, whole_tutorial)
    service = StudyService(settings, store, known)
    app = create_app(settings, store, service=service, recordings=recordings)
    with serving(app) as url, client_of(url) as client:
        yield Study(settings, store, known, url, client)
