"""What options and arguments stand for: trials, parameters, observers, files to write."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from onlooker.cli.errors import InputError, planned, refuse_misspelt, refusing
from onlooker.cli.options import OBSERVER_NAMES
from onlooker.support.problems import Problem, first_names

if TYPE_CHECKING:
    from onlooker.experiments.recordings import Recordings
    from onlooker.game import ExperimentName, Trial
    from onlooker.inference import Parameters
    from onlooker.observers import ChoiceRule, Observer
    from onlooker.planning import Steps
    from onlooker.sweep.backends import Backend

NO_EXPERIMENT = (
    "none of these trials says which experiment it belongs to: a map does so by a line such as"
    " 'experiment: 2' or 'experiment: pilot', a document by its field \"experiment\""
)

# -- trials ----------------------------------------------------------------------------------------


def trials_of(
    paths: Sequence[str | Path] | None,
    experiment: ExperimentName | None = None,
    archive: Path | None = None,
) -> list[Trial]:
    """The trials in some files and folders or in the authors' archive; else those of ours.

    Ours are those of the paper's four experiments, unless another one is asked for.
    """
    from onlooker.experiments.archive import read_archive
    from onlooker.experiments.stimuli import bundled, stimuli
    from onlooker.experiments.trialset import load_trials

    if archive is not None and paths:
        raise InputError("--archive and --stimuli: one of them, not both")
    if archive is not None:
        trials = list(read_archive(archive).trials)
    else:
        ours = experiment if experiment in bundled() else None
        trials = load_trials(paths) if paths else stimuli(ours)
    return of_experiment(trials, experiment)


def given(stimuli: Sequence[str | Path] | None, archive: Path | None = None) -> list[str | Path]:
    """What trials are read from: the files and folders or the archive; nothing if they are ours."""
    return [*(stimuli or ()), *([archive] if archive else ())]


def in_words(sources: Sequence[str | Path] | None) -> str:
    """How messages name the trials that are read from somewhere; "stimuli" are ours."""
    return ", ".join(map(str, sources or ["stimuli"]))


def played_trials(paths: Sequence[str | Path] | None, archive: Path | None = None) -> list[Trial]:
    """The trials that a dataset can be of: those in some files, else all that are bundled."""
    from onlooker.experiments.stimuli import bundled, stimuli

    if paths or archive is not None:
        return trials_of(paths, archive=archive)
    return [trial for name in bundled() for trial in stimuli(name)]


def of_experiment(trials: list[Trial], experiment: ExperimentName | None) -> list[Trial]:
    """The trials of an experiment, or all; InputError if there is none."""
    if experiment is None:
        return trials
    found = [trial for trial in trials if trial.experiment == experiment]
    if not found:
        raise InputError(f"--experiment {experiment}: there are no trials of it")
    return found


def of_experiments(trials: Sequence[Trial]) -> list[Trial]:
    """The trials that name an experiment; which others are left out is printed, tutorials aside."""
    from onlooker.experiments.naming import is_name

    found = [t for t in trials if is_name(t.experiment) and not t.tutorial]
    if not found:
        raise InputError(NO_EXPERIMENT)
    warn_left_out(trials, found)
    return found


def warn_left_out(trials: Iterable[Trial], kept: Iterable[Trial]) -> None:
    """Say which trials a command leaves out because they name no experiment; tutorials aside."""
    known = {id(trial) for trial in kept}
    names = [trial.label for trial in trials if not trial.tutorial and id(trial) not in known]
    if names:
        listed = first_names(names)
        print(f"warning: trials of no experiment are left out: {listed}", file=sys.stderr)


def refuse_same_names(files: Sequence[Path], trials: Sequence[Trial]) -> None:
    """TrialError if two trials have the same experiment and name."""
    from onlooker.experiments.predictions import repeated_trials
    from onlooker.game import TrialError

    problems = []
    for first, later in repeated_trials(trials):
        reason = f"its name {trials[later].label!r} is that of {files[first]}"
        twice = files[first] == files[later]
        problems.append(Problem(str(files[later]), "given twice" if twice else reason))
    if problems:
        raise TrialError(problems)


def read_planned(file: str) -> tuple[Trial, dict[str, Steps]]:
    """A trial with everybody's reference path, by agent id ("main" included).

    A novice's way is not known to exist before it is planned, so this finds one more problem
    than reading the trial does.
    """
    from onlooker.game import load_trial
    from onlooker.planning import Tables, main_path, npc_paths

    trial = load_trial(file)
    tables = Tables(trial.map)
    with planned(file):
        paths = npc_paths(tables, trial)
        paths_of = {npc.id: path for npc, path in zip(trial.npcs, paths, strict=True)}
        return trial, {"main": main_path(tables, trial), **paths_of}


def recordings_of(data: Path, stimuli: Sequence[str | Path]) -> Recordings:
    """What people did, from a dataset or an import; its own notes are printed."""
    from onlooker.analysis import analysis_extra
    from onlooker.experiments.replaying import ReplayError

    with analysis_extra():
        from onlooker.experiments.recordings import read_recordings
    try:
        return read_recordings(data, stimuli)
    except ReplayError as error:
        other = "\nif other trials than onlooker's own were played, name them by --stimuli"
        words = "" if stimuli else other
        raise InputError(f"{error}{words}") from None


# -- parameters and observers ----------------------------------------------------------------------


def parameters_of(settings: Iterable[str] | None, observers: Iterable[Observer] = ()) -> Parameters:
    """The parameters that `--set` words ask for, those among them that observers declare."""
    from onlooker.observers import parameters_class

    with refusing("--observer: "):
        known = parameters_class(observers)
    values: dict[str, str] = {}
    for setting in settings or ():
        name, equals, value = setting.partition("=")
        if not equals:
            raise InputError(f"--set {setting}: expected NAME=VALUE, such as beta=0.2")
        name = name.strip()
        if name in values:
            raise InputError(f"--set {setting}: {name} is set twice; expected it once")
        refuse_misspelt("--set", "parameter", name, known.declared())
        values[name] = value.strip()
    with refusing("--set: "):
        return known.parse(values)


def observers_of(names: Iterable[str] | None) -> list[Observer]:
    """The observers of some names; "all", and no name at all, stand for the four of the paper."""
    from onlooker.observers import OBSERVERS, find_observer

    import_from_here()
    wanted: dict[str, None] = {}
    for name in names or ["all"]:
        refuse_misspelt("--observer", "observer", name, (*OBSERVER_NAMES, "all"))
        wanted |= dict.fromkeys(OBSERVERS if name == "all" else [name])
    with refusing("--observer: "):
        found = [find_observer(name) for name in wanted]
    if len({each.name for each in found}) < len(found):
        raise InputError("--observer: two of them have the same name")
    return found


def observer_of(name: str) -> Observer:
    """The one observer of a name; "all" is refused."""
    if name == "all":
        raise InputError("--observer all: expected one observer at a time")
    [observer] = observers_of([name])
    return observer


def rules_of(observers: Iterable[Observer], rule: str | None) -> list[ChoiceRule]:
    """The rule by which each observer is to choose."""
    from onlooker.observers import rule_for

    with refusing(f"--rule {rule}: "):
        return [rule_for(observer, rule) for observer in observers]


def import_from_here() -> None:
    """Find an observer or player of the user's own where the user is, as with `python -m`."""
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())


def places_of(observers: Iterable[Observer]) -> dict[str, str]:
    """Where the class of each observer is, by its name, for the record of how a table was made."""
    return {each.name: f"{type(each).__module__}:{type(each).__name__}" for each in observers}


# -- where to write and to compute -----------------------------------------------------------------


def folder_to_write(output: Path) -> None:
    """Refuse a path that is not a folder."""
    if output.exists() and not output.is_dir():
        raise InputError(f"{output}: expected the name of a folder, not a file")


def table_to_write(output: Path) -> None:
    """Refuse a folder where a table is to be written."""
    if output.is_dir():
        raise InputError(f"{output}: expected the name of a CSV file, not a folder")


def pictures_of(png: Path | None, svg: Path | None) -> list[Path]:
    """The pictures that `--png` and `--svg` ask for; names must end as the options say."""
    asked = {"png": png, "svg": svg}
    for format, picture in asked.items():
        check_ending(picture, format)
    return [picture for picture in asked.values() if picture is not None]


def check_ending(file: Path | None, format: str) -> None:
    """Refuse a file that an option such as `--png` asks for by a name that does not end so."""
    if file is not None and file.suffix.lower() != f".{format}":
        raise InputError(f"--{format} {file}: expected a name that ends in .{format}")


def backend_of(jobs: int, dask: str | None) -> Backend:
    """Where to compute."""
    from onlooker.sweep.backends import Dask, Local

    if dask and jobs:
        raise InputError("--jobs and --dask: one of them, not both")
    return Dask(dask) if dask else Local(jobs)
