"""The answers that people give outside of rounds, stored in rows of their own."""

from __future__ import annotations

from collections.abc import Sequence

from onlooker.web.settings import Settings
from onlooker.web.settings.questions import SurveyQuestion, kept_answers
from onlooker.web.store.models import SessionRow
from onlooker.web.store.transaction import Stamp, Transaction
from onlooker.web.study.course import Course
from onlooker.web.study.flow import asked_after_round
from onlooker.web.study.intents import (
    AnswerIntent,
    ConsentIntent,
    Intent,
    MalformedIntentError,
    QuestionsIntent,
    SurveyAnswers,
    SurveyIntent,
)
from onlooker.web.study.session_state import SessionState


def store_answers(
    tx: Transaction,
    settings: Settings,
    session: SessionRow,
    intent: Intent,
    after: SessionState,
    written: Stamp,
) -> None:
    """Store the rows of an intent in addition to its event."""
    if isinstance(intent, ConsentIntent):
        consent = settings.consent
        whole = "\n\n".join(filter(None, (consent.text, consent.data_protection)))
        tx.consent(session, consent.version, whole, intent.data.agree, written)
    elif isinstance(intent, AnswerIntent):
        tx.check(session, after, intent.data.answers, written)


def only_what_is_asked(
    settings: Settings, course: Course, state: SessionState, intent: Intent
) -> Intent:
    """The intent without answers to what is not asked; MalformedIntentError if one is wrong."""
    questions: Sequence[SurveyQuestion]
    if isinstance(intent, SurveyIntent):
        questions = settings.survey.asked(settings.spoken)
    elif isinstance(intent, QuestionsIntent) and state.screen == "questions":
        questions = asked_after_round(course, state)
    else:
        return intent
    kept = kept_answers(questions, intent.data.all())
    if isinstance(kept, str):
        raise MalformedIntentError(kept)
    return intent.model_copy(update={"data": SurveyAnswers(answers=kept)})
