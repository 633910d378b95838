"""The view of a session's current screen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

from onlooker.web.settings import Settings
from onlooker.web.study.content import ending, paragraphs
from onlooker.web.study.course import Course
from onlooker.web.study.flow import current_round, session_bonus, unspent_points
from onlooker.web.study.game_view import game_view, npc_label_views
from onlooker.web.study.session_state import EXPIRED, Screen, SessionState
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
    RefusalReason,
    ScreenView,
    SurveyView,
    TrialView,
    TutorialView,
)


@dataclass(frozen=True, slots=True)
class ScreenContext:
    """Everything a view depends on."""

    settings: Settings
    course: Course
    state: SessionState
    seq: int
    time: str  # the server's

    def common(self, progress: ProgressView | None = None) -> BaseView:
        """The part that every view has."""
        return {
            "seq": self.seq,
            "study": {
                "title": self.settings.study.title,
                "experiment": self.course.experiment,
            },
            "progress": progress,
            "server_time": self.time,
        }


def screen_view(context: ScreenContext) -> ScreenView:
    """The view of a session."""
    return _VIEWS.get(context.state.screen, _end)(context)


def refused_view(settings: Settings, course: Course, time: str, reason: RefusalReason) -> EndView:
    """The view of a person who arrives while nobody can start; there is no session."""
    context = ScreenContext(settings, course, SessionState(), 0, time)
    code = settings.completion.screened_out if reason == "full" else None
    return {
        "screen": reason,
        **context.common(),
        "text": ending(reason, None, settings.study.contact, coded=False),
        "completion": None if code is None else _completion(settings, code),
    }


def _consent(context: ScreenContext) -> ConsentView:
    consent = context.settings.consent
    return {
        "screen": "consent",
        **context.common(),
        "text": paragraphs(consent.text),
        "version": consent.version,
        "agree": consent.agree,
        "decline": consent.decline,
    }


def _tutorial(context: ScreenContext) -> TutorialView:
    number, pages = context.state.page, context.course.pages
    page = pages[number]
    game = current_round(context.course, context.state)
    return {
        "screen": "tutorial",
        **context.common({"at": number + 1, "of": len(pages)}),
        "page": number + 1,
        "pages": len(pages),
        "title": page.title,
        "text": list(page.text),
        "example": page.example,
        "game": None if game is None else game_view(*game, tutorial=True),
    }


def _check(context: ScreenContext) -> CheckView:
    state, course = context.state, context.course
    return {
        "screen": "check",
        **context.common(),
        "questions": [
            {
                "id": question.id,
                "text": question.text,
                "options": [{"id": o.id, "text": o.text} for o in question.options],
            }
            for question in course.questions
        ],
        "attempt": state.attempts + 1,
        "attempts": course.chances,
        "wrong": None if state.wrong is None else list(state.wrong),
        "reminder": list(course.reminder) if state.attempts else [],
    }


def _card(context: ScreenContext) -> CardView:
    state, course = context.state, context.course
    assert state.ordering is not None
    position = len(state.logs)
    stage = course.stage(state.ordering, position)
    return {
        "screen": "card",
        **context.common({"at": position + 1, "of": course.rounds}),
        "number": position + 1,
        "of": course.rounds,
        "goal": stage.trial.main.goal,
        "budget": stage.budget,
        "npcs": npc_label_views(stage.trial),
    }


def _trial(context: ScreenContext) -> TrialView:
    game = current_round(context.course, context.state)
    assert game is not None
    number = len(context.state.logs)
    return {
        "screen": "trial",
        **context.common({"at": number, "of": context.course.rounds}),
        "number": number,
        "of": context.course.rounds,
        "game": game_view(*game, tutorial=False),
    }


def _survey(context: ScreenContext) -> SurveyView:
    survey = context.settings.survey
    return {
        "screen": "survey",
        **context.common(),
        "ask_age": survey.ask_age,
        "ask_gender": survey.ask_gender,
        "genders": list(survey.genders),
    }


def _debrief(context: ScreenContext) -> DebriefView:
    settings, course, state = context.settings, context.course, context.state
    amount = session_bonus(course, settings.payment, state)
    return {
        "screen": "debrief",
        **context.common(),
        "text": paragraphs(settings.debrief.text),
        "bonus": {"amount": str(amount), "currency": settings.payment.currency},
        "unspent": sum(unspent_points(course, state)),
        "completion": _completion(settings, settings.completion.complete),
    }


def _end(context: ScreenContext) -> EndView:
    settings, state = context.settings, context.state
    code = _code(settings, state)
    text = ending(state.screen, state.reason, settings.study.contact, coded=bool(code))
    return {
        "screen": cast(EndScreen, state.screen),
        **context.common(),
        "text": text,
        "completion": None if code is None else _completion(settings, code),
    }


def _code(settings: Settings, state: SessionState) -> str | None:
    """The completion code of an end; an expired session has none."""
    codes = settings.completion
    if state.reason == EXPIRED:
        return None
    return {
        "declined": codes.no_consent,
        "failed_check": codes.failed_check,
        "screened_out": codes.screened_out,
        "withdrawn": codes.withdrawn,
        "technical": codes.technical,
    }[state.screen]


def _completion(settings: Settings, code: str) -> CompletionView:
    return {"code": code, "url": settings.completion.link(code)}


_VIEWS: dict[Screen, Callable[[ScreenContext], ScreenView]] = {
    "consent": _consent,
    "tutorial": _tutorial,
    "check": _check,
    "card": _card,
    "trial": _trial,
    "survey": _survey,
    "debrief": _debrief,
}
