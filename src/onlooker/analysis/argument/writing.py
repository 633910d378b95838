"""How the argument's tables write rows, values and intervals."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from onlooker.analysis import html
from onlooker.analysis.scopes import POOLED
from onlooker.analysis.words import number


def records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """The rows of a table."""
    return frame.to_dict("records")  # type: ignore[return-value]


def experiment(row: Mapping[str, Any]) -> str:
    """Which experiment a row is of."""
    # A space that does not break, as this is often in a narrow column.
    return "Pooled" if row["experiment"] == POOLED else f"Exp.\u00a0{row['experiment']}"


def pooled_first(
    table: pd.DataFrame,
    head: Sequence[str],
    line: Callable[[dict[str, Any]], Sequence[str]],
    words: int = 2,
) -> Iterator[str]:
    """A table of all experiments together, with the single ones in a fold below it."""
    pooled = table["experiment"] == POOLED
    if not pooled.any() or pooled.all():
        yield html.table(head, [line(row) for row in records(table)], words)
        return
    yield html.table(head, [line(row) for row in records(table[pooled])], words)
    single = html.table(head, [line(row) for row in records(table[~pooled])], words)
    yield html.details("The same by experiment", single)


def who(row: Mapping[str, Any]) -> str:
    """Which experiment and NPCs a row is of."""
    npcs = row["npc"] or row["role"]
    return f"{experiment(row)}, {npcs}" if npcs else experiment(row)


def ranged(
    value: Any, low: Any, high: Any, digits: int = 2, *, mark: bool = False, zero: bool = False
) -> str:
    """A value with its interval; a mark where the interval leaves 0 out.

    Amounts, such as steps, have a zero before the point (`zero`).

    >>> ranged(0.5, 0.25, 0.75, mark=True), ranged(0.5, None, None)
    ('.50 [.25, .75] ✱', '.50')
    """
    text = number(value, digits, zero=zero)
    if not text or pd.isna(low) or pd.isna(high):
        return text
    sign = " ✱" if mark and (low > 0 or high < 0) else ""
    ends = ", ".join(number(each, digits, zero=zero) for each in (low, high))
    return f"{text} [{ends}]{sign}"
