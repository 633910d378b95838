"""`onlooker check`: is a trial valid?"""

from __future__ import annotations

import warnings

import typer

from onlooker.cli.common import TrialPaths, read_planned
from onlooker.game import TrialError, can_search_alone
from onlooker.game.needs import ENDLESS_SEARCH
from onlooker.support.problems import Problem


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(check)


def check(paths: TrialPaths) -> None:
    """Check trials and report what is wrong with them.

    Each problem is a line that names the file, the place and the reason; after the first ten only
    their number is printed. The exit status is 2 if any file has a problem.
    """
    from onlooker.experiments.trialset import trial_files

    problems: list[Problem] = []
    for file in map(str, trial_files(paths)):
        try:
            trial, _, _ = read_planned(file)
        except TrialError as error:
            problems += [Problem(file, str(problem)) for problem in error.problems]
        else:
            print(f"{file}: ok")
            if not can_search_alone(trial.map, trial.main.at, trial.main.goal):
                warnings.warn(f"{file}: {ENDLESS_SEARCH}", stacklevel=1)
    if problems:
        raise TrialError(problems)
