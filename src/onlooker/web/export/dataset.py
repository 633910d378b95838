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
from onlooker.web.export.tables import SESSIONS, WEB_TABLES
from onlooker.web.settings import Settings
from onlooker.web.store import Store, queries
from onlooker.web.store.audit import Result, check_log, known_results
from onlooker.web.store.models import (
    EventRow,
    NoteRow,
    SessionRow,
    Stamped,
    TabRow,
    parse_timestamp,
)
from onlooker.web.store.queries import Promise, SessionData
from onlooker.web.study.course import Course, Courses
from onlooker.web.study.intents import Agreement, SurveyAnswers
from onlooker.web.study.session_state import SessionState

# Columns of sessions that the database has as they are.
STORED = [each.name for each in SESSIONS.columns if hasattr(SessionRow, each.name)]
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
            whole = _Session(session, who, data, course, events, result)
            shown = course or courses.get(session.experiment)  # what else they can have seen
            questions = [] if shown is None else asked_in(shown, settings.spoken)
            asked += [each for each in questions if each not in asked]
            rows["sessions"].append(whole.session_row(promises.get(session.id)))
            rows["notes"] += whole.note_rows()
            rows["consents"] += whole.consent_rows()
            rows["checks"] += whole.check_rows(shown)
            rows["answers"] += whole.answer_rows(questions)
            rows["events"] += whole.event_rows()
            whole.add_trials(records)
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


@dataclass(frozen=True)
class _Session:
    """A session with everything that its rows are made of."""

    row: SessionRow
    who: str  # what its participant is called
    data: SessionData
    course: Course | None  # what it was played on
    events: Sequence[EventRow]
    result: Result

    @property
    def about(self) -> Row:
        """Whom a row is about."""
        return {"participant": self.who, "experiment": self.row.experiment}

    @property
    def tabs(self) -> Sequence[TabRow]:
        """Its arrivals."""
        return self.data.tabs.get(self.row.id, [])

    @property
    def notes(self) -> Sequence[NoteRow]:
        """What was noticed about it."""
        return self.data.notes.get(self.row.id, [])

    def without_ids(self, text: str) -> str:
        """A free text without the platform's ids of the session."""
        pid = self.data.people[self.row.participant_id].pid
        return _without_ids(text, [pid, *(tab.prolific_session for tab in self.tabs)])

    def session_row(self, promise: Promise | None) -> Row:
        """The row of the session itself."""
        session, minutes = self.row, None
        if session.ended_at is not None:
            took = parse_timestamp(session.ended_at) - parse_timestamp(session.arrived_at)
            minutes = round(took / timedelta(minutes=1), 2)
        return (
            self.about
            | {name: getattr(session, name) for name in STORED}
            | {
                "minutes": minutes,
                "arrivals": len(self.tabs),
                "longest_gap": max((tab.gap_seconds or 0 for tab in self.tabs), default=None),
                "viewport": self.tabs[0].viewport if self.tabs else None,
                "blurs": sum(note.kind == "blur" for note in self.notes),
                "bonus": promise and promise.amount,
                "events": session.seq,
                "replayed": bool(self.result.screens) or session.seq == 0,
            }
        )

    def note_rows(self) -> list[Row]:
        """What was noticed."""
        return [
            self.about
            | {
                "note": number,
                "source": note.source,
                "kind": note.kind,
                "detail": self.without_ids(note.detail),
            }
            | _stamps(note)
            for number, note in enumerate(self.notes, start=1)
        ]

    def consent_rows(self) -> list[Row]:
        """What was agreed to."""
        said = [(e, Agreement.model_validate(e.data)) for e in self.events if e.kind == "consent"]
        return [
            self.about
            | {"version": form.version, "text_hash": form.text_hash, "agreed": form.agree}
            | _stamps(event)
            for event, form in said
        ]

    def check_rows(self, shown: Course | None) -> list[Row]:
        """Each answer of each attempt at the comprehension check of a course."""
        rows: list[Row] = []
        right = {} if shown is None else {each.id: each.right for each in shown.questions}
        attempts = [event for event in self.events if event.kind == "answer"] if right else []
        for attempt, event in enumerate(attempts, start=1):
            answers = event.data["answers"]
            passed = all(right.get(question) == answer for question, answer in answers.items())
            rows += [
                self.about
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
        return rows

    def answer_rows(self, questions: Sequence[AskedQuestion]) -> list[Row]:
        """What was answered after rounds and at the end."""
        rows, position = list[Row](), 0
        known = {question.id: question for question, _ in questions}
        levels: Sequence[str] = ()
        if self.course is not None and self.row.ordering is not None:
            levels = self.course.ordering(self.row.ordering)
        for event in self.events:
            if event.kind not in ASKING:
                continue
            place: Row = {"position": 0, "level": None}
            if event.kind == "questions":
                position += 1
                place = {"position": position, "level": levels[position - 1] if levels else None}
            for question, answer in SurveyAnswers.model_validate(event.data).all().items():
                asked = known.get(question)
                said = {
                    "question": question,
                    "answer": self.without_ids(str(answer)),
                    "right": asked and asked.is_right(answer),
                }
                rows.append(self.about | place | said | _stamps(event))
        return rows

    def event_rows(self) -> list[Row]:
        """The log; answers to the lab's questions have a table of their own."""
        return [
            self.about
            | {
                "event": event.seq,
                "kind": event.kind,
                "data": json.dumps({} if event.kind in ASKING else event.data, sort_keys=True),
                "screen": self.result.screens[event.seq] if self.result.screens else None,
                "state_hash": event.state_hash,
            }
            | _stamps(event)
            for event in self.events
        ]

    def add_trials(self, records: Records) -> None:
        """Add the participant with all rounds, the practice ones first, if there are any."""
        course, last = self.course, SessionState.load(self.row.state)
        if not self.result.screens or course is None or last.ordering is None:
            return
        label = Label(self.row.label) if self.row.label else None
        practice = zip(course.practice, last.practice, strict=True)
        trials = ((course.stage(last.ordering, at), log) for at, log in enumerate(last.logs))
        times = _times(course, self.events, last)
        for part, rounds in (("practice", practice), ("trial", trials)):
            for at, (stage, log) in enumerate(rounds):
                stamps = times.get((part, at), [])
                record_trial(
                    records, self.who, self.row.experiment, at + 1, stage, log, stamps, label
                )
        given = [e.data for e in self.events if e.kind == "survey"]
        answers = SurveyAnswers.model_validate(given[-1]).all() if given else {}
        records.participants.append(
            self.about
            | {
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
