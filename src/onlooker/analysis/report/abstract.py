"""What the report comes to: the points of its abstract, and three lines for the terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd

from onlooker.analysis.claims import (
    COMPATIBLE,
    DIFFERS,
    FAILS,
    HOLDS,
    INCOMPATIBLE,
    SAME_VALUE,
    TITLES,
    UNDECIDED,
    UNJUDGED,
)
from onlooker.analysis.data.human import NEEDS_PARTICIPANTS
from onlooker.analysis.data.words import MODEL, number, ranged, records
from onlooker.analysis.report.findings import Reproduction
from onlooker.analysis.report.sections.ablations import ablations_of
from onlooker.analysis.report.sections.authors import patterns
from onlooker.analysis.report.sections.fits import whole_fits
from onlooker.analysis.report.sections.misses import misses_finding
from onlooker.analysis.report.sections.verdicts import counted, tally
from onlooker.analysis.report.sections.whom import whom_finding
from onlooker.analysis.report.writing import amount
from onlooker.analysis.tables.calibration import GRADED
from onlooker.analysis.tables.published import Published

SAME, OTHERS = (SAME_VALUE, COMPATIBLE, HOLDS), (DIFFERS, INCOMPATIBLE, FAILS)
NEITHER = (UNDECIDED, UNJUDGED)
NUMBERS = {4: "Four", 5: "Five", 6: "Six", 7: "Seven", 8: "Eight"}


def summary(done: Reproduction) -> list[str]:
    """What a report comes to, in three lines."""
    lines = [_best(done), whom_finding(done) or misses_finding(done), tally(done.verdicts)]
    return [line for line in lines if line]


def abstract(done: Reproduction) -> Iterator[tuple[str, str]]:
    """The report in a few points: what each is about, and what is to be said of it."""
    comparison, found = done.comparison, done.results
    whole, count = records(found.people)[-1], len(comparison.variants)
    yield (
        "Run",
        f"{NUMBERS.get(count, str(count))} observers on the {whole['trials']} trials that"
        f" {comparison.people} played, compared with {whole['n']} means of the steps for which an"
        " NPC was watched.",
    )
    verdicts = done.verdicts["verdict"].value_counts()
    for title, kinds in (("The same", SAME), ("Not the same", OTHERS), ("Not decided", NEITHER)):
        words = ", ".join(counted(kind, verdicts[kind]) for kind in kinds if kind in verdicts)
        more = _which_differ(done.verdicts) + _counts(found.published) if kinds is OTHERS else ""
        if words:
            yield title, f"{words[0].upper()}{words[1:]}.{more}"
    yield "Best", _best(done)
    yield "Misses", misses_finding(done)
    single = int(done.verdicts["reason"].str.contains(NEEDS_PARTICIPANTS, regex=False).sum())
    if single:
        yield "Missing", f"{single} claims need {NEEDS_PARTICIPANTS}; give it with --human."


def _counts(found: Published | None) -> str:
    """How many counts of the full model are the authors' own."""
    if found is None:
        return ""
    whole = records(found.whole)[-1]
    text = f" {whole['same']} of {whole['n']} counts of Rational Mentalizing are the authors' own"
    others = whole["n"] - whole["same"]
    return f"{text}; of the {others} others, {patterns(found, 1)}." if others else f"{text}."


def _best(done: Reproduction) -> str:
    """Which observer has the smallest error, how well it fits, and how well the best ablation."""
    rows = {name: row for name, row in whole_fits(done).items() if not pd.isna(row["rmse"])}
    if MODEL not in rows:
        return ""
    best = min(rows, key=lambda name: rows[name]["rmse"])
    text = f"RMSE is smallest for {_fitted(done, rows, best)}"
    if done.comparison.variants[best].observer == GRADED and "paper_r" in done.comparison.fits:
        text += ", which was fitted on the paper's people in Exp. 1 and 2"
    if best != MODEL:
        text += f"; {_fitted(done, rows, MODEL)}"
    left = [name for name in ablations_of(done, rows) if name != best]
    if left:
        nearest = min(left, key=lambda name: rows[name]["rmse"])
        text += f"; of the ablations, {_fitted(done, rows, nearest)}"
    return f"{text}."


def _fitted(done: Reproduction, rows: dict[str, dict[str, Any]], name: str) -> str:
    row = rows[name]
    r = ranged(row["r"], row["r_low"], row["r_high"]) or "undefined"
    return f"{done.title_of(name)} ({amount(row['rmse'])} steps, r {r})"


def _which_differ(found: pd.DataFrame) -> str:
    """What the values that differ are of."""
    off = found[found["verdict"].isin([DIFFERS, INCOMPATIBLE])]
    if off.empty:
        return ""
    of_model = int(off["claim"].str.startswith(TITLES[MODEL]).sum())
    largest = off["difference"].abs().max()
    return (
        f" Of the {len(off)} values that differ, {of_model} are of Rational Mentalizing; the"
        f" largest difference is {number(largest)}."
    )
