"""The state of a session: a value that its log determines, and its form as text."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, replace
from typing import Literal

from onlooker.web.study.course import Course
from onlooker.web.study.rounds import Log

Screen = Literal[
    "consent",
    "tutorial",
    "check",
    "card",
    "trial",
    "questions",
    "survey",
    "debrief",
    "declined",
    "failed_check",
    "screened_out",
    "withdrawn",
    "technical",
]

ENDS = frozenset({"debrief", "declined", "failed_check", "screened_out", "withdrawn", "technical"})
# Events that no participant asks for, and the screen that each leads to.
SERVER_KINDS: dict[str, Screen] = {"screened_out": "screened_out", "technical": "technical"}
COMPLETE = "complete"  # how a session ends when everything is there
EXPIRED = "expired"  # the reason of an end after a long absence


@dataclass(frozen=True, slots=True)
class SessionState:
    """Everything about a session that its log determines."""

    screen: Screen = "consent"
    page: int = 0  # of the tutorial, from 0
    practice: tuple[Log, ...] = ()  # of each practice trial
    attempts: int = 0  # at the comprehension check
    wrong: tuple[str, ...] | None = None  # questions answered wrongly the last time
    ordering: int | None = None  # from 1, given when the check has been passed
    logs: tuple[Log, ...] = ()  # of each trial so far, the present one last
    reason: str | None = None  # of an end that can have several

    @property
    def ended(self) -> bool:
        """Whether the session has ended."""
        return self.screen in ENDS

    @property
    def end_reason(self) -> str | None:
        """How the session ended; None if it has not."""
        if not self.ended:
            return None
        if self.complete:
            return COMPLETE
        return EXPIRED if self.reason == EXPIRED else self.screen

    @property
    def complete(self) -> bool:
        """Whether this is the regular end."""
        return self.screen == "debrief"

    def dump(self) -> str:
        """The state as text; equal states have equal texts."""
        # All fields are plain values already; `asdict` would copy them, ten times as slow.
        values = {field: getattr(self, field) for field in self.__dataclass_fields__}
        return json.dumps(values, separators=(",", ":"), sort_keys=True)

    @staticmethod
    def load(text: str) -> SessionState:
        """The state from the text of `dump`."""
        values = json.loads(text)
        wrong = values.pop("wrong")
        return SessionState(
            practice=tuple(map(tuple, values.pop("practice"))),
            logs=tuple(map(tuple, values.pop("logs"))),
            wrong=None if wrong is None else tuple(wrong),
            **values,
        )

    @property
    def hash(self) -> str:
        """A short text that differs when the state does."""
        return hash_state(self.dump())


def hash_state(text: str) -> str:
    """The hash of the state with this text."""
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def first_state(course: Course) -> SessionState:
    """The state at the beginning of every session."""
    return SessionState(practice=((),) * len(course.practice))


def end_state(state: SessionState, screen: Screen, reason: str | None = None) -> SessionState:
    """The state after the server ended the session."""
    return replace(state, screen=screen, reason=reason)
