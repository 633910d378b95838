"""What only logs show, in sentences for the report and tables for the supplement."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import pandas as pd

from onlooker.analysis.data.scopes import pooled_or_only
from onlooker.analysis.data.words import MODEL, number, ranged, records
from onlooker.analysis.report import cells, html
from onlooker.analysis.report.findings import Reproduction
from onlooker.analysis.report.writing import amount, percent, pooled_first
from onlooker.analysis.tables.logs import LEAST_PEOPLE, PARTS, Logs
from onlooker.experiments.variants import Variant

if TYPE_CHECKING:
    from onlooker.analysis.report.individual import Individual

DIFFER = 3.0  # a log Bayes factor from which people differ, or its negative from which they do not
FEW = f"too few people for an interval (fewer than {LEAST_PEOPLE})"


def short(done: Reproduction) -> Iterator[str]:
    """A sentence or two for each question."""
    if done.logs is None:
        yield html.paragraph(f"Needs people's choices one by one: {done.without_logs}.")
        return
    yield html.abstract(sentences(done))


def full(done: Reproduction) -> Iterator[str]:
    """The same, and the tables behind the sentences."""
    yield from short(done)
    if done.logs is None:
        return
    logs = done.logs
    for title, frame, columns in (
        ("Back to watching", logs.returns, RETURNS),
        ("Time to decide", logs.deciding, DECIDING),
        ("Practice", logs.learning, LEARNING),
        ("Beyond the ideal observer", logs.beyond, BEYOND),
    ):
        if len(frame):
            yield html.heading(title)
            yield from pooled_first(frame, {"": cells.experiment, **columns})
    yield html.paragraph("All choices and trials are in tables/logs.")


RETURNS: dict[str, cells.Cell] = {
    "trials": cells.count("trials"),
    "with late looks": cells.count("returned"),
    "people": cells.count("people"),
    "who did": cells.count("people_returned"),
    "late looks there": cells.steps("looks", 1),
    "points a trial": cells.steps("late_cost"),
    "of all looks": cells.share("share_of_looks"),
    "more points than in their other trials": cells.interval(
        "extra_cost", digits=1, mark=True, zero=True
    ),
}
DECIDING: dict[str, cells.Cell] = {
    "choices": cells.count("choices"),
    "people": cells.count("people"),
    "median seconds": cells.steps("seconds"),
    "rank correlation with |C − Q|": cells.interval("r", mark=True),
}
LEARNING: dict[str, cells.Cell] = {
    "people": cells.count("people"),
    "choices as the model's": cells.interval("agreement"),
    "more in each trial": cells.interval("slope", digits=3, mark=True),
}
BEYOND: dict[str, cells.Cell] = {
    "trials": cells.count("trials"),
    "people": cells.count("people"),
    "people's points": cells.interval("beyond", digits=1, zero=True),
    "Rational Mentalizing's": cells.value("model", 1, zero=True),
    "difference": cells.interval("difference", digits=1, mark=True, zero=True),
}


# -- sentences -------------------------------------------------------------------------------------


def sentences(done: Reproduction) -> Iterator[tuple[str, str]]:
    """What each question comes to; each says so if nothing is found."""
    logs, people = done.logs, done.comparison.people
    assert logs is not None
    yield "When in a trial", f"{_course(logs, people)} {_returns(logs, people)}"
    if done.individual is not None and done.individual.recognised is None:
        yield "Single people", " ".join(_single(done.individual))
    yield "Time to decide", _deciding(logs)
    yield "Practice", _practice(logs)
    yield "Beyond the ideal observer", _beyond(logs, people)


def _whole(frame: pd.DataFrame) -> Mapping[str, Any] | None:
    """The row of all experiments, or of the only one."""
    rows = records(pooled_or_only(frame)) if len(frame) else []
    return rows[-1] if rows else None


def _course(logs: Logs, people: str) -> str:
    rows = pooled_or_only(logs.course)
    first, half = (
        rows[rows["part"] <= last].groupby("who", sort=False)["watching"].mean()
        for last in (1, PARTS // 2)
    )
    tenth, five = (
        f"{percent(each['people'])} (the model: {percent(each[MODEL])})" for each in (first, half)
    )
    return (
        f"In the first tenth of a trial {people} watch with {tenth} of their choices, in the first"
        f" half with {five}."
    )


def _returns(logs: Logs, people: str) -> str:
    row = _whole(logs.returns)
    if row is None or not row["returned"]:
        return "Nobody goes back to watching after a first move, and neither does the model."
    text = (
        f"In {row['returned']} of {row['trials']} trials {row['people_returned']} of"
        f" {row['people']} {people} go back to watching after a first move, which the model never"
        f" does: {amount(row['looks'])} looks each time, {percent(row['share_of_looks'])} of"
        f" all looks, {amount(row['late_cost'], 2)} points a trial."
    )
    if pd.isna(row["extra_cost"]):
        return text
    return (
        f"{text} Against the ideal observer such trials cost them"
        f" {_found(row, 'extra_cost', 1)} points more than their others"
        f"{_nothing(row, 'extra_cost')}."
    )


def _single(found: Individual) -> Iterator[str]:
    compared = found.compared
    yield f"{list(compared.answers.values())[-1]}."
    if found.late:
        yield "Choices after the first action of a trial count here, too."
    selection = compared.tables["selection"]
    last = selection[selection["experiment"] == selection["experiment"].iloc[-1]]
    top = records(last.sort_values("pxp"))[-1]
    yield (
        f"The most frequent is {Variant(top['observer']).title} with probability"
        f" {number(top['pxp'])} (PXP); that all are equally frequent has {number(top['bor'])}."
    )
    if found.spread is None:
        return
    parts = [f"{row['parameter']} {_differ(row)}" for row in records(found.spread)]
    yield (
        "Do people differ in the parameters of Graded Mentalizing (log Bayes factor of values of"
        f" their own against one that all share)? {'; '.join(parts)}."
    )


def _differ(row: Mapping[str, Any]) -> str:
    factor, middle = row["log_bayes"], number(row["median"], zero=True)
    word = "yes" if factor >= DIFFER else "no" if factor <= -DIFFER else "undecided"
    ends = f"{number(row['tenth'], zero=True)} to {number(row['ninetieth'], zero=True)}"
    return f"{word} ({number(factor, 1, zero=True)}; median {middle}, most from {ends})"


def _deciding(logs: Logs) -> str:
    row = _whole(logs.deciding)
    if row is None or pd.isna(row["r"]):
        return "The data has no times of choices, or too few."
    text = (
        f"The time before a choice and |C − Q|, how far acting and watching are apart, have a rank"
        f" correlation of {_found(row, 'r')} on average ({row['people']} people, {row['choices']}"
        " choices)"
    )
    if pd.isna(row["r_low"]):
        return f"{text}: {FEW}."
    if row["r_low"] <= 0 <= row["r_high"]:
        return f"{text}: nothing is found."
    word = "close" if row["r"] < 0 else "far apart"
    return f"{text}: people take longer where the two are {word}."


def _practice(logs: Logs) -> str:
    row = _whole(logs.learning)
    if row is None:
        return "The trials are too large to say what the model would choose."
    middle, low, high = (100 * row[name] for name in ("slope", "slope_low", "slope_high"))
    slope = ranged(middle, low, high, 1, zero=True)
    text = (
        f"On average {percent(row['agreement'])} of a trial's choices are the model's, and {slope}"
        " percentage points more in each trial than in the one before"
    )
    return f"{text}{_nothing(row, 'slope')}."


def _beyond(logs: Logs, people: str) -> str:
    row = _whole(logs.beyond)
    if row is None:
        return "What the ideal observer would pay is not known for these trials."
    return (
        f"{people[:1].upper()}{people[1:]} pay {_found(row, 'beyond', 1)} points a trial more than"
        f" the ideal observer where they reach the chest, Rational Mentalizing"
        f" {amount(row['model'])}{_nothing(row, 'beyond')}."
    )


def _found(row: Mapping[str, Any], name: str, digits: int = 2) -> str:
    zero = digits != 2
    return ranged(row[name], row[f"{name}_low"], row[f"{name}_high"], digits, zero=zero)


def _nothing(row: Mapping[str, Any], name: str) -> str:
    """That an interval is lacking or has 0 in it."""
    low, high = row[f"{name}_low"], row[f"{name}_high"]
    if pd.isna(low):
        return f": {FEW}"
    return ": no difference is found" if low <= 0 <= high else ""
