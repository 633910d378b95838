"""Bars and tables on a terminal; tables are as wide as it is, in parts where one would not fit."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

T = TypeVar("T")

WIDE = 180  # characters, where the output is not a terminal
GAP = 2  # characters between columns


@contextmanager
def bar(what: str, total: int | None = None) -> Iterator[Callable[..., None]]:
    """A bar with the time left, on standard error, where that is a terminal.

    It gives a function that takes how many are done, how many there are, and further words.
    """
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
    from rich.progress import TimeRemainingColumn as Left

    console = Console(stderr=True)
    columns: list[Any] = [TextColumn(what), BarColumn(), MofNCompleteColumn()]
    columns += [Left(), TextColumn("left{task.description}")]
    quiet = not console.is_terminal
    with Progress(*columns, console=console, transient=True, disable=quiet) as shown:
        task = shown.add_task("", total=total)

        def update(done: float, total: int | None = None, words: str = "") -> None:
            shown.update(task, completed=int(done), total=total, description=words and f", {words}")

        yield update


def track(items: Iterable[T], total: int, what: str) -> Iterator[T]:
    """The items one by one, with a bar."""
    with bar(what, total) as update:
        for number, item in enumerate(items, start=1):
            yield item
            update(number)


def wide_console() -> Console:
    """A console as wide as the terminal, and wide where there is none."""
    from rich.console import Console

    return Console(highlight=False, width=None if sys.stdout.isatty() else WIDE)


def print_table(
    console: Console,
    title: str,
    columns: Mapping[str, Sequence[str]],
    words: Sequence[str],
    ends: Sequence[bool] | None = None,
) -> None:
    """Print columns of cells; those in `words` say what a row is of and come in each part.

    `ends` says after which rows a line is drawn. Columns without any cell are left out.
    """
    shown = {name: cells for name, cells in columns.items() if any(cells)}
    labels = {name: cells for name, cells in shown.items() if name in words}
    values = {name: cells for name, cells in shown.items() if name not in words}
    console.print(title, style="italic", markup=False)
    for part in _parts(labels, values, console.width):
        console.print(_table(part, words, ends))


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
    return GAP + max(len(line) for cell in (name, *cells) for line in cell.split("\n"))


def _table(
    columns: Mapping[str, Sequence[str]], words: Sequence[str], ends: Sequence[bool] | None
) -> Table:
    from rich import box
    from rich.markup import escape
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, show_edge=False, padding=(0, GAP, 0, 0), pad_edge=False)
    for name in columns:
        table.add_column(name, justify="left" if name in words else "right", no_wrap=True)
    rows = list(zip(*columns.values(), strict=True))
    for row, end in zip(rows, ends or [False] * len(rows), strict=True):
        table.add_row(*map(escape, row), end_section=end)
    return table
