"""How values show themselves in notebooks.

A notebook calls the method `_repr_svg_` or `_repr_html_` of a value. Values belong to early layers,
which draw nothing; a function of a later layer draws them.
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from typing import cast

from onlooker.support.extras import MissingExtraError
from onlooker.support.later import later


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
