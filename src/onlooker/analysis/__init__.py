"""Reading what people did, and comparing it with what the observers predict.

Nothing here imports pandas, so that the commands can say how to get it; the modules beside do.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from onlooker.drawing import MissingExtraError
from onlooker.game import Problem

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


@contextmanager
def analysis_extra() -> Iterator[None]:
    """Import the analysis within this block; MissingExtraError says how to get its libraries.

    >>> with analysis_extra():
    ...     raise ModuleNotFoundError("No module named 'pandas'", name="pandas")
    Traceback (most recent call last):
    onlooker.drawing.extras.MissingExtraError: the analysis needs pandas: \
pip install 'onlooker[analysis]'
    """
    try:
        yield
    except ModuleNotFoundError as error:
        library = (error.name or "").partition(".")[0]
        if library not in LIBRARIES:
            raise
        raise MissingExtraError(
            f"the analysis needs {library}: pip install 'onlooker[analysis]'", name=library
        ) from None
