"""The opening of the report: what was reproduced and what was not."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from onlooker.analysis import html
from onlooker.analysis.argument.claims.claim import ABOUT, FAILS, HOLDS, OPEN, UNDECIDED
from onlooker.analysis.argument.writing import records
from onlooker.analysis.human import NEEDS_PARTICIPANTS

HEAD = ["claim", "in the paper", "paper", "ours", "verdict", ""]
WORDS = 6
PEOPLE_OF, EACH = "needs people of", "needs data of each"  # in reasons
VERDICTS = (HOLDS, FAILS, UNDECIDED, OPEN)


def verdict_parts(found: pd.DataFrame) -> Iterator[str]:
    """How many claims hold, which do not, and all of them by what they are about."""
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
        f" with the data at hand{_lacking(found)}."
    )
    yield _counts(found)
    for verdict, words in ((FAILS, "Does not hold"), (UNDECIDED, "Undecided")):
        rows = records(found[found["verdict"] == verdict])
        if rows:
            said = "; ".join(
                f"{row['claim']} (paper: {row['paper']}; ours: {row['ours']}"
                + (f"; {row['reason']})" if verdict == FAILS and row["reason"] else ")")
                for row in rows
            )
            yield html.paragraph(f"{words}: {said}.")
    yield html.paragraph(
        "A value of the paper holds where it lies in our 95 % interval, a direction where our"
        " interval lies on its side of 0; a wide interval contradicts little. In brackets: 95 %"
        " bootstrap intervals over trials. Claims about the Naive Observer are judged in both"
        " readings of it."
    )
    for about in ABOUT:
        checked = found[(found["about"] == about) & (found["verdict"] != OPEN)]
        if not checked.empty:
            yield html.heading(about[:1].upper() + about[1:])
            yield html.table(HEAD, [_line(row) for row in records(checked)], WORDS)
    unchecked = found[found["verdict"] == OPEN]
    if not unchecked.empty:
        lines = [_line(row) for row in records(unchecked)]
        short = [[*line[:4], line[-1].removeprefix("needs ")] for line in lines]
        table = html.table([*HEAD[:4], "needs"], short, WORDS)
        yield html.details(f"{len(unchecked)} claims that cannot be checked, and why", table)


def _lacking(found: pd.DataFrame) -> str:
    """What the claims that cannot be checked would need."""
    reasons = found.loc[found["verdict"] == OPEN, "reason"]
    people, single = (int(reasons.str.contains(words).sum()) for words in (PEOPLE_OF, EACH))
    parts = [f"{people} need people of other experiments"] * bool(people)
    parts += [f"{single} need {NEEDS_PARTICIPANTS}"] * bool(single)
    return f" ({', '.join(parts)})" if parts else ""


def _counts(found: pd.DataFrame) -> str:
    """How many claims there are of each kind, and how they were judged."""
    table = pd.crosstab(found["about"], found["verdict"])
    table = table.reindex(index=list(ABOUT), columns=list(VERDICTS), fill_value=0)
    rows = [
        [str(about), *map(str, row)] for about, row in zip(ABOUT, table.to_numpy(), strict=True)
    ]
    return html.table(["claims about", *VERDICTS], rows)


def _line(row: dict[str, str]) -> list[str]:
    sign = {HOLDS: "✓ ", FAILS: "✗ "}.get(row["verdict"], "")
    ours = row["ours"].replace(" ", "\u00a0")  # an interval stays on one line
    paper = row["paper"].replace(" ", "\u00a0") if "[" in row["paper"] else row["paper"]
    return [row["claim"], row["place"], paper, ours, sign + row["verdict"], row["reason"]]
