"""The flow of a study as pure functions: the state after an intent, and the result of a session."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_UP, Decimal
from typing import Any, Protocol

from onlooker.game import (
    Stage,
    Turn,
    Unavailable,
    opening,
    parse_choice,
    take,
)
from onlooker.web.settings import Consent, Payment, Settings
from onlooker.web.settings.questions import SurveyQuestion, kept_answers
from onlooker.web.study.course import Course
from onlooker.web.study.intents import (
    Agreement,
    AnswerIntent,
    ChooseIntent,
    ConsentIntent,
    Intent,
    MalformedIntentError,
    QuestionsIntent,
    StepIntent,
    SurveyAnswers,
    SurveyIntent,
    read_intent,
)
from onlooker.web.study.rounds import Log
from onlooker.web.study.session_state import (
    SERVER_KINDS,
    Screen,
    SessionState,
    end_state,
    first_state,
)


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why an intent is not possible."""

    message: str


# -- rounds ----------------------------------------------------------------------------------------


def current_round(course: Course, state: SessionState) -> tuple[Stage, list[Turn]] | None:
    """The round on the screen and its turns so far; None if there is no round."""
    if state.screen == "tutorial":
        index = course.pages[state.page].practice
        if index is None:
            return None
        stage, log = course.practice[index], state.practice[index]
        return stage, course.played.turns(stage, log)
    if state.screen in ("trial", "questions"):
        assert state.ordering is not None
        stage = course.stage(state.ordering, len(state.logs) - 1)
        return stage, course.played.turns(stage, state.logs[-1])
    return None


def is_over(course: Course, stage: Stage, turns: Sequence[Turn]) -> bool:
    """Whether a round is over: the chest is reached, no points are left, or it got too long."""
    return (turns[-1].situation if turns else opening(stage)).over or is_too_long(course, turns)


def is_too_long(course: Course, turns: Sequence[object]) -> bool:
    """Whether a round has as many choices as it may have."""
    return len(turns) >= course.most_choices


# -- flow ------------------------------------------------------------------------------------------


def advance(course: Course, state: SessionState, intent: Intent) -> SessionState | Refusal:
    """The state after an intent, or why it is not possible now."""
    if state.ended:
        return Refusal("the session has ended")
    if isinstance(intent, StepIntent) and intent.kind == "withdraw":
        return replace(state, screen="withdrawn")
    handler = _HANDLERS.get((state.screen, intent.kind))
    if handler is None:
        return Refusal(f"'{intent.kind}' is not possible on the screen '{state.screen}'")
    return handler(course, state, intent)


def _consent(course: Course, state: SessionState, intent: Intent) -> SessionState:
    assert isinstance(intent, ConsentIntent)
    return replace(state, screen="tutorial" if intent.data.agree else "declined")


def _next_page(course: Course, state: SessionState, intent: Intent) -> SessionState | Refusal:
    game = current_round(course, state)
    if game is not None and not is_over(course, *game):
        return Refusal("the practice round is not finished yet")
    if state.page + 1 < len(course.pages):
        return replace(state, page=state.page + 1)
    return replace(state, screen="check")


def _page_back(course: Course, state: SessionState, intent: Intent) -> SessionState | Refusal:
    if state.page == 0:
        return Refusal("this is the first page")
    return replace(state, page=state.page - 1)


def _answer(course: Course, state: SessionState, intent: Intent) -> SessionState | Refusal:
    assert isinstance(intent, AnswerIntent)
    given = intent.data.answers
    if set(given) != {question.id for question in course.questions}:
        return Refusal("expected one answer to each question")
    for question in course.questions:
        if given[question.id] not in {option.id for option in question.options}:
            return Refusal(f"question {question.id!r} has no option {given[question.id]!r}")
    wrong = tuple(q.id for q in course.questions if given[q.id] != q.right)
    after = replace(state, attempts=state.attempts + 1, wrong=wrong)
    if not wrong:
        return replace(after, screen="card")
    return replace(after, screen="failed_check") if after.attempts >= course.chances else after


def _to_tutorial(course: Course, state: SessionState, intent: Intent) -> SessionState:
    return replace(state, screen="tutorial")  # on its last page, from where it came


def _open_trial(course: Course, state: SessionState, intent: Intent) -> SessionState:
    return replace(state, screen="trial", logs=(*state.logs, ()))


def _choose(course: Course, state: SessionState, intent: Intent) -> SessionState | Refusal:
    assert isinstance(intent, ChooseIntent)
    game = current_round(course, state)
    if game is None:
        return Refusal("there is nothing to play on this page")
    stage, turns = game
    if is_too_long(course, turns):
        return Refusal("the round has become too long")
    try:
        choice = parse_choice(intent.data.choice)
    except ValueError as error:
        return Refusal(str(error))
    turn = take(stage, turns[-1].situation if turns else opening(stage), choice)
    if isinstance(turn, Unavailable):
        return Refusal(turn.reason)
    if state.screen == "trial":
        return replace(state, logs=_extended(state.logs, -1, str(choice)))
    index = course.pages[state.page].practice
    assert index is not None
    return replace(state, practice=_extended(state.practice, index, str(choice)))


def _extended(logs: tuple[Log, ...], index: int, choice: str) -> tuple[Log, ...]:
    changed = list(logs)
    changed[index] = (*changed[index], choice)
    return tuple(changed)


def _close_trial(course: Course, state: SessionState, intent: Intent) -> SessionState | Refusal:
    game = current_round(course, state)
    if game is None or not is_over(course, *game):
        return Refusal("the round is not finished yet")
    return replace(state, screen="questions" if course.round_questions else _after(course, state))


def _after(course: Course, state: SessionState) -> Screen:
    """Where a round leads to."""
    return "survey" if len(state.logs) == course.rounds else "card"


def asked_after_round(course: Course, state: SessionState) -> list[SurveyQuestion]:
    """The questions after the last round that was played, with the options of its trial."""
    assert state.ordering is not None
    trial = course.stage(state.ordering, len(state.logs) - 1).trial
    letters = [chest.letter for chest in trial.map.chests]
    return [question.about(letters) for question in course.round_questions]


def _questions(course: Course, state: SessionState, intent: Intent) -> SessionState:
    assert isinstance(intent, QuestionsIntent)
    return replace(state, screen=_after(course, state))


def _survey(course: Course, state: SessionState, intent: Intent) -> SessionState:
    assert isinstance(intent, SurveyIntent)
    return replace(state, screen="debrief")


_Handler = Callable[[Course, SessionState, Intent], SessionState | Refusal]
_HANDLERS: dict[tuple[str, str], _Handler] = {
    ("consent", "consent"): _consent,
    ("tutorial", "next"): _next_page,
    ("tutorial", "back"): _page_back,
    ("tutorial", "choose"): _choose,
    ("check", "answer"): _answer,
    ("check", "back"): _to_tutorial,
    ("card", "next"): _open_trial,
    ("trial", "choose"): _choose,
    ("trial", "next"): _close_trial,
    ("questions", "questions"): _questions,
    ("survey", "survey"): _survey,
}


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


# -- the log ---------------------------------------------------------------------------------------


class LogEntry(Protocol):
    """The part of an event that replaying needs."""

    @property
    def kind(self) -> str:
        """An intent's kind, or one of SERVER_KINDS."""

    @property
    def data(self) -> dict[str, Any]:
        """The intent's data."""

    @property
    def ordering(self) -> int | None:
        """The ordering that was given with this event."""


class ReplayError(ValueError):
    """A session's log contains an event that was not possible."""


def replay(course: Course, log: Iterable[LogEntry]) -> list[SessionState]:
    """The state of a session after each event of its log."""
    state, states = first_state(course), []
    for number, entry in enumerate(log):
        state = _follow(course, state, entry, number)
        if entry.ordering is not None:
            state = replace(state, ordering=entry.ordering)
        states.append(state)
    return states


def _follow(course: Course, state: SessionState, entry: LogEntry, number: int) -> SessionState:
    if entry.kind in SERVER_KINDS:
        return end_state(state, SERVER_KINDS[entry.kind], entry.data.get("reason"))
    try:
        after = advance(course, state, read_intent(entry.kind, entry.data))
    except MalformedIntentError as error:
        after = Refusal(str(error))
    if isinstance(after, Refusal):
        raise ReplayError(f"event {number} ({entry.kind}): {after.message}")
    return after


# -- results ---------------------------------------------------------------------------------------


def unspent_points(course: Course, state: SessionState) -> list[int]:
    """The points left over in each trial that has been finished."""
    if state.ordering is None:
        return []
    found = (
        _round_points(course, course.stage(state.ordering, position), log)
        for position, log in enumerate(state.logs)
    )
    return [points for points in found if points is not None]


def _round_points(course: Course, stage: Stage, log: Log) -> int | None:
    """The points left over in a round; None while it is not over.

    One that got too long is never worth more than one that was played to its end.
    """
    points = course.played.unspent(stage, log)
    if points is None and is_too_long(course, log):
        return min(0, stage.budget - course.played.turns(stage, log)[-1].situation.spent)
    return points


def possible_points(course: Course, state: SessionState) -> int:
    """The points that would be left over at best in all trials of the ordering."""
    if state.ordering is None:
        return 0
    names = course.ordering(state.ordering)
    return sum(course.stages[name].budget - course.least_costs[name] for name in names)


def bonus_amount(payment: Payment, unspent: int, possible: int) -> Decimal:
    """The bonus for the points left over, of those that could have been; never below 0.

    >>> bonus_amount(Payment(base=4), unspent=110, possible=220)
    Decimal('1.00')
    """
    if payment.bonus_rule == "none" or possible <= 0:
        amount = Decimal(0)
    elif payment.bonus_rule == "per_point":
        amount = payment.bonus_per_point * unspent
    else:
        amount = payment.bonus_max * unspent / possible
    amount = min(max(amount, Decimal(0)), payment.bonus_max)
    return amount.quantize(Decimal("0.01"), ROUND_HALF_UP)


def session_bonus(course: Course, payment: Payment, state: SessionState) -> Decimal:
    """The bonus of a session; nothing unless it is complete."""
    if not state.complete:
        return Decimal("0.00")
    points = sum(unspent_points(course, state))
    return bonus_amount(payment, points, possible_points(course, state))
