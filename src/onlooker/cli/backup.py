"""`onlooker backup`, `restore`, `export` and `erase`: what is in a study's database."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from onlooker.cli.errors import InputError, refusing
from onlooker.cli.options import Database, Replace, SettingsFile, StimuliFolder, StudyExperiment
from onlooker.cli.serve import shown_database, study_settings, web_extra
from onlooker.support.files import write_file
from onlooker.support.rounding import counted


def backup(
    database: Database,
    output: Annotated[Path, typer.Argument(metavar="OUT", help="The file to write.")],
    replace: Replace = False,
) -> None:
    """Copy a study's database to a file, also while the study runs.

    PostgreSQL's database is written by pg_dump, which must be installed. The copy has
    participants' ids in it, so keep it where nobody else can read it.
    """
    with web_extra():
        from onlooker.web.store import backup as copies

    with refusing("", copies.BackupError):
        copies.backup(database, output, replace)
    print(f"{output}: {output.stat().st_size:,} bytes")


def restore(
    source: Annotated[Path, typer.Argument(metavar="FILE", help="What backup wrote.")],
    database: Database,
    replace: Replace = False,
) -> None:
    """Put a study's database back from a copy; stop the server first.

    A database that is there is refused, unless --replace: an SQLite file is then put aside with
    the ending .before-restore-1 (or the next free number), and PostgreSQL's tables are dropped.
    """
    with web_extra():
        from onlooker.web.store import backup as copies

    with refusing("", copies.BackupError):
        copies.restore(source, database, replace)
    print("The database is restored.")


def export(
    database: Database,
    output: Annotated[Path, typer.Argument(metavar="OUT", help="The zip file to write.")],
    settings: SettingsFile = None,
    experiment: StudyExperiment = None,
    stimuli: StimuliFolder = None,
    tests: Annotated[
        bool, typer.Option("--tests", help="Test runs and bots instead of participants.")
    ] = False,
    replace: Replace = False,
) -> None:
    """Write a study's data as a zipped Psych-DS dataset.

    It needs the settings and stimuli that the study ran with. Participants are called by random
    pseudonyms. Test runs and bots never come in the same dataset as participants, and theirs says
    that it is simulated.
    """
    with web_extra():
        from sqlalchemy.exc import DatabaseError

        from onlooker.web.export import dataset as exports
        from onlooker.web.store import BusyError, Store, check_database
        from onlooker.web.study.course import load_courses

    if output.exists() and not replace:
        raise InputError(f"{output}: there is a file already; it is not replaced")
    chosen = study_settings(settings, experiment, stimuli)
    courses = load_courses(chosen)
    try:
        check_database(database)
        with Store(database) as store:
            made = exports.export(store, chosen, courses, tests)
    except (BusyError, ValueError) as error:
        raise InputError(f"{shown_database(database)}: {error}") from None
    except DatabaseError as error:
        reason = f"cannot be read: {error.__cause__ or error}"
        raise InputError(f"{shown_database(database)}: {reason}") from None
    write_file(output, made.zipped())
    print(f"{output}: {counted(made.sessions, 'session')}, {made.participants} of them with trials")
    for problem in made.problems:
        print(f"not replayed: {problem}")


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
        from onlooker.web.store.models import now, timestamp

    if not yes:
        typer.confirm(f"Erase everything about {participant}?", abort=True)
    with refusing(f"{shown_database(database)}: ", BusyError, ValueError):
        check_database(database)
        with Store(database) as store:
            record = erasing.erase(store, participant, timestamp(now()))
    if record is None:
        raise InputError(f"{shown_database(database)}: there is no participant {participant}")
    sessions, events = counted(record.sessions, "session"), counted(record.events, "event")
    print(f"Erased {record.pseudonym}: {sessions}, {events}.")
    print(erasing.BACKUPS)
