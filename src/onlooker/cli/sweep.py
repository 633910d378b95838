"""`onlooker sweep`: many parameter settings over many trials."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from onlooker.cli.common import (
    ChoiceRuleName,
    InputError,
    Settings,
    folder_to_write,
    interruptible,
    observers_of,
    parameters_of,
)
from onlooker.cli.run import Observers
from onlooker.game import Trial
from onlooker.sweep import SweepError, sweep_extra

if TYPE_CHECKING:
    from onlooker.sweep.backends import Backend
    from onlooker.sweep.design import Design


Stimuli = Annotated[
    list[str] | None,
    typer.Option(
        "--stimuli", metavar="PATH", help="Trials, or folders of trials; repeatable. Default: ours."
    ),
]
Archive = Annotated[
    Path | None, typer.Option(metavar="DIR", help="Use the authors' archive as stimuli.")
]
Jobs = Annotated[
    int, typer.Option(min=0, metavar="N", help="Processes on this machine; 0: one for each core.")
]
DaskAddress = Annotated[
    str | None,
    typer.Option(
        "--dask", metavar="ADDRESS", help="Run on this Dask cluster, e.g. tcp://10.0.0.1:8786."
    ),
]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(sweep)


def sweep(
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="DIR", help="Where to write, and to go on.")
    ],
    grid: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=VALUES",
            help="Values of a parameter: beta=0.1:2:log20, observe=1:4:4, converge=0.9,0.95;"
            " repeatable, every combination is run.",
        ),
    ] = None,
    ranges: Annotated[
        list[str] | None,
        typer.Option(
            "--range",
            metavar="NAME=RANGE",
            help="A range for --sobol or --latin: beta=0.1:2:log, prune=0:0.2, order=chain,fixed;"
            " repeatable.",
        ),
    ] = None,
    sobol: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="N points over the ranges: a Sobol' sequence."),
    ] = None,
    latin: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="N points over the ranges: a Latin hypercube."),
    ] = None,
    stimuli: Stimuli = None,
    archive: Archive = None,
    experiment: Annotated[
        int | None, typer.Option(metavar="N", help="Only Experiment N, 1 to 4.")
    ] = None,
    observer: Observers = None,
    rule: ChoiceRuleName = None,
    settings: Settings = None,
    jobs: Jobs = 0,
    dask: DaskAddress = None,
    seed: Annotated[int, typer.Option(min=0, metavar="S", help="The seed of the points.")] = 1,
) -> None:
    """Run observers under many parameter settings, as Parquet tables.

    What is done is kept in DIR as it comes: the same command goes on where it was interrupted, is
    free when there is nothing to do, and computes only what is new when values, trials or
    observers are added. Without --observer the paper's four run. By a soft rule the table has what
    is expected, which need not be whole numbers.
    """
    begin = time.perf_counter()
    with sweep_extra():
        from onlooker.sweep.run import Sweep, run_sweep
    design = _design(grid, ranges, sobol, latin, settings, seed)
    trials = sweep_trials(stimuli, archive, experiment)
    observers = observers_of(observer or ["all"])
    folder_to_write(output)
    with refusing():
        what = Sweep.of(design.settings(), trials, observers, rule)
    if design.size > len(what.settings):
        same = design.size - len(what.settings)
        print(f"{same} settings are the same as others and run once", file=sys.stderr)
    about: dict[str, object] = {"command": "sweep", "design": asdict(design)}
    with resumable(output), refusing(), settings_bar() as progress:
        ran = run_sweep(what, output, backend_of(jobs, dask), progress, about)
    if ran.damaged:
        print(f"{ran.damaged} damaged files were removed", file=sys.stderr)
    print(
        f"settings {ran.settings}, computed {ran.computed}, trials {len(what.trials)},"
        f" observers {len(observers)}, rows {ran.rows}, seconds {time.perf_counter() - begin:.1f}"
    )
    for file in ran.files:
        print(file)


def _design(
    grid: list[str] | None,
    ranges: list[str] | None,
    sobol: int | None,
    latin: int | None,
    settings: list[str] | None,
    seed: int,
) -> Design:
    from onlooker.sweep.design import Design
    from onlooker.sweep.values import parse_axis, parse_range

    if sobol and latin:
        raise InputError("--sobol and --latin: one of them, not both")
    if not (grid or ranges or sobol or latin):
        raise InputError("nothing to vary: expected --grid, such as --grid beta=0.1:2:log20")
    base = parameters_of(settings)
    with refusing("--grid "):
        axes = tuple(parse_axis(text) for text in grid or ())
    with refusing("--range "):
        spans = tuple(parse_range(text) for text in ranges or ())
    fixed = {setting.partition("=")[0].strip() for setting in settings or ()}
    if both := sorted(fixed & {*(axis.name for axis in axes), *(span.name for span in spans)}):
        raise InputError(f"--set {', '.join(both)}: also given in --grid or --range")
    with refusing():
        points = sobol or latin or 0
        return Design(base, axes, spans, "latin" if latin else "sobol", points, seed)


# -- what other commands that sweep share ----------------------------------------------------------


def sweep_trials(
    stimuli: list[str] | None, archive: Path | None, experiment: int | None = None
) -> list[Trial]:
    """The trials that are asked for."""
    from onlooker.experiments.archive import read_archive
    from onlooker.experiments.stimuli import stimuli as bundled
    from onlooker.experiments.trialset import load_trials

    if archive is not None and stimuli:
        raise InputError("--archive and --stimuli: one of them, not both")
    if archive is not None:
        trials = list(read_archive(archive).trials)
    else:
        trials = load_trials(stimuli) if stimuli else bundled()
    if experiment is not None:
        trials = [trial for trial in trials if trial.experiment == experiment]
        if not trials:
            raise InputError(f"--experiment {experiment}: there are no trials of it")
    return trials


def backend_of(jobs: int, dask: str | None) -> Backend:
    """Where to run."""
    from onlooker.sweep.backends import Dask, Local

    if dask and jobs:
        raise InputError("--jobs and --dask: one of them, not both")
    return Dask(dask) if dask else Local(jobs)


@contextmanager
def refusing(place: str = "") -> Iterator[None]:
    """Within this block, what a sweep cannot do is the user's to mend."""
    try:
        yield
    except SweepError as error:
        raise InputError(f"{place}{error}") from None


@contextmanager
def resumable(output: Path) -> Iterator[None]:
    """Within this block, Ctrl-C leaves with a word on how to go on."""
    with interruptible(f"what was done is kept in {output}; the same command goes on from there"):
        yield


@contextmanager
def settings_bar(what: str = "settings") -> Iterator[Callable[[float, int], None]]:
    """A bar with the time left, on standard error, where that is a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
    from rich.progress import TimeRemainingColumn as Left

    console = Console(stderr=True)
    columns: list[Any] = [TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn()]
    columns += [Left(), TextColumn("left")]
    quiet = not console.is_terminal
    with Progress(*columns, console=console, transient=True, disable=quiet) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=int(done), total=total)
