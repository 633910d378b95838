"""How well observers fit people, and whether and when apart."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from onlooker.analysis.data.human import PUBLISHED
from onlooker.analysis.data.scopes import Scope, pooled_or_only
from onlooker.analysis.data.words import MODEL, number, records
from onlooker.analysis.report import cells, html
from onlooker.analysis.report.findings import Reproduction
from onlooker.analysis.report.writing import MARKED, amount, by_observer, pooled_first, table
from onlooker.analysis.tables.calibration import GRADED
from onlooker.analysis.tables.comparison import Comparison
from onlooker.analysis.tables.published import Published
from onlooker.analysis.tables.reliability import DISAGREE
from onlooker.experiments.variants import Variant

ANY_MEETING = Variant("naive_observer", (("meeting", "any"),))
SCOPE = tuple(Scope().columns())  # the columns that say which part of the data a row is of
RELIABILITY = {  # lines below the fits
    "reliability r_SB": "reliability",
    "√r_SB": "ceiling",
    "paper's r_SB": "paper_reliability",
    "√ of the paper's r_SB": "paper_ceiling",
}


def short(done: Reproduction) -> Iterator[str]:
    """Whether people watch when observers do, over all experiments."""
    yield html.finding(whether_finding(done))
    yield from whether_parts(pooled_or_only(done.results.whether), done.comparison)


def full(done: Reproduction) -> Iterator[str]:
    """All statistics of each observer, and whether and when apart."""
    comparison = done.comparison
    yield html.heading("How well the observers fit")
    fits = comparison.fits[comparison.fits["measure"] == "observed"]
    columns: dict[str, cells.Cell] = {
        "": cells.who,
        "observer": cells.text("observer", comparison.titles()),
        "n": cells.count("n"),
        "r": cells.interval("r"),
        "CCC": cells.interval("ccc"),
        "RMSE": cells.steps("rmse"),
        "MAE": cells.steps("mae"),
        "mean difference": cells.steps("mean_difference"),
        "r_SB": cells.value("reliability"),
        "√r_SB": cells.value("ceiling"),
    }
    if "paper_r" in fits:
        columns |= {
            "paper's r": cells.interval("paper_r"),
            "difference": cells.value("difference_r"),
        }
    drawn = comparison.resampler.method
    yield html.paragraph(f"95 % intervals: {drawn}, {comparison.resamples} resamples.")
    yield table(fits, columns)
    missing = sorted({row["needs"] for row in records(fits) if row.get("needs")})
    yield from (html.paragraph(f"What is missing here needs {what}.") for what in missing)
    yield from (html.paragraph(note) for note in comparison.notes)
    yield from _two_readings(comparison, records(fits))
    yield from whether_parts(done.results.whether, comparison)


def headline(done: Reproduction) -> Iterator[str]:
    """One table: every observer's r with people in each cell, the paper's and the authors'."""
    comparison, authors = done.comparison, done.results.published
    with_paper = "paper_r" in comparison.fits.columns
    beside = " In brackets, the value that the paper reports." if with_paper else ""
    own = " The authors' counts are those of their own Rational Mentalizing." if authors else ""
    shown = comparison.fits[comparison.fits["measure"] == "observed"]
    more = " The paper's r_SB is of all NPCs of an experiment together." if with_paper else ""
    if (comparison.reliability["reason"] == DISAGREE).any():
        more += f" There is no r_SB (r < 0) where halves of the {comparison.people} do not agree."
    if shown["reason"].str.contains("predictions are all").any():
        more += " There is no r where an observer predicts the same for every trial."
    yield html.paragraph(
        f"Observation steps: the mean of {comparison.people} on each trial and NPC against what"
        f" each observer does. Each cell is Pearson's r.{beside}{own} Below, the split-half"
        " reliability r_SB of the data, and √r_SB, which is about what can be expected of r with a"
        f" model that is right; by chance r can be above it.{more}"
    )
    if with_paper and any(each.observer == GRADED for each in comparison.variants.values()):
        yield html.paragraph(
            "The parameters of Graded Mentalizing were fitted on the paper's people in Exp. 1 and 2"
            " and stay as they are, so Exp. 3 and 4 are predictions."
        )
    yield _matrix(comparison, authors)


def _matrix(comparison: Comparison, authors: Published | None) -> str:
    """Observers down, experiments and NPCs across; the last lines are the reliability."""
    rows = records(comparison.fits[comparison.fits["measure"] == "observed"])
    # Where an experiment has several NPCs, each of them; where roles differ, the roles.
    scopes = list(dict.fromkeys(map(_scope, rows)))
    with_npcs = {which for which, npc, _ in scopes if npc}
    with_roles = {which for which, _, role in scopes if role}
    shown = [
        (which, npc, role)
        for which, npc, role in scopes
        if role
        or (npc and which not in with_roles)
        or (not npc and which not in with_npcs | with_roles)
    ]
    found = {(_scope(row), row["observer"]): row for row in rows}

    def cell(row: Mapping[str, Any]) -> str:
        ours, paper = number(row.get("r")), number(row.get("paper_r"))
        return f"{ours or '–'} ({paper})" if paper else ours

    lines = [
        [title, *(cell(found.get((scope, label), {})) for scope in shown)]
        for label, title in comparison.titles().items()
    ]
    if authors is not None:
        theirs = {_scope(row): row for row in records(authors.agreement)}
        values = [number(theirs.get(scope, {}).get(f"r_{PUBLISHED}")) for scope in shown]
        lines.insert(1, ["… the authors' counts", *values])
    first = {_scope(row): row for row in reversed(rows)}
    agreed = comparison.reliability
    agreed = agreed[(agreed["measure"] == "observed") & (agreed["reason"] == DISAGREE)]
    unlike = set(map(_scope, records(agreed)))
    for title, name in RELIABILITY.items():
        values = [
            "r < 0" if name == "reliability" and scope in unlike else number(first[scope].get(name))
            for scope in shown
        ]
        lines += [[title, *values]] if any(values) else []
    heads = [cells.who(dict(zip(SCOPE, scope, strict=True))) for scope in shown]
    return html.table(["", *heads], lines)


def _scope(row: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple(row[name] for name in SCOPE)


def _two_readings(comparison: Comparison, rows: list[dict[str, Any]]) -> Iterator[str]:
    """Why the Naive Observer is there twice, if it is."""
    twice = [label for label, variant in comparison.variants.items() if variant == ANY_MEETING]
    if not twice:
        return
    values = {row["observer"]: row for row in rows if _scope(row) == (2, "", "")}
    plain, other = values.get(ANY_MEETING.observer), values.get(twice[0])
    numbers = ""
    if comparison.data == "human" and plain and other and not pd.isna(plain.get("paper_r")):
        numbers = (
            f" In Exp. 2 the paper reports r {number(plain['paper_r'])}; the text's reading gives"
            f" {number(plain['r'])}, the other {number(other['r'])}."
        )
    yield html.paragraph(
        "The Naive Observer is there twice. By the paper's text it watches until an NPC meets a"
        " wizard of the colour it needs, and it does not watch novices. With meeting=any it watches"
        " every NPC until it meets any wizard. The paper's text and its numbers do not quite fit"
        f" one reading, so both are shown.{numbers}"
    )


def whether_parts(found: pd.DataFrame, comparison: Comparison) -> Iterator[str]:
    """Whether people watch when an observer does, and for how long."""
    people = comparison.people
    yield html.heading("Whether and when, apart")
    yield html.paragraph(
        f"Whether: the steps that {people} watch in trials in which an observer watches nobody, and"
        " in the others. When: r over the trials in which it watches at all. A trial counts once,"
        f" with all its NPCs. {MARKED}"
    )
    yield from pooled_first(
        found,
        {
            "": cells.experiment,
            "observer": cells.text("observer", comparison.titles()),
            "trials": cells.count("n"),
            "skipped": cells.count("skips"),
            f"{people} there": cells.steps("people_skip"),
            f"{people}, other trials": cells.steps("people_watch"),
            "difference": cells.DIFFERENT_STEPS,
            "r where it watches": cells.interval("r"),
        },
    )


def whether_finding(done: Reproduction) -> str:
    """What people do where the model watches nobody."""
    skip = by_observer(pooled_or_only(done.results.whether)).get(MODEL)
    if not skip or not skip["skips"] or pd.isna(skip["difference"]):
        return ""
    there, others = (amount(skip[name]) for name in ("people_skip", "people_watch"))
    return (
        f"In the {skip['skips']} trials in which Rational Mentalizing watches nobody,"
        f" {done.comparison.people} watch {there} steps, in the others {others}."
    )


def whole_fits(done: Reproduction) -> dict[str, dict[str, Any]]:
    """How each observer fits the steps watched, over all experiments at hand."""
    fits = done.comparison.fits
    fits = fits[(fits["measure"] == "observed") & (fits["npc"] == "") & (fits["role"] == "")]
    return by_observer(pooled_or_only(fits))
