"""`onlooker sensitivity`: how predictions and their fit depend on the parameters."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from onlooker.analysis import analysis_extra
from onlooker.cli.errors import InputError, refuse_misspelt, refusing, resumable
from onlooker.cli.inputs import (
    backend_of,
    folder_to_write,
    given,
    observers_of,
    parameters_of,
    rules_of,
    trials_of,
)
from onlooker.cli.options import (
    Archive,
    ChoiceRuleName,
    DaskAddress,
    Human,
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
    from onlooker.analysis.tables.sensitivity import Run
    from onlooker.game import Trial
    from onlooker.inference import Parameters
    from onlooker.observers import ChoiceRule, Observer
    from onlooker.sweep.backends import Backend

SAMPLES = 256  # for the indices
SWEEP = "sweep"  # the folder with what was run


def sensitivity(
    output: Annotated[Path, output_to("Where to write, and to continue.")],
    stimuli: Stimuli = None,
    archive: Archive = None,
    human: Human = None,
    only: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Vary this parameter only; repeatable."),
    ] = None,
    full: Annotated[
        bool, typer.Option("--full", help="Also vary all parameters together: Sobol' indices.")
    ] = False,
    samples: Annotated[
        int,
        typer.Option(min=2, metavar="N", help="Samples for --full, a power of two; 12 runs each."),
    ] = SAMPLES,
    observer: Observers = None,
    rule: ChoiceRuleName = None,
    settings: Settings = None,
    jobs: Jobs = 0,
    dask: DaskAddress = None,
    seed: Seed = 1,
) -> None:
    """Show how predictions, and their fit to people, change with each parameter and reading.

    Writes sensitivity.html, a page with figures and tables, and beside it the figures, the tables
    as CSV and the sweep behind them. With --only there is one figure. Without --observer the
    paper's four run. By a soft rule the steps watched are expected numbers.

    Examples:
        onlooker sensitivity --stimuli examples --only beta -o beta --jobs 1
    """
    with analysis_extra(), sweep_extra():
        from onlooker.analysis.data.human import read_people
        from onlooker.analysis.figures.sensitivity import sensitivity_plates
        from onlooker.analysis.report.sensitivity_page import write_page
        from onlooker.analysis.tables.sensitivity import sensitivity as measure
        from onlooker.experiments.provenance import provenance
    if full and samples & (samples - 1):
        raise InputError(f"--samples {samples}: expected a power of two, such as {SAMPLES}")
    if full and only:
        raise InputError("--full varies all parameters, --only some: one of them, not both")
    observers = observers_of(observer)
    base = parameters_of(settings, observers)
    trials = trials_of(stimuli, archive=archive)
    folder_to_write(output)
    backend = backend_of(jobs, dask)
    people = None
    if human:
        levels = _levels(trials)
        people = read_people(human, levels, trials)
        if set(levels["experiment"]).isdisjoint(people.means["experiment"]):
            files = ", ".join(map(str, human))
            raise InputError(f"--human {files}: people and trials have no experiment in common")
        for note in people.notes:
            print(note, file=sys.stderr)
    rules = rules_of(observers, rule)
    more = _more(observers, rules)
    _refuse_without_effect(only or (), more)
    run = sweeping(trials, observers, output / SWEEP, backend, rule)
    found = measure(run, base, people, samples if full else 0, seed, more, only or ())
    about = {"command": "sensitivity", "parameters": asdict(base), "full": full}
    about |= {"rules": {o.name: str(by) for o, by in zip(observers, rules, strict=True)}}
    about |= {"samples": samples} if full else {}
    inputs = [*given(stimuli, archive), *(human or ())]
    origin = provenance(inputs, about, seed)
    source = _source(stimuli, archive, len(trials))
    print(write_page(found, list(sensitivity_plates(found)), output, source, origin))


def _more(observers: Sequence[Observer], rules: Sequence[ChoiceRule]) -> list[str]:
    """The parameters beyond the paper's that some observer depends on or declares."""
    from onlooker.inference.parameters import SOFT
    from onlooker.observers import soft_parameters

    used = {n for each in zip(observers, rules, strict=True) for n in soft_parameters(*each)}
    own = dict.fromkeys(name for observer in observers for name in observer.own_parameters())
    return [*(name for name in SOFT if name in used), *own]


def _refuse_without_effect(only: Sequence[str], more: Sequence[str]) -> None:
    from onlooker.analysis.tables.sensitivity.design import NAMES, SOFT_VALUES

    for name in only:
        if name not in (*NAMES, *SOFT_VALUES, *more):
            refuse_misspelt("--only", "parameter", name, (*NAMES, *more))
            raise InputError(f"--only {name}: expected one of {', '.join((*NAMES, *more))}")
        if name not in (*NAMES, *more):
            raise InputError(
                f"--only {name}: none of these observers depends on it;"
                " name another with --observer, or a --rule"
            )


def sweeping(
    trials: Sequence[Trial],
    observers: Sequence[Observer],
    folder: Path,
    backend: Backend,
    rule: str | None = None,
) -> Run:
    """What runs the observers under the settings of an analysis, and keeps the results."""
    import pandas as pd

    from onlooker.analysis.tables.sensitivity.measures import LABELS, StepCounts
    from onlooker.sweep.design import Sweep
    from onlooker.sweep.run import run_sweep

    def run(settings: Sequence[Parameters]) -> StepCounts:
        with resumable(folder), refusing("", SweepError):
            what = Sweep.of(settings, trials, observers, rule)
            with bar("settings") as progress:
                ran = run_sweep(what, folder, backend, progress, {"command": "sensitivity"})
        rows = pd.DataFrame(what.labels(), columns=LABELS, dtype=object)
        return StepCounts(what.settings, rows, ran.observed())

    return run


def _levels(trials: Sequence[Trial]) -> Any:
    """The levels and NPCs that people can have seen, to check their data against first."""
    import pandas as pd

    from onlooker.experiments.naming import is_name

    rows = [
        {
            "experiment": trial.experiment,
            "level": trial.label,
            "agent": npc.id,
            "expertise": str(npc.expertise),
        }
        for trial in trials
        if is_name(trial.experiment) and not trial.tutorial
        for npc in trial.npcs
    ]
    if not rows:
        raise InputError("--human: none of these trials names an experiment")
    return pd.DataFrame(rows).astype({"experiment": object})


def _source(stimuli: list[str] | None, archive: Path | None, count: int) -> str:
    if archive is not None:
        return f"the {count} trials of the authors' archive"
    if stimuli:
        return f"{count} trials of {', '.join(Path(each).name for each in stimuli)}"
    return f"the {count} trials that come with onlooker"
