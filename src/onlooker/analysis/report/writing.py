"""What sections are written with: tables, as a title and a cell for each column, and words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pandas as pd

from onlooker.analysis.data.scopes import POOLED
from onlooker.analysis.data.words import number, ranged, records
from onlooker.analysis.report import html
from onlooker.experiments.variants import Variant
from onlooker.observers import KNOWN_OBSERVERS

MARKED = "✱: the 95 % interval leaves 0 out, which one in twenty does by chance."
STATISTICS = {"r": "r", "ccc": "CCC", "rmse": "RMSE"}
OBSERVER_TITLES = {name: Variant(name).title for name in KNOWN_OBSERVERS}

Row = Mapping[str, Any]
Cell = Callable[[Row], str]


# -- cells -----------------------------------------------------------------------------------------


def experiment(row: Row) -> str:
    """Which experiment a row is of."""
    # A space that does not break, as this is often in a narrow column.
    return "Pooled" if row["experiment"] == POOLED else f"Exp.\u00a0{row['experiment']}"


def who(row: Row) -> str:
    """Which experiment and NPCs a row is of."""
    npcs = row["npc"] or row["role"]
    return f"{experiment(row)}, {npcs}" if npcs else experiment(row)


def text(name: str, titles: Mapping[str, str] | None = None) -> Cell:
    """A word of a row, or what it is called."""
    return lambda row: (titles or {}).get(row[name], str(row[name]))


def count(name: str) -> Cell:
    """A whole number."""
    return lambda row: row[name] if isinstance(row[name], str) else number(row[name], 0)


def value(name: str, digits: int = 2, *, zero: bool = False) -> Cell:
    """A number; amounts, such as steps, have a zero before the point."""
    return lambda row: number(row.get(name), digits, zero=zero)


def steps(name: str, digits: int = 2) -> Cell:
    """A number of steps or points."""
    return value(name, digits, zero=True)


def whole_or(name: str, digits: int = 2) -> Cell:
    """A number that is written without decimals where it has none."""
    return lambda row: number(row[name], 0 if row[name] == round(row[name]) else digits)


def share(name: str) -> Cell:
    """A share in per cent."""
    return lambda row: "" if pd.isna(row[name]) else f"{100 * row[name]:.0f} %"


def interval(
    name: str, ends: str | None = None, digits: int = 2, *, mark: bool = False, zero: bool = False
) -> Cell:
    """A value with its interval: `name_low` to `name_high`, or the columns that `ends` names.

    `ends` has {} in the place of low and high. A mark shows where the interval leaves 0 out.
    """
    place = f"{name}_{{}}" if ends is None else ends

    def written(row: Row) -> str:
        low, high = (row.get(place.format(end)) for end in ("low", "high"))
        return ranged(row.get(name), low, high, digits, mark=mark, zero=zero)

    return written


DIFFERENCE = interval("difference", "{}", mark=True)
DIFFERENT_STEPS = interval("difference", "{}", mark=True, zero=True)


# -- tables ----------------------------------------------------------------------------------------


def table(frame: pd.DataFrame, columns: Mapping[str, Cell]) -> str:
    """A table with a line for each row.

    A column that is empty in every line is left out, and so is one of experiments that would say
    "Pooled" in every line.
    """
    rows = records(frame)
    cells = {title: [cell(row) for row in rows] for title, cell in columns.items()}
    if columns.get("") is experiment and frame["experiment"].eq(POOLED).all():
        del cells[""]
    shown = {title: column for title, column in cells.items() if any(column)}
    return html.table(list(shown), zip(*shown.values(), strict=True))


def pooled_first(frame: pd.DataFrame, columns: Mapping[str, Cell]) -> Iterator[str]:
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
        lines.setdefault(tuple(row[key] for key in keys), []).append(DIFFERENCE(row))
    rows = [
        dict(zip([*keys, *STATISTICS], [*pair, *values], strict=True))
        for pair, values in lines.items()
    ]
    columns: dict[str, Cell] = {
        "": experiment,
        "first": text(first, titles),
        "second": text("than", titles),
        **{title: text(name) for name, title in STATISTICS.items()},
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
