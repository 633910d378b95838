"""`onlooker stimuli`: the trials that come with onlooker, and making new sets."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from onlooker.cli.errors import InputError, refusing
from onlooker.cli.inputs import folder_to_write, trials_of
from onlooker.cli.options import Experiment, TrialPathsOrOurs, output_to
from onlooker.cli.printing import print_table, track, wide_console
from onlooker.support.files import write_file
from onlooker.support.rounding import counted

if TYPE_CHECKING:
    from rich.console import Console

    from onlooker.experiments.diagnostics import Diagnostics
    from onlooker.experiments.inventory import Experiment as Inventory
    from onlooker.game import Trial

app = typer.Typer(
    name="stimuli",
    help="The trials that come with onlooker, and making your own sets.",
    no_args_is_help=True,
    add_completion=False,
)

OneExperiment = Annotated[
    int, typer.Option("--experiment", metavar="N", help="Which experiment, 1 to 4.")
]
Seed = Annotated[int, typer.Option(metavar="S", help="The random seed.")]


class TrialFormat(StrEnum):
    """The formats trials are given out in."""

    JSON = "json"
    MAP = "map"


class TableFormat(StrEnum):
    """The formats the inventory table is written in."""

    CSV = "csv"
    MARKDOWN = "markdown"
    LATEX = "latex"


@app.command("list")
def list_stimuli(experiment: Experiment = None) -> None:
    """List the trials: experiment, name, scenario, NPCs with their goals, wizards."""
    for trial in _trials(None, experiment):
        npcs = ", ".join(f"{npc.id} {npc.expertise} to {npc.goal}" for npc in trial.npcs)
        wizards = ", ".join(f"{len(w)} {c}" for c, w in trial.map.wizards_of.items())
        print(f"{trial.experiment}  {trial.label:<8} {npcs}; wizards: {wizards}")


@app.command()
def export(
    output: Annotated[Path, output_to("Where to.")],
    experiment: Experiment = None,
    format: Annotated[TrialFormat, typer.Option("--format", help="The format.")] = TrialFormat.JSON,
) -> None:
    """Write the trials to files, DIR/exp1/NAME.json and so on, tutorials beside them."""
    from onlooker.experiments.stimuli import tutorials
    from onlooker.game import dump_trial

    folder_to_write(output)
    trials = _trials(None, experiment)
    for trial in trials:
        name = f"{trial.name}.{format}"
        write_file(output / f"exp{trial.experiment}" / name, dump_trial(trial, format))
    numbers = sorted({int(trial.experiment or 0) for trial in trials})
    practice = [trial for number in numbers for trial in tutorials(number)]
    for trial in practice:
        name = f"{trial.name}.{format}"
        place = output / f"exp{trial.experiment}" / "tutorial" / name
        write_file(place, dump_trial(trial, format))
    print(f"{len(trials)} trials and {len(practice)} tutorials in {output}")


@app.command()
def report(paths: TrialPathsOrOurs = None, experiment: Experiment = None) -> None:
    """Print how well the trials distinguish the observers.

    The full model's observation counts (least, most, standard deviation), their correlation with
    each ablation's, and how often it does not observe or watches mainly the expert or the novice.
    Then the slope of observation cost on execution cost, for each observer, and in how many trials
    the paper's budget identifies the holder.
    """
    from onlooker.experiments.diagnostics import behaviour, by_experiment, diagnose

    groups = by_experiment(_trials(paths, experiment))
    if not groups:
        raise InputError("there are no trials of Experiments 1 to 4 among them")
    total = sum(len(trials) for trials in groups.values())
    seen = {
        trial.name: behaviour(trial)
        for trial in track([t for trials in groups.values() for t in trials], total, "running")
    }
    console = wide_console()
    for group, trials in groups.items():
        found = diagnose(group.number, trials, [seen[trial.name] for trial in trials])
        _print_report(console, group, found)


@app.command()
def design(
    experiment: OneExperiment,
    seed: Seed,
    output: Annotated[Path | None, output_to("Write the maps here.")] = None,
    pool: Annotated[int, typer.Option(min=1, help="How many candidate maps to draw.")] = 400,
) -> None:
    """Design a set of trials: draw candidate maps and choose the most informative ones.

    The chosen set spreads out the full model's observation counts and makes the other observers'
    unlike them. The same seed gives the same maps.
    """
    from onlooker.experiments.design import design as make
    from onlooker.experiments.stimuli import stimulus_text

    chosen_experiment = _experiment(experiment)
    with refusing(f"--pool {pool}: "):
        trials = make(
            chosen_experiment,
            seed,
            pool,
            progress=lambda items, total: track(items, total, "drawing"),
        )
    if output is not None:
        for trial in trials:
            write_file(output / f"exp{experiment}" / f"{trial.name}.map", stimulus_text(trial))
        print(f"{len(trials)} trials in {output / f'exp{experiment}'}")
    else:
        for trial in trials:
            print(stimulus_text(trial))


@app.command()
def orderings(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder with the trials.")],
    output: Annotated[Path | None, output_to("By default DIR/orderings.json.", "FILE")] = None,
    length: Annotated[int, typer.Option(min=1, help="Trials in an ordering.")] = 10,
    count: Annotated[
        int | None, typer.Option(min=1, help="How many; by default all trials come equally often.")
    ] = None,
    near: Annotated[
        float,
        typer.Option(min=0, max=1, help="Maps are alike if at most this share of cells differs."),
    ] = 0.1,
    seed: Seed = 1,
) -> None:
    """Make orderings of trials for participants: no two maps alike, all equally often."""
    from onlooker.experiments.orderings import make_orderings, save_orderings
    from onlooker.experiments.trialset import load_trials

    trials = [trial for trial in load_trials([folder]) if not trial.tutorial]
    with refusing(f"{folder}: "):
        made = make_orderings(trials, length, count, seed, near=near)
    experiments = {trial.experiment for trial in trials}
    number = experiments.pop() if len(experiments) == 1 else None
    place = output or folder / "orderings.json"
    save_orderings(place, made, experiment=number, seed=seed, near=near)
    print(f"{counted(len(made), 'ordering')} of {counted(length, 'trial')} in {place}")


@app.command()
def sheet(
    output: Annotated[Path, output_to("A .pdf or .png file.", "FILE")],
    paths: TrialPathsOrOurs = None,
    experiment: Experiment = None,
) -> None:
    """Draw every trial with its NPCs' reference paths, scenario pairs side by side."""
    from onlooker.drawing.sheet import save_sheet
    from onlooker.experiments.inventory import EXPERIMENTS

    if output.suffix.lower() not in (".pdf", ".png"):
        raise InputError(f"{output}: a sheet is a .pdf or a .png file")
    trials = [trial for trial in _trials(paths, experiment) if not trial.tutorial]
    title = "Stimuli"
    if experiment is not None:
        title = f"Experiment {experiment}: {EXPERIMENTS[experiment].title}"
    for written in save_sheet(trials, output, title):
        print(written)


@app.command()
def inventory(
    paths: TrialPathsOrOurs = None,
    format: Annotated[
        TableFormat, typer.Option("--format", help="The format.")
    ] = TableFormat.MARKDOWN,
) -> None:
    """Print the inventory: maps, scenarios, trials, NPCs and chests of each experiment."""
    from onlooker.experiments.inventory import table as inventory_table

    rows = inventory_table.inventory_rows(_trials(paths, None))
    write = {
        TableFormat.CSV: inventory_table.to_csv,
        TableFormat.MARKDOWN: inventory_table.to_markdown,
        TableFormat.LATEX: inventory_table.to_latex,
    }[format]
    print(write(rows), end="")


def _experiment(number: int) -> Inventory:
    from onlooker.experiments.inventory import EXPERIMENTS

    if number not in EXPERIMENTS:
        raise InputError(f"--experiment {number}: there are Experiments 1 to {len(EXPERIMENTS)}")
    return EXPERIMENTS[number]


def _trials(paths: list[str] | None, experiment: int | None) -> list[Trial]:
    """The trials in some files and folders, or ours; the experiment must be one that there is."""
    number = None if experiment is None else _experiment(experiment).number
    return trials_of(paths, number)


def _print_report(console: Console, experiment: Inventory, found: Diagnostics) -> None:
    from onlooker.experiments.diagnostics import ABLATIONS, shortfalls
    from onlooker.observers import OBSERVERS

    shares = [f"does not observe in {found.alone:.0%}"]
    if len(set(experiment.npcs)) > 1:
        shares += [f"watches mainly the {e} in {share:.0%}" for e, share in found.mainly.items()]
    slopes = (
        f"{OBSERVERS[name].title} {'constant' if value is None else format(value, '.3f')}"
        for name, value in found.slopes.items()
    )
    costs = f"observation cost on execution cost: {', '.join(slopes)}"
    if found.tradeoff is not None:
        costs += f"; the full model's r {found.tradeoff:.2f}"
    told, depends = found.hints["everything"], found.trials - found.hints["nothing"]
    budgets = (
        f"the paper's budget depends on the holder in {counted(depends, 'trial')} and identifies it"
        f" in {told} ({found.identified:.0%} of all); with it the full model leaves"
        f" {found.left:.0%} of the points that could be left"
    )
    missed = shortfalls(found)
    verdict = "; ".join(missed) if missed else "meets all that the shipped set is held to"
    title = f"Experiment {found.experiment}: {counted(found.trials, 'trial')}; the full model "
    columns = {
        "counts of": [series.name for series in found.series],
        "least": [str(series.least) for series in found.series],
        "most": [str(series.most) for series in found.series],
        "sd": [f"{series.spread:.2f}" for series in found.series],
    }
    for name in ABLATIONS:
        rs = (series.correlations[name] for series in found.series)
        heading = f"r with\n{OBSERVERS[name].title}"
        columns[heading] = ["constant" if r is None else f"{r:.2f}" for r in rs]
    print_table(console, title + ", ".join(shares), columns, ["counts of"])
    for line in (costs, budgets, verdict):
        console.print(line)
