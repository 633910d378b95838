"""`onlooker stimuli list`, `export`, `orderings`, `sheet` and `inventory`: sets of trials."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from onlooker.cli.errors import InputError, refusing
from onlooker.cli.inputs import folder_to_write, trials_of
from onlooker.cli.options import Experiment, Seed, TrialPathsOrOurs, output_to
from onlooker.support.files import write_file
from onlooker.support.rounding import counted


class TrialFormat(StrEnum):
    """The formats trials are given out in."""

    JSON = "json"
    MAP = "map"


class TableFormat(StrEnum):
    """The formats the inventory table is written in."""

    CSV = "csv"
    MARKDOWN = "markdown"
    LATEX = "latex"


def list_stimuli(experiment: Experiment = None) -> None:
    """List the trials: experiment, name, scenario, NPCs with their goals, wizards."""
    for trial in trials_of(None, experiment):
        npcs = ", ".join(f"{npc.id} {npc.expertise} to {npc.goal}" for npc in trial.npcs)
        wizards = ", ".join(f"{len(w)} {c}" for c, w in trial.map.wizards_of.items())
        print(f"{trial.experiment}  {trial.label:<8} {npcs}; wizards: {wizards}")


def export(
    output: Annotated[Path, output_to("Where to.")],
    experiment: Experiment = None,
    format: Annotated[TrialFormat, typer.Option("--format", help="The format.")] = TrialFormat.JSON,
) -> None:
    """Write the trials to files, DIR/exp1/NAME.json and so on, tutorials beside them."""
    from onlooker.experiments.naming import by_experiment, slug
    from onlooker.experiments.stimuli import tutorials
    from onlooker.game import dump_trial

    folder_to_write(output)
    trials = trials_of(None, experiment)
    for trial in trials:
        name = f"{trial.name}.{format}"
        write_file(output / slug(trial.experiment) / name, dump_trial(trial, format))
    practice = [trial for name in by_experiment(trials) for trial in tutorials(name)]
    for trial in practice:
        name = f"{trial.name}.{format}"
        place = output / slug(trial.experiment) / "tutorial" / name
        write_file(place, dump_trial(trial, format))
    print(f"{len(trials)} trials and {len(practice)} tutorials in {output}")


def orderings(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder with the trials.")],
    output: Annotated[Path | None, output_to("By default DIR/orderings.json.", "FILE")] = None,
    length: Annotated[int, typer.Option(min=1, metavar="N", help="Trials in an ordering.")] = 10,
    count: Annotated[
        int | None,
        typer.Option(
            min=1, metavar="N", help="How many; by default all trials come equally often."
        ),
    ] = None,
    near: Annotated[
        float,
        typer.Option(
            min=0,
            max=1,
            metavar="SHARE",
            help="Maps are similar if at most this share of cells differs.",
        ),
    ] = 0.1,
    by_scenario: Annotated[
        bool, typer.Option("--by-scenario", help="As many trials of each scenario in all.")
    ] = False,
    seed: Seed = 1,
) -> None:
    """Make orderings of trials for participants: no two similar maps, all equally often."""
    from onlooker.experiments.orderings import make_orderings, save_orderings
    from onlooker.experiments.trialset import load_trials

    trials = [trial for trial in load_trials([folder]) if not trial.tutorial]
    with refusing(f"{folder}: "):
        by = (lambda trial: trial.scenario) if by_scenario else None
        made = make_orderings(trials, length, count, seed, near=near, by=by)
    experiments = {trial.experiment for trial in trials}
    number = experiments.pop() if len(experiments) == 1 else None
    place = output or folder / "orderings.json"
    save_orderings(place, made, experiment=number, seed=seed, near=near)
    print(f"{counted(len(made), 'ordering')} of {counted(length, 'trial')} in {place}")


def sheet(
    output: Annotated[Path, output_to("A .pdf or .png file.", "FILE")],
    paths: TrialPathsOrOurs = None,
    experiment: Experiment = None,
) -> None:
    """Draw every trial with its NPCs' reference paths, scenario pairs side by side."""
    from onlooker.drawing.sheet import save_sheet
    from onlooker.experiments.inventory import experiment_title

    if output.suffix.lower() not in (".pdf", ".png"):
        raise InputError(f"{output}: a sheet is a .pdf or a .png file")
    trials = [trial for trial in trials_of(paths, experiment) if not trial.tutorial]
    title = "Stimuli" if experiment is None else experiment_title(experiment)
    for written in save_sheet(trials, output, title):
        print(written)


def inventory(
    paths: TrialPathsOrOurs = None,
    format: Annotated[
        TableFormat, typer.Option("--format", help="The format.")
    ] = TableFormat.MARKDOWN,
) -> None:
    """Print the inventory: maps, scenarios, trials, NPCs and chests of each experiment."""
    from onlooker.experiments.inventory import table as inventory_table

    rows = inventory_table.inventory_rows(trials_of(paths, None))
    write = {
        TableFormat.CSV: inventory_table.to_csv,
        TableFormat.MARKDOWN: inventory_table.to_markdown,
        TableFormat.LATEX: inventory_table.to_latex,
    }[format]
    print(write(rows), end="")
