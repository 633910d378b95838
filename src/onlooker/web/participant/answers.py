"""The answers that people give outside of rounds, stored in rows of their own."""

from __future__ import annotations

from onlooker.web.settings import Settings, Survey
from onlooker.web.store.models import SessionRow
from onlooker.web.store.transaction import Stamp, Transaction
from onlooker.web.study.intents import AnswerIntent, ConsentIntent, Intent, SurveyIntent
from onlooker.web.study.session_state import SessionState

ATTENTIVE = "d"  # the option that the attention check asks for, the last


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
    elif isinstance(intent, SurveyIntent):
        given = intent.data
        passed = None if given.attention is None else given.attention == ATTENTIVE
        tx.survey(session, given.age, given.gender, given.feedback, passed, written)


def only_what_is_asked(asks: Survey, intent: Intent) -> Intent:
    """The intent without answers to questions that the survey does not ask."""
    if not isinstance(intent, SurveyIntent):
        return intent
    kept = {
        "age": intent.data.age if asks.ask_age else None,
        "gender": intent.data.gender if asks.ask_gender else None,
        "attention": intent.data.attention if asks.attention_check else None,
    }
    return intent.model_copy(update={"data": intent.data.model_copy(update=kept)})
