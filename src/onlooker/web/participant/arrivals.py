"""Arrivals: the ids in the link and what they mean."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from onlooker.game import ExperimentName
from onlooker.web.settings import Settings
from onlooker.web.texts import Texts

TEST_PREFIX = "test-"
PLACEHOLDER = "{{%"  # what the platform replaces in a link begins with it


@dataclass(frozen=True, slots=True)
class LinkProof:
    """What a link has to show that it was made for its participant."""

    signature: str = ""  # of `onlooker links`
    expires: int = 0  # seconds since 1970
    token: str = ""  # of Prolific


@dataclass(frozen=True, slots=True)
class Arrival:
    """What the browser sends on arrival."""

    pid: str = ""  # PROLIFIC_PID
    study_id: str = ""
    prolific_session: str = ""  # SESSION_ID
    viewport: tuple[int, int] | None = None
    link: LinkProof = LinkProof()


@dataclass(frozen=True, slots=True)
class Newcomer:
    """A person who may have a session."""

    pid: str
    test: bool
    study_id: str
    experiment: ExperimentName
    prolific_session: str
    viewport: tuple[int, int] | None
    link: LinkProof


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
    texts = settings.spoken
    if PLACEHOLDER in arrival.pid + arrival.study_id + arrival.prolific_session:
        raise ArrivalError("unfilled_link", _unfilled(settings, texts))
    test = not arrival.pid or arrival.pid.startswith(TEST_PREFIX)
    if test and not settings.study.allow_test_runs:
        raise refusal(texts, "no_participant")
    study_id = arrival.study_id or ("test" if test else "")
    experiment = settings.experiment_of(study_id)
    if experiment is None and test:
        experiment = settings.study.run[0]
    if experiment is None or not study_id:
        raise refusal(texts, "unknown_study")
    return Newcomer(
        pid=arrival.pid or TEST_PREFIX + secrets.token_hex(8),
        test=test,
        study_id=study_id,
        experiment=experiment,
        prolific_session=arrival.prolific_session,
        viewport=arrival.viewport,
        link=arrival.link,
    )


def _unfilled(settings: Settings, texts: Texts) -> str:
    """What a link means whose placeholders nobody has filled in."""
    more = "unfilled_test_run" if settings.study.allow_test_runs else "unfilled_preview"
    return f"{texts.line('arrival.unfilled_link')} {texts.line(f'arrival.{more}')}"


def check_window(settings: Settings, newcomer: Newcomer) -> None:
    """ArrivalError if the window is too small to play in; who has a session may read in any."""
    width, height = settings.study.minimum_viewport
    viewport = newcomer.viewport
    if viewport and (viewport[0] < width or viewport[1] < height):
        texts = settings.spoken
        error = refusal(texts, "small_window", width=width, height=height)
        error.more["minimum"] = [width, height]
        raise error
