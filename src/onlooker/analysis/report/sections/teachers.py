"""The section of the supplement about trials with teachers."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from onlooker.analysis.report import cells, html
from onlooker.analysis.report.findings import Reproduction
from onlooker.analysis.report.writing import table
from onlooker.analysis.tables.teachers import BY


def full(done: Reproduction) -> Iterator[str]:
    """What observers make of teachers under each label, and what people do."""
    found = done.teaching
    if found is None:
        yield html.paragraph("Left out: no trial here has a teacher.")
        return
    yield html.paragraph(
        "A teacher knows that it is watched and acts for the one who watches. The same"
        f" {len(found.trials)} trials are played by {found.source.people} who are told that it is"
        " an expert, that it is a teacher, or nothing."
    )
    means = found.model.groupby(BY, sort=False)[
        ["looks", "others", "attributed", "sure", "teaches", "cost"]
    ].mean()
    yield html.heading("What Rational Mentalizing does and believes")
    yield table(
        means.reset_index(),
        {
            "trials": cells.text("scenario"),
            "told": cells.text("label"),
            "looks at the teacher": cells.steps("looks"),
            "looks at others": cells.steps("others"),
            "P(its own chest)": cells.value("attributed"),
            "P(holder)": cells.value("sure"),
            "P(teacher)": cells.value("teaches"),
            "cost": cells.steps("cost", 1),
        },
    )
    for title, frame, name, digits in (
        ("steps watched", found.people, "looks", 2),
        ("say that it was going to its own chest", found.answers, "share", 2),
    ):
        if not frame.empty:
            yield html.heading(f"What {found.source.people} do: {title}")
            yield _of_people(frame, name, digits)


def _of_people(frame: pd.DataFrame, name: str, digits: int) -> str:
    whom = {"NPC": cells.text("expertise")} if "expertise" in frame else {}
    return table(
        frame,
        {
            "trials": cells.text("scenario"),
            "told": cells.text("label"),
            **whom,
            "mean": cells.value(name, digits, zero=True),
            "standard error": cells.value("se", digits, zero=True),
            "people": cells.count("people"),
        },
    )
