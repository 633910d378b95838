"""`onlooker recover`: whether fits find what made the data, on any stimuli."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from onlooker.cli.errors import InputError, interruptible, planned
from onlooker.cli.fit import anywhere, models_of, refusing_models
from onlooker.cli.inputs import (
    backend_of,
    folder_to_write,
    given,
    in_words,
    of_experiments,
    trials_of,
)
from onlooker.cli.options import (
    Archive,
    DaskAddress,
    Experiment,
    FitRule,
    Fix,
    Free,
    Jobs,
    Nodes,
    Observers,
    Prior,
    Seed,
    Settings,
    Stimuli,
    output_to,
)
from onlooker.cli.printing import bar
from onlooker.fitting import fit_extra

if TYPE_CHECKING:
    import pandas as pd

    from onlooker.analysis.figures.plate import Plate
    from onlooker.fitting.models import Model


@interruptible("nothing was written; the same command begins again")
def recover(
    output: Annotated[Path, output_to("Where to write the tables.")],
    stimuli: Stimuli = None,
    archive: Archive = None,
    experiment: Experiment = None,
    observer: Observers = None,
    participants: Annotated[
        int, typer.Option(min=2, metavar="N", help="Made up by each observer in each experiment.")
    ] = 200,
    trials: Annotated[int, typer.Option(min=1, metavar="N", help="Trials that each plays.")] = 10,
    rule: FitRule = None,
    free: Free = None,
    fix: Fix = None,
    prior: Prior = None,
    source: Annotated[
        Path | None,
        typer.Option("--from", metavar="DIR", help="Resample parameters from these fits."),
    ] = None,
    models: Annotated[
        bool, typer.Option("--models", help="Also fit all observers to everybody: confusion.")
    ] = False,
    nodes: Nodes = 31,
    settings: Settings = None,
    jobs: Jobs = 0,
    dask: DaskAddress = None,
    seed: Seed = 1,
) -> None:
    """Make people by each observer, fit them, and see whether parameters and observers are found.

    Writes the estimates beside the true values and a summary; with --models also the confusion and
    inversion matrices. What is not recovered is stated.
    """
    with fit_extra():
        from onlooker.analysis.figures.recovery import recovery_plates
        from onlooker.fitting.recovery import recover as run
    folder_to_write(output)
    wanted = models_of(observer, rule, free, fix, prior, settings)
    stimulus_set = of_experiments(trials_of(stimuli, experiment, archive))
    drawn = None if source is None else _drawn(source, wanted)
    sources = given(stimuli, archive)
    backend = anywhere(backend_of(jobs, dask))
    with planned(in_words(sources)), refusing_models(), bar("fits") as progress:
        found = run(
            wanted,
            stimulus_set,
            participants,
            trials,
            seed,
            nodes,
            models,
            drawn,
            backend,
            progress,
        )
    about = {"command": "recover", "drawn": list(found.words), "trials": trials, "nodes": nodes}
    write_tables(
        output,
        "recovery.csv",
        found.tables,
        recovery_plates(found.tables),
        [*sources, *([source] if source else ())],
        about,
        seed,
        wanted,
    )
    for words in found.words:
        print(words)
    _print_summary(found.tables)
    for failure in found.failures():
        print(failure)
    print(output / "recovery-summary.csv")


def write_tables(
    output: Path,
    main: str,
    tables: Mapping[str, pd.DataFrame],
    plates: Sequence[Plate],
    inputs: Sequence[Any],
    about: dict[str, Any],
    seed: int,
    models: Sequence[Model],
) -> None:
    """Write tables and figures, with what they were made from, as one folder."""
    from onlooker.analysis.figures.plate import save_plate
    from onlooker.experiments.provenance import provenance
    from onlooker.support.files import json_text, write_file
    from onlooker.support.folders import filling

    priors = {model.observer.name: model.words() for model in models}
    config = {**about, "priors": priors, "parameters": asdict(models[0].settings[0])}
    with filling(output, main) as work:
        for name, frame in tables.items():
            write_file(work / f"{name}.csv", frame.to_csv(index=False, lineterminator="\n"))
        write_file(work / "provenance.json", json_text(provenance(inputs, config, seed)))
        for plate in plates:
            save_plate(plate, work / "figures")


def _print_summary(tables: Mapping[str, pd.DataFrame]) -> None:
    for row in tables["recovery-summary"].to_dict("records"):
        print(
            f"Experiment {row['experiment']}, {row['observer']}, {row['parameter']}:"
            f" r {row['r']:.2f}, slope {row['slope']:.2f}, bias {row['bias']:+.2f},"
            f" RMSE {row['rmse']:.2f}, coverage {row['coverage']:.2f}"
            f" ({row['decisions']:.0f} choices each)"
        )
    if "confusion" in tables:
        table = tables["confusion"]
        right = table[table["simulated"] == table["fitted"]]
        for (number, criterion), rows in right.groupby(["experiment", "criterion"], sort=False):
            shares = ", ".join(
                f"{name} {share:.2f}"
                for name, share in zip(rows["simulated"], rows["share"], strict=True)
            )
            print(f"Experiment {number}, recognised by {criterion}: {shares}")
    sys.stdout.flush()


def _drawn(source: Path, models: Sequence[Model]) -> dict[str, Any]:
    """Everybody's estimates of each observer, on the unbounded scale."""
    import numpy as np

    from onlooker.fitting.folders import read_fits

    table = read_fits(source).tables["fits"]
    found = {}
    for model in models:
        name = model.observer.name
        if model.own:
            own = ", ".join(each.name for each in model.own)
            raise InputError(f"--from {source}: {own} of {name} cannot be resampled; use --fix")
        rows = table[table["observer"] == name]
        lacking = [each for each in model.space.names if f"{each}_low" not in rows]
        if rows.empty or lacking or rows[list(model.space.names)].isna().any(axis=None):
            what = ", ".join(model.space.names)
            raise InputError(f"--from {source}: expected fits of {name} with {what}")
        found[name] = np.column_stack(
            [parameter.free(rows[parameter.name]) for parameter in model.space.free]
        )
    return found
