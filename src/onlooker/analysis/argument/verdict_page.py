"""The opening of the report: what was reproduced and what was not."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from onlooker.analysis import html
from onlooker.analysis.argument.claims.claim import FAILS, HOLDS, OPEN, UNDECIDED
from onlooker.analysis.argument.writing import records

HEAD = ["claim", "in the paper", "paper", "ours", "verdict", ""]
WORDS = 6


def verdict_parts(found: pd.DataFrame) -> Iterator[str]:
    """The claims, those that could be checked first."""
    if found.empty:
        yield html.paragraph(
            "The paper's claims are about people. Simulated participants cannot confirm or refute"
            " them, so none is judged here; give people's data with --human."
        )
        return
    counts = found["verdict"].value_counts()
    yield html.paragraph(
        f"{len(found)} claims of the paper: {counts.get(HOLDS, 0)} hold, {counts.get(FAILS, 0)} do"
        f" not, {counts.get(UNDECIDED, 0)} are undecided, {counts.get(OPEN, 0)} cannot be checked"
        " with the data at hand. A value of the paper holds where it lies in our 95 % interval, a"
        " direction where our interval lies on its side of 0; a wide interval contradicts little."
        " In brackets: 95 % bootstrap intervals over trials. The Naive Observer stands here in two"
        " readings: the paper's text has it wait for a wizard of the relevant colour; with"
        " meeting=any it waits for any wizard, which on the authors' trials of Exp. 2 comes nearer"
        " to the paper's r."
    )
    checked = found[found["verdict"] != OPEN]
    yield html.table(HEAD, [_line(row) for row in records(checked)], WORDS)
    unchecked = found[found["verdict"] == OPEN]
    if not unchecked.empty:
        table = html.table(HEAD, [_line(row) for row in records(unchecked)], WORDS)
        yield html.details(f"{len(unchecked)} claims that cannot be checked, and why", table)


def _line(row: dict[str, str]) -> list[str]:
    sign = {HOLDS: "✓ ", FAILS: "✗ "}.get(row["verdict"], "")
    ours = row["ours"].replace(" ", "\u00a0")  # an interval stays on one line
    return [row["claim"], row["place"], row["paper"], ours, sign + row["verdict"], row["reason"]]
