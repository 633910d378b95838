"""The view of a session's current screen."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar, cast
from urllib.parse import urlsplit

from onlooker.game import Stage, Turn
from onlooker.web.settings import Settings
from onlooker.web.settings.questions import SurveyQuestion, localised
from onlooker.web.study.content import ending, paragraphs
from onlooker.web.study.course import Course
from onlooker.web.study.flow import (
    asked_after_round,
    current_round,
    is_too_long,
    session_bonus,
    unspent_points,
)
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
    FactView,
    GameView,
    ProgressPart,
    ProgressView,
    QuestionsView,
    RefusalReason,
    ScreenView,
    SurveyOptionView,
    SurveyQuestionView,
    SurveyView,
    TrialView,
    TutorialView,
)
from onlooker.web.texts import Texts

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class ScreenContext:
    """Everything a view depends on."""

    settings: Settings
    course: Course
    state: SessionState
    seq: int
    seed: int = 0  # the session's: it orders options
    test: bool = False
    opened: bool = False  # the page is opened, perhaps again

    @property
    def texts(self) -> Texts:
        """What the study says today; the course has what was said when the session began."""
        return self.settings.spoken

    def common(self) -> BaseView:
        """The part that every view has."""
        return {
            "seq": self.seq,
            "study": {
                "title": self.settings.study.title,
                "experiment": self.course.experiment,
                "label": self.course.label,
            },
            "progress": _progress(self.course, self.state),
        }

    def shuffled(self, options: Sequence[Item], name: str) -> list[Item]:
        """Options in an order of this session, the same whenever they are shown."""
        mixed = list(options)
        random.Random(f"{self.seed} {name}").shuffle(mixed)
        return mixed


def _progress(course: Course, state: SessionState) -> ProgressView | None:
    """How far a session is; None at an end."""
    pages, rounds, played = len(course.pages), course.rounds, len(state.logs)
    places: dict[str, tuple[ProgressPart, int, int, int]] = {  # part, at, of, steps before
        "consent": ("consent", 1, 1, 0),
        "tutorial": ("tutorial", state.page + 1, pages, 1 + state.page),
        "check": ("check", 1, 1, 1 + pages),
        "card": ("round", played + 1, rounds, 2 + pages + played),
        "trial": ("round", played, rounds, 1 + pages + played),
        "questions": ("round", played, rounds, 1 + pages + played),
        "survey": ("survey", 1, 1, 2 + pages + rounds),
    }
    if state.screen not in places:
        return None
    part, at, of, before = places[state.screen]
    return {"part": part, "at": at, "of": of, "done": 100 * before // (3 + pages + rounds)}


def screen_view(context: ScreenContext) -> ScreenView:
    """The view of a session."""
    return _VIEWS.get(context.state.screen, _end)(context)


def refused_view(settings: Settings, course: Course, reason: RefusalReason) -> EndView:
    """The view of a person who arrives while nobody can start; there is no session."""
    context = ScreenContext(settings, course, SessionState(), 0)
    code = settings.completion.screened_out if reason == "full" else None
    return {
        "screen": reason,
        **context.common(),
        "progress": None,
        "text": ending(context.texts, reason, None, settings.study.contact, coded=False),
        "completion": None if code is None else _completion(context, code),
    }


def _consent(context: ScreenContext) -> ConsentView:
    consent, texts = context.settings.consent, context.texts
    return {
        "screen": "consent",
        **context.common(),
        "facts": _facts(context.settings, texts),
        "text": paragraphs(consent.text),
        "data_protection": paragraphs(consent.data_protection or ""),
        "version": consent.version,
        "agree": consent.agree or texts.line("consent.agree"),
        "decline": consent.decline or texts.line("consent.decline"),
    }


def _facts(settings: Settings, texts: Texts) -> list[FactView]:
    """How long it takes, the pay and the largest bonus."""
    payment = settings.payment
    facts: list[FactView] = []
    if settings.study.minutes is not None:
        line = texts.line("consent.minutes", minutes=settings.study.minutes)
        facts.append({"kind": "duration", "text": line})
    line = texts.money(payment.base, payment.currency)
    facts.append({"kind": "pay", "text": line})
    if payment.bonus_rule != "none" and payment.bonus_max > 0:
        most = texts.money(payment.bonus_max, payment.currency)
        line = texts.line("consent.bonus", bonus=most)
        facts.append({"kind": "bonus", "text": line})
    return facts


def _tutorial(context: ScreenContext) -> TutorialView:
    number, pages = context.state.page, context.course.pages
    page = pages[number]
    game = current_round(context.course, context.state)
    return {
        "screen": "tutorial",
        **context.common(),
        "page": number + 1,
        "pages": len(pages),
        "title": page.title,
        "text": list(page.text),
        "example": page.example,
        "game": game and _game(context, *game, tutorial=True),
    }


def _game(context: ScreenContext, stage: Stage, turns: list[Turn], tutorial: bool) -> GameView:
    over = turns[-1].situation.over if turns else False
    too_long = not over and is_too_long(context.course, turns)
    return game_view(stage, turns, tutorial, context.texts, context.opened, too_long)


def _check(context: ScreenContext) -> CheckView:
    state, course = context.state, context.course
    return {
        "screen": "check",
        **context.common(),
        "questions": [
            {
                "id": question.id,
                "text": question.text,
                "options": [
                    {"id": o.id, "text": o.text}
                    for o in context.shuffled(question.options, question.id)
                ],
            }
            for question in course.questions
        ],
        "attempt": state.attempts + 1,
        "attempts": course.chances,
        "wrong": None if state.wrong is None else list(state.wrong),
        "given": _given(course, state),
        "reminder": list(course.reminder) if state.attempts else [],
    }


def _given(course: Course, state: SessionState) -> dict[str, str]:
    """The answers of the last attempt that were right."""
    if state.wrong is None:
        return {}
    return {q.id: q.right for q in course.questions if q.id not in state.wrong}


def _card(context: ScreenContext) -> CardView:
    state, course = context.state, context.course
    assert state.ordering is not None
    position = len(state.logs)
    stage = course.stage(state.ordering, position)
    return {
        "screen": "card",
        **context.common(),
        "number": position + 1,
        "of": course.rounds,
        "goal": stage.trial.main.goal,
        "budget": stage.budget,
        "total": sum(unspent_points(course, state)),
        "npcs": npc_label_views(stage.trial, context.texts, stage.told),
    }


def _trial(context: ScreenContext) -> TrialView:
    game = current_round(context.course, context.state)
    assert game is not None
    number = len(context.state.logs)
    return {
        "screen": "trial",
        **context.common(),
        "number": number,
        "of": context.course.rounds,
        "total": sum(unspent_points(context.course, context.state)),
        "asks": bool(context.course.round_questions),
        "game": _game(context, *game, tutorial=False),
    }


def _questions(context: ScreenContext) -> QuestionsView:
    game = current_round(context.course, context.state)
    assert game is not None
    asked = asked_after_round(context.course, context.state)
    return {
        "screen": "questions",
        **context.common(),
        "number": len(context.state.logs),
        "of": context.course.rounds,
        "questions": [_survey_question(each, context.texts.language) for each in asked],
        "game": _game(context, *game, tutorial=False),
    }


def _survey(context: ScreenContext) -> SurveyView:
    asked = context.course.survey(context.texts)
    return {
        "screen": "survey",
        **context.common(),
        "questions": [_survey_question(each, context.texts.language) for each in asked],
    }


def _survey_question(question: SurveyQuestion, language: str) -> SurveyQuestionView:
    options: list[SurveyOptionView] = [
        {"value": value, "text": localised(option, language)}
        for value, option in zip(question.values, question.options, strict=True)
    ]
    if question.kind == "scale":
        points = range(int(question.minimum or 0), int(question.maximum or 0) + 1)
        options = [{"value": str(point), "text": str(point)} for point in points]
    when = question.when
    return {
        "id": question.id,
        "kind": question.kind,
        "text": localised(question.text, language),
        "required": question.required,
        "options": options,
        "minimum": question.minimum,
        "maximum": question.maximum,
        "low": localised(question.low or "", language),
        "high": localised(question.high or "", language),
        "when": None if when is None else {"question": when.question, "answer": when.answer},
    }


def _debrief(context: ScreenContext) -> DebriefView:
    settings, course, state = context.settings, context.course, context.state
    amount = session_bonus(course, settings.payment, state)
    return {
        "screen": "debrief",
        **context.common(),
        "text": paragraphs(settings.debrief.text or "") or context.texts.lines("debrief.text"),
        "bonus": {
            "amount": str(amount),
            "currency": settings.payment.currency,
            "text": context.texts.money(amount, settings.payment.currency),
        },
        "unspent": sum(unspent_points(course, state)),
        "completion": _completion(context, settings.completion.complete),
    }


def _end(context: ScreenContext) -> EndView:
    settings, state = context.settings, context.state
    code = _code(settings, state)
    text = ending(
        context.texts, state.screen, state.reason, settings.study.contact, coded=bool(code)
    )
    return {
        "screen": cast(EndScreen, state.screen),
        **context.common(),
        "text": text,
        "completion": None if code is None else _completion(context, code),
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


def _completion(context: ScreenContext, code: str) -> CompletionView:
    url = context.settings.completion.link(code)
    host = urlsplit(url).hostname or ""
    platform = "Prolific" if f".{host}".endswith(".prolific.com") else host
    return {"code": code, "url": url, "platform": platform, "test": context.test}


_VIEWS: dict[Screen, Callable[[ScreenContext], ScreenView]] = {
    "consent": _consent,
    "tutorial": _tutorial,
    "check": _check,
    "card": _card,
    "trial": _trial,
    "questions": _questions,
    "survey": _survey,
    "debrief": _debrief,
}
