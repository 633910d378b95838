"""What the checks before a study find."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from onlooker.web.store import Store
from onlooker.web.study.course import Courses

Verdict = Literal["ok", "warning", "not ready"]


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check."""

    verdict: Verdict
    what: str

    def __str__(self) -> str:
        return f"{self.verdict:9}  {self.what}"


def ready(findings: list[Finding]) -> bool:
    """Whether the study is ready for participants."""
    return all(finding.verdict != "not ready" for finding in findings)


def must(fine: bool, what: str, problem: str) -> Finding:
    """What a study cannot go without."""
    return Finding("ok", what) if fine else Finding("not ready", problem)


def should(fine: bool, what: str, problem: str) -> Finding:
    """What a study should have."""
    if fine:
        return Finding("ok", what)
    return Finding("warning", f"expected: {what} ({problem})")


def replayed(store: Store, courses: Courses, what: str) -> Finding:
    """Whether every log leads to what is stored of its session."""
    sessions = [*store.sessions(), *store.sessions(test=True)]
    problems = [
        f"session {session.id}: {problem}"
        for session in sessions
        for problem in store.verify(session.id, courses)
    ]
    return must(not problems, f"{what} ({len(sessions)} sessions)", "; ".join(problems[:3]))
