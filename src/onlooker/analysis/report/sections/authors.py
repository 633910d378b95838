"""Our counts beside those of the authors' own Rational Mentalizing."""

from __future__ import annotations

from collections.abc import Iterator

from onlooker.analysis.data.human import PUBLISHED
from onlooker.analysis.data.words import records
from onlooker.analysis.report import cells, html
from onlooker.analysis.report.findings import Reproduction
from onlooker.analysis.report.writing import table
from onlooker.analysis.tables.published import OURS, Published

MOST_PATTERNS = 3


def full(done: Reproduction) -> Iterator[str]:
    """How many counts are the same, and what those that differ have in common."""
    found = done.results.published
    if found is None:
        yield html.paragraph(
            f"Needs the counts of the authors' own model: a column {PUBLISHED} in the file of"
            " means."
        )
        return
    whole = records(found.whole)[-1]
    yield html.paragraph(
        f"{whole['same']} of {whole['n']} counts are the same as those of the authors' own Rational"
        " Mentalizing, which their file gives beside people's means. Differences are ours minus"
        " theirs, in steps; r and CCC are with people."
    )
    columns: dict[str, cells.Cell] = {
        "": cells.experiment,
        "counts": cells.count("n"),
        "the same": cells.count("same"),
        "within 1": cells.count("within_one"),
        "largest": cells.whole_or("largest"),
        "mean difference": cells.steps("mean_difference"),
    }
    for name, title in (("r", "r"), ("ccc", "CCC")):
        for whose, word in ((OURS, "ours"), (PUBLISHED, "theirs")):
            columns[f"{title}, {word}"] = cells.interval(f"{name}_{whose}", f"{name}_{{}}_{whose}")
    yield table(found.whole, columns)
    differing = found.differing
    if differing.empty:
        return
    ours, theirs = ((differing[name] - differing["people"]).abs() for name in (OURS, PUBLISHED))
    yield html.paragraph(
        f"Of the {len(differing)} that differ, {patterns(found)}. Ours is larger in"
        f" {int((differing[OURS] > differing[PUBLISHED]).sum())}, and people's mean is nearer to"
        f" ours in {int((ours < theirs).sum())} and to theirs in {int((theirs < ours).sum())}."
    )
    columns = {
        "": cells.experiment,
        "trial": cells.text("level"),
        "NPC": cells.text("agent"),
        "ours": cells.whole_or(OURS),
        "theirs": cells.whole_or(PUBLISHED),
        "people": cells.steps("people"),
    }
    yield table(differing, columns)


def patterns(found: Published, most: int = MOST_PATTERNS) -> str:
    """What the counts that differ have in common, the most frequent first."""
    parts = []
    for row in records(found.patterns().head(most)):
        size = f"{cells.whole_or('size')({'size': abs(row['difference'])})} step"
        size += "s" * (abs(row["difference"]) != 1)
        word = "fewer" if row["difference"] < 0 else "more"
        are = "is" if row["n"] == 1 else "are"
        where = f"the {row['expertise']} of {cells.experiment(row)}"
        parts.append(f"{row['n']} {are} {size} {word} on {where}")
    return "; ".join(parts)
