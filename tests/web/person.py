"""A participant who calls the service directly, and a clock that tests set."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

from onlooker.web.participant.arrivals import Arrival
from onlooker.web.participant.messages import IntentRequest
from onlooker.web.participant.service import StudyService
from onlooker.web.settings import Settings, default_settings
from web.visitor import Walking, right_answers


class Watch:
    """A clock that tests set."""

    def __init__(self) -> None:
        self.time = datetime(2025, 3, 1, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.time

    def forward(self, **by: float) -> None:
        self.time += timedelta(**by)


class Person(Walking):
    """Somebody who talks to the service directly."""

    def __init__(self, service: StudyService, pid: str, study: str = "study1") -> None:
        self.service = service
        self.content = json.loads(service.arrive(Arrival(pid, study, "s")).body)
        self.view = self.content["view"]
        self.count = 0

    def send(self, kind: str, **data) -> Person:
        self.count += 1
        request = IntentRequest(f"{kind}-{self.count}", self.view["seq"], kind, data)
        token = self.content["session"]
        reply = self.service.intent(token, request)
        assert reply.status == 200, reply.body
        self.content = {"session": token, **json.loads(reply.body)}
        self.view = self.content["view"]
        return self

    def to_first_card(self) -> Person:
        course = self.service.courses[self.view["study"]["experiment"]]
        self.send("consent", agree=True).send("next")
        return self.send("answer", answers=right_answers(course))


def study(**changes) -> Settings:
    return default_settings(1).model_copy(update=changes)
