"""Arrivals: the ids in the link and what they mean."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from onlooker.web.participant.links import is_signed
from onlooker.web.settings import Settings
from onlooker.web.texts import Texts, load_texts

TEST_PREFIX = "test-"
PLACEHOLDER = "{{%"  # what the platform replaces in a link begins with it


@dataclass(frozen=True, slots=True)
class Arrival:
    """What the browser sends on arrival."""

    pid: str = ""  # PROLIFIC_PID
    study_id: str = ""
    prolific_session: str = ""  # SESSION_ID
    viewport: tuple[int, int] | None = None
    signature: str = ""


@dataclass(frozen=True, slots=True)
class Newcomer:
    """A person who may have a session."""

    pid: str
    test: bool
    study_id: str
    experiment: int
    prolific_session: str
    viewport: str | None


class ArrivalError(Exception):
    """There can be no session; nothing is recorded."""

    def __init__(self, code: str, message: str, **more: object) -> None:
        self.code, self.message, self.more = code, message, more
        super().__init__(message)


class NotNowError(Exception):
    """There can be no session at this moment; nothing is recorded, and the browser tries again."""

    def __init__(self, status: int, code: str, message: str, seconds: float) -> None:
        self.status, self.code, self.message, self.seconds = status, code, message, seconds
        super().__init__(message)


def refusal(texts: Texts, code: str, **values: object) -> ArrivalError:
    """The error with this code, in the study's language."""
    return ArrivalError(code, texts.line(f"arrival.{code}", **values))


def identify(settings: Settings, arrival: Arrival) -> Newcomer:
    """Who arrived, and for which experiment; ArrivalError if the link or the window is wrong."""
    texts = load_texts(settings.study.language)
    if PLACEHOLDER in arrival.pid + arrival.study_id + arrival.prolific_session:
        raise ArrivalError("unfilled_link", _unfilled(settings, texts))
    test = not arrival.pid or arrival.pid.startswith(TEST_PREFIX)
    if test and not settings.study.test_runs:
        raise refusal(texts, "no_participant")
    study_id = arrival.study_id or ("test" if test else "")
    experiment = settings.experiment_of(study_id)
    if experiment is None and test:
        experiment = settings.study.numbers[0]
    if experiment is None or not study_id:
        raise refusal(texts, "unknown_study")
    if not test and settings.admission.link_key_env is not None:
        _check_signature(settings.admission.link_key, arrival, study_id, texts)
    _check_viewport(settings, arrival, texts)
    return Newcomer(
        pid=arrival.pid or TEST_PREFIX + secrets.token_hex(8),
        test=test,
        study_id=study_id,
        experiment=experiment,
        prolific_session=arrival.prolific_session,
        viewport=arrival.viewport and "{}x{}".format(*arrival.viewport),
    )


def _unfilled(settings: Settings, texts: Texts) -> str:
    """What a link means whose placeholders nobody has filled in."""
    more = "unfilled_test_run" if settings.study.test_runs else "unfilled_preview"
    return f"{texts.line('arrival.unfilled_link')} {texts.line(f'arrival.{more}')}"


def _check_signature(key: str, arrival: Arrival, study_id: str, texts: Texts) -> None:
    if not is_signed(key, arrival.pid, study_id, arrival.signature):
        raise refusal(texts, "unsigned_link")


def _check_viewport(settings: Settings, arrival: Arrival, texts: Texts) -> None:
    width, height = settings.study.minimum_viewport
    if arrival.viewport and (arrival.viewport[0] < width or arrival.viewport[1] < height):
        error = refusal(texts, "small_window", width=width, height=height)
        error.more["minimum"] = [width, height]
        raise error
