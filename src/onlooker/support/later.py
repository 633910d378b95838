"""What early layers leave to later ones, and how values show themselves in notebooks.

Values belong to early layers, which draw nothing: a notebook calls the method `_repr_svg_` or
`_repr_html_` of a value, and a function of a later layer draws it. What a teacher does follows
from beliefs. Such functions are imported only when they are needed, and this is the only place
that names a layer to the right of the one that asks.
"""

from __future__ import annotations

import html
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from typing import Any, cast

from onlooker.support.extras import MissingExtraError

HOMES = {
    "map_svg": "onlooker.drawing.figure",  # values draw nothing, and need no matplotlib
    "teacher_path": "onlooker.observers.lessons",  # a teacher's actions follow from beliefs
}


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
