"""The application: routes, security headers, errors and the browser's files."""

from __future__ import annotations

import logging
import math
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from html import escape
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, Response
from starlette.exceptions import HTTPException
from starlette.staticfiles import StaticFiles

from onlooker.game import Trial
from onlooker.observers import Observer
from onlooker.version import __version__
from onlooker.web import STATIC
from onlooker.web.limits import FORGERIES, Limiter, TooFastError
from onlooker.web.participant import routes as participant
from onlooker.web.participant.arrivals import ArrivalError, NotNowError
from onlooker.web.participant.intent_queue import IntentQueue
from onlooker.web.participant.service import StudyService
from onlooker.web.replay import routes as replay
from onlooker.web.replay.access import close as end_replays
from onlooker.web.researcher import routes as researcher
from onlooker.web.researcher.pages import error_page
from onlooker.web.server.middleware import BodyGuard, SecurityHeaders
from onlooker.web.settings import Settings
from onlooker.web.store import BusyError, Store
from onlooker.web.store.health import Health
from onlooker.web.store.transaction import TakenOverError, UnknownSessionError
from onlooker.web.texts import Texts

if TYPE_CHECKING:
    from onlooker.experiments.recordings import Recordings

RETRY_AFTER = 2  # seconds, when the database is busy

_IN_LINK = {
    f"body.{name}"
    for name in ("prolific_pid", "study_id", "session_id", "signature", "expires", "token")
}
_NOT_FOUND = Template(Path(__file__).with_name("not-found.html").read_text("utf-8"))

logger = logging.getLogger("onlooker.web")


def create_app(
    settings: Settings,
    store: Store,
    *,
    service: StudyService | None = None,
    trials: Sequence[Trial] = (),
    recordings: Recordings | None = None,
    observers: Sequence[Observer] = (),
    public_replay: bool = True,
) -> FastAPI:
    """The study's application; `trials` can be replayed in addition to the study's.

    So can `recordings`, by researchers: what the people of a dataset did.
    So can `observers` in addition to ours.

    Without `public_replay` only researchers have the replay: outsiders compute nothing.
    """

    @asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        yield
        app.state.intents.close()
        end_replays(app.state)

    app = FastAPI(
        title=settings.study.title,
        version=__version__,
        description="The calls of the participant's browser.",
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=life,
    )
    app.state.settings, app.state.store = settings, store
    app.state.service = service or StudyService(settings, store)
    app.state.limiter = Limiter()
    app.state.intents = IntentQueue(app.state.service)
    app.state.health = Health(store)
    app.state.trials, app.state.recordings = tuple(trials), recordings
    app.state.public_replay = public_replay
    app.state.observers = tuple(observers)
    _handle_errors(app)
    for router in (participant.router, researcher.router, replay.router):
        app.include_router(router)
    app.get("/researcher/{rest:path}", include_in_schema=False)(researcher.no_such_page)
    app.mount("/", StaticFiles(directory=STATIC, html=True), name="client")
    app.add_middleware(BodyGuard)
    app.add_middleware(SecurityHeaders)
    return app


def _error(status: int, code: str, message: str, **more: object) -> JSONResponse:
    return JSONResponse({"error": code, "message": message, **more}, status)


def _retry(status: int, code: str, message: str, seconds: float) -> JSONResponse:
    response = _error(status, code, message)
    response.headers["Retry-After"] = str(max(1, math.ceil(seconds)))
    return response


def _handle_errors(app: FastAPI) -> None:
    """Answer every error as JSON with a code and a sentence."""
    for kind, handler in (
        (BusyError, _busy),
        (UnknownSessionError, _unknown_session),
        (TakenOverError, _taken_over),
        (ArrivalError, _no_arrival),
        (NotNowError, _not_now),
        (TooFastError, _too_fast),
        (RequestValidationError, _invalid),
        (HTTPException, _http),
        (Exception, _internal),
    ):
        app.add_exception_handler(kind, handler)


def _wants_page(request: Request) -> bool:
    """Whether somebody looks at the researcher's pages, rather than a program."""
    return _accepts_pages(request) and request.url.path.startswith("/researcher")


def _is_browsing(request: Request) -> bool:
    """Whether somebody looks at another page."""
    return _accepts_pages(request) and not request.url.path.startswith(("/researcher", "/api/"))


def _accepts_pages(request: Request) -> bool:
    return "text/html" in request.headers.get("accept", "")


def _busy(request: Request, error: Exception) -> Response:
    logger.error("the database is busy: %s", error)
    message = "The study's database is busy. Nothing was lost; please try again."
    if _wants_page(request):
        text = f"{message} What the database says: {error}"
        return HTMLResponse(error_page(503, text), 503, {"Retry-After": str(RETRY_AFTER)})
    return _retry(503, "busy", message, RETRY_AFTER)


def _unknown_session(request: Request, error: Exception) -> JSONResponse:
    _record_refusal(request, "forged", f"{request.method} {request.url.path} with an unknown token")
    return _error(401, "unknown_session", "There is no such session; please reload the page.")


def _taken_over(request: Request, error: Exception) -> JSONResponse:
    message = "The study has been opened in another tab or window; please continue there."
    return _error(409, "taken_over", message)


def _no_arrival(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, ArrivalError)
    return _error(422, error.code, error.message, **error.more)


def _not_now(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, NotNowError)
    return _retry(error.status, error.code, error.message, error.seconds)


def _too_fast(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, TooFastError)
    return _retry(429, "too_fast", "Too many calls; please slow down.", error.seconds)


def _invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    problems = [
        {"at": ".".join(str(part) for part in problem["loc"]), "message": problem["msg"]}
        for problem in error.errors()[:20]
    ]
    listed = "; ".join(f"{problem['at']}: {problem['message']}" for problem in problems)
    if _wants_page(request):
        return HTMLResponse(error_page(422, f"The address is not valid: {listed}"), 422)
    if any(problem["at"] in _IN_LINK for problem in problems):
        message = _texts(request).line("arrival.bad_link")
        return _error(422, "bad_link", message, problems=problems)
    if request.headers.get("x-session"):
        _record_refusal(request, "invalid", f"{request.url.path}: {listed}")
    return _error(422, "invalid", f"The call is not valid: {listed}", problems=problems)


def _texts(request: Request) -> Texts:
    settings = request.app.state.settings
    assert isinstance(settings, Settings)
    return settings.spoken


def _not_found_page(texts: Texts, contact: str) -> str:
    """The page that somebody sees who opened a wrong address, in the study's language."""
    values = texts.table("not_found") | {"contact": texts.line("ends.contact", contact=contact)}
    shown = {name: escape(text) for name, text in values.items()}
    return _NOT_FOUND.substitute(shown, language=texts.language)


def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if _is_browsing(request) and error.status_code == 404:
        return HTMLResponse(
            _not_found_page(_texts(request), request.app.state.settings.study.contact), 404
        )
    if _wants_page(request) and error.status_code >= 400:
        page = error_page(error.status_code, error.detail)
        return HTMLResponse(page, error.status_code, error.headers)
    names = {400: "bad_request", 404: "not_found", 405: "not_allowed"}
    response = _error(error.status_code, names.get(error.status_code, "refused"), error.detail)
    response.headers.update(error.headers or {})
    return response


def _internal(request: Request, error: Exception) -> Response:
    message = "Something went wrong on our side; please try again."
    if _wants_page(request):
        return HTMLResponse(error_page(500, f"{message} The server's log says what."), 500)
    return _error(500, "internal", message)


def _record_refusal(request: Request, kind: str, detail: str) -> None:
    """Record a refused call, unless there are too many of them or the database is busy."""
    state = request.app.state
    logger.warning("refused: %s", detail)
    if state.limiter.wait("forgeries", FORGERIES):
        return
    try:
        state.service.note_refusal(request.headers.get("x-session"), kind, detail)
    except (BusyError, TakenOverError):
        logger.warning("the refused call could not be recorded")
