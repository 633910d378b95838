"""The sections of the report on observers against each other, whom people watch, and hedging."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from onlooker.analysis import html
from onlooker.analysis.argument.behaviour import pooled_or_only
from onlooker.analysis.argument.reversal import SURE, sure
from onlooker.analysis.argument.writing import experiment, pooled_first, ranged, records
from onlooker.analysis.words import number


def contrast_parts(
    contrasts: pd.DataFrame, influence: pd.DataFrame, titles: Mapping[str, str]
) -> Iterator[str]:
    """The observers against each other, and what single trials do to their r."""
    if not contrasts.empty:
        yield html.heading("Observers against each other")
        yield html.paragraph(
            "Differences between observers over all trials at hand, each in the same resamples."
            " Above 0 in r and CCC, and below 0 in RMSE, the first fits better. ✱: the 95 %"
            " interval leaves 0 out."
        )
        lines: dict[tuple[str, str], list[str]] = {}
        for row in records(pooled_or_only(contrasts)):
            line = lines.setdefault((titles[row["observer"]], titles[row["than"]]), [])
            line.append(ranged(row["difference"], row["low"], row["high"], mark=True))
        rows = [[*pair, *values] for pair, values in lines.items()]
        yield html.table(["first", "second", "r", "CCC", "RMSE"], rows, words=2)
    if not influence.empty:
        yield html.paragraph("How much of r is one trial's: r without the trial that matters most.")
        head = ["", "observer", "without", "r", "r without it", "least and most without any one"]
        rows = [
            [
                experiment(row),
                titles[row["observer"]],
                row["trial"],
                number(row["r"]),
                number(row["r_without"]),
                f"{number(row['r_least'])} to {number(row['r_most'])}",
            ]
            for row in records(influence)
        ]
        yield html.details("Influence of single trials", html.table(head, rows, words=3))


def hedging_parts(hedging: pd.DataFrame, people: str) -> Iterator[str]:
    """What people do where the model watches nobody, and elsewhere."""
    if hedging.empty:
        return
    yield html.heading("Hedging")
    yield html.paragraph(
        f"Steps for which {people} watch an NPC where Rational Mentalizing watches nobody,"
        " only the other NPC, or this one."
    )
    head = ["", "the model watches", "n", people, "model", "difference"]

    def line(row: dict[str, Any]) -> list[str]:
        return [
            experiment(row),
            row["model_watches"],
            number(row["n"], 0),
            number(row["people"], zero=True),
            number(row["model"], zero=True),
            ranged(row["difference"], row["low"], row["high"], mark=True, zero=True),
        ]

    yield from pooled_first(hedging, head, line)


def preference_parts(preferences: pd.DataFrame, titles: Mapping[str, str]) -> Iterator[str]:
    """Which of two NPCs the observers watch more."""
    if preferences.empty:
        return
    yield html.heading("Whom the observers watch more")
    yield html.paragraph(
        "In how many trials an observer watches the first NPC more (the expert, where roles"
        " differ), the other, or both alike. It needs no people."
    )
    head = ["", "observer", "trials", "the first or expert", "the other or novice", "alike"]
    rows = [
        [
            experiment(row),
            titles.get(row["observer"], row["observer"]),
            *(number(row[name], 0) for name in ("n", "first", "last", "alike")),
        ]
        for row in records(preferences)
    ]
    yield html.table(head, rows, words=2)


def whom_parts(whom: pd.DataFrame, titles: Mapping[str, str], people: str) -> Iterator[str]:
    """Which of two NPCs is watched more."""
    yield html.heading("One NPC or the other")
    if whom.empty:
        yield html.paragraph("Whom people watch needs data of trials with two NPCs (Exp. 3 and 4).")
        return
    yield html.paragraph(
        "The difference between the two NPCs of a trial (in Exp. 4 expert minus novice), observer"
        f" against {people}; and in how many of the trials in which the observer prefers one of"
        f" them {people} prefer the same."
    )
    head = ["", "observer", "trials", "r", "CCC", "prefers one", "they too"]
    rows = [
        [
            experiment(row),
            titles[row["observer"]],
            number(row["n"], 0),
            ranged(row["r"], row["r_low"], row["r_high"]),
            ranged(row["ccc"], row["ccc_low"], row["ccc_high"]),
            number(row["prefers"], 0),
            "" if pd.isna(row["agree"]) else f"{100 * row['agree']:.0f} %",
        ]
        for row in records(whom)
    ]
    yield html.table(head, rows, words=2)
    for row in records(whom.drop_duplicates("experiment")):
        yield html.paragraph(
            f"{experiment(row)}: {people} watch the first NPC (the expert, where roles differ) more"
            f" in {row['people_first']} trials and the other in {row['people_last']}."
        )


def reversal_parts(
    reversal: pd.DataFrame, trials: pd.DataFrame, titles: Mapping[str, str], people: str
) -> Iterator[str]:
    """Whether the preference between expert and novice changes with the map."""
    if reversal.empty:
        return
    yield html.heading("Expert or novice: does the preference reverse?")
    yield html.paragraph(
        f"Steps for which {people} watch the expert minus those for the novice, in the trials in"
        " which an observer watches the one or the other more. An observer foresees the reversal"
        " if the difference is above 0 where it prefers the expert and below 0 where it prefers the"
        " novice. ✱: the 95 % interval leaves 0 out."
    )
    head = ["", "observer", "it prefers", "trials", "expert − novice", "expert more", "novice more"]
    rows = [
        [
            experiment(row),
            titles[row["observer"]],
            row["prefers"],
            number(row["n"], 0),
            ranged(row["people"], row["low"], row["high"], mark=True, zero=True),
            number(row["people_expert"], 0),
            number(row["people_novice"], 0),
        ]
        for row in records(reversal)
    ]
    yield html.table(head, rows, words=3)
    if trials["people_se"].notna().any():
        experts, novices = sure(trials)
        yield html.paragraph(
            f"Single trials: in {experts} of {len(trials)} the expert is watched more by at least"
            f" {SURE:g} standard errors, in {novices} the novice. Each trial is in"
            " tables/reversal-trials.csv."
        )
