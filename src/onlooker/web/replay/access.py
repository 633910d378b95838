"""Access to replays: what the public and what the researcher may choose and see.

The public never sees a participant nor, while a study is live, a trial whose map is one of the
study's. A pasted map brings its own holders, so everybody may replay it.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import Request
from pydantic import Field
from starlette.datastructures import State

from onlooker.game import ExperimentName, Trial, dump_document
from onlooker.observers import (
    KNOWN_OBSERVERS,
    OBSERVERS,
    ChoiceRule,
    Observer,
    Parameters,
    parameters_class,
)
from onlooker.web.limits import StrictBody
from onlooker.web.participant.service import service_of
from onlooker.web.replay.builder import ReplayBuilder, limit, limit_search, searchable
from onlooker.web.replay.catalogue import CatalogueEntry, TrialCatalogue, is_live
from onlooker.web.replay.controls import OWN_RULE, RULE, controls
from onlooker.web.replay.document import (
    DATA,
    PlayedLog,
    observer_document,
    participant_document,
)
from onlooker.web.replay.sessions import PREFIX, ReplayPlayer, people, played
from onlooker.web.replay.timelines import FULL

if TYPE_CHECKING:
    from onlooker.experiments.recordings import Recordings

ShortText = Annotated[str, Field(max_length=200)]
MapText = Annotated[str, Field(max_length=60_000)]

_making = threading.Lock()


class ReplayBody(StrictBody):
    """Which replay is wanted: a trial in the catalogue or a text, who plays, the parameters."""

    trial: ShortText | None = None
    text: MapText | None = None
    player: ShortText = FULL
    parameters: Annotated[dict[ShortText, ShortText], Field(default_factory=dict, max_length=60)]


class CheckBody(StrictBody):
    """A text to be checked."""

    text: MapText


@dataclass(frozen=True)
class ReplayResources:
    """What these routes keep while the application runs."""

    catalogue: TrialCatalogue
    builder: ReplayBuilder
    observers: dict[str, Observer]  # by name: ours, and those that the server was started with
    parameters: type[Parameters]  # with those that they declare
    data: Recordings | None = None  # people of a dataset


def _resources(request: Request) -> ReplayResources:
    """The application's resources, made by the first call."""
    state = request.app.state
    with _making:
        if not hasattr(state, "resources"):
            courses, data = service_of(request).courses, state.recordings
            trials = _recorded_trials(data) if data is not None else {}
            ours = {name: kind() for name, kind in KNOWN_OBSERVERS.items()}
            state.resources = ReplayResources(
                TrialCatalogue(courses, state.trials, trials),
                ReplayBuilder(),
                ours | {each.name: each for each in state.observers},
                parameters_class(state.observers),
                data,
            )
    resources = state.resources
    assert isinstance(resources, ReplayResources)
    return resources


def _recorded_trials(data: Recordings) -> dict[ExperimentName, list[Trial]]:
    from onlooker.web.replay.recorded import recorded_trials  # needs pandas

    return recorded_trials(data)


def close(state: State) -> None:
    """End the process that computes replays."""
    if hasattr(state, "resources"):
        state.resources.builder.close()


class RefusedError(Exception):
    """A replay does not exist or is not public."""

    def __init__(self, status: int, code: str, message: str, problems: list[str] | None = None):
        self.status = status
        self.content = {"error": code, "message": message, "problems": problems or []}
        super().__init__(message)


@dataclass(frozen=True)
class ReplayAccess:
    """The replays for the public, or for a researcher who has signed in."""

    request: Request
    signed_in: bool

    @property
    def resources(self) -> ReplayResources:
        """The application's resources."""
        return _resources(self.request)

    @property
    def live(self) -> bool:
        """Whether a study is live."""
        state = self.request.app.state
        return is_live(state.settings, state.store)

    def entry(self, entry_id: str) -> CatalogueEntry:
        """A trial in the catalogue that may be shown."""
        entry = self.resources.catalogue.find(entry_id)
        if entry is None:
            raise RefusedError(404, "no_trial", f"There is no trial {entry_id!r}.")
        if not self.signed_in and self.resources.catalogue.in_study(entry.trial) and self.live:
            message = "This trial belongs to a study that is live: sign in to see it."
            raise RefusedError(401, "sign_in", message)
        return entry

    def offer(self, trial: str, player: str) -> dict[str, Any]:
        """What can be chosen: trials, players of a trial, rounds of a player, parameters."""
        catalogue = self.resources.catalogue
        hidden = not self.signed_in and self.live
        groups = [
            {
                "title": title,
                "entries": [
                    {"id": entry.id, "title": entry.title}
                    for entry in entries
                    if not (hidden and catalogue.in_study(entry.trial))
                ],
            }
            for title, entries in catalogue.groups
        ]
        persons = self._persons() if self.signed_in else []
        return {
            "hidden": hidden,
            "trials": [group for group in groups if group["entries"]],
            "players": _players(self.resources.observers, persons, trial),
            "rounds": [
                {"id": round_.trial, "title": f"Round {round_.number}"}
                for person in persons
                if person.id == player
                for round_ in person.rounds
            ],
            "controls": controls(self.resources.parameters),
        }

    def _persons(self) -> list[ReplayPlayer]:
        """Everybody who can be chosen: of the study, and of a dataset."""
        found = people(service_of(self.request), self.resources.catalogue)
        if self.resources.data is not None:
            from onlooker.web.replay.recorded import recorded_people

            found += recorded_people(self.resources.data, self.resources.catalogue)
        return found

    def document(self, body: ReplayBody) -> bytes:
        """A replay as text."""
        given = dict(body.parameters)
        rule = _rule(given.pop(RULE, OWN_RULE))
        parameters = _parameters(self.resources.parameters, given)
        if body.player.startswith((PREFIX, DATA)):
            return self._participant(body, parameters, rule)
        if body.player not in self.resources.observers:  # no name imports a module
            raise RefusedError(404, "no_player", f"There is no player {body.player!r}.")
        if body.text is not None:
            trial, entry_id, title = self.resources.builder.checked(body.text), "", ""
        else:
            entry = self.entry(body.trial or "")
            trial, entry_id, title = entry.trial, entry.id, entry.title
            limit(trial)
        if body.player not in OBSERVERS:
            limit_search(trial)
        key = (dump_document(trial), body.player, parameters, rule, entry_id, title)
        return self.resources.builder.made(
            key,
            observer_document,
            trial,
            self.resources.observers[body.player],
            parameters,
            entry_id,
            title,
            rule=rule,
            exact=searchable(trial),
        )

    def _participant(
        self, body: ReplayBody, parameters: Parameters, rule: ChoiceRule | None
    ) -> bytes:
        if not self.signed_in:
            message = "Participants’ replays are for the researcher: sign in to see them."
            raise RefusedError(401, "sign_in", message)
        shown = self._played(body.player, body.trial or "")
        trial, title = shown.trial, shown.stage.trial.label
        key = (trial, body.player, shown.log, parameters, rule)
        exact = searchable(shown.stage.trial)
        return self.resources.builder.made(
            key, participant_document, shown, parameters, title, rule, exact
        )

    def _played(self, player: str, trial: str) -> PlayedLog:
        """What somebody did in a trial; NoReplayError if there is nothing to show."""
        catalogue = self.resources.catalogue
        if player.startswith(PREFIX):
            return played(service_of(self.request), catalogue, player, trial)
        if self.resources.data is None:
            raise RefusedError(404, "no_player", "There is no data: onlooker serve --data DIR.")
        from onlooker.web.replay.recorded import recorded

        return recorded(self.resources.data, catalogue, player, trial)


def _parameters(of: type[Parameters], given: dict[str, str]) -> Parameters:
    try:
        return of.parse(given)
    except ValueError as error:
        raise RefusedError(422, "parameters", str(error)) from None


def _rule(word: str) -> ChoiceRule | None:
    if word == OWN_RULE:
        return None
    try:
        return ChoiceRule(word)
    except ValueError:
        words = ", ".join([OWN_RULE, *ChoiceRule])
        message = f"rule must be one of {words}, not {word!r}"
        raise RefusedError(422, "parameters", message) from None


def _players(
    observers: dict[str, Observer], persons: list[ReplayPlayer], trial: str
) -> list[dict[str, Any]]:
    """Who can play a trial: the observers, and those who have played it."""
    groups: list[dict[str, Any]] = [
        {
            "title": "Observers",
            "entries": [{"id": n, "title": each.title} for n, each in observers.items()],
        }
    ]
    for title in dict.fromkeys(person.group for person in persons):
        entries = [
            {"id": person.id, "title": person.name}
            for person in persons
            if person.group == title
            for round_ in person.rounds
            if round_.trial == trial
        ]
        if entries:
            groups.append({"title": title, "entries": entries})
    return groups
