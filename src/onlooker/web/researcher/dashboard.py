"""The figures of the researcher's dashboard, read from the store."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from statistics import median

from onlooker.experiments.naming import in_order
from onlooker.game import ExperimentName, Label
from onlooker.web.participant import assignment
from onlooker.web.participant.service import StudyService
from onlooker.web.store import queries
from onlooker.web.store.models import SessionRow, parse_timestamp
from onlooker.web.study.course import Course
from onlooker.web.study.session_state import SessionState

MAX_LISTED = 50  # sessions under way


@dataclass(frozen=True, slots=True)
class FunnelStep:
    """One step of the funnel."""

    title: str
    reached: int
    here: int  # active sessions at this step


@dataclass(frozen=True, slots=True)
class ConditionCount:
    """How full an ordering or a label is."""

    name: int | str
    arrived: int
    started: int  # came to round 1
    complete: int
    active: int
    dropped: int


@dataclass(frozen=True, slots=True)
class OpenSession:
    """A session that has not ended."""

    id: int
    pseudonym: str
    screen: str
    round: int
    ordering: int | None
    seconds_since_seen: int
    active: bool
    problems: int


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that went wrong."""

    time: str
    source: str
    kind: str
    pseudonym: str
    detail: str


@dataclass(frozen=True, slots=True)
class Pay:
    """How long people took, and the implied wage."""

    minutes: float  # median
    bonus: Decimal  # median
    hourly: Decimal  # without the bonus
    hourly_with_bonus: Decimal


@dataclass(frozen=True, slots=True)
class ExperimentFigures:
    """Everything about one experiment."""

    experiment: ExperimentName
    is_run: bool  # by the present settings
    paused: bool
    quota: int | None
    places: int  # of the quota that are taken
    arrived: int
    complete: int
    active: int
    dropped: int
    ends: dict[str, int]
    funnel: list[FunnelStep]
    orderings: list[ConditionCount]
    labels: list[ConditionCount]
    open_sessions: list[OpenSession]
    pay: Pay | None


class Dashboard:
    """Reads the figures."""

    def __init__(self, service: StudyService) -> None:
        self.service = service

    def all_figures(self, tests: bool = False) -> list[ExperimentFigures]:
        """The figures of all experiments that are run, or have been and left sessions."""
        played = {session.experiment for session in self.service.store.sessions(test=tests)}
        names = in_order(played | set(self.service.courses))
        return [self.figures(name, tests) for name in names]

    def figures(self, experiment: ExperimentName, tests: bool = False) -> ExperimentFigures:
        """The figures of an experiment: of its real sessions, or of its test runs."""
        service, store = self.service, self.service.store
        now = service.clock()
        since = assignment.cutoff(now, service.settings.timeouts.active_minutes)
        sessions = store.sessions(experiment, tests)
        course = service.courses.get(experiment) or self._past_course(sessions)
        states = [SessionState.load(session.state) for session in sessions]
        complete = [session for session in sessions if session.end_reason == "complete"]
        open_ = [session for session in sessions if session.ended_at is None]
        active = [session for session in open_ if session.last_seen >= since]
        with store.read() as orm:
            places = assignment.places_taken(orm, experiment, since, tests)
        ends = Counter(str(session.end_reason) for session in sessions if session.ended_at)
        return ExperimentFigures(
            experiment=experiment,
            is_run=experiment in service.courses,
            paused=store.paused(experiment),
            quota=None if tests else service.settings.quota.get(experiment),
            places=places,
            arrived=len(sessions),
            complete=len(complete),
            active=len(active),
            dropped=len(open_) - len(active),
            ends={reason: count for reason, count in ends.items() if reason != "complete"},
            funnel=_funnel(course, sessions, states, since),
            orderings=[
                _condition(number, [each for each in sessions if each.ordering == number], since)
                for number in range(1, 1 + (0 if course is None else len(course.orderings)))
            ],
            labels=[
                _condition(label, [each for each in sessions if each.label == label], since)
                for label in _labels(course, sessions)
            ],
            open_sessions=self._open_sessions(open_, since, now),
            pay=self._pay(complete, tests),
        )

    def _past_course(self, sessions: Sequence[SessionRow]) -> Course | None:
        """The course of an experiment that is not run any more."""
        found = (self.service.store.course_of(row, self.service.courses) for row in sessions[::-1])
        return next((course for course in found if course is not None), None)

    def problems(self) -> tuple[int, list[Problem]]:
        """The number of problems, and the latest ones."""
        store = self.service.store
        count, notes = queries.problem_notes(store)
        names = _pseudonyms(self.service, [note.session_id for note in notes])
        return count, [
            Problem(
                note.server_time,
                note.source,
                note.kind,
                names.get(note.session_id or 0, ""),
                note.detail[:200],
            )
            for note in notes
        ]

    def _open_sessions(
        self, open_: list[SessionRow], since: str, now: datetime
    ) -> list[OpenSession]:
        newest = sorted(open_, key=lambda session: session.last_seen, reverse=True)[:MAX_LISTED]
        people = queries.people(self.service.store)
        problems = queries.problems_by_session(self.service.store)
        return [
            OpenSession(
                id=session.id,
                pseudonym=people[session.participant_id].pseudonym,
                screen=session.screen,
                round=len(SessionState.load(session.state).logs),
                ordering=session.ordering,
                seconds_since_seen=int(
                    (now - parse_timestamp(session.last_seen)) / timedelta(seconds=1)
                ),
                active=session.last_seen >= since,
                problems=problems.get(session.id, 0),
            )
            for session in newest
        ]

    def _pay(self, complete: list[SessionRow], tests: bool) -> Pay | None:
        minutes = [
            (parse_timestamp(session.ended_at) - parse_timestamp(session.arrived_at))
            / timedelta(minutes=1)
            for session in complete
            if session.ended_at
        ]
        if not minutes or median(minutes) <= 0:
            return None
        with self.service.store.read() as orm:
            promises = queries.promised_bonuses(orm, tests)
        paid = [promises[s.id].amount for s in complete if s.id in promises]
        bonus = median(paid) if paid else Decimal(0)
        hours, base = Decimal(median(minutes)) / 60, self.service.settings.payment.base
        cent = Decimal("0.01")
        return Pay(
            median(minutes),
            bonus.quantize(cent),
            (base / hours).quantize(cent),
            ((base + bonus) / hours).quantize(cent),
        )


def _pseudonyms(service: StudyService, sessions: Sequence[int | None]) -> dict[int, str]:
    """The pseudonyms of the participants of some sessions."""
    wanted, people = set(sessions), queries.people(service.store)
    rows = [*service.store.sessions(), *service.store.sessions(test=True)]
    return {row.id: people[row.participant_id].pseudonym for row in rows if row.id in wanted}


def _funnel(
    course: Course | None,
    sessions: Sequence[SessionRow],
    states: Sequence[SessionState],
    since: str,
) -> list[FunnelStep]:
    """How many sessions reached each screen, and how many are there now."""
    rounds = 0 if course is None else course.rounds
    titles = ["Consent", "Tutorial", "Comprehension check"]
    titles += [f"Round {number}" for number in range(1, rounds + 1)]
    titles += ["Survey", "Complete"]
    depths = [_depth(rounds, state) for state in states]
    here = Counter(
        depth
        for depth, session in zip(depths, sessions, strict=True)
        if session.ended_at is None and session.last_seen >= since
    )
    return [
        FunnelStep(title, sum(depth >= step for depth in depths), here[step])
        for step, title in enumerate(titles)
    ]


def _depth(rounds: int, state: SessionState) -> int:
    """The furthest step of the funnel that a session reached."""
    if state.screen == "debrief":
        return rounds + 4
    if state.screen == "survey":
        return rounds + 3
    if state.ordering is not None:
        on_card = state.screen == "card"
        return 2 + min(max(1, len(state.logs) + on_card), rounds)
    if state.screen == "check" or state.attempts:
        return 2
    began = state.page > 0 or any(state.practice) or state.screen == "tutorial"
    return 1 if began else 0


def _labels(course: Course | None, sessions: Sequence[SessionRow]) -> list[str]:
    """The labels of a study, and those that it had when people came."""
    known = {session.label for session in sessions}.union(() if course is None else course.labels)
    return [str(label) for label in Label if label in known]


def _condition(name: int | str, sessions: Sequence[SessionRow], since: str) -> ConditionCount:
    """How many sessions of an ordering or under a label came how far."""
    complete = sum(session.end_reason == "complete" for session in sessions)
    active = sum(session.ended_at is None and session.last_seen >= since for session in sessions)
    return ConditionCount(
        name,
        arrived=len(sessions),
        started=sum(session.ordering is not None for session in sessions),
        complete=complete,
        active=active,
        dropped=len(sessions) - complete - active,
    )
