"""The study for its participants: each call is one transaction of the store."""

from __future__ import annotations

import json
import logging
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import cast

from fastapi import Request
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from onlooker.web.limits import REFUSALS, Limiter
from onlooker.web.participant import assignment
from onlooker.web.participant.admission import Admission
from onlooker.web.participant.arrivals import Arrival, Newcomer, check_window, identify
from onlooker.web.participant.messages import IntentRequest, Note, Reply, body, error_content, reply
from onlooker.web.settings import Settings
from onlooker.web.store import BusyError, Store, queries
from onlooker.web.store.audit import Result, check_log, result_row
from onlooker.web.store.models import Clock, EventRow, SessionRow, now, parse_timestamp, timestamp
from onlooker.web.store.transaction import Stamp, Transaction, UnknownSessionError
from onlooker.web.study.course import Course, Courses, load_courses
from onlooker.web.study.flow import (
    Refusal,
    ReplayError,
    advance,
    as_stored,
    possible_points,
    replay,
    unspent_points,
)
from onlooker.web.study.intents import MalformedIntentError, read_intent
from onlooker.web.study.session_state import (
    EXPIRED,
    SERVER_KINDS,
    SessionState,
    end_state,
    first_state,
)
from onlooker.web.study.view_types import ScreenView
from onlooker.web.study.views import ScreenContext, refused_view, screen_view

LAST_INTENT = "survey"  # what completes a session
PROMISED = ("text", "bonus", "unspent", "completion")  # fields of a last view

logger = logging.getLogger("onlooker.web")


@dataclass(frozen=True, slots=True)
class CheckedLog:
    """What replaying a session's log gave before its last event."""

    events: int
    result: Result


@dataclass(frozen=True, slots=True)
class Call:
    """An intent, and the token of whoever sends it."""

    token: str
    request: IntentRequest
    checked: CheckedLog | None = None  # of the last intent


Outcome = Reply | Exception | None  # of a call; None if nothing was done about it


class StudyService:
    """The study that participants go through."""

    def __init__(
        self,
        settings: Settings,
        store: Store,
        courses: Courses | None = None,
        clock: Clock = now,
    ) -> None:
        self.settings, self.store, self.clock = settings, store, clock
        self._notes_limit = Limiter()
        self.admission = Admission(settings, store, clock)
        self.courses = load_courses(settings) if courses is None else courses
        self.config_hash = settings.config_hash
        store.keep_stimuli(self.courses)

    # -- arriving ----------------------------------------------------------------------------------

    def arrive(self, arrival: Arrival) -> Reply:
        """Open or resume a session; ArrivalError if there can be none."""
        newcomer = identify(self.settings, arrival)
        course = self.courses[newcomer.experiment]
        self.admission.check_link(newcomer)
        with self.store.write() as tx:
            found = tx.session_in(newcomer.pid, newcomer.study_id)
            paused = {} if found else assignment.lock_studies(tx.orm)
            session = found or tx.session_in(newcomer.pid, newcomer.study_id)
            if session is None and (reason := self.admission.refusal(tx, newcomer, paused)):
                view = refused_view(self.settings, course, reason)
                return reply({"session": None, "view": view, "rules": list(course.reminder)})
            gap = None if session is None else self._gap(session)
            if session is None:
                check_window(self.settings, newcomer)
                session = self._admit(tx, newcomer, course)
            else:
                self._interrupt(tx, session)
            token = tx.open_tab(
                session,
                newcomer.prolific_session,
                newcomer.viewport and "{}x{}".format(*newcomer.viewport),
                self._stamp().time,
                gap,
            )
            if gap is not None:
                tx.note(session, "server", "resume", f"after {gap} s", self._stamp())
            shown, rules = self._shown(tx.orm, session), self._course(session).reminder
            return reply({"session": token, "view": shown, "rules": list(rules)})

    def _admit(self, tx: Transaction, newcomer: Newcomer, course: Course) -> SessionRow:
        """A new session; it ends immediately for those who took part in another study."""
        moment_ = self._stamp()
        person = tx.participant(newcomer.pid, newcomer.test, moment_.time)
        label = assignment.next_label(
            tx.orm, newcomer.experiment, course.labels, self._active_since, newcomer.test
        )
        course = course.under(label)
        session = tx.open_session(
            person,
            newcomer.study_id,
            newcomer.experiment,
            course.stimulus_hash,
            first_state(course),
            moment_,
            label,
        )
        if not newcomer.test and tx.took_part_elsewhere(person.id, newcomer.study_id):
            self._end(tx, session, "screened_out", "other_study")
        return session

    # -- looking -----------------------------------------------------------------------------------

    def view(self, token: str) -> Reply:
        """The current view of the session with this token."""
        with self.store.read() as orm:
            session = Transaction(orm).session_of(token, lock=False)
            view = self._shown(orm, session)
        return reply({"view": view})

    # -- acting ------------------------------------------------------------------------------------

    def intent(self, token: str, request: IntentRequest) -> Reply:
        """Carry out one intent, waiting for its session if that is in use."""
        checked = self._check_log(token) if request.kind == LAST_INTENT else None
        outcome = self.intents([Call(token, request, checked)])[0]
        if isinstance(outcome, Exception):
            raise outcome
        assert outcome is not None
        return outcome

    def intents(self, calls: Sequence[Call], wait: bool = True) -> list[Outcome]:
        """Carry out intents in one transaction, each once even if it is sent several times.

        Without `wait`, nothing is done for calls whose session another transaction holds: None.
        """
        try:
            return self._in_one_transaction(calls, wait)
        except IntegrityError:  # an id that was used before, with the seq of now
            return self._in_one_transaction(calls, wait, look_up=True)

    def _in_one_transaction(
        self, calls: Sequence[Call], wait: bool, look_up: bool = False
    ) -> list[Outcome]:
        with self.store.write() as tx:
            sessions = tx.sessions_of([call.token for call in calls], wait=wait)
            return [
                session
                if session is None or isinstance(session, Exception)
                else self._carry_out(tx, session, call, look_up)
                for call, session in zip(calls, sessions, strict=True)
            ]

    def _carry_out(self, tx: Transaction, session: SessionRow, call: Call, look_up: bool) -> Reply:
        request = call.request
        # Whatever was carried out before has made the session's seq larger.
        if look_up or request.seq != session.seq:
            done = tx.event_of(session, request.id)
            if done and (again := self._reply_again(tx, session, done)):
                return again
        if self._interrupt(tx, session):
            return self._refuse(tx, session, request, "the session has ended")
        if request.seq != session.seq:
            message = f"expected seq {session.seq}, not {request.seq}"
            return reply(error_content("stale", message, view=self._view(session)), 409)
        course, before = self._course(session), SessionState.load(session.state)
        try:
            asked = read_intent(request.kind, request.data)
            intent = as_stored(self.settings, course, before, asked)
        except MalformedIntentError as error:
            return self._refuse(tx, session, request, str(error))
        after = advance(course, before, intent)
        if isinstance(after, Refusal):
            return self._refuse(tx, session, request, after.message)
        given = None
        if after.screen == "card" and after.ordering is None:
            orderings = len(course.orderings)
            given = assignment.give_ordering(tx.orm, session, orderings, self._active_since)
            after = replace(after, ordering=given)
        problems = self._missing(session, course, after, call.checked) if after.complete else []
        content = body({"view": self._view(session, after, session.seq + 1)})
        if problems:
            paid = end_state(after, "technical", "incomplete")
            content = body({"view": self._view(session, paid, session.seq + 2)})
        written = self._stamp(request.client_time)
        tx.append(
            session,
            request.id,
            intent.kind,
            intent.data.model_dump(),
            after,
            written,
            ordering=given,
            reply=content if after.ended else None,  # it has what was promised: bonus and code
        )
        if problems:
            # Not the participant's fault: the session is paid, and the log shows what happened.
            tx.note(session, "server", "incomplete", "; ".join(problems), written)
            logger.error("session %d is not complete: %s", session.id, "; ".join(problems))
            self._end(tx, session, "technical", "incomplete")
        elif after.complete and call.checked is not None:
            screens = [*call.checked.result.screens, after.screen]
            points = sum(unspent_points(course, after)), possible_points(course, after)
            tx.orm.merge(result_row(session, Result([], screens, *points)))
        return Reply(200, content)

    def _reply_again(self, tx: Transaction, session: SessionRow, done: EventRow) -> Reply | None:
        """The reply that an event got, from the state it led to; None if its log does not hold."""
        if done.reply is not None:
            return Reply(200, done.reply)
        if done.seq == session.seq - 1:
            state = SessionState.load(session.state)
        else:
            before = [event for event in queries.log(tx.orm, session) if event.seq <= done.seq]
            try:
                state = replay(self._course(session), before)[-1]
            except ReplayError:  # the stimuli have changed since
                return None
        view = self._view(session, state, done.seq + 1)
        return reply({"view": view})

    def _check_log(self, token: str) -> CheckedLog | None:
        """Replay a session's log in a snapshot of its own: it takes long, and others write."""
        with self.store.read() as orm:
            session = Transaction(orm).session_of(token, lock=False)
            if session.ended_at is not None:
                return None
            events = queries.log(orm, session)
        course = self.store.course_of(session, self.courses)
        return CheckedLog(session.seq, check_log(session, events, course))

    @staticmethod
    def _missing(
        session: SessionRow, course: Course, state: SessionState, checked: CheckedLog | None
    ) -> list[str]:
        """What a session lacks that is about to be complete, normally nothing."""
        if checked is None or checked.events != session.seq:
            raise BusyError("the session changed while its log was checked")
        unfinished = len(unspent_points(course, state)) != course.rounds
        return [*checked.result.problems, *["not all rounds were finished"] * unfinished]

    def _refuse(
        self, tx: Transaction, session: SessionRow, request: IntentRequest, message: str
    ) -> Reply:
        asked = json.dumps({"kind": request.kind, "seq": request.seq, "data": request.data})
        written = self._stamp(request.client_time)
        if not self._notes_limit.wait(f"refused {session.id}", REFUSALS):
            tx.note(session, "server", "refused", f"{message}: {asked}", written)
        logger.warning("session %d: refused %s: %s", session.id, request.kind[:20], message)
        return reply(error_content("not_available", message, view=self._view(session)), 422)

    # -- noting ------------------------------------------------------------------------------------

    def note(self, token: str, notes: Sequence[Note]) -> None:
        """Record what the browser noticed."""
        with self.store.write() as tx:
            session = tx.session_of(token)
            tx.touch(session, self._stamp().time)
            for note in notes:
                tx.note(session, "client", note.kind, note.detail, self._stamp(note.client_time))

    def note_refusal(self, token: str | None, kind: str, detail: str) -> None:
        """Record a call that could not be read, or whose token is unknown."""
        with self.store.write() as tx:
            session = None
            if token is not None:
                try:
                    session = tx.session_of(token)
                except UnknownSessionError:
                    kind = "forged"
            tx.note(session, "server", kind, detail, self._stamp())

    # -- ending ------------------------------------------------------------------------------------

    def end_session(self, session_id: int, reason: str) -> bool:
        """End a session for a technical failure, with pay; False if it had ended already."""
        with self.store.write() as tx:
            session = tx.session(session_id)
            if session.ended_at is not None:
                return False
            self._end(tx, session, "technical", reason)
            return True

    def _interrupt(self, tx: Transaction, session: SessionRow) -> bool:
        """End a session that cannot go on; whether it was ended now."""
        if session.ended_at is not None or not (reason := self._must_end(session)):
            return False
        self._end(tx, session, "technical", reason)
        return True

    def _must_end(self, session: SessionRow) -> str | None:
        """Why a session cannot go on, normally None."""
        if self._gap(session) > self.settings.timeouts.expiry_hours * 3600:
            return EXPIRED
        if self.store.course_of(session, self.courses) is None:
            return "stimuli_changed"  # a database from before they were stored
        return None

    def _end(self, tx: Transaction, session: SessionRow, kind: str, reason: str) -> None:
        """End a session with an event of the server."""
        state = end_state(SessionState.load(session.state), SERVER_KINDS[kind], reason)
        content = body({"view": self._view(session, state, session.seq + 1)})
        tx.append(
            session,
            f"server-{uuid.uuid4()}",
            kind,
            {"reason": reason},
            state,
            self._stamp(),
            reply=content,
        )

    def _shown(self, orm: Session, session: SessionRow) -> ScreenView:
        """What somebody sees who opens the page; at the end what was promised there."""
        view = self._view(session, opened=True)
        if session.ended_at is not None and (stored := queries.last_reply(orm, session)):
            promised = json.loads(stored)["view"]
            return cast(ScreenView, view | {k: v for k, v in promised.items() if k in PROMISED})
        return view

    # -- helpers -----------------------------------------------------------------------------------

    def _course(self, session: SessionRow) -> Course:
        course = self.store.course_of(session, self.courses)
        whole = self.courses.get(session.experiment)
        course = course or (whole and whole.under(session.label))
        if course is None:
            raise UnknownSessionError
        return course

    def _view(
        self,
        session: SessionRow,
        state: SessionState | None = None,
        seq: int | None = None,
        opened: bool = False,
    ) -> ScreenView:
        context = ScreenContext(
            self.settings,
            self._course(session),
            state or SessionState.load(session.state),
            session.seq if seq is None else seq,
            session.seed,
            session.test,
            opened,
        )
        return screen_view(context)

    @property
    def _active_since(self) -> str:
        """When a session must have been seen last to count as active."""
        return assignment.cutoff(self.clock(), self.settings.timeouts.active_minutes)

    def _stamp(self, client_time: str | None = None) -> Stamp:
        return Stamp(timestamp(self.clock()), self.config_hash, client_time)

    def _gap(self, session: SessionRow) -> int:
        """The seconds since a session was last seen; 0 if the clock was set back since."""
        away = self.clock() - parse_timestamp(session.last_seen)
        return max(0, int(away / timedelta(seconds=1)))


def service_of(request: Request) -> StudyService:
    """The study that the application serves."""
    service = request.app.state.service
    assert isinstance(service, StudyService)
    return service
