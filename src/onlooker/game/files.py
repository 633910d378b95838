"""Reading and writing trials as files, in whichever format."""

from __future__ import annotations

import os
from pathlib import Path

from onlooker.game.document import load_json, read_document
from onlooker.game.document_writer import dump_document
from onlooker.game.maptext import read_map_text
from onlooker.game.maptext_writer import dump_map_text
from onlooker.game.problems import MAX_FILE_BYTES, TrialError
from onlooker.game.trial import Trial
from onlooker.support.files import read_text, write_file
from onlooker.support.problems import ProblemsError


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
        return parse_trial(read_text(path, MAX_FILE_BYTES))
    except ProblemsError as error:
        raise TrialError(error.problems, source=path) from None


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
