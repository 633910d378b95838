"""Reading and writing trials as files, in whichever format."""

from __future__ import annotations

import os
from pathlib import Path

from onlooker.game.document import load_json, read_document
from onlooker.game.document_writer import dump_document
from onlooker.game.limits import MAX_FILE_BYTES
from onlooker.game.maptext import read_map_text
from onlooker.game.maptext_writer import dump_map_text
from onlooker.game.problems import TrialError
from onlooker.game.trial import Trial
from onlooker.support.files import write_file
from onlooker.support.problems import Problem


def parse_trial(text: str) -> Trial:
    """The trial in a text of either format: JSON if it opens with a brace, else a map text.

    >>> trial = parse_trial("map:\\n@.A\\n\\nlegend:\\n@ = main agent, goal A\\n")
    >>> trial.map.width, trial.main
    (3, MainAgent(at=(0, 0), goal='A'))
    """
    text = text.removeprefix("\ufeff")
    if text.lstrip().startswith(("{", "[")):
        return read_document(load_json(text))
    return read_map_text(text)


def load_trial(path: str | os.PathLike[str]) -> Trial:
    """The trial in a file of either format; TrialError names the file and all its problems.

    >>> load_trial("no-such.map")
    Traceback (most recent call last):
    onlooker.game.problems.TrialError: no-such.map: there is no such file
    """
    try:
        return parse_trial(read_file(Path(path)))
    except TrialError as error:
        raise TrialError(error.problems, source=os.fspath(path)) from None


def read_file(path: Path) -> str:
    """The text in a file; TrialError if it cannot be read, is too large or is no text."""
    try:
        with path.open("rb") as file:
            content = file.read(MAX_FILE_BYTES + 1)
    except FileNotFoundError:
        raise TrialError([Problem("", "there is no such file")]) from None
    except OSError as error:
        raise TrialError([Problem("", f"cannot be read: {error.strerror}")]) from None
    if len(content) > MAX_FILE_BYTES:
        reason = f"a file of more than {MAX_FILE_BYTES:,} bytes, which is more than is read"
        raise TrialError([Problem("", reason)])
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise TrialError([Problem(f"byte {error.start}", "not UTF-8 text")]) from None


def dump_trial(trial: Trial, format: str) -> str:
    """The trial as text: `format` is "json" (the document) or "map" (the map text)."""
    return {"json": dump_document, "map": dump_map_text}[format](trial)


def save_trial(trial: Trial, path: str | os.PathLike[str]) -> None:
    """Write the trial to a file: a document if the name ends in .json, else a map text.

    >>> import tempfile
    >>> trial = load_trial("examples/early-turn.map")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_trial(trial, f"{folder}/trial.json")
    ...     load_trial(f"{folder}/trial.json") == trial
    True
    """
    format = "json" if Path(path).suffix.lower() == ".json" else "map"
    write_file(path, dump_trial(trial, format))
