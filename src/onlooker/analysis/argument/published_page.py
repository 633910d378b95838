"""The section of the report on the authors' own model."""

from __future__ import annotations

from collections.abc import Iterator

from onlooker.analysis import html
from onlooker.analysis.argument.published import OURS, Published
from onlooker.analysis.argument.writing import experiment, ranged, records
from onlooker.analysis.human import PUBLISHED
from onlooker.analysis.words import number


def published_parts(found: Published | None) -> Iterator[str]:
    """Our counts beside those of the authors' own Rational Mentalizing."""
    if found is None:
        yield html.paragraph(
            f"Needs the counts of the authors' own model: a column {PUBLISHED} in the file of"
            " means."
        )
        return
    whole = records(found.agreement)[-1]
    yield html.paragraph(
        f"{whole['same']} of {whole['n']} counts are the same as those of the authors' own Rational"
        " Mentalizing, which their file gives beside people's means. Differences are ours minus"
        " theirs, in steps; r and CCC are with people."
    )
    head = ["", "counts", "the same", "within 1", "largest", "mean difference"]
    head += ["r, ours", "r, theirs", "CCC, ours", "CCC, theirs"]
    rows = [
        [
            experiment(row),
            number(row["n"], 0),
            number(row["same"], 0),
            number(row["within_one"], 0),
            number(row["largest"], 0 if row["largest"] == round(row["largest"]) else 2),
            number(row["mean_difference"], zero=True),
            *(
                ranged(
                    row[f"{name}_{whose}"], row[f"{name}_low_{whose}"], row[f"{name}_high_{whose}"]
                )
                for name in ("r", "ccc")
                for whose in (OURS, PUBLISHED)
            ),
        ]
        for row in records(found.agreement)
    ]
    yield html.table(head, rows)
    differing = found.differing
    if differing.empty:
        return
    ours, theirs = ((differing[name] - differing["people"]).abs() for name in (OURS, PUBLISHED))
    yield html.paragraph(
        f"Of the {len(differing)} that differ, ours is larger in"
        f" {int((differing[OURS] > differing[PUBLISHED]).sum())}, and people's mean is nearer to"
        f" ours in {int((ours < theirs).sum())} and to theirs in {int((theirs < ours).sum())}."
    )
    rows = [
        [
            experiment(row),
            row["level"],
            row["agent"],
            *(
                number(row[name], 0 if row[name] == round(row[name]) else 2)
                for name in (OURS, PUBLISHED)
            ),
            number(row["people"], zero=True),
        ]
        for row in records(differing)
    ]
    yield html.table(["", "trial", "NPC", "ours", "theirs", "people"], rows, words=3)
