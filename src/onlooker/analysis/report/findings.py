"""What each section of the argument comes to, in a sentence or two made from its tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

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
from onlooker.analysis.data.words import number, ranged, records
from onlooker.analysis.report.sections import patterns
from onlooker.analysis.report.verdict_page import counted, tally
from onlooker.analysis.tables.behaviour import MODEL, pooled_or_only
from onlooker.analysis.tables.calibration import LINE
from onlooker.analysis.tables.published import Published
from onlooker.experiments.regret import summaries
from onlooker.experiments.variants import Variant
from onlooker.observers import OBSERVERS

if TYPE_CHECKING:
    from onlooker.analysis.report.reproduction import Reproduction

OTHERS = (DIFFERS, INCOMPATIBLE, FAILS, UNDECIDED, UNJUDGED)
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
        f"{NUMBERS.get(count, str(count))} observers on {whole['trials']} trials, compared with"
        f" {comparison.people}: {whole['n']} means of the steps for which an NPC was watched.",
    )
    verdicts = done.verdicts["verdict"].value_counts()
    for title, kinds in (("The same", (SAME_VALUE, COMPATIBLE, HOLDS)), ("Not the same", OTHERS)):
        words = ", ".join(counted(kind, verdicts[kind]) for kind in kinds if kind in verdicts)
        more = f"{_which_differ(done.verdicts)}{_counts(found.published)}"
        if words:
            yield title, f"{words[0].upper()}{words[1:]}.{more if title != 'The same' else ''}"
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


def _whole_fits(done: Reproduction) -> dict[str, dict[str, Any]]:
    """How each observer fits the steps watched, over all experiments at hand."""
    fits = done.comparison.fits
    fits = fits[(fits["measure"] == "observed") & (fits["npc"] == "") & (fits["role"] == "")]
    return _by_observer(pooled_or_only(fits))


def _ablations(done: Reproduction, names: Iterable[str]) -> list[str]:
    """The paper's observers other than the full model, in all readings."""
    variants = done.comparison.variants
    return [name for name in names if name != MODEL and variants[name].observer in OBSERVERS]


def _best(done: Reproduction) -> str:
    """Which observer has the smallest error, how well it fits, and how well the best ablation."""
    rows = {name: row for name, row in _whole_fits(done).items() if not pd.isna(row["rmse"])}
    if MODEL not in rows:
        return ""
    best = min(rows, key=lambda name: rows[name]["rmse"])
    text = f"Mean error is smallest for {_fitted(done, rows, best)}"
    if best != MODEL:
        text += f"; {_fitted(done, rows, MODEL)}"
    left = [name for name in _ablations(done, rows) if name != best]
    if left:
        nearest = min(left, key=lambda name: rows[name]["rmse"])
        text += f"; of the ablations, {_fitted(done, rows, nearest)}"
    return f"{text}."


def _fitted(done: Reproduction, rows: dict[str, dict[str, Any]], name: str) -> str:
    row = rows[name]
    r = ranged(row["r"], row["r_low"], row["r_high"]) or "undefined"
    return f"{_title(done, name)} ({_steps(row['rmse'])} steps, r {r})"


def _which_differ(found: pd.DataFrame) -> str:
    """What the values that differ are of."""
    off = found[found["verdict"].isin([DIFFERS, INCOMPATIBLE])]
    if off.empty:
        return ""
    of_model = int(off["claim"].str.startswith(TITLES[MODEL]).sum())
    least = off["difference"].abs().max()
    return (
        f" Of the {len(off)} values that differ, {of_model} are of Rational Mentalizing; the"
        f" largest difference is {number(least)}."
    )


def whether_finding(done: Reproduction) -> str:
    """What people do where the model watches nobody."""
    skip = _by_observer(pooled_or_only(done.results.whether)).get(MODEL)
    if not skip or not skip["skips"] or pd.isna(skip["difference"]):
        return ""
    there, others = (_steps(skip[name]) for name in ("people_skip", "people_watch"))
    return (
        f"In the {skip['skips']} trials in which Rational Mentalizing watches nobody,"
        f" {done.comparison.people} watch {there} steps, in the others {others}."
    )


def whom_finding(done: Reproduction) -> str:
    """In how many trials people prefer the NPC that an observer prefers."""
    parts: list[str] = []
    if done.results.whom.empty:
        return ""
    for number_, rows in done.results.whom.groupby("experiment", sort=False):
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
            ahead = row["agree"] - mine["agree"]
            word = "better" if ahead > 0 else "next best" if ahead < 0 else "as often"
            part += f" ({word}: {_title(done, best)}, {_percent(row['agree'])} of"
            part += f" {row['prefers']})"
        parts.append(part)
    return ". ".join(parts) + "." * bool(parts)


def ablation_finding(done: Reproduction) -> str:
    """Which observers watch too much or too little, and what tells them apart."""
    rows = _whole_fits(done)
    much: list[str] = []
    little: list[str] = []
    neither: list[str] = []
    for name in _ablations(done, rows):
        row = rows[name]
        text = f"{_title(done, name)} ({_steps(row['mean_difference'])} steps)"
        low, high = row["mean_difference_low"], row["mean_difference_high"]
        (much if low > 0 else little if high < 0 else neither).append(text)
    kinds = {"too long": much, "too short": little, "neither for sure": neither}
    said = "; ".join(f"{word}, {' and '.join(names)}" for word, names in kinds.items() if names)
    text = f"On average the ablations watch {said}."
    found = pooled_or_only(done.results.likeness)
    if not found.empty:
        found = found[found["observer"].isin(_ablations(done, found["observer"]))]
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
    rows = {row["model_watches"]: row for row in records(pooled_or_only(done.results.hedging))}
    people, parts = done.comparison.people, []
    for kind, where in (("nobody", "nobody"), ("the other NPC", "only the other NPC")):
        if kind in rows:
            parts.append(f"where it watches {where}, {_steps(rows[kind]['people'])} steps")
    if "this NPC" in rows:
        gap = rows["this NPC"]["difference"]
        word = "longer" if gap >= 0 else "shorter"
        parts.append(f"where it watches, {_steps(abs(gap))} steps {word} than it")
    text = f"Next to the model, {people} watch an NPC: {'; '.join(parts)}." if parts else ""
    fits = done.results.calibration.fits
    if not fits.empty:
        errors = {row["model"]: row["rmse"] for row in records(pooled_or_only(fits))}
        mine, line = (_steps(errors[name]) for name in (MODEL, LINE))
        text += f" A straight line on the model takes its RMSE from {mine} to {line} steps."
    return text.strip()


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
