"""The section of the report on the participants."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from onlooker.analysis import html
from onlooker.analysis.argument.writing import experiment, records, who
from onlooker.analysis.comparison import Comparison
from onlooker.analysis.words import number

if TYPE_CHECKING:
    from onlooker.analysis.reproduction import Reproduction


def people_parts(done: Reproduction) -> Iterator[str]:
    """How long people watch, who they are, and how well they agree."""
    people, found = done.comparison.people, records(done.argument.people)
    whole = found[-1]
    mean, least, most = (number(whole[name], 1, zero=True) for name in ("mean", "least", "most"))
    yield html.finding(
        f"{people[:1].upper()}{people[1:]} watch an NPC for {mean} steps on average, {least} to"
        f" {most} on single trials; in {whole['hardly']} of {whole['n']} means it is less than one"
        " step. What has to be explained is why they watch so much longer on some trials."
    )
    columns = {
        "trials": ("trials", 0),
        "means": ("n", 0),
        "people a mean": ("people", 0),
        "steps watched": ("mean", 2),
        "SD over trials": ("sd", 2),
        "least": ("least", 2),
        "most": ("most", 2),
        "below 1 step": ("hardly", 0),
        "total steps": ("total_steps", 1),
        "total cost": ("cost_total", 1),
    }
    shown = {
        title: each
        for title, each in columns.items()
        if not done.argument.people[each[0]].isna().all()
    }
    rows = [
        [experiment(row), *(_value(row[name], digits) for name, digits in shown.values())]
        for row in found
    ]
    yield html.table(["", *shown], rows)
    yield from sample_parts(done.comparison)


def _value(value: Any, digits: int) -> str:
    return value if isinstance(value, str) else number(value, digits, zero=True)


def sample_parts(comparison: Comparison) -> Iterator[str]:
    """Who took part, who was left out, and how well people agree with people."""
    yield html.heading("Participants")
    rows = records(comparison.sample)
    said = comparison.sample.replace("", np.nan).dropna(axis=1, how="all")
    said = said.loc[:, (said != 0).any() | (said.columns != "age_known")]
    keys = [str(key) for key in said if key not in ("data", "needs")]
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
