"""`onlooker sweep`: many parameter settings over many trials."""

from __future__ import annotations

import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from onlooker.cli.errors import InputError, refuse_misspelt, refusing, resumable
from onlooker.cli.inputs import (
    backend_of,
    folder_to_write,
    observers_of,
    parameters_of,
    trials_of,
)
from onlooker.cli.options import (
    Archive,
    ChoiceRuleName,
    DaskAddress,
    Experiment,
    Jobs,
    Observers,
    Seed,
    Settings,
    Stimuli,
    output_to,
)
from onlooker.cli.printing import bar
from onlooker.sweep import SweepError, sweep_extra

if TYPE_CHECKING:
    from onlooker.inference import Parameters
    from onlooker.sweep.design import Design


def sweep(
    output: Annotated[Path, output_to("Where to write, and to continue.")],
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
    experiment: Experiment = None,
    observer: Observers = None,
    rule: ChoiceRuleName = None,
    settings: Settings = None,
    jobs: Jobs = 0,
    dask: DaskAddress = None,
    seed: Seed = 1,
) -> None:
    """Run observers under many parameter settings, as Parquet tables.

    What is done is kept in DIR as it comes: the same command continues where it was interrupted, is
    free when there is nothing to do, and computes only what is new when values, trials or
    observers are added. Without --observer the paper's four run. By a soft rule the table has what
    is expected, which need not be whole numbers.

    Examples:
        onlooker sweep --stimuli examples --grid beta=0.1,0.2 -o sweep --jobs 1
    """
    begin = time.perf_counter()
    with sweep_extra():
        from onlooker.sweep.design import Sweep
        from onlooker.sweep.run import run_sweep
    observers = observers_of(observer)
    design = _design(grid, ranges, sobol, latin, parameters_of(settings, observers), settings, seed)
    trials = trials_of(stimuli, experiment, archive)
    folder_to_write(output)
    with refusing("", SweepError):
        what = Sweep.of(design.settings(), trials, observers, rule)
    if design.size > len(what.settings):
        same = design.size - len(what.settings)
        are = "setting is" if same == 1 else "settings are"
        print(f"{same} {are} the same as others and run once", file=sys.stderr)
    about: dict[str, object] = {"command": "sweep", "design": asdict(design)}
    with resumable(output), refusing("", SweepError), bar("settings") as progress:
        ran = run_sweep(what, output, backend_of(jobs, dask), progress, about)
    if ran.damaged:
        were = "damaged file was" if ran.damaged == 1 else "damaged files were"
        print(f"{ran.damaged} {were} removed", file=sys.stderr)
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
    base: Parameters,
    settings: list[str] | None,
    seed: int,
) -> Design:
    from onlooker.sweep.design import Design
    from onlooker.sweep.values import parse_axis, parse_range

    if sobol and latin:
        raise InputError("--sobol and --latin: one of them, not both")
    if not (grid or ranges or sobol or latin):
        raise InputError("nothing to vary: expected --grid, such as --grid beta=0.1:2:log20")
    known = type(base)
    for option, words in (("--grid", grid), ("--range", ranges)):
        for word in words or ():
            name = word.partition("=")[0].strip()
            refuse_misspelt(option, "parameter", name, known.declared())
    with refusing("--grid ", SweepError):
        axes = tuple(parse_axis(text, known) for text in grid or ())
    with refusing("--range ", SweepError):
        spans = tuple(parse_range(text, known) for text in ranges or ())
    fixed = {setting.partition("=")[0].strip() for setting in settings or ()}
    if both := sorted(fixed & {*(axis.name for axis in axes), *(span.name for span in spans)}):
        raise InputError(f"--set {', '.join(both)}: also given in --grid or --range")
    with refusing("", SweepError):
        points = sobol or latin or 0
        return Design(base, axes, spans, "latin" if latin else "sobol", points, seed)
