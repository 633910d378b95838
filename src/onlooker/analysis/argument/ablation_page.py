"""The section of the report on why the ablations fail."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import pandas as pd

from onlooker.analysis import html
from onlooker.analysis.argument.behaviour import pooled_or_only
from onlooker.analysis.argument.behaviour_page import contrast_parts
from onlooker.analysis.argument.writing import experiment, ranged, records
from onlooker.analysis.human import NEEDS_PARTICIPANTS
from onlooker.analysis.words import number

if TYPE_CHECKING:
    from onlooker.analysis.reproduction import Reproduction


def ablation_parts(done: Reproduction) -> Iterator[str]:
    """Too much or too little, against each other, and what tells observers apart."""
    titles, found = done.comparison.titles(), done.argument
    yield from _direction(done, titles)
    yield from contrast_parts(found.contrasts, found.influence, titles)
    yield from _diagnosis(found.likeness, found.advantage, titles)


def _direction(done: Reproduction, titles: Mapping[str, str]) -> Iterator[str]:
    """The mean of what observers do minus what people do."""
    fits = done.comparison.fits
    rows = records(
        fits[(fits["measure"] == "observed") & (fits["npc"] == "") & (fits["role"] == "")]
    )
    yield html.heading("Too much or too little")
    yield html.paragraph(
        f"Steps that each observer watches an NPC minus those of {done.comparison.people}, on"
        " average. Above 0 it watches too much. ✱: the 95 % interval leaves 0 out."
    )
    numbers = list(dict.fromkeys(row["experiment"] for row in rows))
    lines: dict[str, list[str]] = {}
    for row in rows:
        low, high = row["mean_difference_low"], row["mean_difference_high"]
        text = ranged(row["mean_difference"], low, high, mark=True, zero=True)
        lines.setdefault(titles[row["observer"]], []).append(text)
    head = ["", *(experiment({"experiment": number_}) for number_ in numbers)]
    yield html.table(head, [[title, *values] for title, values in lines.items()])


def _diagnosis(
    likeness: pd.DataFrame, advantage: pd.DataFrame, titles: Mapping[str, str]
) -> Iterator[str]:
    """Whether counts tell observers apart better than total costs."""
    if likeness.empty:
        return
    yield html.heading("Do counts tell observers apart better than total cost?")
    yield html.paragraph(
        "r of each observer's predictions with those of Rational Mentalizing over all trials, once"
        " of the steps watched in a trial, once of its total cost. Where r is near 1, correlating"
        " that measure with people can hardly tell the two apart. It needs no people. ✱: the 95 %"
        " interval leaves 0 out."
    )
    head = ["", "observer", "trials", "r, counts", "r, total cost", "difference"]
    rows = [
        [
            experiment(row),
            titles.get(row["observer"], row["observer"]),
            number(row["n"], 0),
            ranged(row["r_counts"], row["r_low_counts"], row["r_high_counts"]),
            ranged(row["r_total"], row["r_low_total"], row["r_high_total"]),
            ranged(row["difference"], row["low"], row["high"], mark=True),
        ]
        for row in records(pooled_or_only(likeness))
    ]
    yield html.table(head, rows, words=2)
    if advantage.empty:
        yield html.paragraph(
            "How much better Rational Mentalizing fits people by either measure needs"
            f" {NEEDS_PARTICIPANTS}."
        )
        return
    yield html.paragraph(
        "How much larger the r of Rational Mentalizing with people is than the observer's: in the"
        " steps watched, in total cost, and the first minus the second. Above 0, counts tell the"
        " two apart better."
    )
    head = ["", "observer", "trials", "lead in counts", "lead in total cost", "difference"]
    head += ["its r, total cost"]
    rows = [
        [
            experiment(row),
            titles[row["observer"]],
            number(row["n"], 0),
            ranged(row["counts"], row["counts_low"], row["counts_high"], mark=True),
            ranged(row["total"], row["total_low"], row["total_high"], mark=True),
            ranged(row["difference"], row["low"], row["high"], mark=True),
            number(row["r_total"]),
        ]
        for row in records(pooled_or_only(advantage))
    ]
    yield html.table(head, rows, words=2)
