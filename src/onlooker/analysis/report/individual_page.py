"""The report's section on single people."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from onlooker.analysis.data.words import number, observer_names
from onlooker.analysis.report import html
from onlooker.experiments.variants import Variant

if TYPE_CHECKING:
    from onlooker.analysis.report.individual import Individual
    from onlooker.analysis.report.reproduction import Reproduction

POOLED = "pooled"


def individual_parts(done: Reproduction, pictures: Path) -> Iterator[str]:
    """What fits of single people found, or why there are none."""
    found = done.individual
    if found is None:
        yield html.paragraph(f"People were not fitted one by one: {done.without_individual}.")
        return
    names = {
        label: name.title
        for label, name in observer_names(map(Variant, found.compared.priors)).items()
    }
    until = "" if found.late else ", up to the first action of a trial,"
    yield html.paragraph(
        f"{found.lead} Each choice to watch or to act{until} is scored"
        " under every observer. The evidence of an observer for a person is the probability of the"
        " person's choices, averaged over the prior of the observer's parameters."
    )
    yield from _recognised(found, names)
    yield from _selection(found, names)
    yield from _recovery(found, names)
    priors = [[names[name], prior] for name, prior in found.compared.priors.items()]
    yield html.details("Priors", html.table(["observer", "prior"], priors))
    for plate in found.plates:
        file = pictures / "individual" / f"{plate.name}.png"
        yield html.picture(file, plate.title, plate.caption)


def _recognised(found: Individual, names: dict[str, str]) -> Iterator[str]:
    if found.recognised is None:
        return
    table = found.recognised
    observers = [str(name) for name in table if name != "made_by"]
    yield html.paragraph("Who was recognised as what: people by who made them and who fits best.")
    rows = [
        [names[row["made_by"]], *(str(row[name]) for name in observers)] for row in _records(table)
    ]
    yield html.table(["made by", *(names[name] for name in observers)], rows)


def _selection(found: Individual, names: dict[str, str]) -> Iterator[str]:
    compared = found.compared
    yield html.paragraph(
        f"Random-effects selection by {compared.criterion} ({compared.method}, α0 ="
        f" {compared.alpha0:g}): r is how frequent an observer is among people, XP how likely it is"
        " the most frequent, PXP the same protected against all being equally frequent, whose"
        " probability is BOR. Δ is how much worse trials that are left out are predicted than by"
        " the best observer, with its standard error."
    )
    left_out = {
        (row["experiment"], row["observer"]): row
        for row in _records(compared.tables["cross_validation"])
        if row["unit"] == "trial"
    }
    head = ["", "observer", "people", "best of", "r", "95 %", "XP", "PXP", "BOR", "Δ", "SE"]
    rows = []
    for row in _records(compared.tables["selection"]):
        part = row["experiment"]
        other = left_out.get((part, row["observer"]), {})
        rows.append(
            [
                "All" if part == POOLED else f"Exp. {part}",
                names[row["observer"]],
                str(row["participants"]),
                str(row["best_of"]),
                number(row["r"]),
                f"{number(row['r_low'])} to {number(row['r_high'])}",
                number(row["xp"], 3),
                number(row["pxp"], 3),
                number(row["bor"], 3),
                number(other.get("difference"), 1),
                number(other.get("difference_se"), 1),
            ]
        )
    yield html.table(head, rows)
    yield from (html.paragraph(note) for note in compared.notes)


def _recovery(found: Individual, names: dict[str, str]) -> Iterator[str]:
    summary = _records(found.recovery.tables["recovery-summary"])
    people = summary[0]["participants"] if summary else 0
    yield html.paragraph(
        f"Recovery: {people} people made by each observer and fitted. r, slope, bias and RMSE are"
        " of estimates against true values (on a log or log-odds scale where a parameter has one);"
        " coverage is that of 95 % intervals."
    )
    head = ["observer", "parameter", "r", "slope", "bias", "RMSE", "coverage"]
    values = ("r", "slope", "bias", "rmse", "coverage")
    rows = [
        [names[row["observer"]], row["parameter"], *(number(row[name]) for name in values)]
        for row in summary
    ]
    yield html.table(head, rows)
    failures = found.recovery.failures()
    if failures:
        yield html.paragraph("Not recovered: " + "; ".join(failures) + ".")


def _records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    return frame.to_dict("records")  # type: ignore[return-value]
