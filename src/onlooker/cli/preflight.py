"""`onlooker preflight`: is a study ready for people?"""

from __future__ import annotations

from typing import Annotated

import typer

from onlooker.cli.common import observer_of
from onlooker.cli.serve import (
    Experiment,
    SettingsFile,
    StimuliFolder,
    study_settings,
    web_extra,
)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(preflight)


def preflight(
    settings: SettingsFile = None,
    experiment: Experiment = None,
    stimuli: StimuliFolder = None,
    database: Annotated[
        str | None, typer.Option(metavar="URL", help="Check the database that the study will use.")
    ] = None,
    observer: Annotated[
        str, typer.Option(metavar="NAME", help="Whose noisy versions play, as for run.")
    ] = "rational_mentalizing",
) -> None:
    """Check everything before people come, on a database made for it.

    With --database, that one is checked too: that it can be written and copied, that every log in
    it holds, and that no participants are in it yet. With PostgreSQL the bots play on its server,
    in a schema that is dropped afterwards.

    The settings are looked over, bots play every ordering, every log is replayed, the data is
    exported, bonuses are computed twice, and a backup is made and restored. The exit status is 1
    if the study is not ready, as it is without a password.
    """
    with web_extra():
        from onlooker.web.rehearsal.findings import ready
        from onlooker.web.rehearsal.preflight import preflight as check
        from onlooker.web.study.course import load_courses

    chosen = study_settings(settings, experiment, stimuli)
    player = observer_of(observer)
    findings = check(
        chosen, load_courses(chosen), player, database, lambda finding: print(finding, flush=True)
    )
    if not ready(findings):
        print("Verdict: not ready")
        raise typer.Exit(1)
    print("Verdict: ready")
