"""What sections are written with: tables, as a title and a cell for each column, and words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from onlooker.analysis.data.scopes import POOLED
from onlooker.analysis.data.words import number, records
from onlooker.analysis.report import cells, html

MARKED = (
    "✱: the 95\u00a0% interval leaves 0 out, which one in twenty does by chance where nothing"
    " differs."
)
STATISTICS = {"r": "r", "ccc": "CCC", "rmse": "RMSE"}


def table(frame: pd.DataFrame, columns: Mapping[str, cells.Cell]) -> str:
    """A table with a line for each row.

    A column that is empty in every line is left out, and so is one of experiments that would say
    "Pooled" in every line.
    """
    rows = records(frame)
    written = {title: [cell(row) for row in rows] for title, cell in columns.items()}
    if columns.get("") is cells.experiment and frame["experiment"].eq(POOLED).all():
        del written[""]
    shown = {title: column for title, column in written.items() if any(column)}
    return html.table(list(shown), zip(*shown.values(), strict=True))


def pooled_first(frame: pd.DataFrame, columns: Mapping[str, cells.Cell]) -> Iterator[str]:
    """A table of all experiments together, with the single ones in a fold below it."""
    pooled = frame["experiment"] == POOLED
    if not pooled.any() or pooled.all():
        yield table(frame, columns)
        return
    yield table(frame[pooled], columns)
    yield html.details("The same by experiment", table(frame[~pooled], columns))


def differences(found: pd.DataFrame, first: str, titles: Mapping[str, str]) -> str:
    """A table of differences between pairs: pairs down, statistics across."""
    keys = ["experiment", first, "than"]
    lines: dict[tuple[Any, ...], list[str]] = {}
    for row in records(found):
        cell = cells.DIFFERENT_STEPS if row["statistic"] == "rmse" else cells.DIFFERENCE
        lines.setdefault(tuple(row[key] for key in keys), []).append(cell(row))
    rows = [
        dict(zip([*keys, *STATISTICS], [*pair, *values], strict=True))
        for pair, values in lines.items()
    ]
    columns: dict[str, cells.Cell] = {
        "": cells.experiment,
        "first": cells.text(first, titles),
        "second": cells.text("than", titles),
        **{title: cells.text(name) for name, title in STATISTICS.items()},
    }
    return table(pd.DataFrame(rows), columns)


# -- in sentences ----------------------------------------------------------------------------------


def amount(steps_or_points: float | None, digits: int = 1) -> str:
    """A number of steps or points."""
    return number(steps_or_points, digits, zero=True)


def percent(part: float) -> str:
    """A share of all."""
    return "nothing" if pd.isna(part) else f"{100 * part:.0f} %"


def by_observer(frame: pd.DataFrame) -> dict[str, dict[str, Any]]:
    """The rows of a table that has one for each observer."""
    return {row["observer"]: row for row in records(frame)}
