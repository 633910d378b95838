"""`onlooker power`: how many participants and trials a study needs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from onlooker.cli.errors import InputError, interruptible, planned
from onlooker.cli.fit import anywhere, models_of, refusing_models
from onlooker.cli.inputs import (
    backend_of,
    folder_to_write,
    given,
    in_words,
    of_experiments,
    parameters_of,
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
from onlooker.cli.recover import write_tables
from onlooker.fitting import fit_extra

if TYPE_CHECKING:
    import pandas as pd

    from onlooker.game import Trial


@interruptible("nothing was written; the same command begins again")
def power(
    output: Annotated[Path, output_to("Where to write the table.")],
    stimuli: Stimuli = None,
    archive: Archive = None,
    experiment: Experiment = None,
    observer: Observers = None,
    participants: Annotated[
        str, typer.Option(metavar="NUMBERS", help="Sizes of groups, e.g. 5,10,20.")
    ] = "5,6,8,10,15,20,40,80",
    trials: Annotated[
        str, typer.Option(metavar="NUMBERS", help="Trials that each plays, e.g. 5,10.")
    ] = "5,10,20",
    pool: Annotated[
        int, typer.Option(min=10, metavar="N", help="People made by each observer.")
    ] = 100,
    groups: Annotated[int, typer.Option(min=10, metavar="N", help="Groups drawn from them.")] = 100,
    rule: FitRule = None,
    free: Free = None,
    fix: Fix = None,
    prior: Prior = None,
    nodes: Nodes = 21,
    settings: Settings = None,
    jobs: Jobs = 0,
    dask: DaskAddress = None,
    seed: Seed = 1,
) -> None:
    """Compute how many participants and trials a study needs to tell observers apart.

    A study succeeds if random-effects selection gives the observer that made its participants a
    protected exceedance probability above 0.95. Writes the share of studies that succeed for each
    number of trials and participants, and draws it as a curve.

    On trials with teachers it computes instead how many participants under each label it takes for
    looks at teachers to differ between what they are told (Welch's test at 5 %), by scenario, and
    how often a single participant's label is recognised. They play the experiment's orderings.
    """
    with fit_extra():
        from onlooker.analysis.figures.recovery import power_plate
        from onlooker.fitting.power import ENOUGH, enough
        from onlooker.fitting.power import power as run
    from onlooker.game import teacher_in

    folder_to_write(output)
    sizes = _numbers(participants, "--participants")
    lengths = _numbers(trials, "--trials")
    stimulus_set = of_experiments(trials_of(stimuli, experiment, archive))
    if any(teacher_in(trial) is not None for trial in stimulus_set):
        _label_power(output, stimulus_set, stimuli or [], sizes, pool, groups, settings, seed)
        return
    wanted = models_of(observer, rule, free, fix, prior, settings)
    if len(wanted) < 2:
        raise InputError("--observer: expected at least two observers to tell apart")
    sources = given(stimuli, archive)
    backend = anywhere(backend_of(jobs, dask))
    with planned(in_words(sources)), refusing_models(), bar("groups") as progress:
        table = run(
            wanted, stimulus_set, lengths, sizes, pool, groups, seed, nodes, backend, progress
        )
    tables = {"power": table, "enough": enough(table)}
    about = {"command": "power", "pool": pool, "groups": groups, "nodes": nodes}
    write_tables(output, "power.csv", tables, [power_plate(table)], sources, about, seed, wanted)
    for row in tables["enough"].to_dict("records"):
        need = row["participants"]
        many = f"{need:.0f} participants" if need == need and need else f"more than {max(sizes)}"
        print(
            f"Experiment {row['experiment']}, {row['trials']} trials each: {many} are needed for"
            f" every observer to be found in {ENOUGH:.0%} of studies"
        )
    print(output / "power.csv")


def _label_power(
    output: Path,
    trials: Sequence[Trial],
    inputs: Sequence[str],
    sizes: Sequence[int],
    people: int,
    studies: int,
    settings: list[str] | None,
    seed: int,
) -> None:
    """Write and print what a study of trials with teachers would find."""
    import pandas as pd

    from onlooker.experiments.naming import by_experiment
    from onlooker.experiments.provenance import provenance
    from onlooker.experiments.studies import orderings_for
    from onlooker.fitting.labels import label_power
    from onlooker.fitting.power import ENOUGH
    from onlooker.support.files import json_text, write_file
    from onlooker.support.folders import filling

    parameters = parameters_of(settings)
    people = max(people, 10 * max(sizes))  # so that chance differences of the pool count little
    found: dict[str, list[pd.DataFrame]] = {"power": [], "recognised": []}
    with planned(in_words(inputs)):
        for name, group in by_experiment(trials).items():
            made = orderings_for(name, group, seed)
            given = (sizes, people, studies, parameters, seed)
            for table, frame in label_power(name, group, made, *given).items():
                found[table].append(frame)
    about = {
        "command": "power",
        "pool": people,
        "groups": studies,
        "parameters": asdict(parameters),
    }
    with filling(output, "power.csv") as work:
        for table, frames in found.items():
            text = pd.concat(frames).to_csv(index=False, lineterminator="\n")
            write_file(work / f"{table}.csv", text)
        write_file(work / "provenance.json", json_text(provenance(inputs, about, seed)))
    for row in pd.concat(found["recognised"]).to_dict("records"):
        if row["label"] == row["recognised"]:
            print(f"Experiment {row['experiment']}, {row['label']}: {row['share']:.0%} recognised")
    by = ["experiment", "scenario", "label", "other"]
    for key, rows in pd.concat(found["power"]).groupby(by, sort=False):
        enough = rows.loc[rows["share"] >= ENOUGH, "participants"]
        many = f"{min(enough)} participants" if len(enough) else f"more than {max(sizes)}"
        print(
            f"Experiment {key[0]}, {key[1]}: {many} under each label are needed for looks under"
            f" {key[2]} and {key[3]} to differ in {ENOUGH:.0%} of studies"
        )
    print(output / "power.csv")


def _numbers(text: str, option: str) -> list[int]:
    try:
        found = [int(word) for word in text.split(",")]
    except ValueError:
        found = []
    if not found or min(found) < 1:
        raise InputError(f"{option} {text}: expected whole numbers from 1, such as 5,10,20")
    return sorted(set(found))
