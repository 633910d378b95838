"""`onlooker predict`: what the observers predict for many trials, as a table."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from onlooker.cli.common import (
    ChoiceRuleName,
    InputError,
    Settings,
    observers_of,
    parameters_of,
    rules_of,
    same_name,
)
from onlooker.cli.run import Observers
from onlooker.game import Trial, TrialError
from onlooker.support.files import write_file
from onlooker.support.problems import Problem

if TYPE_CHECKING:
    from onlooker.experiments.predictions import Prediction
    from onlooker.inference import Parameters
    from onlooker.observers import Observer


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(predict)


def predict(
    paths: Annotated[
        list[str], typer.Argument(metavar="PATH", help="Trials, or folders of trials.")
    ],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="OUT", help="The CSV file to write.")
    ],
    observer: Observers = None,
    rule: ChoiceRuleName = None,
    settings: Settings = None,
) -> None:
    """Predict how long the observers watch each NPC of many trials, and what it costs them.

    Writes a CSV table, a row per trial, observer and NPC, and beside it a JSON file that says
    what it was made from. Without --observer the paper's four run. By a soft rule the numbers are
    expectations, and the column observed_sd has the standard deviation of the steps watched.
    Tutorial trials are left out.
    """
    begin = time.perf_counter()
    parameters = parameters_of(settings)
    observers = observers_of(observer or ["all"])
    rules = rules_of(observers, rule)
    if output.is_dir():
        raise InputError(f"{output}: expected the name of a CSV file, not a folder")
    from onlooker.experiments.predictions import dump_predictions
    from onlooker.experiments.provenance import write_provenance
    from onlooker.experiments.trialset import load_files, trial_files

    files = trial_files(paths)
    rows = _rows(files, load_files(files), observers, parameters, rule)
    if not rows:
        raise InputError("no trial with NPCs that is not a tutorial: there is nothing to predict")
    config = {
        "command": "predict",
        "observers": {
            each.name: f"{type(each).__module__}:{type(each).__name__}" for each in observers
        },
        "rules": {each.name: str(by) for each, by in zip(observers, rules, strict=True)},
        "parameters": asdict(parameters),
    }
    write_file(output, dump_predictions(rows))
    beside = write_provenance(output, paths, config, keep=set(files).__contains__)
    print(f"{_summary(rows)}, seconds {time.perf_counter() - begin:.1f}")
    print(output)
    print(beside)


def _rows(
    files: list[Path],
    trials: list[Trial],
    observers: list[Observer],
    parameters: Parameters,
    rule: str | None,
) -> list[Prediction]:
    """What the observers predict; a problem names the trial's file."""
    from onlooker.experiments import predictions

    if doubles := predictions.repeated_trials(trials):
        raise TrialError(
            Problem(str(files[later]), same_name(files, trials, first, later))
            for first, later in doubles
        )
    done = 0  # trials
    with _bar(len(trials)) as advance:

        def progress(_: Trial) -> None:
            nonlocal done
            done += 1
            advance()

        try:
            return predictions.predict(trials, observers, parameters, progress, rule)
        except TrialError as error:
            raise TrialError(error.problems, source=str(files[done])) from None


def _summary(rows: list[Prediction]) -> str:
    trials = {(row.experiment, row.level) for row in rows}
    observers = {(row.observer, row.parameters) for row in rows}
    experiments = sorted({str(row.experiment) for row in rows if row.experiment is not None})
    counts = f"rows {len(rows)}, trials {len(trials)}, observers {len(observers)}"
    return f"{counts}, experiments {', '.join(experiments) or 'none'}"


@contextmanager
def _bar(total: int) -> Iterator[Callable[[], None]]:
    """A progress bar on standard error, where that is a terminal; call what it gives to advance."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as bar:
        task = bar.add_task("trials", total=total)
        yield lambda: bar.advance(task)
