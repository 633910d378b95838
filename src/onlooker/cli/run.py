"""`onlooker run`: what the observers do on trials."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from onlooker.cli.common import (
    OBSERVER_NAMES,
    Settings,
    TrialFiles,
    observers_of,
    parameters_of,
    planned,
)
from onlooker.game import Interaction, load_trial

if TYPE_CHECKING:
    from onlooker.observers import Engine, Observer, Result

Observers = Annotated[
    list[str] | None,
    typer.Option(
        "--observer",
        metavar="NAME",
        help="Which observer: rational_mentalizing, mentalizing_observer, rational_observer,"
        " naive_observer, all (these four), ideal_observer, or package.module:Class for one of"
        " your own; repeatable.",
        autocompletion=lambda: [*OBSERVER_NAMES, "all"],
    ),
]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(run)


def run(
    files: TrialFiles,
    observer: Observers = None,
    settings: Settings = None,
    trace: Annotated[
        bool, typer.Option("--trace", help="Add the trace: every decision and what is behind it.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON array.")] = False,
) -> None:
    """Run observers on trials: how long they watch whom, and what they then do.

    Without --observer all four run.
    """
    parameters = parameters_of(settings)
    observers = observers_of(observer or ["all"])
    from onlooker.observers import Engine

    done: list[tuple[str, Engine, dict[str, Result]]] = []
    for file in files:
        engine = Engine(load_trial(file), parameters)
        with planned(file):
            done.append((file, engine, {each.name: each.run(engine) for each in observers}))
    if as_json:
        rows = [_plain(file, engine, results, trace) for file, engine, results in done]
        print(json.dumps(rows, ensure_ascii=False))
    else:
        _print_tables(done, observers, trace)


def _plain(file: str, engine: Engine, results: dict[str, Result], trace: bool) -> dict[str, Any]:
    return {
        "file": file,
        "budget": engine.budget,
        "paths": [
            [
                [str(taken.action), taken.event.wizard, taken.event.gave]
                if isinstance(taken.event, Interaction)
                else [str(taken.action), None, False]
                for taken in path
            ]
            for path in engine.paths
        ],
        "observers": {name: result.to_dict(trace) for name, result in results.items()},
    }


def _print_tables(
    done: list[tuple[str, Engine, dict[str, Result]]], observers: list[Observer], trace: bool
) -> None:
    from rich.console import Console

    from onlooker.drawing.words import results_table, trace_table

    titles = {each.name: each.title for each in observers}
    console = Console(highlight=False)
    for file, engine, results in done:
        console.print(results_table(file, engine, results, titles))
        if trace:
            for name, result in results.items():
                console.print(trace_table(titles[name], engine, result))
