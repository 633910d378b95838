"""`onlooker erase`: a participant's data out of a study's database, on request."""

from __future__ import annotations

from typing import Annotated

import typer

from onlooker.cli.backup import Database
from onlooker.cli.common import InputError
from onlooker.cli.serve import shown_database, web_extra
from onlooker.support.rounding import counted


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(erase)


def erase(
    database: Database,
    participant: Annotated[
        str, typer.Argument(metavar="ID", help="The participant's id or pseudonym.")
    ],
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Erase everything about a participant, also while the study runs.

    Sessions, answers, recorded bonuses and the id are deleted; datasets made from now on do not
    have them. A record with the random pseudonym says that it happened. Backups and datasets made
    before are not changed.
    """
    with web_extra():
        from onlooker.web.store import BusyError, Store, check_database
        from onlooker.web.store import erasure as erasing
        from onlooker.web.store.clock import now, timestamp

    if not yes:
        typer.confirm(f"Erase everything about {participant}?", abort=True)
    try:
        check_database(database)
        with Store(database) as store:
            record = erasing.erase(store, participant, timestamp(now()))
    except (BusyError, ValueError) as error:
        raise InputError(f"{shown_database(database)}: {error}") from None
    if record is None:
        raise InputError(f"{shown_database(database)}: there is no participant {participant}")
    sessions, events = counted(record.sessions, "session"), counted(record.events, "event")
    print(f"Erased {record.pseudonym}: {sessions}, {events}.")
    print(erasing.BACKUPS)
