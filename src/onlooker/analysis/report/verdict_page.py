"""The section of the report on the paper's claims, one by one."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from onlooker.analysis.claims import (
    ABOUT,
    DIFFERS,
    FAILS,
    HOLDS,
    INCOMPATIBLE,
    OPEN,
    SAME,
    SAME_VALUE,
    UNDECIDED,
    UNJUDGED,
    VERDICTS,
)
from onlooker.analysis.data.words import number, records
from onlooker.analysis.report import html
from onlooker.analysis.tables.comparison import Comparison, Standing

MOST_SHOWN = 8  # values that differ, in the report
SIGNS = {HOLDS: "✓ ", SAME_VALUE: "✓ ", FAILS: "✗ ", DIFFERS: "✗ ", INCOMPATIBLE: "✗ "}
RULES = {
    Standing.PAPER: (
        "Trials and people are the paper's own, so sampling has no part in whether a value is the"
        f" same: it is called the same up to ±{number(SAME)}, and the difference is given."
    ),
    Standing.NEW_PEOPLE: (
        "The trials are the paper's and the people are new: a value of the paper is compatible"
        " where our 95 % interval holds it."
    ),
    Standing.OTHER: (
        "Trials or participants are others than the paper's. So its values are not judged, only"
        " the directions that it claims."
    ),
}


def verdict_parts(found: pd.DataFrame, comparison: Comparison) -> Iterator[str]:
    """How many claims hold, by what rule, and all of them by what they are about."""
    yield html.paragraph(f"{tally(found)} {RULES[comparison.standing]}")
    yield html.paragraph(
        "A direction holds where our interval lies on its side, and is undecided where the interval"
        " includes the value that decides. In brackets: 95 % bootstrap intervals over base maps. Of"
        f" {len(found)} claims some turn out either way by chance; no verdict is corrected for"
        " that. Where the paper's text leaves two readings of an observer, the claim is judged in"
        " the first, and the number in the other stands beside it."
    )
    yield _counts(found)
    for about in ABOUT:
        checked = found[(found["about"] == about) & (found["verdict"] != OPEN)]
        if not checked.empty:
            yield html.heading(about[:1].upper() + about[1:])
            yield _table(checked)
    unchecked = found[found["verdict"] == OPEN]
    if not unchecked.empty:
        rows = [
            [row["claim"], row["place"], row["paper"], row["reason"].removeprefix("needs ")]
            for row in records(unchecked)
        ]
        table = html.table(["claim", "in the paper", "paper", "needs"], rows)
        are = "claim that cannot be checked" if len(rows) == 1 else "claims that cannot be checked"
        yield html.details(f"{len(rows)} {are}, and why", table)


def short_parts(found: pd.DataFrame, comparison: Comparison) -> Iterator[str]:
    """By what rule claims are judged, and what differs or does not hold."""
    yield html.paragraph(RULES[comparison.standing])
    off = found[found["verdict"].isin([DIFFERS, INCOMPATIBLE, FAILS])]
    values = off.dropna(subset=["difference"])
    rows = values.loc[values["difference"].abs().sort_values(ascending=False).index]
    others = off[off["difference"].isna()]
    both = pd.concat([rows.head(MOST_SHOWN), others])
    if not both.empty:
        yield _table(both.drop(columns="place"))
        left = len(rows) - MOST_SHOWN
        if left > 0:
            yield html.paragraph(f"And {left} other values that differ by less.")


def tally(found: pd.DataFrame) -> str:
    """How many claims there are, and how they were judged, in a sentence."""
    counts = found["verdict"].value_counts()
    parts = [counted(verdict, counts[verdict]) for verdict in VERDICTS if verdict in counts]
    return f"Of {len(found)} claims of the paper: {', '.join(parts)}."


def counted(verdict: str, count: int) -> str:
    """How many claims have a verdict, in words.

    >>> counted(UNDECIDED, 1), counted(DIFFERS, 2)
    ('1 direction is undecided', '2 values differ')
    """
    words = {
        OPEN: ("cannot be checked",) * 2,
        UNJUDGED: ("is not judged", "are not judged"),
        SAME_VALUE: ("value is the same", "values are the same"),
        DIFFERS: ("value differs", "values differ"),
        HOLDS: ("direction holds", "directions hold"),
        FAILS: ("direction does not hold", "directions do not hold"),
        UNDECIDED: ("direction is undecided", "directions are undecided"),
    }
    one, several = words.get(verdict, (f"value is {verdict}", f"values are {verdict}"))
    return f"{count} {one if count == 1 else several}"


def _counts(found: pd.DataFrame) -> str:
    """How many claims there are of each kind, and how they were judged."""
    table = pd.crosstab(found["about"], found["verdict"])
    shown = [verdict for verdict in VERDICTS if verdict in table]
    table = table.reindex(index=list(ABOUT), columns=shown, fill_value=0)
    rows = [
        [str(about), *map(str, row)] for about, row in zip(ABOUT, table.to_numpy(), strict=True)
    ]
    return html.table(["claims about", *shown], rows)


def _table(found: pd.DataFrame) -> str:
    """Claims that were checked; a column that none of them fills is left out."""
    columns = {
        "claim": found["claim"],
        "in the paper": found.get("place", pd.Series("", index=found.index)),
        "paper": found["paper"].map(_together),
        "ours": found["ours"].map(_together),
        "difference": found["difference"].map(_signed),
        "authors' counts": found["authors"],
        "other reading": found["other"],
        "verdict": found["verdict"].map(
            lambda verdict: f"{SIGNS.get(verdict, '')}{verdict}".replace(" ", "\u00a0")
        ),
        "": found["reason"],
    }
    shown = {title: column for title, column in columns.items() if (column != "").any()}
    rows = [list(map(str, row)) for row in zip(*shown.values(), strict=True)]
    return html.table(list(shown), rows)


def _together(text: str) -> str:
    """A value with its interval, which stays on one line."""
    return text.replace(", ", ",\u00a0").replace(" [", "\u00a0[") if "[" in text else text


def _signed(value: float) -> str:
    text = number(value)
    return f"+{text}" if text and value > 0 else text
