"""Claims about how well the observers' counts agree with people's."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from onlooker.analysis.argument.claims.claim import (
    BEHAVIOUR,
    FAILS,
    HOLDS,
    OPEN,
    ROUNDED,
    Claim,
    judged,
)
from onlooker.analysis.argument.writing import ranged, records
from onlooker.analysis.comparison import Comparison
from onlooker.analysis.reported import EXPERIMENTS, REPORTED, Reported
from onlooker.analysis.scopes import Scope
from onlooker.experiments.variants import Variant


def fit_rows(comparison: Comparison, scope: Scope, observer: str) -> list[dict[str, Any]]:
    """The fits of observation steps of an observer and of its variants."""
    fits = comparison.fits[comparison.fits["measure"] == "observed"]
    found = records(scope.rows(fits))
    return [row for row in found if comparison.variants[row["observer"]].observer == observer]


def concordance(comparison: Comparison) -> Iterator[Claim]:
    missing = [n for n in EXPERIMENTS if n not in set(comparison.sample["experiment"])]
    lacking = f"needs people of Exp. {', '.join(map(str, missing))}" if missing else ""
    for paper in (each for each in REPORTED if each.statistic == "ccc"):
        for row in fit_rows(comparison, Scope(), paper.observer):
            title = comparison.titles()[row["observer"]]
            verdict = judged(paper.value, row["ccc_low"], row["ccc_high"])
            if paper.at_most:
                verdict = HOLDS if row["ccc"] <= paper.value + ROUNDED else FAILS
            reason = f"{lacking}; ours is of Exp. {row['experiments']}" if lacking else ""
            yield Claim(
                f"{title}: CCC of observation steps, all experiments",
                BEHAVIOUR,
                _paper(paper),
                ranged(row["ccc"], row["ccc_low"], row["ccc_high"]),
                OPEN if lacking else verdict,
                reason,
            )


def correlations(comparison: Comparison) -> Iterator[Claim]:
    for paper in (each for each in REPORTED if each.statistic == "r"):
        where = f"Exp. {paper.scope.experiment}"
        where += "" if paper.scope.of_all_npcs else f", {paper.scope.who}"
        found = fit_rows(comparison, paper.scope, paper.observer)
        if not found:
            claim = f"{Variant(paper.observer).title}: r, {where}"
            need = f"needs people of Exp. {paper.scope.experiment}"
            yield Claim(claim, BEHAVIOUR, _paper(paper), "", OPEN, need)
        for row in found:
            yield Claim(
                f"{comparison.titles()[row['observer']]}: r, {where}",
                BEHAVIOUR,
                _paper(paper),
                ranged(row["r"], row["r_low"], row["r_high"]),
                judged(paper.value, row["r_low"], row["r_high"]),
                row["reason"],
            )


def _paper(paper: Reported) -> str:
    bound = "≤ " if paper.at_most else ""
    return bound + ranged(paper.value, paper.low, paper.high)
