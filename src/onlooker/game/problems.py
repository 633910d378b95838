"""What is wrong with a trial, and where."""

from __future__ import annotations

import json

from onlooker.support.problems import ProblemsError

DocumentPath = tuple[str | int, ...]  # into the trial document, e.g. ("npcs", 0, "goal")


class TrialError(ProblemsError):
    """A trial was refused; `problems` has everything that was found wrong with it.

    >>> from onlooker.game import parse_trial
    >>> try:
    ...     parse_trial("map:\\n@.\\n")
    ... except TrialError as error:
    ...     print(error.problems[0])
    line 2, column 1: unknown character '@'; add it to the legend
    """


def dotted(path: DocumentPath) -> str:
    """A path as people write it.

    >>> dotted(("npcs", 0, "goal"))
    'npcs[0].goal'
    """
    words = ""
    for part in path:
        words += f"[{part}]" if isinstance(part, int) else f".{part}" if words else part
    return words


def shown(value: object) -> str:
    """A value in a message, cut when it is long."""
    try:
        text = json.dumps(value)
    except (TypeError, ValueError, RecursionError):
        text = repr(type(value).__name__)
    return text if len(text) <= 60 else text[:57] + "..."
