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
from onlooker.analysis.data.words import number
from onlooker.analysis.report import cells, html
from onlooker.analysis.report.findings import Reproduction
from onlooker.analysis.report.writing import table
from onlooker.analysis.tables.comparison import Standing

MOST_SHOWN = 8  # values that differ, in the report
SIGNS = {HOLDS: "✓ ", SAME_VALUE: "✓ ", FAILS: "✗ ", DIFFERS: "✗ ", INCOMPATIBLE: "✗ "}
RULES = {
    Standing.PAPER: (
        "Trials and people are the paper's own, so sampling has no part in whether a value is the"
        f" same: it is called the same up to ±{number(SAME)}, and the difference is given."
    ),
    Standing.NEW_PEOPLE: (
        "The trials are the paper's, but the people are not, or not all of them: a value of the"
        " paper is compatible where our 95 % interval contains it."
    ),
    Standing.OTHER: (
        "Trials or participants are others than the paper's. So its values are not judged, only"
        " the directions that it claims."
    ),
}


def full(done: Reproduction) -> Iterator[str]:
    """All claims."""
    return verdict_parts(done.verdicts, done.comparison.standing)


def verdict_parts(found: pd.DataFrame, standing: Standing) -> Iterator[str]:
    """How many claims hold, by what rule, and all of them by what they are about."""
    yield html.paragraph(f"{tally(found)} {RULES[standing]}")
    yield html.paragraph(
        "A direction holds where our interval lies on its side, and is undecided where the interval"
        " includes the value that decides. In brackets: 95 % bootstrap intervals. Of"
        f" {len(found)} claims some turn out either way by chance; no verdict is corrected for"
        " that. Where the paper's text leaves two readings of an observer, the claim is judged in"
        " the first, and the number in the other stands beside it."
    )
    yield _counts(found)
    for about in ABOUT:
        checked = found[(found["about"] == about) & ~found["verdict"].isin([OPEN, UNJUDGED])]
        if not checked.empty:
            yield html.heading(about[:1].upper() + about[1:])
            yield table(checked, COLUMNS)
    columns = {name: cells.text(name) for name in ("claim", "paper")}
    columns |= {"in the paper": cells.text("place"), "why": cells.text("reason")}
    for verdict in (OPEN, UNJUDGED):
        rest = found[found["verdict"] == verdict]
        if not rest.empty:
            which = "claim that" if len(rest) == 1 else "claims that"
            title = f"{len(rest)} {which} {counted(verdict, len(rest)).partition(' ')[2]}"
            title += ", and why" * bool(rest["reason"].any())
            yield html.details(title, table(rest, columns))


def short(done: Reproduction) -> Iterator[str]:
    """By what rule claims are judged, and what differs or does not hold."""
    found = done.verdicts
    yield html.paragraph(RULES[done.comparison.standing])
    off = found[found["verdict"].isin([DIFFERS, INCOMPATIBLE, FAILS])]
    values = off.dropna(subset=["difference"])
    rows = values.loc[values["difference"].abs().sort_values(ascending=False).index]
    others = off[off["difference"].isna()]
    both = pd.concat([rows.head(MOST_SHOWN), others])
    if not both.empty:
        yield table(both.assign(place=""), COLUMNS)
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
    counts = pd.crosstab(found["about"], found["verdict"])
    shown = [verdict for verdict in VERDICTS if verdict in counts]
    counts = counts.reindex(index=list(ABOUT), fill_value=0).rename_axis("about").reset_index()
    return table(
        counts, {"claims about": cells.text("about")} | {name: cells.text(name) for name in shown}
    )


COLUMNS: dict[str, cells.Cell] = {
    "claim": cells.text("claim"),
    "in the paper": cells.text("place"),
    "paper": lambda row: _together(row["paper"]),
    "ours": lambda row: _together(row["ours"]),
    "difference": lambda row: _signed(row["difference"]),
    "authors' counts": cells.text("authors"),
    "other reading": cells.text("other"),
    "verdict": lambda row: (SIGNS.get(row["verdict"], "") + row["verdict"]).replace(" ", "\u00a0"),
    "": cells.text("reason"),
}


def _together(words: str) -> str:
    """A value with its interval, which stays on one line."""
    return words.replace(", ", ",\u00a0").replace(" [", "\u00a0[") if "[" in words else words


def _signed(value: float) -> str:
    written = number(value)
    return f"+{written}" if written and value > 0 else written
