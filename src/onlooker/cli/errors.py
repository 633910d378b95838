"""How commands refuse what the user gave, and how they end on Ctrl-C."""

from __future__ import annotations

import os
import re
import sys
import sysconfig
import traceback
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from difflib import get_close_matches
from pathlib import Path

import typer

from onlooker.support.problems import Problem, ProblemsError

BAD_INPUT = 2  # the exit status for anything wrong with what the user gave
REFUSED = 3  # the exit status where an observer refused a trial and everything else was done
SHORTEST = 3  # letters of a word that may stand for a longer one
TRACEBACK = "ONLOOKER_TRACEBACK"  # the variable that asks for tracebacks of the user's own code
INTERRUPTED = 130  # the exit status after Ctrl-C, as shells have it


class InputError(Exception):
    """Something the user gave is wrong; the text says what was expected."""


@contextmanager
def refusing(place: str = "", *errors: type[Exception]) -> Iterator[None]:
    """Within this block, these errors, by default any ValueError, are the user's to mend.

    `place` says what the user gave and comes first in the message.

    >>> with refusing("--pool 3: "):
    ...     raise ValueError("expected at least 10")
    Traceback (most recent call last):
    onlooker.cli.errors.InputError: --pool 3: expected at least 10
    """
    try:
        yield
    except errors or (ValueError,) as error:  # noqa: B030 - a tuple of classes either way
        if isinstance(error, ProblemsError):
            raise  # it names its places itself
        raise InputError(f"{place}{error}") from None


def refuse_misspelt(option: str, kind: str, word: str, known: Iterable[str]) -> None:
    """InputError if a word is nearly one that is known; what resembles none is left to others.

    >>> refuse_misspelt("--set", "parameter", "betta", ["beta", "prune"])
    Traceback (most recent call last):
    onlooker.cli.errors.InputError: --set: there is no parameter 'betta'; did you mean beta?
    """
    known = list(known)
    if ":" in word or word in known:  # package.module:Class is the user's own
        return
    if close := alike(word, known):
        raise InputError(
            f"{option}: there is no {kind} {word!r}; did you mean {' or '.join(close)}?"
        )


def alike(word: str, known: Iterable[str]) -> list[str]:
    """The known words that somebody may have meant: parts of them are written, or nearly one is.

    >>> alike("rational", ["rational_mentalizing", "rational_observer", "naive_observer"])
    ['rational_mentalizing', 'rational_observer']
    >>> alike("Naive Obsever", ["rational_observer", "naive_observer"])
    ['naive_observer']
    """
    known, plain = list(known), re.sub(r"[\s-]+", "_", word.strip().lower())
    begun = len(plain) >= SHORTEST
    whole = [e for e in known if plain in e.split("_") or (begun and e.startswith(plain))]
    return whole or get_close_matches(plain, known, n=1)


@contextmanager
def planned(file: str) -> Iterator[None]:
    """Within this block, what no agent could do or no hypothesis explain is the file's problem.

    So is a trial that is too large for an exact answer.
    """
    from onlooker.game import TrialError
    from onlooker.inference.errors import TooLargeError, UnexplainedError
    from onlooker.planning import NoPathError

    try:
        yield
    except (NoPathError, UnexplainedError) as error:
        raise TrialError([Problem("npcs", str(error))], source=file) from None
    except TooLargeError as error:
        raise TrialError([Problem("map", str(error))], source=file) from None


@contextmanager
def replaying(stimuli: bool) -> Iterator[None]:
    """Within this block, data that contradicts the game is refused with what can be done.

    `stimuli` says whether the user has named the trials that were played.
    """
    from onlooker.experiments.replaying import ReplayError

    try:
        yield
    except ReplayError as error:
        words = "--skip-bad leaves such trials out"
        if not stimuli:
            words += "; if other trials than onlooker's own were played, name them by --stimuli"
        raise InputError(f"{error}\n{words}") from None


def raised_in_own_code(error: Exception) -> str | None:
    """Where the user's own code raised an error, such as an observer's; None if it is not in it.

    It is also None if the user asks for the whole traceback.
    """
    if os.environ.get(TRACEBACK):
        return None
    lines = traceback.format_exception(error)  # one of another process has its own as its cause
    frames = re.findall(r'^  File "(.+)", line (\d+), in (.+)$', "".join(lines), re.MULTILINE)
    for file, line, function in reversed(frames):
        if _is_users(Path(file)):
            what = "".join(traceback.format_exception_only(error)).strip()
            return f"{file}, line {line}, in {function}: {what}\nset {TRACEBACK}=1 to see all calls"
    return None


def _is_users(file: Path) -> bool:
    """Whether a file of code is neither ours nor of an installed package."""
    installed = [sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib", "scripts")]
    folders = [Path(__file__).parents[1], *map(Path, installed)]
    return file.is_file() and not any(file.is_relative_to(folder) for folder in folders)


@contextmanager
def interruptible(words: str) -> Iterator[None]:
    """Within this block, or function, Ctrl-C leaves with a word on what was kept."""
    try:
        yield
    except KeyboardInterrupt:
        print(f"interrupted: {words}", file=sys.stderr)
        raise typer.Exit(INTERRUPTED) from None


def resumable(output: Path) -> AbstractContextManager[None]:
    """Within this block, Ctrl-C leaves with a word on how to continue."""
    return interruptible(
        f"what was done is kept in {output}; the same command continues from there"
    )
