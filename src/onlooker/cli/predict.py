"""`onlooker predict`: what the observers predict for many trials, as a table."""

from __future__ import annotations

import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from onlooker.cli.errors import REFUSED, InputError
from onlooker.cli.inputs import (
    observers_of,
    parameters_of,
    places_of,
    refuse_same_names,
    rules_of,
    table_to_write,
)
from onlooker.cli.options import ChoiceRuleName, Observers, Settings, TrialPaths, output_to
from onlooker.cli.printing import bar
from onlooker.support.files import write_file

if TYPE_CHECKING:
    from onlooker.experiments.predictions import Prediction
    from onlooker.game import Trial
    from onlooker.inference import Parameters
    from onlooker.observers import Observer


def predict(
    paths: TrialPaths,
    output: Annotated[Path, output_to("The CSV file to write.", "OUT")],
    observer: Observers = None,
    rule: ChoiceRuleName = None,
    settings: Settings = None,
    reasons: Annotated[
        bool,
        typer.Option("--reasons", help="Add a column: why each observer stops watching."),
    ] = False,
) -> None:
    """Predict how long the observers watch each NPC of many trials, and what it costs them.

    Writes a CSV table, a row per trial, observer and NPC, and beside it a JSON file that says
    what it was made from. Without --observer the paper's four run. By a soft rule the numbers are
    expectations, and the column observed_sd has the standard deviation of the steps watched.
    Tutorial trials are left out. An observer that must refuse a trial has no row of it and gives
    its reason; the others continue, and the exit status is 3.

    Examples:
        onlooker predict examples/two-experts.map -o predictions.csv
    """
    begin = time.perf_counter()
    observers = observers_of(observer)
    parameters = parameters_of(settings, observers)
    rules = rules_of(observers, rule)
    table_to_write(output)
    from onlooker.experiments.predictions import dump_predictions
    from onlooker.experiments.provenance import write_provenance
    from onlooker.experiments.trialset import load_files, trial_files

    files = trial_files(paths)
    refusals: list[dict[str, str]] = []
    rows = _rows(files, load_files(files), observers, parameters, rule, refusals, reasons)
    if not rows and refusals:
        raise typer.Exit(REFUSED)
    if not rows:
        raise InputError("no trial with NPCs that is not a tutorial: there is nothing to predict")
    config = {
        "command": "predict",
        "observers": places_of(observers),
        "rules": {each.name: str(by) for each, by in zip(observers, rules, strict=True)},
        "parameters": asdict(parameters),
        **({"refused": refusals} if refusals else {}),
    }
    write_file(output, dump_predictions(rows))
    beside = write_provenance(output, paths, config, keep=set(files).__contains__)
    print(f"{_summary(rows)}, seconds {time.perf_counter() - begin:.1f}")
    print(output)
    print(beside)
    if refusals:
        raise typer.Exit(REFUSED)


def _rows(
    files: list[Path],
    trials: list[Trial],
    observers: list[Observer],
    parameters: Parameters,
    rule: str | None,
    refusals: list[dict[str, str]],
    reasons: bool,
) -> list[Prediction]:
    """What the observers predict; a problem names the trial's file, and so do refusals."""
    from onlooker.experiments import predictions
    from onlooker.game import TrialError

    refuse_same_names(files, trials)
    done = 0  # trials
    with bar("trials", len(trials)) as update:

        def progress(_: Trial) -> None:
            nonlocal done
            done += 1
            update(done)

        def refused(trial: Trial, observer: Observer, reason: str) -> None:
            file = files[done]
            print(f"{file}: {observer.name} refused: {reason}", file=sys.stderr)
            refusals.append({"file": file.name, "observer": observer.name, "reason": reason})

        try:
            return predictions.predict(
                trials, observers, parameters, progress, rule, refused, reasons
            )
        except TrialError as error:
            raise TrialError(error.problems, source=str(files[done])) from None


def _summary(rows: list[Prediction]) -> str:
    from onlooker.experiments.naming import in_order

    trials = {(row.experiment, row.level) for row in rows}
    observers = {(row.observer, row.parameters) for row in rows}
    experiments = in_order(row.experiment for row in rows if row.experiment is not None)
    counts = f"rows {len(rows)}, trials {len(trials)}, observers {len(observers)}"
    return f"{counts}, experiments {', '.join(map(str, experiments)) or 'none'}"
