"""Claims about how well the observers agree with people."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from onlooker.analysis.argument.claims.claim import (
    ABLATIONS,
    BEHAVIOUR,
    DISCUSSION,
    FAILS,
    FULL,
    HOLDS,
    MISSES,
    OPEN,
    ROUNDED,
    WHETHER,
    WHOM,
    Claim,
    judged,
    side,
)
from onlooker.analysis.argument.claims.evidence import Evidence, needs_people
from onlooker.analysis.argument.writing import ranged, records
from onlooker.analysis.human import NEEDS_PARTICIPANTS
from onlooker.analysis.reported import EXPERIMENTS, REPORTED, Reported
from onlooker.analysis.scopes import Scope
from onlooker.experiments.variants import Variant


def fit_rows(
    found: Evidence, scope: Scope, observer: str, measure: str = "observed"
) -> list[dict[str, Any]]:
    """The fits of an observer and of its variants."""
    fits = found.comparison.fits
    rows = records(scope.rows(fits[fits["measure"] == measure]))
    return [row for row in rows if found.comparison.variants[row["observer"]].observer == observer]


def concordance(found: Evidence) -> Iterator[Claim]:
    """Lin's concordance of all experiments together: the model's value, the ablations' bound."""
    for paper in (each for each in REPORTED if each.statistic == "ccc"):
        for row in fit_rows(found, Scope(), paper.observer):
            verdict = judged(paper.value, row["ccc_low"], row["ccc_high"])
            if paper.at_most:
                verdict = HOLDS if row["ccc"] <= paper.value + ROUNDED else FAILS
            yield Claim(
                WHETHER if paper.observer == FULL else ABLATIONS,
                f"{found.titles[row['observer']]}: CCC of observation steps, all experiments",
                BEHAVIOUR,
                _paper(paper),
                ranged(row["ccc"], row["ccc_low"], row["ccc_high"]),
                OPEN if found.lacking else verdict,
                _only_of(found, row),
            )


def apart(found: Evidence) -> Iterator[Claim]:
    """That the ablations' intervals of CCC lie below the model's."""
    full = fit_rows(found, Scope(), FULL)
    for paper in (each for each in REPORTED if each.statistic == "ccc" and each.observer != FULL):
        for row in fit_rows(found, Scope(), paper.observer) if full else ():
            gap = full[0]["ccc_low"] - row["ccc_high"]
            verdict = OPEN if np.isnan(gap) else HOLDS if gap > 0 else FAILS
            high, low = (ranged(r["ccc"], r["ccc_low"], r["ccc_high"]) for r in (full[0], row))
            yield Claim(
                ABLATIONS,
                f"{found.titles[row['observer']]}: its interval of CCC lies below the model's",
                BEHAVIOUR,
                "no overlap",
                f"{low} and {high}",
                OPEN if found.lacking else verdict,
                _only_of(found, row),
            )


def _only_of(found: Evidence, row: dict[str, Any]) -> str:
    if not found.lacking:
        return ""
    return f"{needs_people(found.lacking)}; ours is of Exp. {row['experiments']}"


def correlations(found: Evidence) -> Iterator[Claim]:
    """r of every observer in every experiment, by NPC where there are two."""
    for paper in (each for each in REPORTED if each.statistic == "r"):
        number = paper.scope.experiment or 0
        where = f"Exp. {number}" + ("" if paper.scope.of_all_npcs else f", {paper.scope.who}")
        about = WHETHER if paper.scope.of_all_npcs else WHOM
        about = about if paper.observer == FULL else ABLATIONS
        rows = fit_rows(found, paper.scope, paper.observer)
        if not rows:
            claim = f"{Variant(paper.observer).title}: r, {where}"
            yield Claim(about, claim, BEHAVIOUR, _paper(paper), "", OPEN, needs_people([number]))
        for row in rows:
            yield Claim(
                about,
                f"{found.titles[row['observer']]}: r, {where}",
                BEHAVIOUR,
                _paper(paper),
                ranged(row["r"], row["r_low"], row["r_high"]),
                judged(paper.value, row["r_low"], row["r_high"]),
                row["reason"],
            )


def total_steps(found: Evidence) -> Iterator[Claim]:
    """That the model follows people's total steps over trials, and takes fewer."""
    for number in EXPERIMENTS:
        rows = fit_rows(found, Scope(number), FULL, "total_steps")
        title = Variant(FULL).title
        pattern = f"{title} follows people's total steps over trials, Exp. {number}"
        fewer = f"{title} takes fewer total steps than people, Exp. {number}"
        reason = needs_people([number]) if not rows else f"needs {NEEDS_PARTICIPANTS}"
        if not rows or np.isnan(rows[0]["rmse"]):
            yield Claim(WHETHER, pattern, DISCUSSION, "r above 0", "", OPEN, reason)
            yield Claim(MISSES, fewer, DISCUSSION, "fewer", "", OPEN, reason)
            continue
        [row] = rows
        verdict, reason = side(1, row["r_low"], row["r_high"])
        ours = "r " + ranged(row["r"], row["r_low"], row["r_high"])
        yield Claim(WHETHER, pattern, DISCUSSION, "r above 0", ours, verdict, reason)
        low, high = row["mean_difference_low"], row["mean_difference_high"]
        verdict, reason = side(-1, low, high)
        ours = f"{ranged(row['mean_difference'], low, high, zero=True)} steps"
        yield Claim(MISSES, fewer, DISCUSSION, "fewer", ours, verdict, reason)


def _paper(paper: Reported) -> str:
    bound = "≤ " if paper.at_most else ""
    return bound + ranged(paper.value, paper.low, paper.high)
