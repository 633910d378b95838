"""`onlooker check`: is a trial valid?"""

from __future__ import annotations

import typer

from onlooker.cli.common import TrialFiles, read_planned, refuse
from onlooker.game import TrialError


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(check)


def check(files: TrialFiles) -> None:
    """Check trials and tell everything that is wrong with them.

    Each problem is a line that names the file, the place and the reason. The exit status is 2 if
    any file has a problem.
    """
    problems: list[str] = []
    for file in files:
        try:
            read_planned(file)
        except TrialError as error:
            problems += error.lines()
        else:
            print(f"{file}: ok")
    if problems:
        refuse(problems)
