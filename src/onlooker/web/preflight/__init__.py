"""The preflight check: the settings, bots that play the whole study, and the database."""

from __future__ import annotations

from collections.abc import Callable

from onlooker.observers import Observer
from onlooker.web.preflight.database_checks import check_database_in_use
from onlooker.web.preflight.findings import Finding, ready
from onlooker.web.preflight.rehearsal import rehearse
from onlooker.web.preflight.settings_checks import check_settings
from onlooker.web.settings import Settings
from onlooker.web.study.course import Courses

__all__ = ["Finding", "preflight", "ready"]


def preflight(
    settings: Settings,
    courses: Courses,
    observer: Observer,
    database: str | None = None,
    report: Callable[[Finding], None] = lambda finding: None,
) -> list[Finding]:
    """Run all checks; `report` gets each finding as it is made."""
    findings = []
    for part in (
        check_settings(settings, courses),
        rehearse(settings, courses, observer, database),
        check_database_in_use(database, courses) if database else (),
    ):
        for finding in part:
            report(finding)
            findings.append(finding)
    return findings
