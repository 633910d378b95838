"""A replay as a single page that opens from disk, with its script, style and data."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from contextlib import suppress
from html import escape

from onlooker.experiments.regret import REFUSED
from onlooker.game import Trial
from onlooker.observers import (
    KNOWN_OBSERVERS,
    OBSERVERS,
    ChoiceRule,
    Observer,
    Parameters,
    parameters_class,
)
from onlooker.version import __version__
from onlooker.web import STATIC
from onlooker.web.replay.bundle import bundle
from onlooker.web.replay.controls import controls
from onlooker.web.replay.document import (
    PlayedLog,
    as_seen,
    observer_document,
    participant_document,
)
from onlooker.web.replay.document_types import Document

STYLES = ("shared/base.css", "shared/style.css", "shared/game.css", "replay/replay.css")
# Nothing may be fetched from anywhere, whatever the page is asked to show.
POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:"


def replay_page(
    trial: Trial,
    observer: Observer,
    parameters: Parameters | None = None,
    title: str = "",
    rule: ChoiceRule | str | None = None,
) -> str:
    """The page of a trial: the observer's replay first, with those of all known observers.

    A rule is for the observer that the page is about; the others choose by their own. Observers
    that cannot be run on the trial are left out.
    """
    wanted = {name: kind() for name, kind in KNOWN_OBSERVERS.items()} | {observer.name: observer}
    documents: dict[str, Document] = {}
    for name, player in wanted.items():
        by = rule if name == observer.name else None
        try:
            documents[name] = observer_document(
                trial, player, parameters, title=title, beside=[observer], rule=by
            )
        except REFUSED:
            if name == observer.name or name in OBSERVERS:
                raise
    return page_of(documents, observer.name, parameters_class([observer]))


def participant_page(
    played: PlayedLog, parameters: Parameters | None = None, title: str = ""
) -> str:
    """The page of what somebody did in a trial, with the replays of all known observers on it.

    Observers that cannot be run on the trial are left out.
    """
    documents = {played.player["id"]: participant_document(played, parameters, title)}
    trial = as_seen(played.stage)
    for name, kind in KNOWN_OBSERVERS.items():
        with suppress(*REFUSED):
            documents[name] = observer_document(trial, kind(), parameters, "", title)
    return page_of(documents, played.player["id"])


def page_of(
    documents: Mapping[str, Document], first: str, of: type[Parameters] = Parameters
) -> str:
    """The page of some replays of one trial; `of` has the parameters that there are."""
    data = {"documents": dict(documents), "first": first, "controls": controls(of)}
    title = documents[first]["trial"]["title"]
    style = "\n".join((STATIC / name).read_text(encoding="utf-8") for name in STYLES)
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<meta name="generator" content="onlooker {escape(__version__)}">
<title>{escape(title)} – onlooker</title>
<link rel="icon" href="data:,">
<style>
{_closed(style)}
</style>
</head>
<body class="replaying">
<header id="bar"></header>
<main id="replay"></main>
<noscript><p class="loading">This page needs JavaScript.</p></noscript>
<script type="application/json" id="data">{_data(data)}</script>
<script>
{_closed(bundle("replay/file.js"))}
</script>
</body>
</html>
"""


def _data(value: object) -> str:
    """JSON that cannot end the element it stands in."""
    text = json.dumps(value, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _closed(text: str) -> str:
    """Script or style that cannot end the element it stands in."""
    return re.sub(r"</(?=script|style)", r"<\\/", text, flags=re.IGNORECASE)
