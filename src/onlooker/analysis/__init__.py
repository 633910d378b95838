"""Reading what people did, and comparing it with what the observers predict.

Nothing here imports pandas, so that the commands can say how to get it; the modules beside do.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager

from onlooker.support.extras import needs_extra
from onlooker.support.problems import Problem

MOST_TOLD = 20  # problems that are told one by one
LIBRARIES = ("pandas", "pandera")


class DataError(ValueError):
    """Data was refused; `problems` lists what was found wrong with it, each with its place.

    >>> print(DataError([Problem("trials.csv: line 3, column moves", "expected a whole number")]))
    trials.csv: line 3, column moves: expected a whole number
    """

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(self.lines()))

    def lines(self) -> list[str]:
        """A line for each problem, or for the first of very many."""
        told = [str(problem) for problem in self.problems[:MOST_TOLD]]
        more = len(self.problems) - len(told)
        return [*told, f"and {more} more problems"] if more else told


def analysis_extra() -> AbstractContextManager[None]:
    """Import the analysis within this block; MissingExtraError says how to get its libraries."""
    return needs_extra("analysis", "the analysis", *LIBRARIES)
