"""What is said when an optional part of the installation is missing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager


class MissingExtraError(ImportError):
    """A library that only some installations have is needed."""


@contextmanager
def needs_extra(extra: str, what: str, *libraries: str) -> Iterator[None]:
    """Import the libraries of an extra within this block; MissingExtraError says how to get them.

    >>> with needs_extra("web", "the online experiment", "fastapi"):
    ...     raise ModuleNotFoundError("No module named 'fastapi'", name="fastapi")
    Traceback (most recent call last):
    onlooker.support.extras.MissingExtraError: the online experiment needs fastapi: \
pip install 'onlooker[web]'
    """
    try:
        yield
    except ModuleNotFoundError as error:
        library = (error.name or "").partition(".")[0]
        if library not in libraries:
            raise
        raise MissingExtraError(
            f"{what} needs {library}: pip install 'onlooker[{extra}]'", name=error.name
        ) from None


def figures_extra() -> AbstractContextManager[None]:
    """Import matplotlib within this block; MissingExtraError says how to get it."""
    return needs_extra("figures", "drawing figures", "matplotlib")
