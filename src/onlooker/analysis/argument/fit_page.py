"""The section of the report on how well the observers fit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import pandas as pd

from onlooker.analysis import html
from onlooker.analysis.argument.writing import (
    experiment,
    pooled_first,
    ranged,
    records,
    who,
)
from onlooker.analysis.comparison import Comparison
from onlooker.analysis.scopes import Scope
from onlooker.analysis.words import number
from onlooker.experiments.variants import Variant

if TYPE_CHECKING:
    from onlooker.analysis.reproduction import Reproduction

ANY_MEETING = Variant("naive_observer", (("meeting", "any"),))
SCOPE = tuple(Scope().columns())  # the columns that say which part of the data a row is of
CEILINGS = {  # lines below the fits
    "reliability r_SB": "reliability",
    "ceiling √r_SB": "ceiling",
    "paper's r_SB": "paper_reliability",
    "ceiling from the paper's r_SB": "paper_ceiling",
}


def fit_parts(done: Reproduction) -> Iterator[str]:
    """Each observer's r with people, all statistics, and whether and when apart."""
    comparison = done.comparison
    yield html.heading("How well the observers fit")
    rows = records(comparison.fits[comparison.fits["measure"] == "observed"])
    people = comparison.people
    with_paper = "paper_r" in comparison.fits.columns
    beside = " In brackets, the value that the paper reports." if with_paper else ""
    yield html.paragraph(
        f"Observation steps: the mean of {people} on each trial and NPC against what each observer"
        f" does. Each cell is Pearson's r.{beside} Below, the split-half reliability r_SB of the"
        " data, and the ceiling √r_SB: no model's r with the means can be expected above it."
    )
    titles = comparison.titles()
    yield _matrix(rows, titles, with_paper)
    summary = f"All statistics, with 95 % bootstrap intervals ({comparison.resamples} resamples)"
    yield html.details(summary, _all_fits(rows, titles, with_paper))
    missing = sorted({row["needs"] for row in rows if row.get("needs")})
    yield from (html.paragraph(f"Empty cells need {what}.") for what in missing)
    yield from (html.paragraph(note) for note in comparison.notes)
    yield from _two_readings(comparison, rows)
    yield from _whether(done.argument.whether, titles, people)


def _two_readings(comparison: Comparison, rows: list[dict[str, Any]]) -> Iterator[str]:
    """Why the Naive Observer is there twice, if it is."""
    twice = [label for label, variant in comparison.variants.items() if variant == ANY_MEETING]
    if not twice:
        return
    values = {
        row["observer"]: row
        for row in rows
        if (row["experiment"], row["npc"], row["role"]) == (2, "", "")
    }
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


def _whether(found: pd.DataFrame, titles: Mapping[str, str], people: str) -> Iterator[str]:
    """Whether people watch when an observer does, and for how long."""
    yield html.heading("Whether and when, apart")
    yield html.paragraph(
        f"Whether: the steps that {people} watch in trials in which an observer watches nobody, and"
        " in the others. When: r over the trials in which it watches at all. A trial counts once,"
        " with all its NPCs. ✱: the 95 % interval leaves 0 out."
    )
    head = ["", "observer", "trials", "it skips", f"{people} there", f"{people} elsewhere"]
    head += ["difference", "r where it watches"]

    def line(row: dict[str, Any]) -> list[str]:
        return [
            experiment(row),
            titles[row["observer"]],
            number(row["n"], 0),
            number(row["skips"], 0),
            number(row["people_skip"], zero=True),
            number(row["people_watch"], zero=True),
            ranged(row["difference"], row["low"], row["high"], mark=True, zero=True),
            ranged(row["r"], row["r_low"], row["r_high"]),
        ]

    yield from pooled_first(found, head, line)


def _matrix(rows: list[dict[str, Any]], titles: Mapping[str, str], with_paper: bool) -> str:
    """Observers down, experiments and NPCs across; the last line is the ceiling."""
    # Where an experiment has several NPCs, each of them; where roles differ, the roles.
    scopes = list(dict.fromkeys(_scope(row) for row in rows))
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
    heads = [dict(zip(SCOPE, scope, strict=True)) for scope in shown]
    head = ["", *map(who, heads)]
    lines = []
    for observer in dict.fromkeys(row["observer"] for row in rows):
        line = [titles[observer]]
        for scope in shown:
            row = found.get((scope, observer), {})
            paper = number(row.get("paper_r")) if with_paper else ""
            line.append(number(row.get("r")) + (f" ({paper})" if paper else ""))
        lines.append(line)
    first = {_scope(row): row for row in reversed(rows)}
    for title, name in CEILINGS.items():
        values = [number(first[scope].get(name)) for scope in shown]
        lines += [[title, *values]] if any(values) else []
    return html.table(head, lines)


def _all_fits(rows: list[dict[str, Any]], titles: Mapping[str, str], with_paper: bool) -> str:
    head = ["", "observer", "n", "r", "CCC", "RMSE", "MAE", "mean difference", "r_SB", "√r_SB"]
    head += ["paper's r", "difference"] if with_paper else []
    lines = []
    for row in rows:
        line = [who(row), titles[row["observer"]], number(row["n"], 0)]
        line += [_interval(row, "r"), _interval(row, "ccc")]
        names = ("rmse", "mae", "mean_difference", "reliability", "ceiling")
        line += [number(row[name]) for name in names]
        if with_paper:
            line += [_interval(row, "paper_r"), number(row["difference_r"])]
        lines.append(line)
    return html.table(head, lines, words=2)


def _scope(row: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple(row[name] for name in SCOPE)


def _interval(row: dict[str, Any], name: str) -> str:
    """A value with its confidence interval."""
    value = number(row[name])
    low, high = row.get(f"{name}_low"), row.get(f"{name}_high")
    if not value or low is None or pd.isna(low):
        return value
    return f"{value} [{number(low)}, {number(high)}]"
