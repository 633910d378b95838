"""What each section of the argument comes to, in a sentence or two made from its tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd

from onlooker.analysis.argument.behaviour import MODEL, pooled_or_only
from onlooker.analysis.argument.calibration import LINE
from onlooker.analysis.argument.writing import ranged, records
from onlooker.analysis.words import number
from onlooker.experiments.regret import summaries
from onlooker.experiments.variants import Variant

if TYPE_CHECKING:
    from onlooker.analysis.reproduction import Reproduction


def whether_finding(done: Reproduction) -> str:
    """How well the model fits, how well the next best does, and what a skip is worth."""
    fits = done.comparison.fits
    fits = fits[(fits["measure"] == "observed") & (fits["npc"] == "") & (fits["role"] == "")]
    rows = _by_observer(pooled_or_only(fits))
    mine = rows.pop(MODEL, None)
    if mine is None or pd.isna(mine["r"]):
        return ""
    text = f"Rational Mentalizing has r {ranged(mine['r'], mine['r_low'], mine['r_high'])} with"
    text += f" {done.comparison.people} over all trials at hand"
    others = {name: row["r"] for name, row in rows.items() if not pd.isna(row["r"])}
    if others:
        best = max(others, key=lambda name: others[name])
        text += f"; the best of the others, {_title(done, best)}, has {number(others[best])}"
    skip = _by_observer(pooled_or_only(done.argument.whether)).get(MODEL)
    if skip and skip["skips"] and not pd.isna(skip["difference"]):
        there, elsewhere = (_steps(skip[name]) for name in ("people_skip", "people_watch"))
        text += f". In the {skip['skips']} trials in which it watches nobody,"
        text += f" {done.comparison.people} watch {there} steps, elsewhere {elsewhere}"
    return f"{text}."


def whom_finding(done: Reproduction) -> str:
    """In how many trials people prefer the NPC that an observer prefers."""
    parts: list[str] = []
    if done.argument.whom.empty:
        return ""
    for number_, rows in done.argument.whom.groupby("experiment", sort=False):
        shares = _by_observer(rows.dropna(subset=["agree"]))
        mine = shares.pop(MODEL, None)
        if mine is None:
            continue
        part = "Where Rational Mentalizing watches one NPC more,"
        part += f" {done.comparison.people} do too in {_percent(mine['agree'])} of"
        part += f" {mine['prefers']} trials of Exp. {number_}"
        if shares:
            best = max(shares, key=lambda name: shares[name]["agree"])
            row = shares[best]
            part += f" (next best, {_title(done, best)}: {_percent(row['agree'])} of"
            part += f" {row['prefers']})"
        parts.append(part)
    return ". ".join(parts) + "." * bool(parts)


def ablation_finding(done: Reproduction) -> str:
    """Which observers watch too much or too little, and what tells them apart."""
    fits = done.comparison.fits
    fits = fits[(fits["measure"] == "observed") & (fits["npc"] == "") & (fits["role"] == "")]
    much: list[str] = []
    little: list[str] = []
    neither: list[str] = []
    for name, row in _by_observer(pooled_or_only(fits)).items():
        if name == MODEL:
            continue
        text = f"{_title(done, name)} ({_steps(row['mean_difference'])} steps)"
        low, high = row["mean_difference_low"], row["mean_difference_high"]
        (much if low > 0 else little if high < 0 else neither).append(text)
    kinds = {"too long": much, "too short": little, "neither for sure": neither}
    said = "; ".join(f"{word}, {' and '.join(names)}" for word, names in kinds.items() if names)
    text = f"On average the ablations watch {said}."
    found = pooled_or_only(done.argument.likeness)
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


def misses_finding(done: Reproduction) -> str:
    """How much people watch where the model does not, and what a line mends."""
    rows = {row["model_watches"]: row for row in records(pooled_or_only(done.argument.hedging))}
    people, parts = done.comparison.people, []
    for kind, where in (("nobody", "nobody"), ("the other NPC", "only the other NPC")):
        if kind in rows:
            parts.append(f"where it watches {where}, {_steps(rows[kind]['people'])} steps")
    if "this NPC" in rows:
        gap = rows["this NPC"]["difference"]
        word = "longer" if gap >= 0 else "shorter"
        parts.append(f"where it watches, {_steps(abs(gap))} steps {word} than it")
    text = f"Beside the model, {people} watch an NPC: {'; '.join(parts)}." if parts else ""
    fits = done.argument.calibration.fits
    if not fits.empty:
        errors = {row["model"]: row["rmse"] for row in records(pooled_or_only(fits))}
        mine, line = (_steps(errors[name]) for name in (MODEL, LINE))
        text += f" A straight line on the model takes its RMSE from {mine} to {line} steps."
    return text.strip()


def costs_finding(done: Reproduction) -> str:
    """The sign of people's and the model's slope, and the least regret."""
    rows = {row["who"]: row for row in records(pooled_or_only(done.comparison.slopes))}
    parts = []
    for who, title in ((done.comparison.data, done.comparison.people), (MODEL, "the model")):
        row = rows.get(who)
        if row and not pd.isna(row["slope"]):
            parts.append(f"{ranged(row['slope'], row['low'], row['high'], 3)} for {title}")
    played = next((row["n"] for row in rows.values()), 0)
    text = f"Slope of observation on execution cost over the {played} trials played:"
    text = f"{text} {', '.join(parts)}." if parts else ""
    known = [each for each in summaries(done.regrets) if each.regret is not None]
    if known:
        losses = [f"{Variant(each.observer).title} {_steps(each.regret)}" for each in known]
        text += f" Points lost a trial against the ideal observer: {', '.join(losses)}."
    return text.strip()


def _by_observer(table: pd.DataFrame) -> dict[str, dict[str, Any]]:
    return {row["observer"]: row for row in records(table)}


def _title(done: Reproduction, label: str) -> str:
    return done.comparison.titles().get(label, label)


def _steps(value: float | None) -> str:
    return number(value, 1, zero=True)


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def _span(values: pd.Series) -> str:
    return f"{number(values.min())} to {number(values.max())}"
