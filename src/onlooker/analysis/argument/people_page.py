"""The section of the report on the participants."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pandas as pd

from onlooker.analysis import html
from onlooker.analysis.argument.writing import experiment, people_word, records, who
from onlooker.analysis.comparison import Comparison
from onlooker.analysis.words import number

if TYPE_CHECKING:
    from onlooker.analysis.reproduction import Reproduction


def people_parts(done: Reproduction) -> Iterator[str]:
    """How long people watch, who they are, and how well they agree."""
    people, found = people_word(done.comparison), records(done.argument.people)
    whole = found[-1]
    yield html.paragraph(
        f"{people[:1].upper()}{people[1:]} watch an NPC for {number(whole['mean'], 1)} steps on"
        f" average, on single trials {number(whole['least'], 1)} to {number(whole['most'], 1)};"
        f" in {whole['hardly']} of {whole['n']} means it is less than one step. How long they watch"
        " depends on the trial, and that is what the observers have to explain."
    )
    head = ["", "trials", "means", "steps watched", "SD over trials", "least", "most"]
    head += ["below 1", "total steps", "total cost"]
    rows = [
        [
            experiment(row),
            *(number(row[name], 0) for name in ("trials", "n")),
            *(number(row[name]) for name in ("mean", "sd", "least", "most")),
            number(row["hardly"], 0),
            *(number(row[name], 1) for name in ("total_steps", "cost_total")),
        ]
        for row in found
    ]
    yield html.table(head, rows)
    yield from sample_parts(done.comparison)


def sample_parts(comparison: Comparison) -> Iterator[str]:
    """Who took part, who was left out, and how well people agree with people."""
    yield html.heading("Participants")
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
        table = html.table(keys, [[_cell(row[key]) for key in keys] for row in excluded], words=1)
        yield html.details(f"{len(excluded)} excluded", table)
    reliability = [row for row in records(comparison.reliability) if row["measure"] == "observed"]
    if reliability and not all(pd.isna(row["reliability"]) for row in reliability):
        yield html.heading("How well people agree with people")
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
