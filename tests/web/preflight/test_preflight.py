"""The check before people come."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest
from sqlalchemy import text

from onlooker.observers import find_observer
from onlooker.planning import Tables, hint
from onlooker.web.participant.service import StudyService
from onlooker.web.preflight import Finding, preflight, ready
from onlooker.web.preflight.database_checks import check_database_in_use
from onlooker.web.preflight.rehearsal import rehearse
from onlooker.web.preflight.settings_checks import check_settings
from onlooker.web.settings import Settings, default_settings, load_settings
from onlooker.web.store import Store
from onlooker.web.study.course import Courses
from running import ROOT
from web import postgres
from web.passwords import HASHED
from web.person import Person
from web.short_study import shortened

OBSERVER = find_observer("rational_mentalizing")


def live_settings(**study: object) -> Settings:
    """Settings that may go live."""
    values = default_settings(1).model_dump()
    values["study"] |= {
        "contact": "lab@university.edu",
        "allow_test_runs": False,
        "budget": "map",
    } | study
    values["study"]["study_ids"] = ["mine"]
    values["consent"]["text"] = "A text that an ethics board has approved."
    values["consent"]["data_protection"] = "What becomes of the data."
    codes = ("complete", "failed_check", "no_consent", "screened_out", "technical")
    values["completion"] |= {name: f"C{number}" for number, name in enumerate(codes)}
    values["researcher"] = {"password_hash": HASHED}
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
        (
            "researcher",
            {"password_hash": None, "password_env": "WEAK"},
            "not ready  the password is too weak",
        ),
        ("study", {"allow_test_runs": True}, "warning    expected: test runs are off"),
        (
            "researcher",
            {"password_hash": None},
            "not ready  the researcher's pages have no password",
        ),
        ("completion", {"complete": "C1"}, "not ready  completion: two ends have the same code"),
        ("completion", {"complete": "C0MPLETE"}, "not ready  completion: C0MPLETE"),
        ("study", {"contact": "lab@example.org"}, "warning    expected: participants can contact"),
        ("study", {"study_ids": ()}, "warning    expected: only known STUDY_IDs"),
        ("study", {"minutes": None}, "not ready  study.minutes"),
        ("study", {"minutes": 45}, "warning    expected: the base pay is fair"),
        ("consent", {"data_protection": None}, "not ready  consent.data_protection"),
        ("admission", {"link_key_env": "NOT_SET"}, "not ready  admission: not set in the"),
        ("consent", {"text": default_settings(1).consent.text}, "not ready  consent.text"),
    ],
)
def test_what_must_not_go_live_is_told(
    courses: Courses,
    monkeypatch: pytest.MonkeyPatch,
    part: str,
    changes: dict[str, object],
    said: str,
) -> None:
    monkeypatch.setenv("WEAK", "sesame")
    settings = live_settings()
    changed = getattr(settings, part).model_copy(update=changes)
    found = problems(settings.model_copy(update={part: changed}), courses)
    assert len(found) == 1
    assert found[0].startswith(said)


@pytest.mark.parametrize(
    ("currency", "minutes", "said"),
    [
        ("$", 30, "ok         the base pay is fair"),
        ("$", 31, "payment.base comes to $7.74 an hour; Prolific asks for at least 8"),
        ("£", 40, "ok         the base pay is fair"),
        ("£", 41, "payment.base comes to £5.85 an hour; Prolific asks for at least 6"),
        ("€", 60, "ok         the base pay comes to €4.00 an hour; compare it yourself"),
        ("JPY", 60, "ok         the base pay comes to JPY\xa04.00 an hour; compare it yourself"),
    ],
)
def test_the_pay_is_compared_in_its_own_currency(
    courses: Courses, currency: str, minutes: int, said: str
) -> None:
    settings = live_settings()
    payment = settings.payment.model_copy(update={"base": Decimal(4), "currency": currency})
    study = settings.study.model_copy(update={"minutes": minutes})
    changed = settings.model_copy(update={"payment": payment, "study": study})
    found = [str(finding) for finding in check_settings(changed, courses)]
    assert [line for line in found if said in line] != []


@pytest.mark.parametrize(
    ("quota", "said"), [({}, "has no quota"), ({1: 57}, "not a multiple of 8")]
)
def test_the_quota_is_looked_at(courses: Courses, quota: dict[int, int], said: str) -> None:
    [found] = problems(live_settings().model_copy(update={"quota": quota}), courses)
    assert said in found


def test_budgets_that_identify_the_holder_are_counted(courses: Courses) -> None:
    trials = [game.trial for game in courses[1].stages.values()]
    hints = [hint(Tables(trial.map), trial) for trial in trials]
    found = check_settings(live_settings(budget="paper"), {1: courses[1]})
    [said] = [finding for finding in found if "budget" in finding.what]
    assert said.verdict == "warning"
    assert f"in {hints.count('everything')} of {len(trials)} trials the budget alone" in said.what
    assert f"in {len(trials) - hints.count('nothing')})" in said.what
    same = next(
        game
        for game, told in zip(courses[1].stages.values(), hints, strict=True)
        if told == "nothing"
    )
    plain = replace(courses[1], stages={same.trial.label: same})
    said = list(check_settings(live_settings(budget="paper"), {1: plain}))[-1]
    assert (said.verdict, "no budget depends on" in said.what) == ("ok", True)


def test_the_settings_for_trying_out_are_not_ready(courses: Courses) -> None:
    assert not ready(list(check_settings(default_settings(1), shortened(courses))))


def test_a_rehearsal_goes_through_everything(courses: Courses) -> None:
    reported: list[Finding] = []
    findings = preflight(
        live_settings(), shortened(courses, rounds=1), OBSERVER, report=reported.append
    )
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
    monkeypatch.setattr("onlooker.web.bots.crew.right_answers", lambda course: {"no": "such"})
    findings = list(rehearse(live_settings(), shortened(courses, rounds=1), OBSERVER))
    assert not ready(findings)
    assert "bots did not finish" in findings[0].what


def test_the_example_of_a_lab_is_ready(courses: Courses, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ONLOOKER_PASSWORD", "open sesame")
    settings = load_settings(ROOT / "examples" / "study.toml")
    found = [f for f in check_settings(settings, {1: courses[1]}) if f.verdict != "ok"]
    assert found == []


def found_in(database: str, courses: Courses) -> dict[str, str]:
    """What is wrong with a database: the verdict of each finding."""
    findings = check_database_in_use(database, {1: courses[1]})
    return {f.what: f.verdict for f in findings if f.verdict != "ok"}


def test_a_database_that_will_be_used_is_checked(any_url: str, courses: Courses) -> None:
    assert found_in(any_url, courses) == {}  # nothing is there yet
    with Store(any_url) as store:
        assert found_in(any_url, courses) == {}
        service = StudyService(default_settings(1), store, {1: courses[1]})
        Person(service, "anna").send("consent", agree=True)
        store.set_paused(1, True, "2025-03-01T12:00:00.000Z")
        warnings = " ".join(found_in(any_url, courses))
        assert "it has 1; use another one" in warnings
        assert "paused: [1]" in warnings
        with store.write() as tx:
            tx.orm.execute(text("UPDATE events SET state_hash = 'changed'"))
        assert "not ready" in found_in(any_url, courses).values()


def test_a_database_that_cannot_be_used_is_not_ready(tmp_path: Path, courses: Courses) -> None:
    (tmp_path / "text.db").write_text("This is no database.")
    for wrong in (tmp_path / "text.db", tmp_path / "no folder" / "study.db"):
        assert list(found_in(str(wrong), courses).values()) == ["not ready"]
    nobody = "postgresql://nobody@127.0.0.1:1/none"
    assert list(found_in(nobody, courses).values()) == ["not ready"]


@pytest.mark.slow
def test_bots_rehearse_on_the_postgresql_server(postgres_server: str, courses: Courses) -> None:
    with postgres.database(postgres_server) as url:
        findings = list(rehearse(live_settings(), shortened(courses), OBSERVER, url))
        assert [str(f) for f in findings if f.verdict != "ok"] == []
        assert found_in(url, courses) == {}  # nothing is left of it
