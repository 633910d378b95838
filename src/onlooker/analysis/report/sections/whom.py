"""Whom people and observers watch more."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from onlooker.analysis.data.words import MODEL, records
from onlooker.analysis.report import cells, html
from onlooker.analysis.report.findings import Reproduction
from onlooker.analysis.report.writing import MARKED, by_observer, percent, table
from onlooker.analysis.tables.results import Results
from onlooker.analysis.tables.reversal import SURE, sure


def short(done: Reproduction) -> Iterator[str]:
    """Whether people watch the NPC that observers watch, and reverse as the model does."""
    yield html.finding(whom_finding(done))
    yield from whom_parts(done.results)
    reversal = done.results.reversal
    if len(reversal):
        yield from reversal_parts(done.results, reversal[reversal["observer"] == MODEL])


def full(done: Reproduction) -> Iterator[str]:
    """Whom observers prefer, whether people prefer the same, and where the preference reverses."""
    yield from preference_parts(done.results)
    yield from whom_parts(done.results)
    yield from reversal_parts(done.results, done.results.reversal)


def preference_parts(found: Results) -> Iterator[str]:
    """Which of two NPCs the observers watch more."""
    preferences, titles = found.preferences, found.comparison.titles()
    if preferences.empty:
        return
    yield html.heading("Whom the observers watch more")
    yield html.paragraph(
        "In how many trials an observer watches the first NPC more (the expert, where roles"
        " differ), the other, or both equally. It needs no people."
    )
    columns = {
        "": cells.experiment,
        "observer": cells.text("observer", titles),
        "trials": cells.count("n"),
        "the first or expert": cells.count("first"),
        "the other or novice": cells.count("last"),
        "equally": cells.count("alike"),
    }
    yield table(preferences, columns)


def whom_parts(found: Results) -> Iterator[str]:
    """Which of two NPCs is watched more."""
    agreement = found.npc_preference_agreement
    titles, people = found.comparison.titles(), found.comparison.people
    yield html.heading("One NPC or the other")
    if agreement.empty:
        yield html.paragraph("Whom people watch needs data of trials with two NPCs (Exp. 3 and 4).")
        return
    yield html.paragraph(
        "The difference between the two NPCs of a trial (in Exp. 4 expert minus novice), observer"
        f" against {people}; and in how many of the trials in which the observer prefers one of"
        f" them {people} prefer the same one; where they watch both equally they do not."
    )
    columns = {
        "": cells.experiment,
        "observer": cells.text("observer", titles),
        "trials": cells.count("n"),
        "r": cells.interval("r"),
        "CCC": cells.interval("ccc"),
        "prefers one": cells.count("prefers"),
        f"{people} agree": cells.share("agree"),
    }
    yield table(agreement, columns)
    for row in records(agreement.drop_duplicates("experiment")):
        yield html.paragraph(
            f"{cells.experiment(row)}: {people} watch the first NPC (the expert, where roles"
            f" differ) more in {row['people_first']} trials and the other in {row['people_last']}."
        )


def reversal_parts(found: Results, reversal: pd.DataFrame) -> Iterator[str]:
    """Whether the preference between expert and novice changes with the map."""
    trials, titles = found.reversal_trials, found.comparison.titles()
    people = found.comparison.people
    if reversal.empty:
        return
    yield html.heading("Expert or novice: does the preference reverse?")
    yield html.paragraph(
        f"Steps for which {people} watch the expert minus those for the novice, in the trials in"
        " which an observer watches the one or the other more. An observer foresees the reversal"
        " if the difference is above 0 where it prefers the expert and below 0 where it prefers the"
        f" novice. {MARKED}"
    )
    columns = {
        "": cells.experiment,
        "observer": cells.text("observer", titles),
        "it prefers": cells.text("prefers"),
        "trials": cells.count("n"),
        "expert − novice": cells.interval("people", "{}", mark=True, zero=True),
        "expert more": cells.count("people_expert"),
        "novice more": cells.count("people_novice"),
    }
    yield table(reversal, columns)
    if trials["people_se"].notna().any():
        experts, novices = sure(trials)
        yield html.paragraph(
            f"Single trials: in {experts} of {len(trials)} the expert is watched more by at least"
            f" {SURE:g} standard errors, in {novices} the novice. Each trial is in"
            " tables/reversal-trials.csv."
        )


def whom_finding(done: Reproduction) -> str:
    """In how many trials people prefer the NPC that an observer prefers."""
    parts: list[str] = []
    if done.results.npc_preference_agreement.empty:
        return ""
    for number_, rows in done.results.npc_preference_agreement.groupby("experiment", sort=False):
        shares = by_observer(rows.dropna(subset=["agree"]))
        mine = shares.pop(MODEL, None)
        if mine is None:
            continue
        part = f"in {percent(mine['agree'])} of {mine['prefers']} trials of Exp. {number_}"
        if shares:
            best = max(shares, key=lambda name: shares[name]["agree"])
            row = shares[best]
            ahead = row["agree"] - mine["agree"]
            word = "better" if ahead > 0 else "next best" if ahead < 0 else "as often"
            part += f" ({word}: {done.title_of(best)}, {percent(row['agree'])} of"
            part += f" {row['prefers']})"
        parts.append(part)
    people = done.comparison.people
    said = f"Where Rational Mentalizing watches one NPC more, {people} do too: "
    return f"{said}{'; '.join(parts)}." if parts else ""
