"""Tables on a terminal: as wide as it is, in several parts where one would not fit."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

WIDE = 180  # characters, where the output is no terminal
GAP = 2  # characters between columns


def wide_console() -> Console:
    """A console as wide as the terminal, and wide where there is none."""
    from rich.console import Console

    return Console(highlight=False, width=None if sys.stdout.isatty() else WIDE)


def print_table(
    console: Console,
    title: str,
    columns: Mapping[str, Sequence[str]],
    words: Sequence[str],
    ends: Sequence[bool],
) -> None:
    """Print columns of cells; those in `words` say what a row is of and come in each part.

    `ends` says after which rows a line is drawn.
    """
    shown = {name: cells for name, cells in columns.items() if any(cells)}
    labels = {name: cells for name, cells in shown.items() if name in words}
    values = {name: cells for name, cells in shown.items() if name not in words}
    for number, part in enumerate(_parts(labels, values, console.width)):
        console.print(_table(title if not number else "", part, words, ends))


def _parts(
    labels: Mapping[str, Sequence[str]], values: Mapping[str, Sequence[str]], width: int
) -> Iterator[dict[str, Sequence[str]]]:
    """The columns in as few tables as fit side by side, each with the labels."""
    room = width - sum(map(_width, labels.items()))
    part: dict[str, Sequence[str]] = {}
    for name, cells in values.items():
        if part and sum(map(_width, part.items())) + _width((name, cells)) > room:
            yield {**labels, **part}
            part = {}
        part[name] = cells
    if part or not values:
        yield {**labels, **part}


def _width(column: tuple[str, Sequence[str]]) -> int:
    name, cells = column
    return GAP + max(len(name), *(len(cell) for cell in cells))


def _table(
    title: str, columns: Mapping[str, Sequence[str]], words: Sequence[str], ends: Sequence[bool]
) -> Table:
    from rich import box
    from rich.markup import escape
    from rich.table import Table

    table = Table(
        title=title or None,
        title_justify="left",
        box=box.SIMPLE_HEAD,
        show_edge=False,
        padding=(0, GAP, 0, 0),
        pad_edge=False,
    )
    for name in columns:
        table.add_column(name, justify="left" if name in words else "right", no_wrap=True)
    rows = zip(*columns.values(), strict=True)
    for row, end in zip(rows, ends, strict=True):
        table.add_row(*map(escape, row), end_section=end)
    return table
