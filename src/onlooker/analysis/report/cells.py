"""Cells of tables: each of these gives what a column of a page's table says of a row."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pandas as pd

from onlooker.analysis.data.scopes import POOLED
from onlooker.analysis.data.words import number, ranged
from onlooker.experiments.variants import Variant

Row = Mapping[str, Any]
Cell = Callable[[Row], str]


def experiment(row: Row) -> str:
    """Which experiment a row is of."""
    # A space that does not break, as this is often in a narrow column.
    return "Pooled" if row["experiment"] == POOLED else f"Exp.\u00a0{row['experiment']}"


def who(row: Row) -> str:
    """Which experiment and NPCs a row is of."""
    npcs = row["npc"] or row["role"]
    return f"{experiment(row)}, {npcs}" if npcs else experiment(row)


def observer(row: Row) -> str:
    """What the observer of a row is called, also one that a user wrote."""
    return Variant(row["observer"]).title


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
