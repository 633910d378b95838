"""`onlooker stimuli`: the trials that come with onlooker, and making new sets."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from onlooker.cli.errors import InputError, refusing
from onlooker.cli.inputs import NO_EXPERIMENT, folder_to_write, of_experiments, trials_of
from onlooker.cli.options import (
    OBSERVER_NAMES,
    Experiment,
    Seed,
    TrialPathsOrOurs,
    experiment_option,
    output_to,
)
from onlooker.cli.printing import print_table, track, wide_console
from onlooker.support.files import write_file
from onlooker.support.rounding import counted

if TYPE_CHECKING:
    from rich.console import Console

    from onlooker.experiments.diagnostics import Diagnostics
    from onlooker.experiments.inventory import Experiment as Inventory
    from onlooker.game import ExperimentName, Trial

app = typer.Typer(
    name="stimuli",
    help="The trials that come with onlooker, and making your own sets.",
    no_args_is_help=True,
    add_completion=False,
)


TEACHERS = 5  # the experiment that is designed otherwise than the paper's
SEPARATION = {
    "looks": "looks at\nthe teacher",
    "others": "looks at\nothers",
    "attributed": "P(its own\nchest)",
    "sure": "P(holder)",
    "teaches": "P(teacher)",
    "cost": "cost",
}


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
    for trial in trials_of(None, experiment):
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


@app.command()
def report(paths: TrialPathsOrOurs = None, experiment: Experiment = None) -> None:
    """Print how well the trials distinguish the observers.

    The full model's observation counts (least, most, standard deviation), their correlation with
    each ablation's, and how often it does not observe or watches mainly the expert or the novice.
    Then the slope of observation cost on execution cost, for each observer, and in how many trials
    the paper's budget identifies the holder. Where there are teachers: what observers do and think
    under each label, which is what players are told about teachers.
    """
    from onlooker.experiments.diagnostics import behaviour, diagnose
    from onlooker.experiments.inventory import Experiment as Inventory
    from onlooker.experiments.naming import by_experiment

    groups = by_experiment(trials_of(paths, experiment))
    if not groups:
        raise InputError(NO_EXPERIMENT)
    console = wide_console()
    for name in [name for name, trials in groups.items() if _has_teachers(trials)]:
        _print_separation(console, f"Experiment {name}", groups.pop(name))
    total = sum(len(trials) for trials in groups.values())
    seen = {
        trial.name: behaviour(trial)
        for trial in track([t for trials in groups.values() for t in trials], total, "running")
    }
    for name, trials in groups.items():
        found = diagnose(name, trials, [seen[trial.name] for trial in trials])
        _print_report(console, Inventory.of(name, trials), found)


@app.command()
def design(
    seed: Seed,
    experiment: Experiment = None,
    output: Annotated[Path | None, output_to("Write the maps here.")] = None,
    pool: Annotated[int, typer.Option(min=1, help="How many candidate maps to draw.")] = 400,
    against: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="Choose trials that tell --observer and this one apart; 'NAME (beta=0.2,"
            " temperature=2:1)' gives it parameters and priors; all: the paper's; repeatable.",
            autocompletion=lambda: [*OBSERVER_NAMES, "all"],
        ),
    ] = None,
    observer: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Whom to tell apart from --against, by default rational_mentalizing.",
            autocompletion=lambda: [*OBSERVER_NAMES],
        ),
    ] = None,
    trials: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="How many trials --against chooses, by default 12."),
    ] = None,
    people: Annotated[
        int | None,
        typer.Option(
            min=20,
            metavar="N",
            help="Simulated people of each observer who score what --against chooses, by default"
            " 1000.",
        ),
    ] = None,
    stimuli: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PATH", help="Trials that --against chooses from, instead of drawing them."
        ),
    ] = None,
    name: Annotated[
        Any,
        experiment_option(
            "Make them trials of an experiment of your own, such as pilot.", option="--name"
        ),
    ] = None,
) -> None:
    """Design a set of trials: draw candidate maps and choose the most informative ones.

    Without --against the chosen set spreads out the full model's observation counts and makes the
    other observers' unlike them; in Experiment 5 it makes a difference what is said about teachers,
    and what is left out is printed with the reason. With --against, single trials are chosen by
    recovery: the probability that the evidence of one simulated person, who plays them all, is
    highest for the observer that made the person. The same seed gives the same maps.

    --experiment says what the maps are like: their NPCs, chests and outcomes. They are trials of
    it, unless --name gives them to an experiment of your own.

    Examples:
        onlooker stimuli design --experiment 1 --seed 7 --against all --pool 40
    """
    if isinstance(name, int):
        raise InputError(f"--name {name}: expected a word, such as pilot")
    if against:
        from onlooker.cli.discrimination import choose_against, named_models

        made = choose_against(
            named_models([observer or OBSERVER_NAMES[0], *against]),
            _candidates(experiment, seed, pool, stimuli),
            trials or 12,
            people or 1000,
            seed,
            stimuli or [],
            output,
        )
    else:
        from onlooker.experiments.design import design as make

        only = {"observer": observer, "trials": trials, "people": people, "stimuli": stimuli}
        for option in (option for option, value in only.items() if value):
            raise InputError(f"--{option}: expected --against as well")
        with refusing(f"--pool {pool}: "):
            if experiment == TEACHERS:
                made = _with_teachers(seed, pool)
            else:
                made = make(_drawn_experiment(experiment), seed, pool, progress=_drawing)
    if name is not None:
        made = [replace(trial, experiment=name) for trial in made]
    _write_maps(made, output)


def _candidates(
    experiment: ExperimentName | None, seed: int, pool: int, stimuli: list[str] | None
) -> list[Trial]:
    """The trials to choose from: those of a path, or of maps that are drawn."""
    if stimuli:
        return of_experiments(trials_of(stimuli, experiment))
    from onlooker.experiments.design import draw_trials

    return draw_trials(_drawn_experiment(experiment), seed, pool, progress=_drawing)


def _with_teachers(seed: int, pool: int) -> list[Trial]:
    from onlooker.experiments.lessons import design as make

    found = make(seed, pool, progress=_drawing)
    for why, count in sorted(found.left_out.items()):
        print(f"left out {count}: {why}", file=sys.stderr)
    return list(found.trials)


def _drawn_experiment(name: ExperimentName | None) -> Inventory:
    if name is None:
        raise InputError("--experiment: expected the number of one, to draw maps for")
    return _designed(name)


def _drawing(items: Iterable[int], total: int) -> Iterable[int]:
    return track(items, total, "drawing")


def _write_maps(trials: Sequence[Trial], output: Path | None) -> None:
    from onlooker.experiments.naming import slug
    from onlooker.experiments.stimuli import stimulus_text

    if output is None:
        for trial in trials:
            print(stimulus_text(trial))
        return
    for trial in trials:
        write_file(output / slug(trial.experiment) / f"{trial.name}.map", stimulus_text(trial))
    folders = dict.fromkeys(str(output / slug(trial.experiment)) for trial in trials)
    print(f"{len(trials)} trials in {', '.join(folders)}")


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
        typer.Option(min=0, max=1, help="Maps are similar if at most this share of cells differs."),
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


@app.command()
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


@app.command()
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


def _designed(name: ExperimentName) -> Inventory:
    from onlooker.experiments.inventory import PAPER_EXPERIMENTS, paper_experiment

    found = paper_experiment(name)
    if found is None:
        known = ", ".join(map(str, (*PAPER_EXPERIMENTS, TEACHERS)))
        raise InputError(f"--experiment {name}: only {known} can be designed")
    return found


def _has_teachers(trials: Iterable[Trial]) -> bool:
    from onlooker.game import teacher_in

    return any(teacher_in(trial) is not None for trial in trials)


def _print_separation(console: Console, title: str, trials: list[Trial]) -> None:
    """What observers make of teachers under each label."""
    from onlooker.experiments.separation import predicted, summarized
    from onlooker.observers import OBSERVERS

    rows = predicted(track(trials, len(trials), "running"))
    full = next(iter(OBSERVERS))
    for by, shown, words in (
        ("scenario", [row for row in rows if row.observer == full], OBSERVERS[full].title),
        ("observer", rows, "all observers"),
    ):
        means = summarized(shown, by, "label")
        columns = {by: [key[0] for key in means], "label": [key[1] for key in means]}
        for name, heading in SEPARATION.items():
            values = (found.get(name) for found in means.values())
            columns[heading] = ["" if value is None else f"{value:.2f}" for value in values]
        print_table(console, f"{title}: {words}", columns, [by, "label"])


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
