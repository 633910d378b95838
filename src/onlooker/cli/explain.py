"""`onlooker explain`: why an observer does what it does."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from onlooker.cli.common import (
    InputError,
    Settings,
    TrialFile,
    observers_of,
    parameters_of,
    planned,
)
from onlooker.game import load_trial


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(explain)


def explain(
    file: TrialFile,
    observer: Annotated[
        str,
        typer.Option(metavar="NAME", help="Whose decision: an observer's name, as for run."),
    ] = "rational_mentalizing",
    settings: Settings = None,
    png: Annotated[
        Path | None, typer.Option(metavar="OUT", help="Write the figure as a PNG.")
    ] = None,
    svg: Annotated[
        Path | None, typer.Option(metavar="OUT", help="Write the figure as an SVG.")
    ] = None,
) -> None:
    """Explain an observer's decision step by step, in words and numbers, or as a figure.

    What it believes, what watching each NPC would cost and bring, what it chooses and why.
    """
    parameters = parameters_of(settings)
    if observer == "all":
        raise InputError("--observer all: explain shows one observer at a time")
    [chosen] = observers_of([observer])
    from onlooker.observers import Engine

    engine = Engine(load_trial(file), parameters)
    with planned(file):
        result = chosen.run(engine)
    pictures = [picture for picture in (png, svg) if picture is not None]
    if pictures:
        from onlooker.drawing.explain import explain_figure
        from onlooker.drawing.figure import save_figure

        for picture in pictures:
            save_figure(explain_figure(engine, result), picture)
            print(picture)
        return
    from rich.console import Console

    from onlooker.drawing.words import explanation

    console = Console(highlight=False)
    for paragraph in explanation(engine, result, chosen.title):
        console.print(paragraph)
