"""What is wrong with a trial, and where."""

from __future__ import annotations

from collections.abc import Iterable

from onlooker.support.problems import Problem

Path = tuple[str | int, ...]  # into the trial document, e.g. ("npcs", 0, "goal")


class TrialError(ValueError):
    """A trial was refused; `problems` lists everything that was found wrong with it.

    >>> from onlooker.game import parse_trial
    >>> try:
    ...     parse_trial("map:\\n@.\\n")
    ... except TrialError as error:
    ...     print(error.problems[0])
    line 2, column 1: unknown character '@'; the legend must say
    """

    def __init__(self, problems: Iterable[Problem], source: str | None = None) -> None:
        self.problems = tuple(problems)
        self.source = source
        super().__init__("\n".join(self.lines()))

    def lines(self) -> list[str]:
        """A line for each problem, each naming the source."""
        prefix = f"{self.source}: " if self.source else ""
        return [f"{prefix}{problem}" for problem in self.problems]


def dotted(path: Path) -> str:
    """A path as people write it.

    >>> dotted(("npcs", 0, "goal"))
    'npcs[0].goal'
    """
    words = ""
    for part in path:
        words += f"[{part}]" if isinstance(part, int) else f".{part}" if words else part
    return words
