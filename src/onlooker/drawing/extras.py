"""What is said when an optional part of the installation is missing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


class MissingExtraError(ImportError):
    """A library that only some installations have is needed."""


@contextmanager
def figures_extra() -> Iterator[None]:
    """Import matplotlib within this block; MissingExtraError says how to get it.

    >>> with figures_extra():
    ...     raise ModuleNotFoundError("No module named 'matplotlib'", name="matplotlib")
    Traceback (most recent call last):
    onlooker.drawing.extras.MissingExtraError: drawing figures needs matplotlib: \
pip install 'onlooker[figures]'
    """
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "matplotlib":
            raise
        raise MissingExtraError(
            "drawing figures needs matplotlib: pip install 'onlooker[figures]'", name=error.name
        ) from None
