"""`onlooker fit`: observers fitted to the single decisions of single people."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, replace
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from onlooker.cli.errors import (
    InputError,
    interruptible,
    planned,
    refuse_misspelt,
    refusing,
    replaying,
)
from onlooker.cli.inputs import (
    backend_of,
    folder_to_write,
    given,
    in_words,
    observers_of,
    of_experiment,
    parameters_of,
    played_trials,
)
from onlooker.cli.options import (
    Archive,
    DaskAddress,
    Experiment,
    FitRule,
    Fix,
    Free,
    Jobs,
    Late,
    Nodes,
    Observers,
    Prior,
    Seed,
    Settings,
    SkipBad,
    Stimuli,
    output_to,
)
from onlooker.cli.printing import bar
from onlooker.fitting import fit_extra
from onlooker.sweep import SweepError

if TYPE_CHECKING:
    from onlooker.fitting.models import Model, Run
    from onlooker.inference import Parameters
    from onlooker.sweep.backends import Backend

FEW = 1000  # fits to single trials: so few take less time than it takes to start processes

Grid = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME=VALUES",
        help="Also compare values of an observer's own parameter: beta=0.1:2:log8, caution=0:1:5;"
        " repeatable.",
    ),
]


@interruptible("nothing was written; the same command begins again")
def fit(
    human: Annotated[
        Path, typer.Option(metavar="DIR", help="What people did: a Psych-DS folder with actions.")
    ],
    output: Annotated[Path, output_to("Where to write the tables.")],
    stimuli: Stimuli = None,
    archive: Archive = None,
    experiment: Experiment = None,
    observer: Observers = None,
    rule: FitRule = None,
    free: Free = None,
    fix: Fix = None,
    prior: Prior = None,
    grid: Grid = None,
    group: Annotated[
        bool, typer.Option("--group", help="Also fit each experiment's people as one group.")
    ] = False,
    everyone: Annotated[
        bool, typer.Option("--everyone", help="Also fit those whom the paper's filter excludes.")
    ] = False,
    late: Late = False,
    skip_bad: SkipBad = False,
    nodes: Nodes = 31,
    settings: Settings = None,
    jobs: Jobs = 0,
    dask: DaskAddress = None,
    seed: Seed = 1,
) -> None:
    """Fit observers to the single decisions of single people.

    Scores each choice to watch or to act up to the first action of a trial (with --late, after it
    too), and writes estimates, evidence, information criteria and cross-validation for every
    participant and observer. Without --observer all four of the paper are fitted. `onlooker compare
    --individual` selects among them. Without --jobs, small data is fitted in a single process.
    """
    begin = time.perf_counter()
    with fit_extra():
        from onlooker.experiments.psych_ds import read_dataset
        from onlooker.fitting.folders import Fits, fill_folder
        from onlooker.fitting.plays import left_out, read_plays
        from onlooker.fitting.study import fit_study
        from onlooker.support.folders import filling
    folder_to_write(output)
    models = models_of(observer, rule, free, fix, prior, settings, grid)
    known = played_trials(stimuli, archive)
    trials = of_experiment(known, experiment)
    backend_of(jobs, dask)  # before it takes long
    with replaying(bool(stimuli or archive)):
        dataset = read_dataset(human, known, skip_bad=skip_bad)
    sources = given(stimuli, archive)
    with planned(in_words(sources)), refusing_models():
        plays = read_plays(dataset, trials, experiment, everyone, late)
        absent = left_out(dataset, plays, experiment)
        word = "simulated" if dataset.description.simulated else "human"
        few = len(plays) * sum(len(model.settings) for model in models) <= FEW
        run = anywhere(backend_of(jobs or int(few and not dask), dask))
        with bar("fits") as progress:
            found = fit_study(plays, trials, models, word, nodes, group, seed, run, progress)
    players = list(dataset.description.players)
    about = {
        **found.about,
        "players": players,
        "left_out": absent,
        "notes": list(dataset.notes),
        "late": late,
        "provenance": _origin([human, *sources], models, seed, group, everyone),
    }
    written = Fits(found.tables, about)
    with filling(output, "fit.json") as work:
        fill_folder(work, written)
    _print(written, time.perf_counter() - begin)
    print(output / "fits.csv")


def _origin(
    inputs: Sequence[Any], models: Sequence[Model], seed: int, group: bool, everyone: bool
) -> dict[str, Any]:
    from onlooker.experiments.provenance import provenance

    config = {
        "command": "fit",
        "parameters": [asdict(setting) for setting in models[0].settings],
        "group": group,
        "everyone": everyone,
    }
    return provenance(inputs, config, seed)


def _print(fits: Any, seconds: float) -> None:
    table = fits.tables["fits"]
    for note in fits.about["notes"]:
        print(note, file=sys.stderr)
    people, absent = table["participant"].nunique(), fits.about["left_out"]
    of_all = f" of {people + len(absent)}" if absent else ""
    print(f"data: {fits.data}; participants {people}{of_all}, seconds {seconds:.1f}")
    for name, reason in absent.items():
        print(f"left out: {name}: {reason}")
    for name, about in fits.about["models"].items():
        rows = table[table["observer"] == name]
        print(
            f"{about['title']} ({about['rule']}, values in {about['unit']}): {about['prior']}\n"
            f"  sum of log evidence {rows['log_evidence'].sum():.2f},"
            f" of BIC {rows['bic'].sum():.2f},"
            f" cross-validated {rows['cv_trial'].sum():.2f}; median pseudo-R²"
            f" {rows['pseudo_r2'].median():.2f}; worst choice p = {rows['worst_p'].min():.2g}"
        )
    bad = table[table["reason"].notna() & (table["reason"] != "")]
    for reason, several in bad.groupby("reason"):
        print(f"{len(several)} of {len(table)} fits: {reason}", file=sys.stderr)


# -- what the other commands that fit share --------------------------------------------------------


def models_of(
    names: Sequence[str] | None,
    rule: str | None = None,
    free: str | None = None,
    fix: Sequence[str] | None = None,
    prior: Sequence[str] | None = None,
    settings: list[str] | None = None,
    grid: Sequence[str] | None = None,
) -> list[Model]:
    """The models that the options ask for."""
    observers = observers_of(names)
    base = parameters_of(settings, observers)
    with fit_extra():
        from onlooker.fitting.models import model_of
        from onlooker.fitting.parameters import CHOOSING
    several, varied = _settings(base, grid or ())
    _refuse_choosing(varied)
    wanted = [name.strip() for name in free.split(",")] if free is not None else None
    fixed = dict(_number(text, "--fix") for text in fix or ())
    priors = dict(_prior(text) for text in prior or ())
    known = [*CHOOSING, *(name for name in base.declared() if name not in CHOOSING)]
    for option, names_given in (("--free", wanted), ("--fix", fixed)):
        for name in names_given or ():
            refuse_misspelt(option, "parameter", name, known)
    for name in priors:
        whose, _, what = name.rpartition(".")
        if whose and whose not in (each.name for each in observers):
            of_all = ", ".join(each.name for each in observers)
            raise InputError(f"--prior {name}: expected an observer of this fit, {of_all}")
        refuse_misspelt("--prior", "parameter", what, known)
    with refusing_models():
        models = [
            model_of(each, rule, wanted, fixed, priors, several, varied) for each in observers
        ]
    _refuse_unused(models, settings or (), varied)
    return models


def _refuse_choosing(varied: Sequence[str]) -> None:
    """Refuse a grid over a parameter of choosing, which is estimated or fixed."""
    from onlooker.fitting.parameters import CHOOSING

    for name in varied:
        if name in CHOOSING and name != "observe":
            raise InputError(
                f"--grid {name}: expected a parameter of an observer; use --free, --fix or --prior"
                f" for {name}"
            )


def _refuse_unused(models: Sequence[Model], settings: Sequence[str], varied: Sequence[str]) -> None:
    """Refuse options that no model would follow."""
    for name in varied:
        if not any(name in model.varied for model in models):
            raise InputError(f"--grid {name}: no observer of this fit depends on it")
    for setting in settings:
        name, _, value = setting.partition("=")
        if name.strip() != "observe" and all(name.strip() in m.space.names for m in models):
            raise InputError(f"--set {setting}: it is estimated; expected --fix {name}={value}")


def _settings(base: Parameters, grid: Sequence[str]) -> tuple[list[Parameters], list[str]]:
    from onlooker.sweep.values import parse_axis

    for word in grid:
        refuse_misspelt("--grid", "parameter", word.partition("=")[0].strip(), base.declared())
    with refusing("--grid ", SweepError):
        axes = [parse_axis(text, type(base)) for text in grid]
    names = [axis.name for axis in axes]
    combined = product(*(axis.values for axis in axes))
    several: list[dict[str, Any]] = [dict(zip(names, each, strict=True)) for each in combined]
    with refusing("--grid: "):
        return [replace(base, **values) for values in several], names


def _number(text: str, option: str) -> tuple[str, float]:
    name, _, value = text.partition("=")
    try:
        return name.strip(), float(value)
    except ValueError:
        raise InputError(f"{option} {text}: expected NAME=VALUE, such as lapse=0.02") from None


def _prior(text: str) -> tuple[str, tuple[float, float]]:
    name, _, values = text.partition("=")
    median, _, sd = values.partition(":")
    try:
        return name.strip(), (float(median), float(sd))
    except ValueError:
        raise InputError(
            f"--prior {text}: expected NAME=MEDIAN:SD, such as temperature=2:1.25"
        ) from None


def refusing_models() -> AbstractContextManager[None]:
    """Within this block, a model that cannot be fitted is the user's to mend."""
    from onlooker.fitting.parameters import ModelError
    from onlooker.observers import LatticeError

    return refusing("", ModelError, LatticeError)


def anywhere(backend: Backend) -> Run:
    """What does jobs with a backend's workers."""

    def run(work: Callable[..., Any], jobs: Sequence[tuple[Any, ...]]) -> Iterator[Any]:
        with refusing("", SweepError), backend.open(work) as pool:
            yield from pool.run(jobs)

    return run
