"""The rehearsal: bots play the whole study, and what they leave is checked."""

from __future__ import annotations

import secrets
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import create_engine, text

from onlooker.game import ExperimentName
from onlooker.observers import Observer
from onlooker.web.bots.crew import BotPlan, run_bots
from onlooker.web.export.dataset import export
from onlooker.web.participant.service import StudyService
from onlooker.web.preflight.findings import Finding, must, replayed
from onlooker.web.researcher import bonuses as ledger
from onlooker.web.server.app import create_app
from onlooker.web.server.run import serving
from onlooker.web.settings import Settings
from onlooker.web.store import Store
from onlooker.web.store.backup import BackupError, backup, restore
from onlooker.web.store.connection import database_url
from onlooker.web.store.models import now, timestamp
from onlooker.web.study.course import Courses


def rehearse(
    settings: Settings, courses: Courses, observer: Observer, database: str | None = None
) -> Iterator[Finding]:
    """Let bots play every ordering on a database made for it, then export, pay and restore it.

    With a PostgreSQL database they play on that server, in a schema that is dropped afterwards.
    """
    study = settings.study.model_copy(update={"allow_test_runs": True})
    rehearsed = settings.model_copy(update={"study": study})
    with _temporary(database) as url, Store(url) as store:
        for number in courses:
            yield _play(rehearsed, store, courses, number, observer)
        yield replayed(store, courses, "every log gives the stored state")
        yield _exported(store, rehearsed, courses)
        yield _paid_once(store, rehearsed, courses)
        if store.url.get_backend_name() == "sqlite":
            yield _restored(Path(url), store, courses)


@contextmanager
def _temporary(database: str | None) -> Iterator[str]:
    """An empty database of the kind that will be used."""
    url = database_url(database) if database else None
    if url is None or url.get_backend_name() == "sqlite":
        with tempfile.TemporaryDirectory(prefix="onlooker-preflight-") as folder:
            yield str(Path(folder, "study.db"))
        return
    name = f"onlooker_preflight_{secrets.token_hex(6)}"
    engine = create_engine(url)
    try:
        with engine.begin() as connection:
            connection.execute(text(f"CREATE SCHEMA {name}"))
        yield url.update_query_dict({"options": f"-csearch_path={name}"}).render_as_string(
            hide_password=False
        )
    finally:
        with engine.begin() as connection:
            connection.execute(text(f"DROP SCHEMA IF EXISTS {name} CASCADE"))
        engine.dispose()


def _play(
    settings: Settings, store: Store, courses: Courses, number: ExperimentName, observer: Observer
) -> Finding:
    course = courses[number]
    app = create_app(settings, store, service=StudyService(settings, store, courses))
    wanted = len(course.orderings) * len(course.variants)
    ids = [key for key, known in settings.study.experiments.items() if known == number]
    plan = BotPlan(wanted, observer, rate=0, study_id=ids[0] if ids else "", patience=30)
    with serving(app) as url:
        tally = run_bots(url, {number: course}, plan)
    sessions = store.sessions(number, test=True)
    missing = wanted - len({(each.label, each.ordering) for each in sessions if each.ordering})
    if tally.problems or tally.finished != wanted or missing:
        first = tally.problems[0] if tally.problems else f"{missing} orderings were not given"
        return Finding("not ready", f"Experiment {number}: bots did not finish: {first}")
    conditions = f"{len(course.orderings)} orderings"
    if course.labels:
        conditions += f" under {len(course.labels)} labels"
    played = f"{wanted} bots played {tally.actions} actions in all {conditions}"
    return Finding("ok", f"Experiment {number}: {played}")


def _exported(store: Store, settings: Settings, courses: Courses) -> Finding:
    made = export(store, settings, courses, tests=True)
    whole = made.participants == made.sessions and not made.problems
    return must(
        whole and len(made.zipped()) > 0,
        f"the export has all {made.sessions} sessions",
        f"the export has {made.participants} of {made.sessions} sessions",
    )


def _paid_once(store: Store, settings: Settings, courses: Courses) -> Finding:
    first = ledger.open_bonuses(store, settings.payment, courses, tests=True)
    ledger.record_bonuses(store, first, timestamp(now()))
    second = ledger.open_bonuses(store, settings.payment, courses, tests=True)
    fine = bool(first) and not second and not any(due.note for due in first)
    paid = f"{settings.payment.currency}{sum(due.amount for due in first)} to {len(first)} bots"
    return must(fine, f"bonuses are paid once: {paid}", "bonuses are not paid exactly once")


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
        again = replayed(other, courses, "a backup was restored and is complete")
    return again if same else Finding("not ready", "a backup has other sessions than its source")
