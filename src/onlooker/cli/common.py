"""What the commands share: reading trials, settings and observers, and refusing what is wrong."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, TypeVar

import typer

from onlooker.game import Costs, Trial, TrialError, load_trial
from onlooker.planning import NoPathError, Steps, Tables, main_path, npc_paths
from onlooker.support.problems import Problem, first_names

if TYPE_CHECKING:
    from onlooker.inference import Parameters
    from onlooker.observers import ChoiceRule, Observer

T = TypeVar("T")

BAD_INPUT = 2  # the exit status for anything wrong with what the user gave
INTERRUPTED = 130  # the exit status after Ctrl-C, as shells have it

TrialFile = Annotated[
    str, typer.Argument(metavar="FILE", help="A trial document (JSON) or a map text.")
]
TrialPaths = Annotated[
    list[str], typer.Argument(metavar="PATH", help="Trials, or folders of trials.")
]
# Written out, so that completing a word in the shell does not load the engine; a test compares.
OBSERVER_NAMES = (
    "rational_mentalizing",
    "mentalizing_observer",
    "rational_observer",
    "naive_observer",
    "graded_mentalizing",
    "ideal_observer",
    "untold_mentalizing",
)
PARAMETER_NAMES = (
    "move", "interact", "observe", "beta", "converge", "prune", "epsilon", "exploration", "order",
    "meeting", "temperature", "lapse", "curiosity", "skip", "caution",
)  # fmt: skip
Settings = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="NAME=VALUE",
        help="Set a parameter, e.g. beta=0.2; repeatable.",
        autocompletion=lambda: [f"{name}=" for name in PARAMETER_NAMES],
    ),
]

RuleName = Literal["hard", "softmax", "graded"]
ChoiceRuleName = Annotated[
    RuleName | None,
    typer.Option(
        "--rule",
        help="How they choose: hard, softmax or graded; by default each as it does itself.",
    ),
]


NO_EXPERIMENT = (
    "none of these trials says that it belongs to Experiments 1 to 4: a map does so by a line such"
    " as 'experiment: 2', a document by its field \"experiment\""
)


def warn_left_out(trials: Iterable[Trial], kept: Iterable[Trial]) -> None:
    """Say which trials a command leaves out because they name no experiment; tutorials aside."""
    known = {id(trial) for trial in kept}
    names = [trial.label for trial in trials if not trial.tutorial and id(trial) not in known]
    if names:
        listed = first_names(names)
        print(f"warning: trials of no experiment are left out: {listed}", file=sys.stderr)


def same_name(files: Sequence[Path], trials: Sequence[Trial], first: int, later: int) -> str:
    """What is wrong with two trials that have the same name, in words."""
    if files[first] == files[later]:
        return "given twice"
    return f"its name {trials[later].label!r} is that of {files[first]}"


def folder_to_write(output: Path) -> None:
    """Refuse what is no folder."""
    if output.exists() and not output.is_dir():
        raise InputError(f"{output}: expected the name of a folder, not a file")


class InputError(Exception):
    """Something the user gave is wrong; the text says what was expected."""


@contextmanager
def planned(file: str) -> Iterator[None]:
    """Within this block, what no agent could do or no hypothesis explain is the file's problem.

    So is a trial that is too large for an exact answer.
    """
    from onlooker.inference.errors import TooLargeError, UnexplainedError

    try:
        yield
    except (NoPathError, UnexplainedError) as error:
        raise TrialError([Problem("npcs", str(error))], source=file) from None
    except TooLargeError as error:
        raise TrialError([Problem("map", str(error))], source=file) from None


def read_planned(file: str, costs: Costs | None = None) -> tuple[Trial, Tables, dict[str, Steps]]:
    """A trial with its tables and everybody's reference path, by agent id ("main" included).

    A novice's way is not known to exist before it is planned, so this finds one more problem
    than reading the trial does.
    """
    trial = load_trial(file)
    tables = Tables(trial.map, costs)
    with planned(file):
        paths = npc_paths(tables, trial)
        paths_of = {npc.id: path for npc, path in zip(trial.npcs, paths, strict=True)}
        return trial, tables, {"main": main_path(tables, trial), **paths_of}


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


def track(items: Iterable[T], total: int, what: str) -> Iterable[T]:
    """The items one by one, with a bar on standard error."""
    from rich.console import Console
    from rich.progress import track as with_bar

    console = Console(stderr=True)
    quiet = not console.is_terminal
    return with_bar(items, what, total, console=console, transient=True, disable=quiet)


def parameters_of(settings: Iterable[str] | None) -> Parameters:
    """The parameters that `--set` words ask for."""
    from onlooker.inference import Parameters

    values: dict[str, str] = {}
    for setting in settings or ():
        name, equals, value = setting.partition("=")
        if not equals:
            raise InputError(f"--set {setting}: expected NAME=VALUE, such as beta=0.2")
        name = name.strip()
        if name in values:
            raise InputError(f"--set {setting}: {name} is set twice; expected it once")
        values[name] = value.strip()
    try:
        return Parameters.parse(values)
    except ValueError as error:
        raise InputError(f"--set: {error}") from None


def observers_of(names: Iterable[str]) -> list[Observer]:
    """The observers of some names; "all" stands for the four of the paper."""
    from onlooker.observers import OBSERVERS, find_observer

    # An observer of the user's own lies where the user is, as with `python -m`.
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    wanted: dict[str, None] = {}
    for name in names:
        wanted |= dict.fromkeys(OBSERVERS if name == "all" else [name])
    try:
        found = [find_observer(name) for name in wanted]
    except ValueError as error:
        raise InputError(f"--observer: {error}") from None
    if len({each.name for each in found}) < len(found):
        raise InputError("--observer: two of them have the same name")
    return found


def rules_of(observers: Iterable[Observer], rule: str | None) -> list[ChoiceRule]:
    """The rule by which each observer is to choose."""
    from onlooker.observers import rule_for

    try:
        return [rule_for(observer, rule) for observer in observers]
    except ValueError as error:
        raise InputError(f"--rule {rule}: {error}") from None


def observer_of(name: str) -> Observer:
    """The one observer of a name; "all" is refused."""
    if name == "all":
        raise InputError("--observer all: expected one observer at a time")
    [observer] = observers_of([name])
    return observer


@contextmanager
def interruptible(words: str) -> Iterator[None]:
    """Within this block, or function, Ctrl-C leaves with a word on what was kept."""
    try:
        yield
    except KeyboardInterrupt:
        print(f"interrupted: {words}", file=sys.stderr)
        raise typer.Exit(INTERRUPTED) from None
