"""`onlooker links`: signed links to a study for people whom the lab invites itself."""

from __future__ import annotations

import re
import sys
import time
from pathlib import Path
from typing import Annotated

import typer

from onlooker.cli.common import InputError
from onlooker.cli.serve import web_extra

_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(links)


def links(
    ids: Annotated[
        Path, typer.Argument(metavar="FILE", help="One participant's id on each line; - is stdin.")
    ],
    settings: Annotated[
        Path, typer.Option("--settings", metavar="FILE", help="The study's settings (TOML).")
    ],
    url: Annotated[str, typer.Option(metavar="URL", help="The study's address.")],
    study_id: Annotated[str, typer.Option("--study", metavar="ID", help="The STUDY_ID.")],
    days: Annotated[
        int, typer.Option(min=1, max=3650, help="How long the links open a new session.")
    ] = 30,
) -> None:
    """Print a signed link for each participant's id.

    The settings name the key (admission.link_key_env). With it, a study lets only people in who
    come with such a link, and nobody can invent ids. A link that has expired still leads
    back to the session that it opened.
    """
    with web_extra():
        from onlooker.web.participant.links import signed_link
        from onlooker.web.settings import SettingsError, load_settings

    try:
        chosen = load_settings(settings)
    except SettingsError as error:
        raise InputError(str(error)) from None
    admission = chosen.admission
    if admission.link_key_env is None:
        raise InputError(f"{settings}: admission.link_key_env: missing; it names the key of links")
    if not admission.link_key:
        raise InputError(f"the environment variable {admission.link_key_env} is not set")
    if chosen.experiment_of(study_id) is None:
        raise InputError(f"--study {study_id}: the settings do not know this STUDY_ID")
    expires = int(time.time()) + days * 24 * 3600
    text = sys.stdin.read() if str(ids) == "-" else ids.read_text("utf-8")
    for number, line in enumerate(text.splitlines(), start=1):
        pid = line.strip()
        if pid and not _ID.fullmatch(pid):
            raise InputError(
                f"{ids}: line {number}: expected letters, digits, - and _, at most 64, not {pid!r}"
            )
        if pid:
            print(signed_link(url, admission.link_key, pid, study_id, expires))
