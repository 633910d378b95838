"""Claims about what watching and acting cost."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from onlooker.analysis.argument.claims.agreement import fit_rows
from onlooker.analysis.argument.claims.claim import (
    ABLATIONS,
    BEHAVIOUR,
    COSTS,
    DISCUSSION,
    FAILS,
    FULL,
    HOLDS,
    OPEN,
    SUPPLEMENT,
    Claim,
    listed,
    side,
)
from onlooker.analysis.argument.claims.evidence import Evidence, needs_people
from onlooker.analysis.argument.writing import ranged, records
from onlooker.analysis.human import NEEDS_PARTICIPANTS
from onlooker.analysis.reported import EXPERIMENTS
from onlooker.analysis.resampling import resample
from onlooker.analysis.scopes import POOLED, TRIAL, Scope
from onlooker.analysis.statistics import Pairs, interval
from onlooker.analysis.words import number
from onlooker.experiments.variants import Variant

SLOPES = {  # the paper's sign; 0: positive, with an interval that includes 0
    "human": ("positive", 1),
    FULL: ("positive", 1),
    "rational_observer": ("positive, the interval includes 0", 0),
    "mentalizing_observer": ("negative", -1),
    "naive_observer": ("negative", -1),
}
# The figures of the paper.
FIGURE, BY_EXPERIMENT, TOTAL = "Fig. 5", f"{SUPPLEMENT}, Fig. A15", f"{SUPPLEMENT}, Fig. A14"
WELL = 0.8  # r from which total cost is called reproduced well; the paper gives no number


def slopes(found: Evidence) -> Iterator[Claim]:
    """The signs of observation cost on execution cost, over all experiments."""
    table, there = found.comparison.slopes, sorted(set(found.predictions["experiment"]))
    people = table[(table["experiment"] == POOLED) & (table["who"] == found.comparison.data)]
    yield from (_slope(row, "human", "people", found.people) for row in records(people))
    for label, mine in found.predictions.groupby("observer", sort=False):
        variant: Variant = mine["variant"].iloc[0]
        if variant.observer in SLOPES:
            row = _observer_slope(found, mine)
            yield _slope(row, variant.observer, found.titles[str(label)], there)


def _slope(row: dict[str, Any], observer: str, who: str, numbers: list[int]) -> Claim:
    paper, sign = SLOPES[observer]
    claim = f"Slope of observation on execution cost, {who}, Exp. {listed(numbers)}"
    about, place = COSTS if observer in ("human", FULL) else ABLATIONS, f"{BEHAVIOUR}; {FIGURE}"
    if row["needs"]:
        return Claim(about, claim, place, paper, "", OPEN, f"needs {row['needs']}")
    verdict, reason = side(sign or 1, row["low"], row["high"])
    if sign == 0 and not np.isnan(row["low"]):
        between = row["low"] <= 0 <= row["high"] and row["slope"] > 0
        verdict, reason = (HOLDS, "") if between else (FAILS, "")
    if missing := [number for number in EXPERIMENTS if number not in numbers]:
        verdict, reason = OPEN, f"needs trials of Exp. {listed(missing)}"
    ours = ranged(row["slope"], row["low"], row["high"], 3)
    return Claim(about, claim, place, paper, ours, verdict, reason)


def _observer_slope(found: Evidence, mine: pd.DataFrame) -> dict[str, Any]:
    """The slope of an observer over all its trials; it does not need people."""
    trials = mine.drop_duplicates(TRIAL)
    x, y = trials["cost_execution"], trials["cost_total"] - trials["cost_execution"]
    weights = resample(trials, found.comparison.seed, found.comparison.resamples)
    ends = interval(Pairs.of(x, y, weights).slope())
    slope = float(Pairs.of(x, y).slope()[0])
    return {"slope": slope, "low": ends.low, "high": ends.high, "needs": ""}


def slopes_within(found: Evidence) -> Iterator[Claim]:
    """That people's slope and the model's are positive within every experiment."""
    table = found.comparison.slopes
    full = found.predictions[found.predictions["observer"] == FULL]
    for who, word in (("people", found.comparison.data), (Variant(FULL).title, FULL)):
        for number_ in EXPERIMENTS:
            claim = f"Slope of observation on execution cost, {who}, Exp. {number_}"
            rows = records(table[(table["experiment"] == number_) & (table["who"] == word)])
            mine = full[full["experiment"] == number_]
            if word == FULL and len(mine):
                rows = [_observer_slope(found, mine)]
            if not rows or rows[0]["needs"]:
                reason = f"needs {rows[0]['needs']}" if rows else needs_people([number_])
                yield Claim(COSTS, claim, BY_EXPERIMENT, "positive", "", OPEN, reason)
                continue
            [row] = rows
            verdict, reason = side(1, row["low"], row["high"])
            ours = ranged(row["slope"], row["low"], row["high"], 3)
            yield Claim(COSTS, claim, BY_EXPERIMENT, "positive", ours, verdict, reason)


def closest(found: Evidence) -> Iterator[Claim]:
    """That the model's slope is nearer to people's than any ablation's."""
    claim, place = "Of all observers' slopes, Rational Mentalizing's is nearest to people's", FIGURE
    pooled = found.comparison.slopes[found.comparison.slopes["experiment"] == POOLED]
    values = dict(zip(pooled["who"], pooled["slope"], strict=True))
    people = values.pop(found.comparison.data, np.nan)
    if np.isnan(people) or found.lacking:
        needs = needs_people(found.lacking) if found.lacking else ""
        reason = f"needs {NEEDS_PARTICIPANTS}" if np.isnan(people) else needs
        yield Claim(COSTS, claim, place, "nearest", "", OPEN, reason)
        return
    away = {label: abs(value - people) for label, value in values.items()}
    nearest = min(away, key=lambda label: away[label])
    ours = f"{found.titles[nearest]} is {number(away[nearest], 3)} away"
    verdict = HOLDS if nearest == FULL else FAILS
    yield Claim(COSTS, claim, place, "nearest", ours, verdict)


def totals(found: Evidence) -> Iterator[Claim]:
    """That all observers reproduce total cost, so that counts tell them apart better."""
    place, paper = TOTAL, "well (no number)"
    observers = [name for name in SLOPES if name != "human"]
    for number_ in EXPERIMENTS:
        claim = f"All observers reproduce total cost, Exp. {number_}"
        rows = [
            row for name in observers for row in fit_rows(found, Scope(number_), name, "cost_total")
        ]
        if not rows or np.isnan([row["rmse"] for row in rows]).any():
            reason = f"needs {NEEDS_PARTICIPANTS}" if rows else needs_people([number_])
            yield Claim(COSTS, claim, place, paper, "", OPEN, reason)
            continue
        least = min(rows, key=lambda row: row["r"])
        ours = "least r " + ranged(least["r"], least["r_low"], least["r_high"])
        reason = f"{found.titles[least['observer']]}; well is taken as r from {number(WELL)} up"
        verdict = HOLDS if least["r"] >= WELL else FAILS
        yield Claim(COSTS, claim, place, paper, ours, verdict, reason)
    yield from _diagnostic(found)


def _diagnostic(found: Evidence) -> Iterator[Claim]:
    """That the model's lead over an ablation is larger in counts than in total costs."""
    place, paper = f"{DISCUSSION}; {TOTAL}", "more diagnostic"
    table = found.advantage
    for observer in (name for name in SLOPES if name not in ("human", FULL)):
        for label in found.labels(observer):
            claim = f"Counts tell the model and {found.titles[label]} apart better than total cost"
            if table.empty or found.lacking:
                reason = f"needs {NEEDS_PARTICIPANTS}" if table.empty else ""
                lacking = needs_people(found.lacking) if found.lacking else ""
                yield Claim(ABLATIONS, claim, place, paper, "", OPEN, reason or lacking)
                continue
            rows = table[(table["experiment"] == POOLED) & (table["observer"] == label)]
            for row in records(rows):
                verdict, reason = side(1, row["low"], row["high"])
                ours = "lead in r larger by " + ranged(row["difference"], row["low"], row["high"])
                yield Claim(ABLATIONS, claim, place, paper, ours, verdict, reason)
