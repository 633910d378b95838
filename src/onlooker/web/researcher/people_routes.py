"""The researcher's pages about single people: finding, ending and erasing them."""

from __future__ import annotations

import re
from typing import Annotated

from fastapi import APIRouter, HTTPException, Query, Request
from sqlalchemy import select
from starlette.responses import Response

from onlooker.web.participant.service import service_of
from onlooker.web.researcher import pages
from onlooker.web.researcher.calls import (
    SentForm,
    SignedIn,
    go_to,
    html,
    note_action,
    time_of,
)
from onlooker.web.researcher.people import Shown, people_page
from onlooker.web.store import Store
from onlooker.web.store.erasure import erase, erasures
from onlooker.web.store.models import ParticipantRow, SessionRow

_NUMBER = re.compile("[0-9]{1,9}")  # of a session; a longer one is too large for a database

router = APIRouter(prefix="/researcher", include_in_schema=False)


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
    return html(pages.people_page(found, erasures(store), user))


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
            {"session": number},
            "/researcher",
        )
        return html(pages.question_page(question, user))
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
            {"session": number},
            "/researcher/people",
        )
        return html(pages.question_page(question, user))
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
