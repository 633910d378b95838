"""What is imported only where it is needed: libraries of extras, and functions of later layers.

Values belong to early layers, which draw nothing: a notebook calls the method `_repr_svg_` or
`_repr_html_` of a value, and a function of a later layer draws it. What a teacher does follows
from beliefs. Such functions are imported only when they are needed, and this is the only place
that names a layer to the right of the one that asks.
"""

from __future__ import annotations

import html
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from importlib import import_module
from typing import Any, cast

HOMES = {
    "map_svg": "onlooker.drawing.figure",  # values draw nothing, and need no matplotlib
    "teacher_path": "onlooker.observers.lessons",  # a teacher's actions follow from beliefs
}


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


def later(name: str) -> Callable[..., Any]:
    """The function of that name, out of the layer that has it."""
    return cast(Callable[..., Any], getattr(import_module(HOMES[name]), name))


def names_of(package: str, homes: Mapping[str, Sequence[str]]) -> Callable[[str], object]:
    """A package's `__getattr__`, which imports names of its modules when they are first asked for.

    >>> find = names_of("onlooker.support", {"rounding": ["short"]})
    >>> find("short")(0.50, 2)
    '0.5'
    """
    modules = {name: f"{package}.{home}" for home, names in homes.items() for name in names}

    def find(name: str) -> object:
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(modules[name]), name)

    return find


def drawn(function: str, value: object) -> str | None:
    """The SVG of a value; None where the extra that draws is missing, and its text is shown."""
    try:
        return cast(str, later(function)(value))
    except MissingExtraError:
        return None


def html_table(caption: str, head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table as HTML.

    >>> html_table("a & b", ["x"], [["<"]])
    '<table><caption>a &amp; b</caption><tr><th>x</th></tr><tr><td>&lt;</td></tr></table>'
    """
    lines = [_row("th", head), *(_row("td", row) for row in rows)]
    return f"<table><caption>{html.escape(caption)}</caption>{''.join(lines)}</table>"


def _row(tag: str, cells: Sequence[object]) -> str:
    written = (f"<{tag}>{html.escape(str(cell))}</{tag}>" for cell in cells)
    return f"<tr>{''.join(written)}</tr>"
