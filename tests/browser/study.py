"""A study that runs for the tests, and where its participants stand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select

from onlooker.game import Stage
from onlooker.web.participant.service import StudyService
from onlooker.web.settings import Settings, default_settings
from onlooker.web.store import Store
from onlooker.web.store.models import ParticipantRow, SessionRow
from onlooker.web.study.course import Course
from onlooker.web.study.session_state import SessionState


def settings(stimuli: dict[int, Any]) -> Settings:
    """Settings that run all four experiments, each under a STUDY_ID of its own."""
    return Settings.model_validate(
        {
            "study": {
                "title": "Treasure hunt",
                "contact": "lab@example.org",
                "experiments": {f"s{number}": number for number in range(1, 5)},
                "allow_test_runs": True,
            },
            "consent": {"text": default_settings(1).consent.text, "version": "1"},
            "completion": {
                "url": "https://app.prolific.com/submissions/complete?cc={code}",
                "complete": "DONE",
                "failed_check": "FAILED",
                "no_consent": "DECLINED",
                "screened_out": "FULL",
                "technical": "BROKEN",
            },
            "payment": {"base": "4.00"},
            "stimuli": stimuli,
        }
    )


@dataclass(frozen=True)
class Study:
    """Where the study is served, and what answers there."""

    url: str
    service: StudyService

    @property
    def store(self) -> Store:
        """The database."""
        return self.service.store

    @property
    def courses(self) -> Mapping[int, Course]:
        """What its participants go through, by experiment."""
        return self.service.courses

    def session(self, pid: str) -> SessionRow:
        """The session of a participant."""
        query = select(SessionRow).join(ParticipantRow).where(ParticipantRow.pid == pid)
        with self.store.read() as orm:
            return orm.scalars(query).one()

    def state(self, pid: str) -> SessionState:
        """Where a participant stands."""
        return SessionState.load(self.session(pid).state)

    def stage(self, pid: str, experiment: int) -> Stage:
        """The round that a participant has before it, practice or not."""
        course, state = self.courses[experiment], self.state(pid)
        if state.screen in ("trial", "questions"):
            assert state.ordering is not None
            return course.stage(state.ordering, len(state.logs) - 1)
        practice = course.pages[state.page].practice
        assert practice is not None
        return course.practice[practice]
