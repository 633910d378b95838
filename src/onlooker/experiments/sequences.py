"""Sequences: trials that are played one after the other, listed in a file."""

from __future__ import annotations

import os
from pathlib import Path

from onlooker.game import TrialError
from onlooker.game.limits import MAX_FILE_BYTES
from onlooker.support.files import read_text
from onlooker.support.problems import Problem, ProblemsError


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
