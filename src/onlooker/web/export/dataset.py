"""A study's data as a Psych-DS dataset: from the event logs, with pseudonyms, without addresses.

Real sessions and test runs are never in the same dataset, and test runs are marked as simulated.
Participants' ids are not part of it; `pid_map` is a separate file.
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
from itertools import islice

from onlooker.experiments.records import Records, Row, labelled, record_trial
from onlooker.game import Label
from onlooker.web.export.files import AskedQuestion, WebRows, asked_in, study_files
from onlooker.web.export.tables import WEB_TABLES
from onlooker.web.settings import Settings
from onlooker.web.store import Store, queries
from onlooker.web.store.audit import Result, check_log, known_results
from onlooker.web.store.models import EventRow, SessionRow, Stamped, parse_timestamp
from onlooker.web.store.queries import Promise, SessionData
from onlooker.web.study.course import Course, Courses
from onlooker.web.study.intents import Agreement, SurveyAnswers
from onlooker.web.study.session_state import SessionState

ASKING = ("questions", "survey")  # events with answers to the lab's questions
FORMULA = ("=", "+", "-", "@", "\t", "\r")  # what spreadsheets calculate begins with it


@dataclass(frozen=True)
class Export:
    """The files of a dataset, with counts and problems."""

    files: dict[str, str]
    sessions: int
    participants: int  # who reached the trials
    problems: list[str] = field(default_factory=list)  # sessions whose log could not be replayed

    def zipped(self) -> bytes:
        """All files in one archive."""
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, text in self.files.items():
                archive.writestr(name, text)
        return packed.getvalue()


def export(
    store: Store,
    settings: Settings,
    courses: Courses,
    tests: bool = False,
) -> Export:
    """The dataset of all real sessions, or of all test runs and bots."""
    records = Records()
    rows: WebRows = {name: [] for name in WEB_TABLES}
    problems: list[str] = []
    found: dict[int, tuple[SessionRow, Result]] = {}
    asked: list[AskedQuestion] = []
    for present in courses.values():
        asked += [each for each in asked_in(present, settings.spoken) if each not in asked]
    with store.read() as orm:  # one snapshot: people play on meanwhile
        data, known = queries.session_data(orm, tests), known_results(orm)
        promises = queries.promised_bonuses(orm, tests)
        names = _names(data)
        for session in data.sessions:
            who, events = names[session.id], queries.log(orm, session)
            course = store.course_of(session, courses)
            result = known.get(session.id)
            if result is None or len(result.screens) != len(events):
                result = check_log(session, events, course)
                found[session.id] = session, result
            problems += [f"{who}: {problem}" for problem in result.problems[:1]]
            _add_session(rows, data, session, who, promises.get(session.id), result)
            _add_notes(rows, data, session, who)
            shown = course or courses.get(session.experiment)  # what else they can have seen
            _add_consent_and_check(rows, session, who, shown, events)
            questions = [] if shown is None else asked_in(shown, settings.spoken)
            asked += [each for each in questions if each not in asked]
            _add_answers(rows, data, session, who, course, events, questions)
            rows["events"] += [_event(who, session, event, result) for event in events]
            if result.screens and course is not None and session.ordering is not None:
                _add_trials(records, data, session, who, course, events)
    store.keep_results(found)
    files = study_files(settings, records, rows, tests, problems, data.sessions, asked)
    return Export(files, len(data.sessions), len(records.participants), problems)


def pid_map(store: Store, tests: bool = False) -> str:
    """The participant's id of each pseudonym as CSV; keep it apart from the data."""
    with store.read() as orm:
        data = queries.session_data(orm, tests)
    names = _names(data)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["participant", "prolific_pid", "study_id", "session_id"])
    for session in data.sessions:
        tabs = data.tabs.get(session.id, [])
        pid = data.people[session.participant_id].pid
        last = tabs[-1].prolific_session if tabs else ""
        writer.writerow([names[session.id], pid, session.study_id, last])
    return text.getvalue()


def _names(data: SessionData) -> dict[int, str]:
    """The name of each session's participant: the pseudonym, with a number from the second."""
    seen: dict[int, int] = {}
    names = {}
    for session in data.sessions:
        count = seen[session.participant_id] = seen.get(session.participant_id, 0) + 1
        pseudonym = data.people[session.participant_id].pseudonym
        names[session.id] = pseudonym if count == 1 else f"{pseudonym}-{count}"
    return names


# -- rows ------------------------------------------------------------------------------------------


def _add_trials(
    records: Records,
    data: SessionData,
    session: SessionRow,
    who: str,
    course: Course,
    events: Sequence[EventRow],
) -> None:
    """A participant with all its rounds, the practice ones first."""
    last = SessionState.load(session.state)
    assert last.ordering is not None
    times = _times(course, events, last)
    rounds = [
        (("practice", index), stage, index + 1, log)
        for index, (stage, log) in enumerate(zip(course.practice, last.practice, strict=True))
    ]
    rounds += [
        (("trial", index), course.stage(last.ordering, index), index + 1, log)
        for index, log in enumerate(last.logs)
    ]
    label = Label(session.label) if session.label else None
    for key, stage, position, log in rounds:
        stamps = times.get(key, [])
        record_trial(records, who, session.experiment, position, stage, log, stamps, label)
    answers = _survey_answers(events)
    records.participants.append(
        {
            "participant": who,
            "experiment": session.experiment,
            "ordering": last.ordering,
            "completed": last.complete,
            "age": answers.get("age"),
            "gender": answers.get("gender"),
        }
        | labelled(label)
    )


def _times(
    course: Course, events: Sequence[EventRow], last: SessionState
) -> dict[tuple[str, int], list[str]]:
    """The time of each choice of each round; a round is over before the next one begins."""
    practice = [page.practice for page in course.pages if page.practice is not None]
    rounds = [(("practice", index), last.practice[index]) for index in practice]
    rounds += [(("trial", index), log) for index, log in enumerate(last.logs)]
    chosen = (event.server_time for event in events if event.kind == "choose")
    return {key: list(islice(chosen, len(log))) for key, log in rounds}


def _add_session(
    rows: WebRows,
    data: SessionData,
    session: SessionRow,
    who: str,
    promise: Promise | None,
    result: Result,
) -> None:
    tabs, notes = data.tabs.get(session.id, []), data.notes.get(session.id, [])
    minutes = None
    if session.ended_at is not None:
        took = parse_timestamp(session.ended_at) - parse_timestamp(session.arrived_at)
        minutes = round(took / timedelta(minutes=1), 2)
    plain = (
        *(
            "label",
            "test",
            "ordering",
            "screen",
            "end_reason",
            "arrived_at",
            "last_seen",
            "ended_at",
        ),
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
            "bonus": promise and promise.amount,
            "events": session.seq,
            "replayed": bool(result.screens) or session.seq == 0,
        }
    )


def _survey_answers(events: Sequence[EventRow]) -> dict[str, str | int]:
    """The answers to the questions at the end."""
    given = [SurveyAnswers.model_validate(e.data).all() for e in events if e.kind == "survey"]
    return given[-1] if given else {}


def _add_notes(rows: WebRows, data: SessionData, session: SessionRow, who: str) -> None:
    ids = _ids(data, session)
    for number, note in enumerate(data.notes.get(session.id, []), start=1):
        rows["notes"].append(
            {
                "participant": who,
                "experiment": session.experiment,
                "note": number,
                "source": note.source,
                "kind": note.kind,
                "detail": _without_ids(note.detail, ids),
            }
            | _stamps(note)
        )


def _add_consent_and_check(
    rows: WebRows, session: SessionRow, who: str, course: Course | None, events: Sequence[EventRow]
) -> None:
    """What was agreed to, and each answer of each attempt at the comprehension check."""
    common = {"participant": who, "experiment": session.experiment}
    for event in events:
        if event.kind == "consent":
            said = Agreement.model_validate(event.data)
            form = {"version": said.version, "text_hash": said.text_hash, "agreed": said.agree}
            rows["consents"].append(common | form | _stamps(event))
    right = {} if course is None else {each.id: each.right for each in course.questions}
    attempts = [event for event in events if event.kind == "answer"] if right else []
    for attempt, event in enumerate(attempts, start=1):
        answers = event.data["answers"]
        passed = all(right.get(question) == answer for question, answer in answers.items())
        rows["checks"] += [
            common
            | {
                "attempt": attempt,
                "question": question,
                "answer": answer,
                "right": right.get(question) == answer,
                "passed": passed,
            }
            | _stamps(event)
            for question, answer in answers.items()
        ]


def _add_answers(
    rows: WebRows,
    data: SessionData,
    session: SessionRow,
    who: str,
    course: Course | None,
    events: Sequence[EventRow],
    questions: Sequence[AskedQuestion],
) -> None:
    """What was answered after rounds and at the end."""
    ids, position = _ids(data, session), 0
    known = {question.id: question for question, _ in questions}
    levels: Sequence[str] = ()
    if course is not None and session.ordering is not None:
        levels = course.ordering(session.ordering)
    for event in events:
        if event.kind not in ASKING:
            continue
        place: dict[str, int | str | None] = {"position": 0, "level": None}
        if event.kind == "questions":
            position += 1
            place = {"position": position, "level": levels[position - 1] if levels else None}
        for question, answer in SurveyAnswers.model_validate(event.data).all().items():
            asked = known.get(question)
            said = {
                "question": question,
                "answer": _without_ids(str(answer), ids),
                "right": asked and asked.is_right(answer),
            }
            about = {"participant": who, "experiment": session.experiment}
            rows["answers"].append(about | place | said | _stamps(event))


def _ids(data: SessionData, session: SessionRow) -> list[str]:
    """The platform's ids of a session, which no text may contain."""
    tabs = data.tabs.get(session.id, [])
    return [data.people[session.participant_id].pid, *(tab.prolific_session for tab in tabs)]


def _event(who: str, session: SessionRow, event: EventRow, result: Result) -> Row:
    data = {} if event.kind in ASKING else event.data
    return {
        "participant": who,
        "experiment": session.experiment,
        "event": event.seq,
        "kind": event.kind,
        "data": json.dumps(data, sort_keys=True),
        "screen": result.screens[event.seq] if result.screens else None,
        "state_hash": event.state_hash,
    } | _stamps(event)


def _stamps(row: Stamped) -> Row:
    names = ("server_time", "client_time", "code_version", "config_hash", "stimulus_hash", "seed")
    return {name: getattr(row, name) for name in names}


def _without_ids(text: str, ids: Sequence[str]) -> str:
    """A free text with the platform's ids replaced, which no spreadsheet takes for a formula.

    >>> _without_ids("failed at /?PROLIFIC_PID=5f1e", ["5f1e", ""])
    'failed at /?PROLIFIC_PID=[id]'
    >>> _without_ids("=cmd()", [])
    "'=cmd()"
    """
    for known in filter(None, ids):
        text = re.sub(rf"(?<![A-Za-z0-9_-]){re.escape(known)}(?![A-Za-z0-9_-])", "[id]", text)
    return f"'{text}" if text.startswith(FORMULA) else text
