"""The report's section on single people."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from onlooker.analysis.data.scopes import POOLED
from onlooker.analysis.data.words import number, observer_names
from onlooker.analysis.report import cells, html
from onlooker.analysis.report.findings import Reproduction
from onlooker.analysis.report.writing import STATISTICS, table
from onlooker.experiments.variants import Variant

if TYPE_CHECKING:
    from onlooker.analysis.report.individual import Individual


def full(done: Reproduction) -> Iterator[str]:
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


def _recognised(found: Individual, names: dict[str, str]) -> Iterator[str]:
    if found.recognised is None:
        return
    yield html.paragraph("Who was recognised as what: people by who made them and who fits best.")
    observers = [str(name) for name in found.recognised if name != "made_by"]
    columns = {"made by": cells.text("made_by", names)}
    yield table(found.recognised, columns | {names[name]: cells.text(name) for name in observers})


def _selection(found: Individual, names: dict[str, str]) -> Iterator[str]:
    compared = found.compared
    yield html.paragraph(
        f"Random-effects selection by {compared.criterion} ({compared.method}, α0 ="
        f" {compared.alpha0:g}): r is how frequent an observer is among people, XP how likely it is"
        " the most frequent, PXP the same protected against all being equally frequent, whose"
        " probability is BOR. Δ is how much worse trials that are left out are predicted than by"
        " the best observer, with its standard error."
    )
    left_out = compared.tables["cross_validation"]
    left_out = left_out[left_out["unit"] == "trial"]
    keys, both = ["experiment", "observer"], ["difference", "difference_se"]
    columns: dict[str, cells.Cell] = {
        "": lambda row: "All" if row["experiment"] == POOLED else cells.experiment(row),
        "observer": cells.text("observer", names),
        "people": cells.text("participants"),
        "best of": cells.text("best_of"),
        "r": cells.value("r"),
        "95 %": lambda row: f"{number(row['r_low'])} to {number(row['r_high'])}",
        "XP": cells.value("xp", 3),
        "PXP": cells.value("pxp", 3),
        "BOR": cells.value("bor", 3),
        "Δ": cells.value("difference", 1),
        "SE": cells.value("difference_se", 1),
    }
    yield table(compared.tables["selection"].merge(left_out[keys + both], "left", keys), columns)
    yield from (html.paragraph(note) for note in compared.notes)


def _recovery(found: Individual, names: dict[str, str]) -> Iterator[str]:
    summary = found.recovery.tables["recovery-summary"]
    people = summary["participants"].iloc[0] if len(summary) else 0
    yield html.paragraph(
        f"Recovery: {people} people made by each observer and fitted. r, slope, bias and RMSE are"
        " of estimates against true values (on a log or log-odds scale where a parameter has one);"
        " coverage is that of 95 % intervals."
    )
    columns = {"observer": cells.text("observer", names), "parameter": cells.text("parameter")}
    values = ("r", "slope", "bias", "rmse", "coverage")
    yield table(
        summary, columns | {STATISTICS.get(name, name): cells.value(name) for name in values}
    )
    failures = found.recovery.failures()
    if failures:
        yield html.paragraph("Not recovered: " + "; ".join(failures) + ".")
