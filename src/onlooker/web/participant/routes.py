"""The participant's routes: they read a call, ask the service and return its reply."""

from __future__ import annotations

import json
from html import escape
from pathlib import Path
from string import Template
from typing import Annotated, Any, Literal, TypeVar

from fastapi import APIRouter, Header, HTTPException, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse
from pydantic import AwareDatetime, BaseModel, Field, ValidationError
from typing_extensions import TypedDict

from onlooker.version import __version__
from onlooker.web.participant import messages
from onlooker.web.participant.arrivals import Arrival, LinkProof
from onlooker.web.server.app_state import StrictBody, check_rate, service_of
from onlooker.web.server.limits import ARRIVALS, INTENTS, NOTES, TEST_ARRIVALS, Rate
from onlooker.web.store.transaction import UnknownSessionError, token_hash
from onlooker.web.study.intents import KINDS
from onlooker.web.study.view_types import ScreenView

router = APIRouter()

Form = TypeVar("Form", bound=BaseModel)

_PAGE = Template(Path(__file__).with_name("page.html").read_text("utf-8"))

# An id, or the placeholder that the platform puts the id in for.
PlatformId = Annotated[str, Field(pattern=r"^([A-Za-z0-9_-]{0,64}|\{\{%[A-Z_]{1,30}%\}\})$")]
Pixels = Annotated[int, Field(ge=0, le=100_000)]
Token = Annotated[
    str | None, Header(alias="X-Session", description="The token that arriving gave.")
]


class ArriveBody(StrictBody):
    """The ids in the link, and the size of the window."""

    prolific_pid: PlatformId | None = None
    study_id: PlatformId | None = None
    session_id: PlatformId | None = None
    viewport: tuple[Pixels, Pixels] | None = None
    signature: Annotated[str, Field(pattern=r"^[0-9a-f]{0,64}$")] = ""
    expires: Annotated[int, Field(ge=0, le=2**40)] = 0
    token: Annotated[str, Field(pattern=r"^[A-Za-z0-9_.=-]{0,4096}$")] = ""


class IntentBody(StrictBody):
    """What a participant wants to do."""

    id: Annotated[str, Field(pattern=r"^[0-9A-Za-z-]{8,64}$", description="Unique, e.g. a UUID.")]
    seq: Annotated[int, Field(ge=0, le=2**31 - 1, description="That of the last view.")]
    kind: Annotated[str, Field(max_length=20, description="One of " + ", ".join(KINDS) + ".")]
    data: Annotated[dict[str, Any], Field(default_factory=dict, max_length=50)]
    client_time: AwareDatetime | None = None


class NoteBody(StrictBody):
    """Something the browser noticed."""

    kind: Literal["focus", "blur", "resize", "reconnect", "error"]
    client_time: AwareDatetime | None = None
    detail: Annotated[str, Field(max_length=1000)] = ""


class NotesBody(StrictBody):
    """What the browser noticed recently."""

    notes: Annotated[list[NoteBody], Field(max_length=50)]


class ArriveReply(TypedDict):
    """The token for later calls, None without a session, what to show, and the rules in short."""

    session: str | None
    view: ScreenView
    rules: list[str]


class ViewReply(TypedDict):
    """What to show."""

    view: ScreenView


class TextsReply(TypedDict):
    """The browser's texts by their keys, where {names} are filled in, and the contact."""

    texts: dict[str, str]
    contact: str
    gallery: bool  # whether there is one


class BodyProblem(TypedDict):
    """A problem in the body of a call."""

    at: str
    message: str


class ErrorReply(BaseModel):
    """Why something was not done."""

    error: str
    message: str
    view: ScreenView | None = None
    problems: list[BodyProblem] | None = None
    minimum: list[int] | None = None


class HealthReply(TypedDict):
    """Whether the server works, its version, and what does not work."""

    ok: bool
    version: str
    problem: str


_ERRORS: dict[int | str, dict[str, Any]] = {
    status: {"model": ErrorReply, "description": text}
    for status, text in (
        (400, "bad_request: the call could not be read"),
        (413, "too_large: the body is too large"),
        (415, "not_json: the body is not JSON"),
        (422, "invalid: the body is wrong; not_available: the intent is not possible now"),
        (429, "too_fast: calls come too fast"),
        (503, "busy: the database is locked or unreachable; nothing was done"),
    )
}
_SESSION_ERRORS: dict[int | str, dict[str, Any]] = _ERRORS | {
    401: {"model": ErrorReply, "description": "unknown_session: no such token"},
    409: {"model": ErrorReply, "description": "taken_over: by another tab; stale: wrong seq"},
}


def _admitted(request: Request, token: str | None, name: str, rate: Rate) -> str:
    if not token:
        raise UnknownSessionError
    check_rate(request, f"{name} {token_hash(token)}", rate)
    return token


async def _read(request: Request, form: type[Form]) -> Form:
    """The body of a call; for the call that comes most often, since FastAPI takes longer."""
    try:
        content = json.loads(await request.body())
    except json.JSONDecodeError as error:
        problem = {"type": "json_invalid", "loc": ("body", error.pos), "msg": "JSON decode error"}
        raise RequestValidationError([problem]) from None
    except (ValueError, RecursionError):
        raise HTTPException(400, "There was an error parsing the body") from None
    try:
        return form.model_validate(content)
    except ValidationError as error:
        problems = error.errors(include_url=False, include_context=False)
        placed = [{**problem, "loc": ("body", *problem["loc"])} for problem in problems]
        raise RequestValidationError(placed) from None


def _reads(form: type[BaseModel]) -> dict[str, Any]:
    """What the description of the API says about a call whose body `_read` reads."""
    token = {"name": "X-Session", "in": "header", "schema": {"type": "string"}}
    content = {"application/json": {"schema": form.model_json_schema()}}
    return {"requestBody": {"required": True, "content": content}, "parameters": [token]}


def _answer(reply: messages.Reply) -> Response:
    return Response(reply.body, reply.status, media_type="application/json")


def _iso(time: AwareDatetime | None) -> str | None:
    """A moment as text."""
    return None if time is None else time.isoformat()


@router.post("/api/arrive", response_model=ArriveReply, responses=_ERRORS)
def arrive(request: Request, body: ArriveBody) -> Response:
    """Open the participant's session or resume it; earlier tabs are locked."""
    pid = body.prolific_pid or ""
    link = LinkProof(body.signature, body.expires, body.token)
    # Nobody can use up the calls of another: what is counted is the whole link.
    key = f"arrive {token_hash(f'{pid} {link.signature} {link.token}')}"
    check_rate(request, key if pid else "arrive", ARRIVALS if pid else TEST_ARRIVALS)
    ids = pid, body.study_id or "", body.session_id or ""
    arrival = Arrival(*ids, body.viewport, link)
    return _answer(service_of(request).arrive(arrival))


@router.api_route("/", methods=["GET", "HEAD"], include_in_schema=False)
def page(request: Request) -> HTMLResponse:
    """The participant's page; what it says before its scripts run is in the study's language."""
    study = service_of(request).settings.study
    known = service_of(request).settings.spoken
    values = known.table("page") | {
        "title": study.title,
        "contact": known.line("ends.contact", contact=study.contact),
    }
    shown = {name: escape(text) for name, text in values.items()}
    return HTMLResponse(_PAGE.substitute(shown, language=known.language))


@router.get("/api/texts")
def texts(request: Request) -> TextsReply:
    """What the browser writes around the views, in the study's language."""
    service = service_of(request)
    settings = service.settings
    known = settings.spoken
    leaving = "leave_coded" if settings.completion.withdrawn else "leave_unpaid"
    said = known.table("client") | known.table("shared")
    colours = {f"colour_{name}": word for name, word in known.table("colours").items()}
    return {
        "texts": said | colours | {"leave_cost": said[leaving]},
        "contact": known.line("ends.contact", contact=settings.study.contact),
        "gallery": request.app.state.public_replay,
    }


@router.get("/api/view", response_model=ViewReply, responses=_SESSION_ERRORS)
def view(request: Request, token: Token = None) -> Response:
    """What to show now."""
    token = _admitted(request, token, "intent", INTENTS)
    return _answer(service_of(request).view(token))


@router.post(
    "/api/intent",
    response_model=ViewReply,
    responses=_SESSION_ERRORS,
    openapi_extra=_reads(IntentBody),
)
async def intent(request: Request) -> Response:
    """Carry out an intent; a repeated id gets the same answer and is not carried out again."""
    body = await _read(request, IntentBody)
    token = _admitted(request, request.headers.get("X-Session"), "intent", INTENTS)
    asked = messages.IntentRequest(body.id, body.seq, body.kind, body.data, _iso(body.client_time))
    return _answer(await request.app.state.intents.reply(token, asked))


@router.post("/api/note", status_code=204, response_class=Response, responses=_SESSION_ERRORS)
def note(request: Request, body: NotesBody, token: Token = None) -> None:
    """Record what the browser noticed."""
    token = _admitted(request, token, "note", NOTES)
    notes = [messages.Note(n.kind, n.detail, _iso(n.client_time)) for n in body.notes]
    service_of(request).note(token, notes)


@router.get("/healthz", response_model=HealthReply, responses={503: {"model": HealthReply}})
@router.head("/healthz", include_in_schema=False)
def healthz(request: Request) -> Response:
    """Whether the server is up and its database can be written and read."""
    problem = request.app.state.health.problem()
    content = {"ok": not problem, "version": __version__, "problem": problem and "database"}
    return _answer(messages.reply(content, 503 if problem else 200))
