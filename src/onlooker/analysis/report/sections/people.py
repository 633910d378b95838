"""Who took part, what they do, and how well they agree."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd

from onlooker.analysis.data.words import number, records
from onlooker.analysis.report import cells, html
from onlooker.analysis.report.findings import Reproduction
from onlooker.analysis.report.writing import table
from onlooker.analysis.tables.comparison import Comparison
from onlooker.analysis.tables.counting import NAMES as COUNTED


def full(done: Reproduction) -> Iterator[str]:
    """How long people watch, who they are, and how well they agree."""
    people, found = done.comparison.people, done.results.people
    whole = records(found)[-1]
    mean, least, most = (number(whole[name], 1, zero=True) for name in ("mean", "least", "most"))
    yield html.finding(
        f"{people[:1].upper()}{people[1:]} watch an NPC for {mean} steps on average, {least} to"
        f" {most} on single trials; in {whole['hardly']} of {whole['n']} means it is less than one"
        " step. What has to be explained is why they watch so much longer on some trials."
    )
    columns: dict[str, cells.Cell] = {
        "": cells.experiment,
        "trials": cells.count("trials"),
        "means": cells.count("n"),
        "people a mean": cells.count("people"),
        "steps watched": cells.steps("mean"),
        "SD over trials": cells.steps("sd"),
        "least": cells.steps("least"),
        "most": cells.steps("most"),
        "below 1 step": cells.count("hardly"),
        "total steps": cells.steps("total_steps", 1),
        "total cost": cells.steps("cost_total", 1),
    }
    yield table(found, columns)
    yield from _sample_parts(done.comparison)
    yield from counting_parts(done.counting)


def counting_parts(found: pd.DataFrame) -> Iterator[str]:
    """People as the paper counts them beside our rules, where an import has both."""
    if found.empty:
        return
    yield html.heading("As the paper counts, and by our rules")
    yield html.paragraph(
        "The paper counts rows of logs: looks of all times that a level was begun divided by how"
        " often it was, every key, look and interaction as a step, and the points left by the log,"
        " by which it excludes (below Q1 − 1.5 IQR). Our rules count what the replay on the game"
        " comes to, and leave out who did not finish. All other tables are by our rules."
    )

    def cell(name: str) -> cells.Cell:
        return lambda row: number(row[name], 0 if row["what"] == "kept" else 2, zero=True)

    columns: dict[str, cells.Cell] = {
        "": cells.experiment,
        "counted": cells.text("what", COUNTED),
        "by our rules": cell("ours"),
        "as the paper counts": cell("paper"),
        "differ": lambda row: f"{row['differ']} of {row['of']}",
    }
    unlike = found[(found["differ"] > 0) | ~np.isclose(found["ours"], found["paper"])]
    if unlike.empty:
        yield html.paragraph("The two never differ here.")
    else:
        yield table(unlike, columns)


def _sample_parts(comparison: Comparison) -> Iterator[str]:
    """Who took part, who was left out, and how well people agree with people."""
    yield html.heading("Participants")
    ages = [] if comparison.sample["age_known"].any() else ["age_known"]
    yield _plain(comparison.sample.drop(columns=["data", "needs", *ages]))
    missing = sorted({row["needs"] for row in records(comparison.sample) if row.get("needs")})
    yield from (html.paragraph(f"What is missing here needs {what}.") for what in missing)
    excluded = comparison.exclusions
    if len(excluded):
        yield html.paragraph(
            "Excluded: participants whose unspent points over the scored trials fell below the"
            " first quartile by more than 1.5 interquartile ranges, and those who did not finish."
        )
        listed = _plain(excluded.drop(columns="data"))
        yield html.details(f"{len(excluded)} excluded", listed)
    agreed = comparison.reliability
    agreed = agreed[agreed["measure"] == "observed"]
    if agreed["mean_r"].notna().any():
        yield html.heading("How well people agree with people")
        yield html.paragraph("Split-half reliability of observation steps, Spearman–Brown:")
        columns = {
            "": cells.who,
            "r of halves": cells.value("mean_r"),
            "reliability": cells.value("reliability"),
            "splits": cells.count("splits"),
            "why there is none": cells.text("reason"),
        }
        yield table(agreed, columns)


def _plain(frame: pd.DataFrame) -> str:
    """The columns of a table under their own names."""

    def cell(key: str) -> cells.Cell:
        def written(row: Mapping[str, Any]) -> str:
            here = row[key]
            if isinstance(here, float):
                return "" if pd.isna(here) else number(here, 0 if here == int(here) else 1)
            return "" if here is None else str(here)

        return written

    return table(frame, {str(key).replace("_", " "): cell(str(key)) for key in frame})
