"""Why the ablations fail."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import pandas as pd

from onlooker.analysis.data.human import NEEDS_PARTICIPANTS
from onlooker.analysis.data.scopes import pooled_or_only
from onlooker.analysis.data.words import MODEL, number, records
from onlooker.analysis.report import cells, html
from onlooker.analysis.report.findings import Reproduction
from onlooker.analysis.report.sections.fits import whole_fits
from onlooker.analysis.report.writing import MARKED, amount, differences, table
from onlooker.analysis.tables.comparison import Comparison
from onlooker.drawing.explain.story import listed
from onlooker.observers import OBSERVERS


def short(done: Reproduction) -> Iterator[str]:
    """Too much or too little, and the model against each other observer."""
    yield html.finding(ablation_finding(done))
    yield from direction_parts(done.comparison)
    found = done.results.contrasts
    if not found.empty:
        found = found[found["observer"] == MODEL]
    yield from contrast_parts(found, done.comparison.titles())


def full(done: Reproduction) -> Iterator[str]:
    """Too much or too little, all observers against each other, and what tells them apart."""
    found, titles = done.results, done.comparison.titles()
    yield from direction_parts(done.comparison)
    yield from contrast_parts(found.contrasts, titles)
    yield from influence_parts(found.influence, titles)
    yield from diagnosis_parts(found.similarity_to_model, found.advantage, titles)


def direction_parts(comparison: Comparison) -> Iterator[str]:
    """The mean of what observers do minus what people do."""
    fits = comparison.fits
    fits = fits[(fits["measure"] == "observed") & (fits["npc"] == "") & (fits["role"] == "")]
    yield html.heading("Too much or too little")
    yield html.paragraph(
        f"Steps that each observer watches an NPC minus those of {comparison.people}, on average."
        f" Above 0 it watches too much. {MARKED}"
    )
    titles, cell = comparison.titles(), cells.interval("mean_difference", mark=True, zero=True)
    lines: dict[str, list[str]] = {}
    for row in records(fits):
        lines.setdefault(titles[row["observer"]], []).append(cell(row))
    heads = [cells.experiment(row) for row in records(fits.drop_duplicates("experiment"))]
    yield html.table(["", *heads], [[title, *values] for title, values in lines.items()])


def contrast_parts(contrasts: pd.DataFrame, titles: Mapping[str, str]) -> Iterator[str]:
    """The observers against each other."""
    if not contrasts.empty:
        yield html.heading("Observers against each other")
        yield html.paragraph(
            "Differences between observers over all trials at hand, each in the same resamples."
            f" Above 0 in r and CCC, and below 0 in RMSE, the first fits better. {MARKED}"
        )
        yield differences(pooled_or_only(contrasts), "observer", titles)


def influence_parts(influence: pd.DataFrame, titles: Mapping[str, str]) -> Iterator[str]:
    """What single trials do to the observers' r."""
    if not influence.empty:
        yield html.paragraph("How much of r is one trial's: r without the trial that matters most.")
        columns = {
            "": cells.experiment,
            "observer": cells.text("observer", titles),
            "without": cells.text("trial"),
            "r": cells.value("r"),
            "r without it": cells.value("r_without"),
            "least without any one": cells.value("r_least"),
            "most": cells.value("r_most"),
        }
        yield html.details("Influence of single trials", table(influence, columns))


def diagnosis_parts(
    similarity: pd.DataFrame, advantage: pd.DataFrame, titles: Mapping[str, str]
) -> Iterator[str]:
    """Whether counts tell observers apart better than total costs."""
    if similarity.empty:
        return
    yield html.heading("Do counts tell observers apart better than total cost?")
    yield html.paragraph(
        "r of each observer's predictions with those of Rational Mentalizing over all trials, once"
        " of the steps watched in a trial, once of its total cost. Where r is near 1, correlating"
        f" that measure with people can hardly tell the two apart. It needs no people. {MARKED}"
    )
    labels: dict[str, cells.Cell] = {
        "": cells.experiment,
        "observer": cells.text("observer", titles),
        "trials": cells.count("n"),
    }
    columns = labels | {
        "r, counts": cells.interval("r_counts", "r_{}_counts"),
        "r, total cost": cells.interval("r_total", "r_{}_total"),
        "difference": cells.DIFFERENCE,
    }
    yield table(pooled_or_only(similarity), columns)
    if advantage.empty:
        yield html.paragraph(
            "How much better Rational Mentalizing fits people by either measure needs"
            f" {NEEDS_PARTICIPANTS}."
        )
        return
    yield html.paragraph(
        "How much larger the r of Rational Mentalizing with people is than the observer's: in the"
        " steps watched, in total cost, and the first minus the second. Above 0, counts tell the"
        " two apart better."
    )
    columns = labels | {
        "lead in counts": cells.interval("counts", mark=True),
        "lead in total cost": cells.interval("total", mark=True),
        "difference": cells.DIFFERENCE,
        "its r, total cost": cells.value("r_total"),
    }
    yield table(pooled_or_only(advantage), columns)


def ablation_finding(done: Reproduction) -> str:
    """Which observers watch too much or too little, and what tells them apart."""
    rows = whole_fits(done)
    much: list[str] = []
    little: list[str] = []
    neither: list[str] = []
    for name in ablations_of(done, rows):
        row = rows[name]
        text = f"{done.title_of(name)} ({amount(row['mean_difference'])} steps)"
        low, high = row["mean_difference_low"], row["mean_difference_high"]
        (much if low > 0 else little if high < 0 else neither).append(text)
    longer = f"longer than {done.comparison.people} do"
    kinds = {longer: much, "a shorter time": little, "about as long": neither}
    said = "; ".join(
        f"{listed(names)} {'watches' if len(names) == 1 else 'watch'} for {word}"
        for word, names in kinds.items()
        if names
    )
    text = f"On average {said}."
    found = pooled_or_only(done.results.similarity_to_model)
    if not found.empty:
        found = found[found["observer"].isin(ablations_of(done, found["observer"]))]
    if not found.empty:
        counts, total = (_span(found[name]) for name in ("r_counts", "r_total"))
        text += (
            f" Over trials, their counts correlate {counts} with those of Rational Mentalizing,"
            f" their total costs {total}: it is the counts that tell observers apart."
            if found["high"].max() < 0
            else f" Over trials, their counts correlate {counts} with those of Rational"
            f" Mentalizing, their total costs {total}."
        )
    return text


def _span(values: pd.Series) -> str:
    return f"{number(values.min())} to {number(values.max())}"


def ablations_of(done: Reproduction, names: Iterable[str]) -> list[str]:
    """The paper's observers other than the full model, in all readings."""
    variants = done.comparison.variants
    return [name for name in names if name != MODEL and variants[name].observer in OBSERVERS]
