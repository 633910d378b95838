"""`onlooker import`: the authors' maps as trial documents."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from onlooker.cli.common import folder_to_write


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("import")(import_archive)


def import_archive(
    folder: Annotated[
        Path,
        typer.Argument(
            metavar="DIR",
            help="The authors' archive, unpacked, with folders problems_exp1 to problems_exp4.",
        ),
    ],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="OUT", help="The folder to write to.")
    ],
    experiment: Annotated[
        list[int] | None,
        typer.Option(metavar="N", min=1, max=4, help="Only this experiment; repeatable."),
    ] = None,
) -> None:
    """Import the maps of the paper from the authors' archive.

    Writes a trial document for each level and manifest.json, which has the hashes of what was
    read and written. Everything is checked before anything is written.
    """
    from onlooker.experiments.archive import read_archive

    folder_to_write(output)
    archive = read_archive(folder, experiment)
    for warning in archive.warnings:
        print(f"warning: {warning}", file=sys.stderr)
    archive.write(output)
    for number in sorted({entry.experiment for entry in archive.entries}):
        count = sum(entry.experiment == number for entry in archive.entries)
        print(f"Experiment {number}: {count} trials")
    for number in archive.absent:
        print(f"Experiment {number}: left out, there is no folder problems_exp{number}")
    if archive.other_maps:
        count = len(archive.other_maps)
        print(f"Other maps, not of the paper and not written ({count}):")
        for name in archive.other_maps:
            print(f"  {name}")
    print(f"{len(archive.entries)} trials in {output}")
