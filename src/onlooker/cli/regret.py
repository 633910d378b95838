"""`onlooker regret`: what observers lose against the ideal observer."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from onlooker.cli.common import (
    InputError,
    Settings,
    observers_of,
    parameters_of,
    pictures_of,
    same_name,
    track,
)
from onlooker.cli.run import Observers
from onlooker.game import Trial, TrialError
from onlooker.support.files import write_file
from onlooker.support.problems import Problem, first_names
from onlooker.support.rounding import rounded

if TYPE_CHECKING:
    from rich.table import Table

    from onlooker.experiments.regret import Regret
    from onlooker.observers import Observer


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(regret)


def regret(
    paths: Annotated[
        list[str], typer.Argument(metavar="PATH", help="Trials, or folders of trials.")
    ],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="OUT", help="The CSV file to write.")
    ],
    observer: Observers = None,
    settings: Settings = None,
    png: Annotated[
        Path | None, typer.Option("--png", metavar="OUT", help="Write the figure as PNG.")
    ] = None,
    svg: Annotated[
        Path | None, typer.Option("--svg", metavar="OUT", help="Write the figure as SVG.")
    ] = None,
) -> None:
    """Compare what observers pay with what the ideal observer pays, over all worlds of a trial.

    A world is a goal for every NPC and a holder for every colour. Writes a CSV table, a row per
    trial and observer: the regret over all worlds and in the trial as it is, in points, or the
    reason why there is none. Without --observer all four run. Tutorial trials are left out.
    """
    parameters = parameters_of(settings)
    observers = observers_of(observer or ["all"])
    pictures = pictures_of(png, svg)
    if output.is_dir():
        raise InputError(f"{output}: expected the name of a CSV file, not a folder")
    from onlooker.experiments.provenance import write_provenance
    from onlooker.experiments.regret import dump_regrets, regrets
    from onlooker.experiments.trialset import load_files, trial_files

    files = trial_files(paths)
    trials = _trials(files, load_files(files))
    rows = regrets(track(trials, len(trials), "trials"), observers, parameters)
    config = {
        "command": "regret",
        "observers": {
            each.name: f"{type(each).__module__}:{type(each).__name__}" for each in observers
        },
        "parameters": asdict(parameters),
    }
    write_file(output, dump_regrets(rows))
    beside = write_provenance(output, paths, config, keep=set(files).__contains__)
    _print(rows, observers)
    for path in (output, beside, *_draw(rows, pictures)):
        print(path)


def _trials(files: list[Path], trials: list[Trial]) -> list[Trial]:
    """The trials without tutorials; no two may have the same experiment and name."""
    from onlooker.experiments.predictions import repeated_trials

    if doubles := repeated_trials(trials):
        raise TrialError(
            Problem(str(files[later]), same_name(files, trials, first, later))
            for first, later in doubles
        )
    if tutorials := [trial.label for trial in trials if trial.tutorial]:
        print(f"tutorial trials are left out: {first_names(tutorials)}", file=sys.stderr)
    found = [trial for trial in trials if not trial.tutorial]
    if not found:
        raise InputError("no trial that is not a tutorial: there is nothing to compare")
    return found


def _print(rows: Sequence[Regret], observers: Sequence[Observer]) -> None:
    from rich.console import Console

    console = Console(highlight=False)
    console.print(summary_table(rows, {each.name: each.title for each in observers}))
    reasons = Counter({(row.level, row.reason) for row in rows if row.reason})
    for _, reason in list(reasons)[:10]:
        console.print(f"refused: {reason}")
    if len(reasons) > 10:
        console.print(f"… and {len(reasons) - 10} more trials")


def summary_table(rows: Sequence[Regret], titles: dict[str, str]) -> Table:
    """The mean regret of each observer."""
    from rich.table import Table

    from onlooker.experiments.regret import summaries

    found = summaries(rows)
    trials = {(row.experiment, row.level): row.worlds for row in rows}
    table = Table(
        title="Regret: points more than the ideal observer, on average",
        title_justify="left",
        caption=f"{len(trials)} trials, {sum(trials.values())} worlds; as it is: in the world"
        " that is true",
        caption_justify="left",
    )
    table.add_column("observer", no_wrap=True)
    experiments = list(found[0].by_experiment)
    for name in experiments if len(experiments) > 1 else ():
        table.add_column("no\nexp." if name is None else f"exp.\n{name}", justify="right")
    for heading in ("all", "at\nmost", "as it\nis"):
        table.add_column(heading, justify="right")
    for each in found:
        shown = [points(value) for value in each.by_experiment.values()]
        table.add_row(
            titles[each.observer],
            *(shown if len(experiments) > 1 else ()),
            points(each.regret),
            points(each.largest),
            points(each.regret_actual),
        )
    return table


def points(value: float | None) -> str:
    """Points with two digits, a dash if there are none."""
    return "–" if value is None else rounded(value, 2)


def _draw(rows: Sequence[Regret], pictures: Sequence[Path]) -> list[Path]:
    """Write the figure wherever it is asked for."""
    if not pictures:
        return []
    from onlooker.analysis import analysis_extra

    with analysis_extra():
        from onlooker.analysis.figures.regret import regret_plate
        from onlooker.drawing.figure import save_figure
    plate = regret_plate(rows)
    for picture in pictures:
        save_figure(plate.figure, picture)
    return list(pictures)
