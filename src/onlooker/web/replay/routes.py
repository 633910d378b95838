"""The routes of replay and gallery: open ones, and the same behind the researcher's password."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import quote

from fastapi import APIRouter, HTTPException, Request
from starlette.responses import FileResponse, JSONResponse, Response

from onlooker.game import TrialError
from onlooker.web import STATIC
from onlooker.web.limits import REPLAYS, check_rate
from onlooker.web.replay.access import CheckBody, RefusedError, ReplayAccess, ReplayBody
from onlooker.web.replay.builder import FullError, NoReplayError, TooLargeError
from onlooker.web.replay.gallery import STORIES, card
from onlooker.web.replay.worker import WorkerError
from onlooker.web.researcher.calls import signed_in
from onlooker.web.researcher.sign_in import LOGIN

router = APIRouter(include_in_schema=False)


def _answered(work: Callable[[], Response]) -> Response:
    """The answer, or the error as JSON."""
    try:
        return work()
    except RefusedError as error:
        return JSONResponse(error.content, error.status)
    except TrialError as error:
        problems = [str(problem) for problem in error.problems]
        content = {"error": "not_valid", "message": "The map is not valid.", "problems": problems}
        return JSONResponse(content, 422)
    except TooLargeError as error:
        message = (
            f"The map is valid but too large to replay here: {error}."
            " `onlooker explain FILE --html OUT` has no such limit."
        )
        return JSONResponse({"error": "too_large", "message": message, "problems": []}, 422)
    except NoReplayError as error:
        content = {"error": "no_replay", "message": str(error), "problems": []}
        return JSONResponse(content, 422)
    except (FullError, WorkerError):
        content = {
            "error": "busy",
            "message": "The server is computing other replays; please try again.",
            "problems": [],
        }
        return JSONResponse(content, 503, {"Retry-After": "1"})


def _check_public(request: Request) -> None:
    if not request.app.state.public_replay:
        raise HTTPException(404, "Not Found")


def _anybody(request: Request) -> ReplayAccess:
    _check_public(request)
    return ReplayAccess(request, signed_in=False)


def _researcher(request: Request) -> ReplayAccess:
    try:
        signed_in(request)
    except HTTPException:
        raise RefusedError(401, "sign_in", "Please sign in.") from None
    return ReplayAccess(request, signed_in=True)


@router.get("/replay")
def replay_page(request: Request) -> Response:
    """The replay."""
    _check_public(request)
    return FileResponse(STATIC / "replay/replay.html")


@router.get("/gallery")
def gallery_page(request: Request) -> Response:
    """The gallery."""
    _check_public(request)
    return FileResponse(STATIC / "gallery/gallery.html")


@router.get("/researcher/replay")
def researcher_page(request: Request) -> Response:
    """The replay with participants and the study's trials, after signing in."""
    try:
        signed_in(request)
    except HTTPException:
        query = f"?{request.url.query}" if request.url.query else ""
        wanted = quote(f"/researcher/replay{query}", safe="")
        raise HTTPException(
            303, "Please sign in.", {"Location": f"{LOGIN}?next={wanted}"}
        ) from None
    return FileResponse(STATIC / "replay/replay.html", headers={"Cache-Control": "no-store"})


@router.get("/api/replay/gallery")
def gallery(request: Request) -> Response:
    """The gallery's cards; none whose map is one of a live study's."""
    access = _anybody(request)
    catalogue, hidden = access.resources.catalogue, access.live
    cards = []
    for story in STORIES:
        entry = catalogue.find(f"gallery/{story.name}")
        if entry is not None and not (hidden and catalogue.in_study(entry.trial)):
            cards.append(card(story))
    return JSONResponse({"cards": cards})


def _at(prefix: str, who: Callable[[Request], ReplayAccess]) -> None:
    """The calls of the replay page, for anybody or for the researcher."""
    headers = {"Cache-Control": "no-store"}  # an offer can have participants in it

    @router.get(f"{prefix}/offer")
    def offer(request: Request, trial: str = "", player: str = "") -> Response:
        return _answered(lambda: JSONResponse(who(request).offer(trial, player), headers=headers))

    @router.post(f"{prefix}/document")
    def document(request: Request, body: ReplayBody) -> Response:
        def work() -> Response:
            access = who(request)
            check_rate(request, f"replay {prefix}", REPLAYS)
            return Response(access.document(body), media_type="application/json")

        return _answered(work)

    @router.post(f"{prefix}/check")
    def check(request: Request, body: CheckBody) -> Response:
        def work() -> Response:
            access = who(request)
            check_rate(request, f"check {prefix}", REPLAYS)
            trial, warnings = access.resources.builder.checked_with_warnings(body.text)
            return JSONResponse({"ok": True, "title": trial.label, "warnings": warnings})

        return _answered(work)


_at("/api/replay", _anybody)
_at("/researcher/replay", _researcher)
