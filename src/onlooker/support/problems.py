"""What is wrong with something, and where; the errors that list such problems."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

MOST_LISTED = 10  # problems of one error that are listed; the others are counted
MOST_EQUAL = 3  # places that are listed of problems with the same reason; of more, the first


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong: its place in words, and the reason."""

    place: str
    reason: str

    def __str__(self) -> str:
        return f"{self.place}: {self.reason}" if self.place else self.reason


class ProblemsError(ValueError):
    """An input was refused; `problems` has everything that was found wrong with it.

    >>> print(ProblemsError([Problem("line 3", "expected a number")], source="trials.csv"))
    trials.csv: line 3: expected a number
    """

    def __init__(
        self, problems: Iterable[Problem], source: str | os.PathLike[str] | None = None
    ) -> None:
        self.problems = tuple(problems)
        self.source = None if source is None else os.fspath(source)
        super().__init__("\n".join(self.lines()))

    def lines(self) -> list[str]:
        """A line for each of the first problems, each naming the source, and how many more."""
        prefix = f"{self.source}: " if self.source else ""
        return first_lines([f"{prefix}{line}" for line in self.reported()])

    def reported(self) -> list[str]:
        """The problems in words."""
        return [str(problem) for problem in self.problems]


class DataError(ProblemsError):
    """Data was refused; `problems` has what was found wrong with it, each with its place.

    What is wrong in many rows for the same reason is reported with the place of the first.

    >>> print(DataError([Problem(f"line {n}", "expected a number") for n in range(2, 9)]))
    line 2: expected a number (and at 6 other places)
    """

    def reported(self) -> list[str]:
        """The problems in words, a line for those with the same reason."""
        times = Counter(problem.reason for problem in self.problems)
        lines: list[str] = []
        reported: set[str] = set()
        for problem in self.problems:
            others = times[problem.reason] - 1
            if others < MOST_EQUAL:
                lines.append(str(problem))
            elif problem.reason not in reported:
                reported.add(problem.reason)
                lines.append(f"{problem} (and at {others} other places)")
        return lines


def first_names(names: Sequence[str], most: int = MOST_LISTED) -> str:
    """Names in a row, and how many more there are.

    >>> first_names(["a", "b", "c"], most=2)
    'a, b and 1 more'
    """
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more} more" if more > 0 else "")


def first_lines(lines: Sequence[str], most: int = MOST_LISTED) -> list[str]:
    """The first lines of a list of problems, and how many more there are.

    >>> first_lines(["a", "b", "c"], most=1)
    ['a', 'and 2 more problems']
    >>> first_lines(["a", "b"], most=1)
    ['a', 'and 1 more problem']
    """
    more = len(lines) - most
    if more <= 0:
        return list(lines)
    return [*lines[:most], f"and {more} more problem{'s' * (more > 1)}"]
