"""Where replays are asked for: what may be chosen and shown, by anybody or by the researcher.

Anybody never sees a participant nor, while a study is live, a trial whose map is one of the
study's. A pasted map brings its own holders, so it is open to everybody.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import Request
from pydantic import BaseModel, ConfigDict, Field

from onlooker.game import dump_document
from onlooker.observers import OBSERVERS, Parameters, find_observer
from onlooker.web.participant.service import Conductor
from onlooker.web.replay.document import observer_document, participant_document
from onlooker.web.replay.lines import FULL
from onlooker.web.replay.sessions import PREFIX, Person, people, played
from onlooker.web.replay.shapes import Document
from onlooker.web.replay.shelf import Entry, Shelf, is_live
from onlooker.web.replay.sliders import controls
from onlooker.web.replay.studio import Studio, limit

Short = Annotated[str, Field(max_length=200)]
Text = Annotated[str, Field(max_length=60_000)]

_making = threading.Lock()


class Body(BaseModel):
    """A body with nothing unknown in it."""

    model_config = ConfigDict(extra="forbid")


class ReplayBody(Body):
    """Which replay is wanted: a trial on the shelf or a text, who plays, the parameters."""

    trial: Short | None = None
    text: Text | None = None
    player: Short = FULL
    parameters: Annotated[dict[Short, Short], Field(max_length=20)] = {}


class CheckBody(Body):
    """A text to be checked."""

    text: Text


@dataclass(frozen=True)
class Library:
    """What these routes keep while the application runs."""

    shelf: Shelf
    studio: Studio


def _library(request: Request) -> Library:
    """The application's library, set up by the first call."""
    state = request.app.state
    with _making:
        if not hasattr(state, "library"):
            state.library = Library(Shelf(_conductor(request).courses, state.trials), Studio())
    library = state.library
    assert isinstance(library, Library)
    return library


def _conductor(request: Request) -> Conductor:
    conductor = request.app.state.conductor
    assert isinstance(conductor, Conductor)
    return conductor


class RefusedError(Exception):
    """A replay that there is not, or not for everybody."""

    def __init__(self, status: int, code: str, message: str, problems: list[str] | None = None):
        self.status = status
        self.content = {"error": code, "message": message, "problems": problems or []}
        super().__init__(message)


@dataclass(frozen=True)
class Counter:
    """Where replays are asked for: by anybody, or by a researcher who has signed in."""

    request: Request
    signed_in: bool

    @property
    def library(self) -> Library:
        """The application's library."""
        return _library(self.request)

    @property
    def live(self) -> bool:
        """Whether a study is live."""
        state = self.request.app.state
        return is_live(state.settings, state.store)

    def entry(self, entry_id: str) -> Entry:
        """A trial on the shelf that may be shown here."""
        entry = self.library.shelf.find(entry_id)
        if entry is None:
            raise RefusedError(404, "no_trial", f"There is no trial {entry_id!r}.")
        if not self.signed_in and self.library.shelf.in_study(entry.trial) and self.live:
            message = "This trial belongs to a study that is live: sign in to see it."
            raise RefusedError(401, "sign_in", message)
        return entry

    def offer(self, trial: str, player: str) -> dict[str, Any]:
        """What can be chosen: trials, players of a trial, rounds of a player, parameters."""
        shelf = self.library.shelf
        hidden = not self.signed_in and self.live
        groups = [
            {
                "title": title,
                "entries": [
                    {"id": entry.id, "title": entry.title}
                    for entry in entries
                    if not (hidden and shelf.in_study(entry.trial))
                ],
            }
            for title, entries in shelf.groups
        ]
        persons = people(_conductor(self.request), shelf) if self.signed_in else []
        return {
            "signed_in": self.signed_in,
            "hidden": hidden,
            "trials": [group for group in groups if group["entries"]],
            "players": _players(persons, trial),
            "rounds": [
                {"id": round_.trial, "title": f"Round {round_.number}"}
                for person in persons
                if person.id == player
                for round_ in person.rounds
            ],
            "controls": controls(),
        }

    def document(self, body: ReplayBody) -> bytes:
        """A replay as text."""
        parameters = _parameters(body.parameters)
        if body.player.startswith(PREFIX):
            return self._participant(body, parameters)
        if body.player not in OBSERVERS:  # one of a user's own would be imported
            raise RefusedError(404, "no_player", f"There is no player {body.player!r}.")
        if body.text is not None:
            trial, entry_id, title = self.library.studio.checked(body.text), "", ""
        else:
            entry = self.entry(body.trial or "")
            trial, entry_id, title = entry.trial, entry.id, entry.title
            limit(trial)

        def make() -> Document:
            player = find_observer(body.player)
            return observer_document(trial, player, parameters, entry_id, title)

        key = (dump_document(trial), body.player, parameters, entry_id, title)
        return self.library.studio.made(key, make)

    def _participant(self, body: ReplayBody, parameters: Parameters) -> bytes:
        if not self.signed_in:
            message = "Participants’ replays are for the researcher: sign in to see them."
            raise RefusedError(401, "sign_in", message)
        shown = played(_conductor(self.request), self.library.shelf, body.player, body.trial or "")
        trial, title = shown.trial, shown.stage.trial.label

        def make() -> Document:
            return participant_document(shown, parameters, title)

        key = (trial, body.player, shown.log, parameters)
        return self.library.studio.made(key, make)


def _parameters(given: dict[str, str]) -> Parameters:
    try:
        return Parameters.parse(given)
    except ValueError as error:
        raise RefusedError(422, "parameters", str(error)) from None


def _players(persons: list[Person], trial: str) -> list[dict[str, Any]]:
    """Who can play a trial: the observers, and those who have played it."""
    groups: list[dict[str, Any]] = [
        {
            "title": "Observers",
            "entries": [{"id": name, "title": kind.title} for name, kind in OBSERVERS.items()],
        }
    ]
    for title, test in (("Participants", False), ("Bots and test runs", True)):
        entries = [
            {"id": person.id, "title": person.name}
            for person in persons
            if person.test is test
            for round_ in person.rounds
            if round_.trial == trial
        ]
        if entries:
            groups.append({"title": title, "entries": entries})
    return groups
