"""The section of the report on the participants."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd

from onlooker.analysis import html
from onlooker.analysis.argument.writing import records, who
from onlooker.analysis.comparison import Comparison
from onlooker.analysis.words import number


def sample_parts(comparison: Comparison) -> Iterator[str]:
    """Who took part, who was left out, and how well people agree with people."""
    rows = records(comparison.sample)
    filled = comparison.sample.dropna(axis=1, how="all").columns
    keys = [str(key) for key in filled if key not in ("data", "needs")]
    lines = [[_cell(row[key]) for key in keys] for row in rows]
    yield html.table([key.replace("_", " ") for key in keys], lines, words=1)
    missing = sorted({row["needs"] for row in rows if row.get("needs")})
    yield from (html.paragraph(f"What is missing here needs {what}.") for what in missing)
    excluded = records(comparison.exclusions)
    if excluded:
        yield html.paragraph(
            "Excluded: participants whose unspent points over the scored trials fell below the"
            " first quartile by more than 1.5 interquartile ranges, and those who did not finish."
        )
        keys = [key for key in excluded[0] if key != "data"]
        yield html.table(keys, [[_cell(row[key]) for key in keys] for row in excluded], words=1)
    reliability = [row for row in records(comparison.reliability) if row["measure"] == "observed"]
    if reliability and not all(pd.isna(row["reliability"]) for row in reliability):
        yield html.paragraph("Split-half reliability of observation steps, Spearman–Brown:")
        yield html.table(
            ["", "reliability", "splits"],
            [
                [who(row), number(row["reliability"]), number(row["splits"], 0)]
                for row in reliability
            ],
        )


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return number(value, 0 if value == int(value) else 1) if not pd.isna(value) else ""
    return "" if value is None else str(value)
