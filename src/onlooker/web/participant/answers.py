"""Intents as the log stores them: what was agreed to, and answers to what was asked."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from onlooker.web.settings import Consent, Settings
from onlooker.web.settings.questions import SurveyQuestion, kept_answers
from onlooker.web.study.course import Course
from onlooker.web.study.flow import asked_after_round
from onlooker.web.study.intents import (
    Agreement,
    ConsentIntent,
    Intent,
    MalformedIntentError,
    QuestionsIntent,
    SurveyAnswers,
    SurveyIntent,
)
from onlooker.web.study.session_state import SessionState


def as_stored(settings: Settings, course: Course, state: SessionState, intent: Intent) -> Intent:
    """The intent with the consent form's version, or without answers to what is not asked.

    MalformedIntentError if an answer is wrong.
    """
    questions: Sequence[SurveyQuestion]
    if isinstance(intent, ConsentIntent):
        return intent.model_copy(update={"data": _agreement(settings.consent, intent.data.agree)})
    if isinstance(intent, SurveyIntent):
        questions = course.survey(settings.spoken)
    elif isinstance(intent, QuestionsIntent) and state.screen == "questions":
        questions = asked_after_round(course, state)
    else:
        return intent
    kept = kept_answers(questions, intent.data.all())
    if isinstance(kept, str):
        raise MalformedIntentError(kept)
    return intent.model_copy(update={"data": SurveyAnswers(answers=kept)})


def _agreement(consent: Consent, agree: bool) -> Agreement:
    text = "\n\n".join(filter(None, (consent.text, consent.data_protection)))
    text_hash = hashlib.sha256(text.encode()).hexdigest()
    return Agreement(agree=agree, version=consent.version, text_hash=text_hash)
