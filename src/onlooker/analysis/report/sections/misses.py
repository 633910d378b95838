"""What the model misses: hedging, a scale, graded choices."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from onlooker.analysis.data.resampling import Resampler
from onlooker.analysis.data.scopes import pooled_or_only
from onlooker.analysis.data.words import MODEL, number, records
from onlooker.analysis.report import cells, html
from onlooker.analysis.report.findings import Reproduction
from onlooker.analysis.report.writing import (
    MARKED,
    STATISTICS,
    amount,
    differences,
    pooled_first,
    table,
)
from onlooker.analysis.tables.calibration import HELD_OUT, LINE, TITLES, Calibration

CALIBRATED: dict[str, cells.Cell] = {
    "": cells.experiment,
    "prediction": cells.text("model", TITLES),
    "n": cells.count("n"),
    **{title: cells.interval(name, zero=name == "rmse") for name, title in STATISTICS.items()},
    "mean difference": cells.steps("mean_difference"),
}


def short(done: Reproduction) -> Iterator[str]:
    """Hedging, and how a line and graded choices fit, over all experiments."""
    yield from hedging_parts(pooled_or_only(done.results.hedging), done.comparison.people)
    yield from short_calibration_parts(done.results.calibration)


def full(done: Reproduction) -> Iterator[str]:
    """Hedging, and all that a line and graded choices add."""
    yield from hedging_parts(done.results.hedging, done.comparison.people)
    yield from calibration_parts(done.results.calibration, done.comparison.resampler)


def hedging_parts(hedging: pd.DataFrame, people: str) -> Iterator[str]:
    """What people do where the model watches nobody, and elsewhere."""
    if hedging.empty:
        return
    yield html.heading("Hedging")
    yield html.paragraph(
        f"Steps for which {people} watch an NPC where Rational Mentalizing watches nobody,"
        f" only the other NPC, or this one. {MARKED}"
    )
    columns = {
        "": cells.experiment,
        "the model watches": cells.text("model_watches"),
        "n": cells.count("n"),
        people: cells.steps("people"),
        "model": cells.steps("model"),
        "difference": cells.DIFFERENT_STEPS,
    }
    yield from pooled_first(hedging, columns)


def short_calibration_parts(found: Calibration) -> Iterator[str]:
    """How a straight line and graded choices fit, over all experiments."""
    if found.left_out:
        return
    yield html.heading("Only a scale, or graded choices?")
    yield html.paragraph(
        "Rational Mentalizing as it is, with a straight line on it, and with graded choices, whose"
        " parameters were fitted on the paper's people in Exp. 1 and 2 and are a prediction in"
        " Exp. 3 and 4."
    )
    yield table(pooled_or_only(found.fits), CALIBRATED)


def calibration_parts(found: Calibration, resampler: Resampler) -> Iterator[str]:
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
    fitted = [[TITLES[model], words] for model, words in found.fitted_on.items()]
    yield html.table(["prediction", "fitted on"], fitted)
    yield from pooled_first(found.fits, CALIBRATED)
    yield html.paragraph(
        "Differences, each in the same resamples of maps on both sides. Above 0 in r and CCC,"
        f" and below 0 in RMSE, the first fits better. {MARKED}"
    )
    whole = pooled_or_only(found.differences)
    yield differences(whole, "model", TITLES)
    single = found.differences.drop(whole.index)
    if not single.empty:
        yield html.details("The same by experiment", differences(single, "model", TITLES))
    yield html.paragraph(
        f"Intervals: {resampler.method}, {resampler.resamples} resamples, with all fitted"
        " parameters held at their values, so they do not contain the uncertainty of fitting. A"
        " prediction fitted on the data that it is compared with looks better than it is."
    )
    yield html.paragraph(f"Lines: {'; '.join(_lines(found))}.")


def _lines(found: Calibration) -> Iterator[str]:
    rows = records(found.lines)
    whole = [row for row in rows if row["model"] == LINE][:1]
    for row in [*whole, *(row for row in rows if row["model"] == HELD_OUT)]:
        use = "all" if row["model"] == LINE else f"Exp. {row['experiment']}"
        yield (
            f"for {use}, fitted on Exp. {row['fitted_on']}: {number(row['intercept'])} +"
            f" {number(row['slope'])} × the model's steps"
        )


def misses_finding(done: Reproduction) -> str:
    """How much people watch where the model does not, and what a line mends."""
    rows = {row["model_watches"]: row for row in records(pooled_or_only(done.results.hedging))}
    people, parts = done.comparison.people, []
    for kind, where in (("nobody", "nobody"), ("the other NPC", "only the other NPC")):
        if kind in rows:
            parts.append(f"{amount(rows[kind]['people'])} steps where the model watches {where}")
    if "this NPC" in rows:
        gap = rows["this NPC"]["difference"]
        word = "more" if gap >= 0 else "fewer"
        parts.append(f"{amount(abs(gap))} steps {word} than the model where it watches this NPC")
    text = f"{people.capitalize()} watch an NPC for {'; for '.join(parts)}." if parts else ""
    fits = done.results.calibration.fits
    if not fits.empty:
        errors = {row["model"]: row["rmse"] for row in records(pooled_or_only(fits))}
        mine, line = (amount(errors[name]) for name in (MODEL, LINE))
        text += f" A straight line on the model takes its RMSE from {mine} to {line} steps."
    return text.strip()
