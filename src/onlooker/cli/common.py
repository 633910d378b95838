"""What the commands share: reading trials, planning in them, printing and refusing."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Annotated, NoReturn

import typer

from onlooker.game import Costs, Problem, Trial, TrialError, load_trial
from onlooker.planning import NoPathError, Path, Tables, main_path, npc_paths

BAD_INPUT = 2  # the exit status for anything wrong with what the user gave

TrialFile = Annotated[
    str, typer.Argument(metavar="FILE", help="A trial document (JSON) or a map text.")
]
TrialFiles = Annotated[
    list[str], typer.Argument(metavar="FILE", help="Trial documents (JSON) or map texts.")
]


class InputError(Exception):
    """Something the user gave is wrong; the text says what was expected."""


def refuse(lines: Iterable[str]) -> NoReturn:
    """Say on standard error what is wrong, and leave with the status for bad input."""
    for line in lines:
        print(line, file=sys.stderr)
    raise typer.Exit(BAD_INPUT)


def read_planned(file: str, costs: Costs | None = None) -> tuple[Trial, Tables, dict[str, Path]]:
    """A trial with its tables and everybody's reference path, by agent id ("main" included).

    A novice's way is not known to exist before it is planned, so this finds one more problem
    than reading the trial does.
    """
    trial = load_trial(file)
    tables = Tables(trial.map, costs)
    try:
        paths = npc_paths(tables, trial)
        paths_of = {npc.id: path for npc, path in zip(trial.npcs, paths, strict=True)}
        return trial, tables, {"main": main_path(tables, trial), **paths_of}
    except NoPathError as error:
        raise TrialError([Problem("npcs", str(error))], source=file) from None
