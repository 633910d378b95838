"""The preflight check: the settings, and bots that play the whole study."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from onlooker.observers import Observer
from onlooker.web.export.dataset import export
from onlooker.web.participant.service import StudyService
from onlooker.web.rehearsal.bots import BotPlan, run_bots
from onlooker.web.researcher import bonuses as ledger
from onlooker.web.server.app import create_app
from onlooker.web.server.run import serving
from onlooker.web.settings import EXAMPLE, Settings, load_settings
from onlooker.web.settings.default_texts import default_consent
from onlooker.web.store import Store
from onlooker.web.store.backup import BackupError, backup, restore
from onlooker.web.store.clock import now, timestamp
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


# -- settings --------------------------------------------------------------------------------------


def check_settings(settings: Settings, courses: Courses) -> Iterator[Finding]:
    """Check the settings for what a live study must not have."""
    example = load_settings(EXAMPLE)
    study, codes = settings.study, settings.completion
    yield _must(not study.debug, "debug is off", "study.debug is on")
    yield _must(
        settings.researcher.configured,
        "the researcher's pages have a password",
        "the researcher's pages have no password: set password_hash or password_env",
    )
    given = [codes.complete, codes.failed_check, codes.no_consent]
    given += [codes.screened_out, codes.technical, *filter(None, [codes.withdrawn])]
    yield _must(
        len(set(given)) == len(given),
        "every end has a different completion code",
        "completion: two ends have the same code",
    )
    invented = set(given) & set(example.completion.model_dump().values())
    invented |= {code for code in given if code.startswith("EXAMPLE")}
    yield _must(
        not invented,
        "the completion codes are the study's own",
        f"completion: {', '.join(sorted(invented))} are codes of the example",
    )
    changed = settings.consent.text.strip() not in (
        example.consent.text.strip(),
        default_consent().strip(),
    )
    yield _must(changed, "the consent form is the study's own", "consent.text is the example's")
    yield _should(
        urlsplit(codes.url).scheme == "https", "the completion link uses HTTPS", "completion.url"
    )
    yield _should(
        "example.org" not in study.contact,
        "participants can contact the researcher",
        "study.contact",
    )
    yield _should(not study.allow_test_runs, "test runs are off", "study.allow_test_runs is on")
    yield from _admission(settings)
    for number, course in courses.items():
        yield _quota(settings.quota.get(number), number, len(course.orderings))


def _admission(settings: Settings) -> Iterator[Finding]:
    study, admission = settings.study, settings.admission
    missing = ", ".join(admission.missing)
    yield _must(
        not missing,
        "the environment variables of [admission] are set",
        f"admission: not set in the environment: {missing}",
    )
    checked = bool(admission.link_key_env or admission.prolific_token_env)
    yield _should(
        checked or bool(study.study_ids or study.experiments),
        "only known STUDY_IDs are let in",
        "study.study_ids, or links or submissions that are checked",
    )


def _quota(quota: int | None, number: int, orderings: int) -> Finding:
    if quota is None:
        return Finding(
            "warning", f"Experiment {number} has no quota: anybody with the link can take part"
        )
    if quota % orderings:
        message = f"the quota of Experiment {number}, {quota}, is not a multiple of {orderings}"
        return Finding("warning", f"{message} orderings")
    return Finding("ok", f"the quota of Experiment {number} fills every ordering equally")


def _must(fine: bool, what: str, problem: str) -> Finding:
    return Finding("ok", what) if fine else Finding("not ready", problem)


def _should(fine: bool, what: str, problem: str) -> Finding:
    return (
        Finding("ok", what)
        if fine
        else Finding("warning", f"it would be better if {what} ({problem})")
    )


# -- rehearsal -------------------------------------------------------------------------------------


def rehearse(settings: Settings, courses: Courses, observer: Observer) -> Iterator[Finding]:
    """Let bots play every ordering on a temporary database, then export, pay and restore it."""
    study = settings.study.model_copy(update={"allow_test_runs": True, "debug": False})
    rehearsed = settings.model_copy(update={"study": study})
    with tempfile.TemporaryDirectory(prefix="onlooker-preflight-") as folder:
        database = Path(folder, "study.db")
        with Store(str(database)) as store:
            for number in courses:
                yield _play(rehearsed, store, courses, number, observer)
            yield _replayed(store, courses, "every log gives the stored state")
            yield _exported(store, rehearsed, courses)
            yield _paid_once(store, rehearsed, courses)
            yield _restored(database, store, courses)


def _play(
    settings: Settings, store: Store, courses: Courses, number: int, observer: Observer
) -> Finding:
    course = courses[number]
    app = create_app(settings, store, service=StudyService(settings, store, courses))
    wanted = len(course.orderings)
    ids = [key for key, known in settings.study.experiments.items() if known == number]
    plan = BotPlan(wanted, observer, rate=0, study_id=ids[0] if ids else "", patience=30)
    with serving(app) as url:
        tally = run_bots(url, {number: course}, plan)
    given = {session.ordering for session in store.sessions(number, test=True)}
    missing = wanted - len(given - {None})
    if tally.problems or tally.finished != wanted or missing:
        first = tally.problems[0] if tally.problems else f"{missing} orderings were not given"
        return Finding("not ready", f"Experiment {number}: bots did not finish: {first}")
    played = f"{wanted} bots played {tally.actions} actions in all {wanted} orderings"
    return Finding("ok", f"Experiment {number}: {played}")


def _replayed(store: Store, courses: Courses, what: str) -> Finding:
    sessions = [*store.sessions(), *store.sessions(test=True)]
    problems = [
        f"session {session.id}: {problem}"
        for session in sessions
        for problem in store.verify(session.id, courses)
    ]
    return _must(not problems, f"{what} ({len(sessions)} sessions)", "; ".join(problems[:3]))


def _exported(store: Store, settings: Settings, courses: Courses) -> Finding:
    made = export(store, settings, courses, tests=True)
    whole = made.participants == made.sessions and not made.problems
    return _must(
        whole and len(made.zipped()) > 0,
        f"the export has all {made.sessions} sessions",
        f"the export has {made.participants} of {made.sessions} sessions",
    )


def _paid_once(store: Store, settings: Settings, courses: Courses) -> Finding:
    first = ledger.open_bonuses(store, settings.payment, courses, tests=True)
    ledger.record_bonuses(store, first.due, settings.payment.currency, timestamp(now()))
    second = ledger.open_bonuses(store, settings.payment, courses, tests=True)
    fine = bool(first.due) and not (first.on_hold or second.due)
    paid = f"{settings.payment.currency}{first.total} to {len(first.due)} bots"
    return _must(fine, f"bonuses are paid once: {paid}", "bonuses are not paid exactly once")


def _restored(database: Path, store: Store, courses: Courses) -> Finding:
    copy, restored = database.with_name("backup.db"), database.with_name("restored.db")
    try:
        backup(str(database), copy)
        restore(copy, str(restored))
    except BackupError as error:
        return Finding("not ready", f"backup: {error}")
    with Store(str(restored)) as other:
        same = [(s.id, s.state_hash) for s in store.sessions(test=True)] == [
            (s.id, s.state_hash) for s in other.sessions(test=True)
        ]
        replayed = _replayed(other, courses, "a backup was restored and is complete")
    return replayed if same else Finding("not ready", "a backup has other sessions than its source")


# -- the database in use ---------------------------------------------------------------------------


def check_database_in_use(database: str, courses: Courses) -> Iterator[Finding]:
    """Check a database in use, in a copy."""
    with tempfile.TemporaryDirectory(prefix="onlooker-preflight-") as folder:
        copy = Path(folder, "copy.db")
        try:
            backup(database, copy)
        except BackupError as error:
            yield Finding("not ready", f"the database cannot be copied: {error}")
            return
        yield Finding("ok", "the database can be copied")
        if "://" not in database or database.startswith("sqlite"):
            with Store(str(copy)) as store:
                yield _replayed(store, courses, "every log in the database gives the stored state")
                paused = [number for number in courses if store.paused(number)]
            yield _should(not paused, "no experiment is paused", f"paused: {paused}")


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
        rehearse(settings, courses, observer),
        check_database_in_use(database, courses) if database else (),
    ):
        for finding in part:
            report(finding)
            findings.append(finding)
    return findings
