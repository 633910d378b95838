"""What the client draws, made of where a session stands."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

from onlooker.web.settings import Settings
from onlooker.web.study.content import ending, paragraphs
from onlooker.web.study.course import Course
from onlooker.web.study.flow import present_round, session_bonus, unspent_points
from onlooker.web.study.game_view import game_view, npc_label_views
from onlooker.web.study.session_state import Screen, Standing
from onlooker.web.study.view_types import (
    BaseView,
    CardView,
    CheckView,
    CompletionView,
    ConsentView,
    DebriefView,
    EndScreen,
    EndView,
    ProgressView,
    ScreenView,
    SurveyView,
    TrialView,
    TutorialView,
)


@dataclass(frozen=True, slots=True)
class Scene:
    """What a view is made of."""

    settings: Settings
    course: Course
    standing: Standing
    seq: int
    time: str  # the server's

    def common(self, progress: ProgressView | None = None) -> BaseView:
        """What every view has."""
        return {
            "seq": self.seq,
            "study": {
                "title": self.settings.study.title,
                "experiment": self.course.experiment,
            },
            "progress": progress,
            "server_time": self.time,
        }


def view_of(scene: Scene) -> ScreenView:
    """The view of a session."""
    return _VIEWS.get(scene.standing.screen, _end)(scene)


def paused_view(settings: Settings, course: Course, time: str) -> EndView:
    """What somebody sees who arrives while the study is paused."""
    scene = Scene(settings, course, Standing(), 0, time)
    text = ending("paused", None, settings.study.contact, coded=False)
    return {"screen": "paused", **scene.common(), "text": text, "completion": None}


def _consent(scene: Scene) -> ConsentView:
    consent = scene.settings.consent
    return {
        "screen": "consent",
        **scene.common(),
        "text": paragraphs(consent.text),
        "version": consent.version,
        "agree": consent.agree,
        "decline": consent.decline,
    }


def _tutorial(scene: Scene) -> TutorialView:
    number, pages = scene.standing.page, scene.course.pages
    page = pages[number]
    game = present_round(scene.course, scene.standing)
    return {
        "screen": "tutorial",
        **scene.common({"at": number + 1, "of": len(pages)}),
        "page": number + 1,
        "pages": len(pages),
        "title": page.title,
        "text": list(page.text),
        "example": page.example,
        "game": None if game is None else game_view(*game, tutorial=True),
    }


def _check(scene: Scene) -> CheckView:
    standing, course = scene.standing, scene.course
    return {
        "screen": "check",
        **scene.common(),
        "questions": [
            {
                "id": question.id,
                "text": question.text,
                "options": [{"id": o.id, "text": o.text} for o in question.options],
            }
            for question in course.questions
        ],
        "attempt": standing.attempts + 1,
        "attempts": course.chances,
        "wrong": None if standing.wrong is None else list(standing.wrong),
        "reminder": list(course.reminder) if standing.attempts else [],
    }


def _card(scene: Scene) -> CardView:
    standing, course = scene.standing, scene.course
    assert standing.ordering is not None
    position = len(standing.logs)
    stage = course.stage(standing.ordering, position)
    return {
        "screen": "card",
        **scene.common({"at": position + 1, "of": course.rounds}),
        "number": position + 1,
        "of": course.rounds,
        "goal": stage.trial.main.goal,
        "budget": stage.budget,
        "npcs": npc_label_views(stage.trial),
    }


def _trial(scene: Scene) -> TrialView:
    game = present_round(scene.course, scene.standing)
    assert game is not None
    number = len(scene.standing.logs)
    return {
        "screen": "trial",
        **scene.common({"at": number, "of": scene.course.rounds}),
        "number": number,
        "of": scene.course.rounds,
        "game": game_view(*game, tutorial=False),
    }


def _survey(scene: Scene) -> SurveyView:
    survey = scene.settings.survey
    return {
        "screen": "survey",
        **scene.common(),
        "ask_age": survey.ask_age,
        "ask_gender": survey.ask_gender,
        "genders": list(survey.genders),
    }


def _debrief(scene: Scene) -> DebriefView:
    settings, course, standing = scene.settings, scene.course, scene.standing
    amount = session_bonus(course, settings.payment, standing)
    return {
        "screen": "debrief",
        **scene.common(),
        "text": paragraphs(settings.debrief.text),
        "bonus": {"amount": str(amount), "currency": settings.payment.currency},
        "unspent": sum(unspent_points(course, standing)),
        "completion": _completion(settings, settings.completion.complete),
    }


def _end(scene: Scene) -> EndView:
    settings, standing = scene.settings, scene.standing
    code = _code(settings, standing)
    text = ending(standing.screen, standing.reason, settings.study.contact, coded=bool(code))
    return {
        "screen": cast(EndScreen, standing.screen),
        **scene.common(),
        "text": text,
        "completion": None if code is None else _completion(settings, code),
    }


def _code(settings: Settings, standing: Standing) -> str | None:
    """The completion code of an end; somebody who stayed away for too long has none."""
    codes = settings.completion
    if standing.reason == "expired":
        return None
    return {
        "declined": codes.no_consent,
        "failed_check": codes.failed_check,
        "screened_out": codes.screened_out,
        "withdrawn": codes.withdrawn,
        "technical": codes.technical,
    }[standing.screen]


def _completion(settings: Settings, code: str) -> CompletionView:
    return {"code": code, "url": settings.completion.link(code)}


_VIEWS: dict[Screen, Callable[[Scene], ScreenView]] = {
    "consent": _consent,
    "tutorial": _tutorial,
    "check": _check,
    "card": _card,
    "trial": _trial,
    "survey": _survey,
    "debrief": _debrief,
}
