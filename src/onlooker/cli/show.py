"""`onlooker show`: draw a trial."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from onlooker.cli.common import InputError, TrialFile, pictures_of, read_planned
from onlooker.planning import Steps


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(show)


def show(
    file: TrialFile,
    path: Annotated[
        list[str] | None,
        typer.Option(metavar="ID", help="Draw this agent's path: an NPC's id, main, or all."),
    ] = None,
    holders: Annotated[
        bool, typer.Option("--holders", help="Mark the wizards that hold the amulets.")
    ] = False,
    png: Annotated[
        Path | None, typer.Option(metavar="OUT", help="Write a PNG instead of printing.")
    ] = None,
    svg: Annotated[
        Path | None, typer.Option(metavar="OUT", help="Write an SVG instead of printing.")
    ] = None,
) -> None:
    """Draw a trial in the terminal, or as a picture.

    An expert's path is the least-cost one, a novice's the one on which it tries the nearest
    wizards; main's is what would cost it least if it knew the holders.
    """
    pictures = pictures_of(png, svg)
    trial, _, reference = read_planned(file)
    paths = _chosen(path or [], reference)
    if not pictures:
        from rich.console import Console

        from onlooker.drawing.terminal import map_text

        Console(highlight=False, soft_wrap=True).print(
            map_text(trial, holders=holders, paths=paths)
        )
        return
    from onlooker.drawing.figure import map_figure, save_figure

    for picture in pictures:
        save_figure(map_figure(trial, holders=holders, paths=paths), picture)
        print(picture)


def _chosen(wanted: list[str], reference: dict[str, Steps]) -> dict[str, Steps]:
    if "all" in wanted:
        return reference
    for agent in wanted:
        if agent not in reference:
            known = ", ".join(reference)
            raise InputError(f"--path {agent}: there is no such agent; this trial has {known}, all")
    return {agent: reference[agent] for agent in wanted}
