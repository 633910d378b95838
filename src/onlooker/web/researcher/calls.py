"""What all of the researcher's routes share: who calls, forms, answers and notes."""

from __future__ import annotations

import logging
import threading
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, HTTPException, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from onlooker.web.participant.service import service_of
from onlooker.web.researcher.dashboard import Dashboard
from onlooker.web.researcher.sign_in import (
    LOGIN,
    Authentication,
    SignedInUser,
    check_token,
    read_form,
)
from onlooker.web.store.models import timestamp
from onlooker.web.store.transaction import Stamp

logger = logging.getLogger("onlooker.web")

_making = threading.Lock()


@dataclass(frozen=True)
class ResearcherState:
    """What these routes keep while the application runs."""

    authentication: Authentication
    dashboard: Dashboard


def state_of(request: Request) -> ResearcherState:
    """The routes' state, made by the first call."""
    app_state = request.app.state
    with _making:
        if not hasattr(app_state, "researcher"):
            service, researcher = service_of(request), app_state.settings.researcher
            app_state.researcher = ResearcherState(
                Authentication(researcher, service.store),
                Dashboard(service),
            )
    state = app_state.researcher
    assert isinstance(state, ResearcherState)
    return state


def signed_in(request: Request) -> SignedInUser:
    """The user who calls; without one, a redirect to the sign-in page."""
    user = state_of(request).authentication.user(request)
    if user is None:
        raise HTTPException(303, "Please sign in.", {"Location": LOGIN})
    return user


SignedIn = Annotated[SignedInUser, Depends(signed_in)]
Form = Annotated[dict[str, str], Depends(read_form)]


def sent_form(user: SignedIn, form: Form) -> dict[str, str]:
    """The fields of a form that a signed-in user sent from one of our pages."""
    check_token(user, form)
    return form


SentForm = Annotated[dict[str, str], Depends(sent_form)]


def time_of(request: Request) -> str:
    """The time as the tables store it."""
    return timestamp(service_of(request).clock())


def html(text: str, status: int = 200) -> Response:
    """A page; nobody may keep it."""
    return HTMLResponse(text, status, {"Cache-Control": "no-store"})


def download(content: str | bytes, name: str, kind: str) -> Response:
    """A file to save."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return Response(content, media_type=kind, headers=headers)


def go_to(path: str) -> Response:
    """A redirect after a form."""
    return RedirectResponse(path, 303)


def note_action(request: Request, detail: str) -> None:
    """Record what the researcher did."""
    service = service_of(request)
    with service.store.write() as tx:
        written = Stamp(time_of(request), service.config_hash)
        tx.note(None, "server", "researcher", detail, written)
    logger.info("researcher: %s", detail)
