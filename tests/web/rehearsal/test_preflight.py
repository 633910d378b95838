"""The check before people come."""

from __future__ import annotations

from pathlib import Path

import pytest

from onlooker.observers import find_observer
from onlooker.web.rehearsal.preflight import (
    Finding,
    check_database_in_use,
    check_settings,
    preflight,
    ready,
    rehearse,
)
from onlooker.web.settings import Settings, default_settings
from onlooker.web.settings.passwords import hash_password
from onlooker.web.store import Store
from onlooker.web.study.course import Courses
from web.short_study import shortened

OBSERVER = find_observer("rational_mentalizing")


def live_settings(**study: object) -> Settings:
    """Settings that may go live."""
    values = default_settings(1).model_dump()
    values["study"] |= {"contact": "lab@university.edu", "allow_test_runs": False} | study
    values["study"]["study_ids"] = ["mine"]
    values["consent"]["text"] = "A text that an ethics board has approved."
    codes = ("complete", "failed_check", "no_consent", "screened_out", "technical")
    values["completion"] |= {name: f"C{number}" for number, name in enumerate(codes)}
    values["researcher"] = {"password_hash": hash_password("open sesame")}
    values["quota"] = {1: 16}
    return Settings.model_validate(values)


def problems(settings: Settings, courses: Courses) -> list[str]:
    return [
        str(finding)
        for finding in check_settings(settings, shortened(courses))
        if finding.verdict != "ok"
    ]


def test_good_settings_pass(courses: Courses) -> None:
    assert problems(live_settings(), courses) == []


@pytest.mark.parametrize(
    ("part", "changes", "said"),
    [
        ("study", {"debug": True}, "not ready  study.debug is on"),
        ("study", {"allow_test_runs": True}, "warning    it would be better if test runs are off"),
        (
            "researcher",
            {"password_hash": None},
            "not ready  the researcher's pages have no password",
        ),
        ("completion", {"complete": "C1"}, "not ready  completion: two ends have the same code"),
        ("completion", {"complete": "C0MPLETE"}, "not ready  completion: C0MPLETE"),
        ("study", {"study_ids": ()}, "warning    it would be better if only known STUDY_IDs"),
        ("admission", {"link_key_env": "NOT_SET"}, "not ready  admission: not set in the"),
        ("consent", {"text": default_settings(1).consent.text}, "not ready  consent.text"),
    ],
)
def test_what_must_not_go_live_is_told(
    courses: Courses, part: str, changes: dict[str, object], said: str
) -> None:
    settings = live_settings()
    changed = getattr(settings, part).model_copy(update=changes)
    found = problems(settings.model_copy(update={part: changed}), courses)
    assert len(found) == 1
    assert found[0].startswith(said)


@pytest.mark.parametrize(
    ("quota", "said"), [({}, "has no quota"), ({1: 57}, "not a multiple of 8")]
)
def test_the_quota_is_looked_at(courses: Courses, quota: dict[int, int], said: str) -> None:
    [found] = problems(live_settings().model_copy(update={"quota": quota}), courses)
    assert said in found


def test_the_settings_for_trying_out_are_not_ready(courses: Courses) -> None:
    assert not ready(list(check_settings(default_settings(1), shortened(courses))))


def test_a_rehearsal_goes_through_everything(courses: Courses) -> None:
    reported: list[Finding] = []
    findings = preflight(live_settings(), shortened(courses), OBSERVER, report=reported.append)
    assert findings == reported
    assert [str(f) for f in findings if f.verdict != "ok"] == []
    text = "\n".join(map(str, findings))
    for part in (
        "all 8 orderings",
        "every log gives",
        "the export has all 8",
        "8 bots",
        "a backup",
    ):
        assert part in text


def test_a_rehearsal_that_fails_is_told(courses: Courses, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("onlooker.web.rehearsal.bots.right_answers", lambda course: {"no": "such"})
    findings = list(rehearse(live_settings(), shortened(courses), OBSERVER))
    assert not ready(findings)
    assert "bots did not finish" in findings[0].what


def test_a_database_in_use_is_looked_at_in_a_copy(
    store: Store, courses: Courses, tmp_path: Path
) -> None:
    database = str(tmp_path / "study.db")
    assert ready(list(check_database_in_use(database, courses)))
    store.set_paused(1, True, "2025-03-01T12:00:00.000Z")
    assert any(
        "paused" in finding.what for finding in check_database_in_use(database, {1: courses[1]})
    )
    assert not ready(list(check_database_in_use(str(tmp_path / "none.db"), courses)))
