"""The researcher's routes: dashboard, pause, people, data, bonuses; all behind a password."""

from __future__ import annotations

import logging
import re
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, HTTPException, Query, Request
from sqlalchemy import select
from starlette.responses import Response

from onlooker.web.export.dataset import export, pid_map
from onlooker.web.participant.service import StudyService, service_of
from onlooker.web.researcher import bonuses as ledger
from onlooker.web.researcher import pages
from onlooker.web.researcher.calls import (
    Form,
    SentForm,
    SignedIn,
    download,
    go_to,
    html,
    note_action,
    state_of,
    time_of,
)
from onlooker.web.researcher.people import Shown, people_page
from onlooker.web.researcher.sign_in import LOGIN
from onlooker.web.store import Store
from onlooker.web.store.erasure import BACKUPS, erase, erasures
from onlooker.web.store.health import MIN_FREE_BYTES, Health
from onlooker.web.store.models import ParticipantRow, SessionRow
from onlooker.web.store.store import MOVED

FILES = {"researcher.css": "text/css", "researcher.js": "text/javascript"}
ASSETS = Path(__file__).with_name("assets")

_NUMBER = re.compile("[0-9]{1,9}")  # of a session; a longer one is too large for a database
_REPLAY = re.compile(r"/researcher/replay(\?[\w.~%/=&+-]*)?")

logger = logging.getLogger("onlooker.web")

router = APIRouter(prefix="/researcher", include_in_schema=False)


# -- signing in ------------------------------------------------------------------------------------


@router.get("/static/{name}")
def static(name: str) -> Response:
    """The pages' style and script."""
    if name not in FILES:
        raise HTTPException(404, "There is no such file.")
    return Response((ASSETS / name).read_text("utf-8"), media_type=FILES[name])


def _wanted(path: str) -> str:
    """Where to go once signed in: a replay from a link, or the dashboard."""
    return path if _REPLAY.fullmatch(path) else "/researcher"


@router.get("/login")
def login_page(request: Request, next: str = "") -> Response:
    """The sign-in page."""
    authentication = state_of(request).authentication
    return html(pages.login_page(closed=not authentication.enabled, wanted=_wanted(next)))


@router.post("/login")
async def login(request: Request, form: Form) -> Response:
    """Sign in."""
    authentication, wanted = state_of(request).authentication, _wanted(form.get("next", ""))
    if not await authentication.admits(form.get("password", "")):
        logger.warning("a wrong password was tried on the researcher's pages")
        problem = "Wrong password."
        return html(pages.login_page(problem, not authentication.enabled, wanted), 403)
    response = go_to(wanted)
    authentication.sign_in(request, response)
    return response


@router.post("/logout")
def logout(request: Request, form: Form) -> Response:
    """Sign out, on the server as well."""
    response = go_to(LOGIN)
    state_of(request).authentication.sign_out(request, response)
    return response


# -- dashboard -------------------------------------------------------------------------------------


def _dashboard(request: Request, tests: bool) -> pages.DashboardContent:
    service, board = service_of(request), state_of(request).dashboard
    count, latest = board.problems()
    return pages.DashboardContent(
        experiments=board.all_figures(tests),
        alarms=_alarms(request.app.state.health),
        problem_count=count,
        problems=latest,
        currency=service.settings.payment.currency,
        time=time_of(request),
    )


def _alarms(health: Health) -> list[str]:
    """What does not work now."""
    alarms = []
    if problem := health.problem():
        stored = (
            "Put it back before you stop the server: what was acknowledged is in it."
            if problem == MOVED
            else "What was acknowledged is stored."
        )
        alarms.append(
            f"The database cannot be written: {problem}. Participants are asked to wait. {stored}"
        )
    free = health.free_bytes()
    if free is not None and free < MIN_FREE_BYTES:
        alarms.append(f"Only {free // 2**20} MB are left on the disk of the database.")
    return alarms


@router.get("")
@router.get("/")
def dashboard(request: Request, user: SignedIn, tests: bool = False) -> Response:
    """The dashboard."""
    title = service_of(request).settings.study.title
    return html(pages.dashboard_page(title, _dashboard(request, tests), user, tests))


@router.get("/live")
def live(request: Request, user: SignedIn, tests: bool = False) -> Response:
    """The part of the dashboard that changes."""
    return html(pages.live_part(_dashboard(request, tests), user))


@router.post("/pause")
def pause(request: Request, form: SentForm) -> Response:
    """Pause an experiment, or open it again."""
    service, asked = service_of(request), form.get("experiment", "")
    name = next((each for each in service.courses if str(each) == asked), None)
    if name is None:
        raise HTTPException(400, "There is no such experiment.")
    paused = form.get("paused") == "yes"
    service.store.set_paused(name, paused, time_of(request))
    note_action(request, f"experiment {name} {'paused' if paused else 'opened'}")
    return go_to("/researcher")


# -- people ----------------------------------------------------------------------------------------


@router.get("/people")
def people(
    request: Request,
    user: SignedIn,
    show: Shown = "finished",
    search: Annotated[str, Query(max_length=64)] = "",
    page: int = 1,
    tests: bool = False,
) -> Response:
    """The people of the study, and the search for one of them."""
    store = service_of(request).store
    found = people_page(store, show, search, page, tests)
    shown = pages.page(
        "people",
        "People",
        user,
        "/researcher/people",
        people=found,
        erasures=erasures(store),
        backups=BACKUPS,
    )
    return html(shown)


@router.post("/end")
def end(request: Request, user: SignedIn, form: SentForm) -> Response:
    """End a session for a technical failure, with pay, once the researcher has confirmed it."""
    service, number = service_of(request), form.get("session", "")
    pseudonym = _pseudonym(service.store, number)
    if form.get("sure") != "yes":
        question = pages.Question(
            f"End the session of {pseudonym}?",
            "The participant cannot continue, gets the completion code for a technical failure, "
            "and is to be paid. This cannot be undone.",
            "/researcher/end",
            "End it with pay",
            {"session": number, "sure": "yes"},
            "/researcher",
        )
        return html(pages.page("question", question.title, user, question=question))
    if service.end_session(int(number), "researcher"):
        note_action(request, f"session {number} ended with pay")
    return go_to("/researcher")


@router.post("/erase")
def erase_person(request: Request, user: SignedIn, form: SentForm) -> Response:
    """Erase a participant's data, once the researcher has confirmed it."""
    service, number = service_of(request), form.get("session", "")
    pseudonym = _pseudonym(service.store, number)
    if form.get("sure") != "yes":
        question = pages.Question(
            f"Erase everything about {pseudonym}?",
            "All sessions, answers and recorded bonuses of this participant are deleted, and the "
            "participant's id with them. Only the fact that this happened is kept. This cannot be "
            "undone. Record and pay a bonus that is due first.",
            "/researcher/erase",
            "Erase the data",
            {"session": number, "sure": "yes"},
            "/researcher/people",
        )
        return html(pages.page("question", question.title, user, question=question))
    erase(service.store, pseudonym, time_of(request))
    note_action(request, f"participant {pseudonym} erased")
    return go_to("/researcher/people")


def _pseudonym(store: Store, session: str) -> str:
    """The pseudonym of a session's participant."""
    query = (
        select(ParticipantRow.pseudonym)
        .join(SessionRow, SessionRow.participant_id == ParticipantRow.id)
        .where(SessionRow.id == (int(session) if _NUMBER.fullmatch(session) else -1))
    )
    with store.read() as orm:
        found = orm.scalar(query)
    if found is None:
        raise HTTPException(400, "There is no such session.")
    return found


# -- data ------------------------------------------------------------------------------------------


@router.get("/data")
def data(request: Request, user: SignedIn) -> Response:
    """The page to download the data from."""
    store = service_of(request).store
    counts = {tests: len(store.sessions(test=tests)) for tests in (False, True)}
    return html(pages.page("data", "Data", user, "/researcher/data", counts=counts))


@router.get("/data.zip")
def dataset(request: Request, user: SignedIn, tests: bool = False) -> Response:
    """The dataset as it is now. Results of ended sessions are stored, so it takes seconds."""
    service = service_of(request)
    made = export(service.store, service.settings, service.courses, tests)
    note_action(request, "test runs downloaded" if tests else "dataset downloaded")
    name = f"onlooker-{'tests' if tests else 'data'}-{time_of(request)[:10]}.zip"
    return download(made.zipped(), name, "application/zip")


@router.post("/ids")
def ids(request: Request, form: SentForm) -> Response:
    """The list of participants' ids, after a confirmation."""
    if form.get("sure") != "yes":
        raise HTTPException(400, "Please confirm that you need the list of ids.")
    note_action(request, "the list of ids was downloaded")
    return download(pid_map(service_of(request).store), "onlooker-ids.csv", "text/csv")


# -- bonuses ---------------------------------------------------------------------------------------


def _open_bonuses(service: StudyService) -> list[ledger.BonusDue]:
    return ledger.open_bonuses(service.store, service.settings.payment, service.courses)


@router.get("/bonus")
def bonuses(request: Request, user: SignedIn) -> Response:
    """The bonuses that are due and the ledger."""
    service = service_of(request)
    due = _open_bonuses(service)
    shown = pages.page(
        "bonuses",
        "Bonuses",
        user,
        "/researcher/bonus",
        due=due,
        totals=ledger.totals(due),
        batches=ledger.payment_batches(service.store),
    )
    return html(shown)


@router.post("/bonus")
def record(request: Request, form: SentForm) -> Response:
    """Record the bonuses that are due."""
    service = service_of(request)
    due = _open_bonuses(service)
    for batch in ledger.record_bonuses(service.store, due, time_of(request)):
        note_action(request, f"bonuses recorded as batch {batch}")
    return go_to("/researcher/bonus")


@router.get("/bonus/{batch}.csv")
def payment_file(request: Request, batch: str, user: SignedIn) -> Response:
    """A batch as Prolific reads it."""
    text = None if "\0" in batch else ledger.payment_file(service_of(request).store, batch)
    if text is None:
        raise HTTPException(404, "There is no such batch.")
    return download(text, f"bonus-{batch}.csv", "text/csv")


def no_such_page(rest: str) -> Response:
    """Answer for addresses that none of these pages has."""
    raise HTTPException(404, "There is no page at this address.")
