"""`onlooker reproduce`: everything in one go, to a report."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from onlooker.analysis import analysis_extra
from onlooker.cli.errors import InputError, interruptible, planned
from onlooker.cli.import_archive import archive_path
from onlooker.cli.inputs import NO_EXPERIMENT, folder_to_write, parameters_of
from onlooker.cli.options import Human, Late, Seed, Settings, output_to
from onlooker.cli.printing import track
from onlooker.cli.sensitivity import SAMPLES, SWEEP, sweeping
from onlooker.fitting import fit_extra
from onlooker.support.extras import MissingExtraError
from onlooker.sweep import sweep_extra

if TYPE_CHECKING:
    from onlooker.analysis.tables.sensitivity import Run
    from onlooker.experiments.psych_ds import Dataset
    from onlooker.game import Trial
    from onlooker.inference import Parameters

PARTICIPANTS = 80  # simulated in each experiment
IMPORTED = "archive"  # the import, in the folder of the report
AUTHORS_DATA = (
    "With the authors' data (osf:e93kh, or the zip or folder of it):"
    " onlooker reproduce --archive ARCHIVE -o out"
)
QUICK = 300  # trials for which other parameters are tried without --full


@interruptible(
    "no report was written; the same command begins again, with what it tried of other parameters"
)
def reproduce(
    output: Annotated[Path, output_to("Where to write.")] = Path("out"),
    archive: Annotated[
        str | None,
        typer.Option(
            metavar="ARCHIVE",
            help="The authors' archive, as for import: its trials, and without --human its people.",
        ),
    ] = None,
    stimuli: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Use these trials as stimuli.")
    ] = None,
    human: Human = None,
    full: Annotated[
        bool,
        typer.Option(
            "--full",
            help="More random splits for the reliability, and which parameters matter when all are"
            " varied together.",
        ),
    ] = False,
    late: Late = False,
    settings: Settings = None,
    seed: Seed = 1,
) -> None:
    """Run everything: predictions, comparison, every figure and table, and a report.

    By default on the bundled stimuli, with simulated participants. With --archive it
    imports the authors' archive and compares the observers with the paper's people, one by one if
    their logs are there, beside the paper's values.
    """
    with analysis_extra():
        from onlooker.analysis.report.abstract import summary
        from onlooker.analysis.report.reproduction import Plan, has_labels, write_reproduction
        from onlooker.analysis.report.reproduction import reproduce as run
    if archive is not None and stimuli is not None:
        raise InputError("--archive and --stimuli: one of them, not both")
    folder_to_write(output)
    parameters = parameters_of(settings)
    place: Path | None = stimuli
    if archive is not None:
        trials, source, place, found = _imported(archive, output)
        human = human or found
    else:
        trials, source = _trials(stimuli)
    trials, taught = _apart(trials, ours=archive is None and stimuli is None)
    told_people = [path for path in human or () if has_labels(path)] if taught else []
    human = [path for path in human or () if path not in told_people]
    run_settings, without = _other_settings(trials, output, full)
    with planned(str(place or "stimuli")), ExitStack() as beside:
        people = None if human else _simulated(trials, parameters, seed)
        plan = Plan(
            trials=trials,
            source=source,
            parameters=parameters,
            human=tuple(human or ()),
            simulated=people,
            inputs=(place,) if place else (),
            seed=seed,
            splits=10_000 if full else 1_000,
            run=run_settings,
            without_run=without,
            samples=SAMPLES if full else 0,
            full=full,
            without_fits=_without_fits(),
            late=late,
            runner=partial(_in_another_process, beside),
            taught=taught,
            told=_simulated(taught, parameters, seed) if taught and not told_people else None,
            told_people=told_people,
        )
        done = run(plan, say=lambda text: typer.echo(f"{text} …", err=True))
    written = write_reproduction(done, output)
    print(*summary(done), sep="\n")
    if archive is None:
        print(AUTHORS_DATA)
    print(written)


def _in_another_process(
    beside: ExitStack, work: Callable[..., Any], *given: Any
) -> Callable[[], Any]:
    """Begin some work in a process that ends with `beside`, and give what waits for its result."""
    ignore = signal.SIGINT, signal.SIG_IGN  # Ctrl-C ends this process, and it the other one
    pool = multiprocessing.get_context("spawn").Pool(1, signal.signal, ignore)
    beside.callback(pool.join)
    beside.callback(pool.terminate)
    return pool.apply_async(work, given).get


def _other_settings(trials: list[Trial], output: Path, full: bool) -> tuple[Run | None, str]:
    """What runs the observers under other parameters, or why that is left out."""
    try:
        with sweep_extra():
            import onlooker.analysis.tables.sensitivity
            import onlooker.sweep.run  # noqa: F401 - to see whether it can be imported
            from onlooker.sweep.backends import Local
    except MissingExtraError as error:
        return None, str(error)
    if len(trials) > QUICK and not full:
        return None, f"there are more than {QUICK} trials; --full tries other parameters on them"
    from onlooker.observers import OBSERVERS

    # The few settings without --full take less time than it takes to start processes.
    backend = Local(0 if full else 1)
    observers = [observer() for observer in OBSERVERS.values()]
    return sweeping(trials, observers, output / SWEEP, backend), ""


def _without_fits() -> str:
    """Why people cannot be fitted one by one, or nothing."""
    try:
        with fit_extra():
            import onlooker.analysis.report.individual  # noqa: F401 - to see whether it can be imported
    except MissingExtraError as error:
        return str(error)
    return ""


def _imported(archive: str, output: Path) -> tuple[list[Trial], str, Path, list[Path]]:
    """The trials of the authors' archive, what they are, where they are now, and its people."""
    from onlooker.experiments.archive import import_archive
    from onlooker.experiments.archive.importing import MEANS, PEOPLE

    done = import_archive(archive_path(archive))
    folder = output / IMPORTED
    done.write(folder)
    for missing in done.missing:
        typer.echo(f"missing: {missing}", err=True)
    people = [folder / PEOPLE] if done.people.persons else [folder / MEANS] if done.means else []
    return list(done.maps.trials), "the authors' archive", folder, people


def _trials(stimuli: Path | None) -> tuple[list[Trial], str]:
    from onlooker.experiments.stimuli import stimuli as bundled
    from onlooker.experiments.trialset import load_trials

    if stimuli is not None:
        trials = [trial for trial in load_trials([stimuli]) if not trial.tutorial]
        return trials, f"the trials in {stimuli.name}"
    return bundled(), "the stimuli that come with onlooker"


def _apart(trials: list[Trial], *, ours: bool) -> tuple[list[Trial], list[Trial]]:
    """The trials without teachers and those with; ours have an experiment of these besides.

    Where all have teachers, they are also compared like any others, as if all were told the truth.
    """
    from onlooker.experiments.stimuli import stimuli
    from onlooker.game import teacher_in

    taught = [trial for trial in trials if teacher_in(trial) is not None]
    others = [trial for trial in trials if teacher_in(trial) is None]
    return others or trials, stimuli(5) if ours else taught


def _simulated(trials: list[Trial], parameters: Parameters, seed: int) -> Dataset:
    from onlooker.analysis.report.reproduction import simulated
    from onlooker.experiments.studies import simulate_study
    from onlooker.observers import RationalMentalizing

    records = simulate_study(
        trials,
        RationalMentalizing(),
        PARTICIPANTS,
        parameters=parameters,
        seed=seed,
        progress=lambda items, total: track(items, total, "playing"),
    )
    if not records.participants:
        raise InputError(NO_EXPERIMENT)
    return simulated(records, parameters)
