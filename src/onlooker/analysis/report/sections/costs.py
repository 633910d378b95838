"""What watching costs: beside acting, in all, and against the ideal observer."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from onlooker.analysis.data.human import NEEDS_PARTICIPANTS
from onlooker.analysis.data.scopes import pooled_or_only
from onlooker.analysis.data.words import MODEL, number, ranged, records
from onlooker.analysis.report import cells, html
from onlooker.analysis.report.findings import Reproduction
from onlooker.analysis.report.writing import amount, pooled_first
from onlooker.analysis.tables.comparison import Comparison
from onlooker.experiments.regret import summaries
from onlooker.experiments.variants import Variant


def short(done: Reproduction) -> Iterator[str]:
    """The slopes in a sentence, and how close to the best each observer is."""
    yield html.finding(costs_finding(done))
    yield from regret_parts(done)


def full(done: Reproduction) -> Iterator[str]:
    """Slopes, totals and regret."""
    yield from tradeoff_parts(done.comparison)
    yield from total_parts(done.comparison)
    yield from regret_parts(done)


def tradeoff_parts(comparison: Comparison) -> Iterator[str]:
    """The slopes of observation cost on execution cost."""
    yield html.heading("Watching and acting")
    yield html.paragraph(
        "The slope of observation cost on execution cost over trials: whether those who spend more"
        f" on acting also spend more on watching. The slope of {comparison.people} is over the"
        " trials that they played, those of observers over all trials."
    )
    columns: dict[str, cells.Cell] = {
        "": cells.experiment,
        "who": cells.text("who", {comparison.data: comparison.people} | comparison.titles()),
        "trials": cells.count("n"),
        "slope": cells.interval("slope", "{}", digits=3),
        "missing": lambda row: f"needs {row['needs']}" if row["needs"] else row["reason"] or "",
    }
    yield from pooled_first(comparison.slopes, columns)


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
    columns = {
        "": cells.experiment,
        "total": cells.text("measure", {"total_steps": "steps", "cost_total": "cost (points)"}),
        "observer": cells.text("observer", comparison.titles()),
        "r": cells.interval("r"),
        "CCC": cells.value("ccc"),
        "difference": cells.interval("mean_difference", digits=1, zero=True),
    }
    yield from pooled_first(found, columns)


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
        [Variant(each.observer).title]
        + [
            number(points, zero=True)
            for points in (
                *(each.by_experiment[name] for name in experiments),
                *(each.regret, each.largest, each.regret_actual),
            )
        ]
        for each in found
    ]
    head = ["", *(f"Exp. {name}" for name in experiments), "all", "largest", "as it is"]
    yield html.table(head, lines)
    refused = {(row.experiment, row.level): row.reason for row in done.regrets if row.reason}
    if refused:
        shown = "; ".join(list(refused.values())[:10])
        yield html.paragraph(f"Left out, {len(refused)} trials: {shown}.")


def costs_finding(done: Reproduction) -> str:
    """The sign of people's and the model's slope, and the least regret."""
    rows = {row["who"]: row for row in records(pooled_or_only(done.comparison.slopes))}
    parts = []
    for who, title in (
        (done.comparison.data, done.comparison.people),
        (MODEL, "the model"),
    ):
        row = rows.get(who)
        if row and not pd.isna(row["slope"]):
            slope = ranged(row["slope"], row["low"], row["high"], 3)
            parts.append(f"{slope} for {title} over {row['n']} trials")
    text = "Slope of observation on execution cost:"
    text = f"{text} {', '.join(parts)}." if parts else ""
    known = [each for each in summaries(done.regrets) if each.regret is not None]
    if known:
        losses = [f"{Variant(each.observer).title} {amount(each.regret)}" for each in known]
        text += f" Points lost a trial against the ideal observer: {', '.join(losses)}."
    return text.strip()
