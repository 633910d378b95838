"""Sets and sequences of trials in files and folders, whoever made them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from onlooker.game import Trial, TrialError, load_trial
from onlooker.game.problems import MAX_FILE_BYTES
from onlooker.support.files import read_text
from onlooker.support.problems import Problem, ProblemsError

SUFFIXES = (".json", ".map")
NOT_TRIALS = ("manifest.json", "orderings.json")  # what is beside trials in our own folders
RESULTS = (
    "sweep.json",
    "dataset_description.json",
    "provenance.json",
    "players.json",
)  # in folders of results
PROVENANCE = ".provenance.json"
LOG = re.compile(r"u[0-9]+\.csv")  # a person's log in the authors' archive: its name is an id


def trial_files(paths: Iterable[str | os.PathLike[str]]) -> list[Path]:
    """The trial files among some paths; folders are searched, in the order of their names."""
    found: list[Path] = []
    for path in map(Path, paths):
        if path.is_dir():
            inside = sorted(filter(_may_be_trial, _files(path)), key=lambda file: file.parts)
            if not inside:
                raise TrialError([Problem("", "no .map or .json files in it")], source=str(path))
            found += inside
        else:
            found.append(path)
    return found


def load_trials(paths: Iterable[str | os.PathLike[str]]) -> list[Trial]:
    """Every trial in some files and folders; TrialError lists all that is wrong with them.

    A trial without a name is called after its file.
    """
    return load_files(trial_files(paths))


def load_files(files: Iterable[Path]) -> list[Trial]:
    """The trial of each file, as `load_trials` gives them."""
    trials: list[Trial] = []
    problems: list[Problem] = []
    for file in files:
        try:
            trial = load_trial(file)
        except TrialError as error:
            problems += [Problem(str(file), str(problem)) for problem in error.problems]
            continue
        trials.append(trial if trial.name else replace(trial, name=file.stem))
    if problems:
        raise TrialError(problems)
    return trials


def sequence_files(path: str | os.PathLike[str]) -> list[str]:
    """The trial files that a sequence lists, a line each, in order; `#` begins a comment.

    Names are relative to the folder of the list. A file may come several times.

    >>> [Path(file).name for file in sequence_files("examples/who-knows.sequence")][:2]
    ['1.map', '2.map']
    """
    folder = Path(path).parent
    try:
        lines = read_text(path, MAX_FILE_BYTES).splitlines()
    except ProblemsError as error:
        raise TrialError(error.problems, source=path) from None
    found, problems = [], []
    for number, line in enumerate(lines, start=1):
        name = line.partition("#")[0].strip()
        if name and not (folder / name).is_file():
            problems.append(Problem(f"line {number}", f"there is no file {folder / name}"))
        elif name:
            found.append(os.fspath(folder / name))
    if problems or not found:
        problems = problems or [Problem("", "expected the names of trial files, a line each")]
        raise TrialError(problems, source=path)
    return found


def _files(folder: Path) -> Iterator[Path]:
    """The files in a folder and below, but not in folders below that commands wrote results to."""
    for inside in folder.iterdir():
        if not inside.is_dir():
            yield inside
        elif not inside.is_symlink() and not any((inside / name).exists() for name in RESULTS):
            yield from _files(inside)


def _may_be_trial(file: Path) -> bool:
    name = file.name
    hidden = any(part.startswith(".") for part in file.parts[-2:])
    ours = name in NOT_TRIALS or name.endswith(PROVENANCE)
    return file.suffix.lower() in SUFFIXES and not ours and not hidden
