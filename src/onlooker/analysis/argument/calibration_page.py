"""The section of the report on calibration."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd

from onlooker.analysis import html
from onlooker.analysis.argument.behaviour import pooled_or_only
from onlooker.analysis.argument.calibration import HELD_OUT, LINE, TITLES, Calibration
from onlooker.analysis.argument.writing import experiment, pooled_first, ranged, records
from onlooker.analysis.words import number

STATISTICS = {"r": "r", "ccc": "CCC", "rmse": "RMSE"}


def calibration_parts(found: Calibration, resamples: int) -> Iterator[str]:
    """What a straight line and graded choices add to the model."""
    yield html.heading("Only a scale, or graded choices?")
    if found.left_out:
        yield html.paragraph(f"Left out: {found.left_out}.")
        return
    yield html.paragraph(
        "The model chooses one way or the other; people hedge. Is the model off by a scale only,"
        " or does it need graded choices? Each prediction of observation steps is compared with"
        " the same means. A straight line cannot change r within an experiment, only agreement"
        " (CCC) and error (RMSE, in steps)."
    )
    yield html.table(
        ["prediction", "fitted on"],
        [[TITLES[model], words] for model, words in found.fitted_on.items()],
        words=2,
    )
    head = ["", "prediction", "n", "r", "CCC", "RMSE", "mean difference"]

    def line(row: dict[str, Any]) -> list[str]:
        return [
            experiment(row),
            TITLES[row["model"]],
            number(row["n"], 0),
            *(ranged(row[name], row[f"{name}_low"], row[f"{name}_high"]) for name in STATISTICS),
            number(row["mean_difference"], zero=True),
        ]

    yield from pooled_first(found.fits, head, line)
    yield html.paragraph(
        "Differences, each in the same resamples of trials on both sides. Above 0 in r and CCC,"
        " and below 0 in RMSE, the first fits better. ✱: the 95 % interval leaves 0 out."
    )
    whole = pooled_or_only(found.differences)
    names = ["", "first", "second", "r", "CCC", "RMSE"]
    yield html.table(names, list(_differences(whole)), 3)
    single = found.differences.drop(whole.index)
    if not single.empty:
        table = html.table(names, list(_differences(single)), 3)
        yield html.details("The same by experiment", table)
    yield html.paragraph(
        f"Intervals: percentile bootstrap over trials, {resamples} resamples, with all fitted"
        " parameters held at their values, so they do not contain the uncertainty of fitting. A"
        " prediction fitted on the data that it is compared with looks better than it is."
    )
    yield html.paragraph(f"Lines: {'; '.join(_lines(found))}.")


def _differences(table: pd.DataFrame) -> Iterator[list[str]]:
    rows = records(table)
    for first in rows[:: len(STATISTICS)]:
        pair = (first["experiment"], first["model"], first["than"])
        mine = [r for r in rows if (r["experiment"], r["model"], r["than"]) == pair]
        yield [
            experiment(first),
            TITLES[first["model"]],
            TITLES[first["than"]],
            *(ranged(row["difference"], row["low"], row["high"], mark=True) for row in mine),
        ]


def _lines(found: Calibration) -> Iterator[str]:
    rows = records(found.lines)
    whole = [row for row in rows if row["model"] == LINE][:1]
    for row in [*whole, *(row for row in rows if row["model"] == HELD_OUT)]:
        use = "all" if row["model"] == LINE else f"Exp. {row['experiment']}"
        yield (
            f"for {use}, fitted on Exp. {row['fitted_on']}: {number(row['intercept'])} +"
            f" {number(row['slope'])} × the model's steps"
        )
