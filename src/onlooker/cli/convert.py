"""`onlooker convert`: a trial from one format to another."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from onlooker.cli.common import InputError, TrialFile, folder_to_write
from onlooker.game import dump_trial, load_trial
from onlooker.game.pddl import export_pddl
from onlooker.support.files import write_file


class Format(StrEnum):
    """The formats a trial can be written in."""

    JSON = "json"
    MAP = "map"
    PDDL = "pddl"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(convert)


def convert(
    file: TrialFile,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="OUT", help="Where to write; a directory for PDDL."),
    ] = None,
    to: Annotated[
        Format | None,
        typer.Option(help="The format; by default what OUT's name says: .json, .map or .pddl."),
    ] = None,
) -> None:
    """Convert a trial to a trial document, a map text, or PDDL for planners.

    Without OUT the trial is printed, in the format of --to. PDDL goes into a directory: a domain,
    and a problem for each agent and each hypothesis about its goal and the holders.
    """
    trial = load_trial(file)
    format = to or _format_of(output)
    if format is Format.PDDL:
        if output is None:
            raise InputError("PDDL is several files; expected --output with the name of a folder")
        folder_to_write(output)
        try:
            files = dict(export_pddl(trial))
        except ValueError as error:  # too many hypotheses for a file each
            raise InputError(f"{file}: {error}") from None
        for name, text in files.items():
            write_file(output / name, text)
        print(f"{len(files)} files in {output}")
    elif output is None:
        print(dump_trial(trial, format), end="")
    else:
        write_file(output, dump_trial(trial, format))


def _format_of(output: Path | None) -> Format:
    suffix = output.suffix.lower().removeprefix(".") if output else ""
    if suffix not in list(Format):
        where = f"{output}: " if output else ""
        reason = "no format is given" if output is None else "the name does not say the format"
        raise InputError(f"{where}{reason}; use --to json, --to map or --to pddl")
    return Format(suffix)
