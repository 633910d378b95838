"""The researcher's routes: dashboard, pause, data, bonuses; all behind a password."""

from __future__ import annotations

import logging
import re
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Depends, HTTPException, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from onlooker.web.export.dataset import export, pid_map
from onlooker.web.participant.service import Conductor
from onlooker.web.researcher import bonuses as bonus
from onlooker.web.researcher import pages as researcher_pages
from onlooker.web.researcher.dashboard import Dashboard
from onlooker.web.researcher.sign_in import LOGIN, Desk, Visit, check_token, read_form, sign_out
from onlooker.web.store.clock import stamp
from onlooker.web.store.transaction import Stamp

FILES = {"researcher.css": "text/css", "researcher.js": "text/javascript"}
ASSETS = Path(__file__).with_name("assets")

_REPLAY = re.compile(r"/researcher/replay(\?[\w.~%/=&+-]*)?")

logger = logging.getLogger("onlooker.web")

_making = threading.Lock()

router = APIRouter(prefix="/researcher", include_in_schema=False)


@dataclass(frozen=True)
class Office:
    """What these routes keep while the application runs."""

    desk: Desk
    dashboard: Dashboard


def _office(request: Request) -> Office:
    """The application's office, set up by the first call."""
    state = request.app.state
    with _making:
        if not hasattr(state, "office"):
            researcher = state.settings.researcher
            state.office = Office(Desk(researcher), Dashboard(_conductor(request)))
    office = state.office
    assert isinstance(office, Office)
    return office


def signed_in(request: Request) -> Visit:
    """Who calls; sent to sign in if nobody has."""
    visit = _office(request).desk.visit(request)
    if visit is None:
        raise HTTPException(303, "Please sign in.", {"Location": LOGIN})
    return visit


SignedIn = Annotated[Visit, Depends(signed_in)]
Form = Annotated[dict[str, str], Depends(read_form)]


def sent_form(visit: SignedIn, form: Form) -> dict[str, str]:
    """The fields of a form that somebody who has signed in sent from one of our pages."""
    check_token(visit, form)
    return form


SentForm = Annotated[dict[str, str], Depends(sent_form)]


def _conductor(request: Request) -> Conductor:
    conductor = request.app.state.conductor
    assert isinstance(conductor, Conductor)
    return conductor


def _now(request: Request) -> str:
    return stamp(_conductor(request).clock())


def _html(text: str, status: int = 200) -> Response:
    return HTMLResponse(text, status, {"Cache-Control": "no-store"})


def _file(content: str | bytes, name: str, kind: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return Response(content, media_type=kind, headers=headers)


def _go(path: str) -> Response:
    return RedirectResponse(path, 303)


def _note(request: Request, detail: str) -> None:
    """Put down what was done at the desk."""
    conductor = _conductor(request)
    with conductor.store.write() as tx:
        written = Stamp(_now(request), conductor.config_hash)
        tx.note(None, "server", "researcher", detail, written)
    logger.info("researcher: %s", detail)


# -- signing in ------------------------------------------------------------------------------------


@router.get("/static/{name}")
def static(name: str) -> Response:
    """The pages' style and script."""
    if name not in FILES:
        raise HTTPException(404, "There is no such file.")
    return Response((ASSETS / name).read_text("utf-8"), media_type=FILES[name])


def _wanted(path: str) -> str:
    """Where to go once signed in: a replay that somebody linked to, else the dashboard."""
    return path if _REPLAY.fullmatch(path) else "/researcher"


@router.get("/login")
def login_page(request: Request, next: str = "") -> Response:
    """Where one signs in."""
    desk = _office(request).desk
    return _html(researcher_pages.login_page(closed=not desk.open, wanted=_wanted(next)))


@router.post("/login")
def login(request: Request, form: Form) -> Response:
    """Sign in; attempts are limited."""
    desk, wanted = _office(request).desk, _wanted(form.get("next", ""))
    if seconds := desk.wait():
        problem = f"Too many attempts. Please wait {seconds:.0f} seconds and try again."
        response = _html(researcher_pages.login_page(problem, not desk.open, wanted), 429)
        response.headers["Retry-After"] = str(int(seconds) + 1)
        return response
    if not desk.admits(form.get("password", "")):
        logger.warning("a wrong password was tried on the researcher's pages")
        problem = "That is not the password."
        return _html(researcher_pages.login_page(problem, not desk.open, wanted), 403)
    response = _go(wanted)
    desk.sign_in(request, response)
    return response


@router.post("/logout")
def logout(form: Form) -> Response:
    """Sign out."""
    response = _go(LOGIN)
    sign_out(response)
    return response


# -- dashboard -------------------------------------------------------------------------------------


def _live_part(request: Request, visit: Visit, tests: bool) -> str:
    conductor, board = _conductor(request), _office(request).dashboard
    figures = [board.figures(number, tests) for number in conductor.courses]
    currency = conductor.settings.payment.currency
    troubles = board.troubles()
    return researcher_pages.live_part(figures, troubles, visit, currency, _now(request))


@router.get("")
@router.get("/")
def dashboard(request: Request, visit: SignedIn, tests: bool = False) -> Response:
    """The dashboard."""
    content = _live_part(request, visit, tests)
    title = _conductor(request).settings.study.title
    return _html(researcher_pages.dashboard_page(title, content, visit, tests))


@router.get("/live")
def live(request: Request, visit: SignedIn, tests: bool = False) -> Response:
    """What changes on the dashboard."""
    return _html(_live_part(request, visit, tests))


@router.post("/pause")
def pause(request: Request, form: SentForm) -> Response:
    """Pause an experiment, or open it again."""
    conductor, number = _conductor(request), form.get("experiment", "")
    if not number.isdecimal() or int(number) not in conductor.courses:
        raise HTTPException(400, "There is no such experiment.")
    paused = form.get("paused") == "yes"
    conductor.store.set_paused(int(number), paused, _now(request))
    _note(request, f"experiment {number} {'paused' if paused else 'opened'}")
    return _go("/researcher")


@router.post("/end")
def end(request: Request, form: SentForm) -> Response:
    """End a session for a technical failure, with pay."""
    conductor, number = _conductor(request), form.get("session", "")
    sessions = [*conductor.store.sessions(), *conductor.store.sessions(test=True)]
    if number not in {str(session.id) for session in sessions}:
        raise HTTPException(400, "There is no such session.")
    if conductor.end_session(int(number), "researcher"):
        _note(request, f"session {number} ended with pay")
    return _go("/researcher")


# -- data ------------------------------------------------------------------------------------------


@router.get("/data")
def data(request: Request, visit: SignedIn) -> Response:
    """Where the data is downloaded."""
    store = _conductor(request).store
    counts = len(store.sessions()), len(store.sessions(test=True))
    return _html(researcher_pages.data_page(*counts, visit))


@router.get("/data.zip")
def dataset(request: Request, visit: SignedIn, tests: bool = False) -> Response:
    """The dataset."""
    conductor = _conductor(request)
    made = export(conductor.store, conductor.settings, conductor.courses, tests)
    _note(request, "test runs downloaded" if tests else "dataset downloaded")
    name = f"onlooker-{'tests' if tests else 'data'}-{_now(request)[:10]}.zip"
    return _file(made.zipped(), name, "application/zip")


@router.post("/ids")
def ids(request: Request, form: SentForm) -> Response:
    """The list of participants' ids, which must be asked for."""
    if form.get("sure") != "yes":
        raise HTTPException(400, "The list of ids was not asked for.")
    _note(request, "the list of ids was downloaded")
    return _file(pid_map(_conductor(request).store), "onlooker-ids.csv", "text/csv")


# -- bonuses ---------------------------------------------------------------------------------------


def _reckoned(conductor: Conductor) -> bonus.Reckoning:
    return bonus.reckon(conductor.store, conductor.settings.payment, conductor.courses)


@router.get("/bonus")
def bonuses(request: Request, visit: SignedIn) -> Response:
    """What is due and what was entered."""
    conductor = _conductor(request)
    currency, entered = conductor.settings.payment.currency, bonus.batches(conductor.store)
    due = _reckoned(conductor)
    return _html(researcher_pages.bonus_page(due, entered, currency, visit))


@router.post("/bonus")
def enter(request: Request, form: SentForm) -> Response:
    """Enter what is due in the ledger."""
    conductor = _conductor(request)
    currency = conductor.settings.payment.currency
    batch = bonus.enter(conductor.store, _reckoned(conductor).due, currency, _now(request))
    if batch:
        _note(request, f"bonuses entered as batch {batch}")
    return _go("/researcher/bonus")


@router.get("/bonus/{batch}.csv")
def payment_file(request: Request, batch: str, visit: SignedIn) -> Response:
    """A batch as Prolific reads it."""
    text = bonus.payment_file(_conductor(request).store, batch)
    if text is None:
        raise HTTPException(404, "There is no such batch.")
    return _file(text, f"bonus-{batch}.csv", "text/csv")
