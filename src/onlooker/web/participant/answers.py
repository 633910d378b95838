"""The answers that people give outside of rounds, stored in rows of their own."""

from __future__ import annotations

from onlooker.web.settings import Settings
from onlooker.web.settings.questions import kept_answers
from onlooker.web.store.models import SessionRow
from onlooker.web.store.transaction import Stamp, Transaction
from onlooker.web.study.intents import (
    AnswerIntent,
    ConsentIntent,
    Intent,
    MalformedIntentError,
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


def only_what_is_asked(settings: Settings, intent: Intent) -> Intent:
    """The intent without answers to what is not asked; MalformedIntentError if one is wrong."""
    if not isinstance(intent, SurveyIntent):
        return intent
    questions = settings.survey.asked(settings.spoken)
    kept = kept_answers(questions, intent.data.all())
    if isinstance(kept, str):
        raise MalformedIntentError(kept)
    return intent.model_copy(update={"data": SurveyAnswers(answers=kept)})
