"""The sections of the report on what watching, acting and not being ideal cost."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pandas as pd

from onlooker.analysis import html
from onlooker.analysis.argument.writing import (
    experiment,
    pooled_first,
    ranged,
)
from onlooker.analysis.comparison import Comparison
from onlooker.analysis.human import NEEDS_PARTICIPANTS
from onlooker.analysis.words import number
from onlooker.experiments.regret import summaries
from onlooker.experiments.variants import Variant
from onlooker.support.rounding import rounded

if TYPE_CHECKING:
    from onlooker.analysis.reproduction import Reproduction


def tradeoff_parts(comparison: Comparison) -> Iterator[str]:
    """The slopes of observation cost on execution cost."""
    yield html.heading("Watching and acting")
    yield html.paragraph(
        "The slope of observation cost on execution cost over trials: whether those who spend more"
        " on acting also spend more on watching. The rows are of the trials that"
        f" {comparison.people} of the data at hand played; the slopes of observers in the"
        " verdict are of all trials."
    )
    titles = comparison.titles()

    def line(row: dict[str, Any]) -> list[str]:
        there = not pd.isna(row["low"])
        return [
            experiment(row),
            titles.get(row["who"], comparison.people),
            number(row["n"], 0),
            number(row["slope"], 3),
            f"[{number(row['low'], 3)}, {number(row['high'], 3)}]" if there else "",
            f"needs {row['needs']}" if row["needs"] else row["reason"] or "",
        ]

    head = ["", "who", "trials", "slope", "95 % interval", ""]
    yield from pooled_first(comparison.slopes, head, line)


def total_parts(comparison: Comparison) -> Iterator[str]:
    """How well total steps and total cost are reproduced."""
    fits = comparison.fits
    yield html.heading("What a trial takes in all")
    found = fits[fits["measure"].isin(["total_steps", "cost_total"]) & fits["rmse"].notna()]
    if found.empty:
        yield html.paragraph(f"People's total steps and costs need {NEEDS_PARTICIPANTS}.")
        return
    yield html.paragraph(
        "Total steps (watched, moved, asked) and total cost of each trial, people against each"
        " observer. A difference below 0 means that the observer takes less than people."
    )
    titles, names = comparison.titles(), {"total_steps": "steps", "cost_total": "cost (points)"}

    def line(row: dict[str, Any]) -> list[str]:
        ends = (row["mean_difference_low"], row["mean_difference_high"])
        return [
            experiment(row),
            names[row["measure"]],
            titles[row["observer"]],
            ranged(row["r"], row["r_low"], row["r_high"]),
            number(row["ccc"]),
            ranged(row["mean_difference"], *ends, 1, zero=True),
        ]

    yield from pooled_first(found, ["", "total", "observer", "r", "CCC", "difference"], line, 3)


def regret_parts(done: Reproduction) -> Iterator[str]:
    """What each observer pays more than the ideal one."""
    yield html.heading("How close to the best")
    yield html.paragraph(
        "What each observer pays more than the ideal observer, in points a trial. The ideal"
        " observer weighs everything that could be seen and has the least expected cost of all who"
        " know no more and do not watch again once they have acted. Means are over all worlds of a"
        " trial: every goal of every NPC with every assignment of holders. As it is: in the world"
        " that is true."
    )
    found = summaries(done.regrets)
    experiments = list(found[0].by_experiment) if found else []
    lines = [
        [
            Variant(each.observer).title,
            *(_points(each.by_experiment[name]) for name in experiments),
            *(_points(value) for value in (each.regret, each.largest, each.regret_actual)),
        ]
        for each in found
    ]
    head = ["", *(f"Exp. {name}" for name in experiments), "all", "largest", "as it is"]
    yield html.table(head, lines)
    refused = {(row.experiment, row.level): row.reason for row in done.regrets if row.reason}
    if refused:
        shown = "; ".join(list(refused.values())[:10])
        yield html.paragraph(f"Left out, {len(refused)} trials: {shown}.")


def _points(value: float | None) -> str:
    return "" if value is None else rounded(value, 2).replace("-", "−")
