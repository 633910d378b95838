"""A study's data as a Psych-DS dataset: from the event logs, by pseudonym, without addresses.

Real sessions and test runs never come in the same dataset, and test runs are marked as simulated.
Participants' ids are not part of it; `pid_map` is a file of its own.
"""

from __future__ import annotations

import csv
import io
import json
import re
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta

from onlooker.experiments.records import Records, Row, record_trial
from onlooker.web.export.files import WebRows, study_files
from onlooker.web.export.tables import WEB_TABLES
from onlooker.web.settings import Settings
from onlooker.web.store import queries
from onlooker.web.store.clock import moment
from onlooker.web.store.models import EventRow, SessionRow, Stamped
from onlooker.web.store.queries import Holdings
from onlooker.web.store.store import Store, audit
from onlooker.web.study.course import Course, Courses
from onlooker.web.study.flow import replay, session_bonus
from onlooker.web.study.session_state import Standing


@dataclass(frozen=True)
class Export:
    """The files of a dataset, and what somebody should know about it."""

    files: dict[str, str]
    sessions: int
    participants: int  # who got as far as the trials
    problems: list[str] = field(default_factory=list)  # sessions whose log could not be replayed

    def zipped(self) -> bytes:
        """All files in one archive."""
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, text in self.files.items():
                archive.writestr(name, text)
        return packed.getvalue()


def export(store: Store, settings: Settings, courses: Courses, tests: bool = False) -> Export:
    """The dataset of all real sessions, or of all test runs and bots."""
    held = queries.holdings(store, tests)
    names = _names(held)
    records = Records()
    rows: WebRows = {name: [] for name in WEB_TABLES}
    problems: list[str] = []
    for session, events in queries.logs(store, held.sessions):
        wrong = audit(session, events, courses)
        who = names[session.id]
        problems += [f"{who}: {problem}" for problem in wrong[:1]]
        standings = [] if wrong else replay(courses[session.experiment], events)
        _add_session(rows, held, session, who, settings, courses, standings)
        _add_rest(rows, held, session, who)
        rows["events"] += [_event(who, session, event, standings) for event in events]
        if standings and session.ordering is not None:
            _add_trials(records, held, session, who, courses, events, standings)
    files = study_files(settings, records, rows, tests, problems, held.sessions)
    return Export(files, len(held.sessions), len(records.participants), problems)


def pid_map(store: Store, tests: bool = False) -> str:
    """Which participant's id each pseudonym stands for, as CSV; keep it apart from the data."""
    held = queries.holdings(store, tests)
    names = _names(held)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["participant", "prolific_pid", "study_id", "session_id"])
    for session in held.sessions:
        tabs = held.tabs.get(session.id, [])
        pid = held.people[session.participant_id].pid
        last = tabs[-1].prolific_session if tabs else ""
        writer.writerow([names[session.id], pid, session.study_id, last])
    return text.getvalue()


def _names(held: Holdings) -> dict[int, str]:
    """What each session's participant is called: the pseudonym, with a number from the second."""
    seen: dict[int, int] = {}
    names = {}
    for session in held.sessions:
        count = seen[session.participant_id] = seen.get(session.participant_id, 0) + 1
        pseudonym = held.people[session.participant_id].pseudonym
        names[session.id] = pseudonym if count == 1 else f"{pseudonym}-{count}"
    return names


# -- rows ------------------------------------------------------------------------------------------


def _add_trials(
    records: Records,
    held: Holdings,
    session: SessionRow,
    who: str,
    courses: Courses,
    events: Sequence[EventRow],
    standings: Sequence[Standing],
) -> None:
    """A participant with all its rounds, the practice ones first."""
    course, last = courses[session.experiment], standings[-1]
    assert last.ordering is not None
    times = _times(course, events, standings)
    rounds = [
        (("practice", index), stage, index + 1, log)
        for index, (stage, log) in enumerate(zip(course.practice, last.practice, strict=True))
    ]
    rounds += [
        (("trial", index), course.stage(last.ordering, index), index + 1, log)
        for index, log in enumerate(last.logs)
    ]
    for key, stage, position, log in rounds:
        stamps = times.get(key, [])
        record_trial(records, who, session.experiment, position, stage, log, stamps)
    survey = next(iter(held.surveys.get(session.id, [])), None)
    records.participants.append(
        {
            "participant": who,
            "experiment": session.experiment,
            "ordering": last.ordering,
            "completed": last.complete,
            "age": survey and survey.age,
            "gender": survey and survey.gender,
        }
    )


def _times(
    course: Course, events: Sequence[EventRow], standings: Sequence[Standing]
) -> dict[tuple[str, int], list[str]]:
    """When each choice of each round was taken."""
    times: dict[tuple[str, int], list[str]] = {}
    for event, after in zip(events, standings, strict=True):
        if event.kind != "choose":
            continue
        if after.screen == "trial":
            key = ("trial", len(after.logs) - 1)
        else:
            practice = course.pages[after.page].practice
            assert practice is not None
            key = ("practice", practice)
        times.setdefault(key, []).append(event.server_time)
    return times


def _add_session(
    rows: WebRows,
    held: Holdings,
    session: SessionRow,
    who: str,
    settings: Settings,
    courses: Courses,
    standings: Sequence[Standing],
) -> None:
    tabs, notes = held.tabs.get(session.id, []), held.notes.get(session.id, [])
    bonus = None
    if standings and standings[-1].complete:
        course = courses[session.experiment]
        bonus = session_bonus(course, settings.payment, standings[-1])
    minutes = None
    if session.ended_at is not None:
        took = moment(session.ended_at) - moment(session.arrived_at)
        minutes = round(took / timedelta(minutes=1), 2)
    plain = (
        *("test", "ordering", "screen", "end_reason", "arrived_at", "last_seen", "ended_at"),
        *("state_hash", "code_version", "config_hash", "stimulus_hash", "seed"),
    )
    rows["sessions"].append(
        {"participant": who, "experiment": session.experiment}
        | {name: getattr(session, name) for name in plain}
        | {
            "minutes": minutes,
            "arrivals": len(tabs),
            "longest_gap": max((tab.gap_seconds or 0 for tab in tabs), default=None),
            "viewport": tabs[0].viewport if tabs else None,
            "blurs": sum(note.kind == "blur" for note in notes),
            "bonus": bonus,
            "events": session.seq,
            "replayed": bool(standings) or session.seq == 0,
        }
    )


def _add_rest(rows: WebRows, held: Holdings, session: SessionRow, who: str) -> None:
    """What was answered and noted in a session."""
    common = {"participant": who, "experiment": session.experiment}
    ids = [held.people[session.participant_id].pid]
    ids += [tab.prolific_session for tab in held.tabs.get(session.id, [])]
    for consent in held.consents.get(session.id, []):
        given = {name: getattr(consent, name) for name in ("version", "text_hash", "agreed")}
        rows["consents"].append(common | given | _stamps(consent))
    for check in held.checks.get(session.id, []):
        rows["checks"] += [
            common
            | {
                "attempt": check.attempt,
                "question": question,
                "answer": answer,
                "right": question not in check.wrong,
                "passed": check.passed,
            }
            | _stamps(check)
            for question, answer in check.answers.items()
        ]
    for survey in held.surveys.get(session.id, []):
        said = {"feedback": _without_ids(survey.feedback, ids)}
        rows["surveys"].append(common | said | _stamps(survey))
    for number, note in enumerate(held.notes.get(session.id, []), start=1):
        told = {"note": number, "source": note.source, "kind": note.kind}
        detail = {"detail": _without_ids(note.detail, ids)}
        rows["notes"].append(common | told | detail | _stamps(note))


def _event(who: str, session: SessionRow, event: EventRow, standings: Sequence[Standing]) -> Row:
    data = {} if event.kind == "survey" else event.data
    return {
        "participant": who,
        "experiment": session.experiment,
        "event": event.seq,
        "kind": event.kind,
        "data": json.dumps(data, sort_keys=True),
        "screen": standings[event.seq].screen if standings else None,
        "state_hash": event.state_hash,
    } | _stamps(event)


def _stamps(row: Stamped) -> Row:
    names = ("server_time", "client_time", "code_version", "config_hash", "stimulus_hash", "seed")
    return {name: getattr(row, name) for name in names}


def _without_ids(text: str, ids: Sequence[str]) -> str:
    """A free text without the platform's ids, should it have them in it.

    >>> _without_ids("failed at /?PROLIFIC_PID=5f1e", ["5f1e", ""])
    'failed at /?PROLIFIC_PID=[id]'
    """
    for known in filter(None, ids):
        text = re.sub(rf"(?<![A-Za-z0-9_-]){re.escape(known)}(?![A-Za-z0-9_-])", "[id]", text)
    return text
