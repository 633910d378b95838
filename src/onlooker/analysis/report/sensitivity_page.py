"""The sensitivity analysis as a page, and as a part of the report."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from onlooker.analysis.data.scopes import POOLED
from onlooker.analysis.data.words import Source
from onlooker.analysis.figures.plate import Plate, save_plate
from onlooker.analysis.report import cells, html
from onlooker.analysis.report.writing import table
from onlooker.analysis.tables.sensitivity.indices import INTERVALS, METHOD, RESAMPLES
from onlooker.analysis.tables.sensitivity.measures import Sensitivity, write_sensitivity
from onlooker.support.files import json_text, write_file
from onlooker.support.folders import filling

BANNER = '<div class="banner">{people}. What is said of the fit is {worth}.</div>'
MEASURES = {
    "mean_observed": "steps watched",
    "share_differ": "share of counts that change",
    "r_human": "r with {people}",
}


def sensitivity_parts(found: Sensitivity) -> Iterator[str]:
    """What stands beside the figures: the tables, in words and numbers."""
    people = (found.source or Source.HUMAN).people
    fit = "" if found.source is None else f", and r with the means of {people}"
    yield html.paragraph(
        f"Each parameter was changed alone, all others {found.others}. For each observer: the"
        " most counts of steps watched that change (an NPC of a level each), the least r with the"
        f" counts {found.at_start}, and the range of the mean steps watched{fit}. A cost is what"
        " the observers compute with and what NPCs plan with, so another cost can change what there"
        " is to see."
    )
    yield _summary(found)
    yield html.details("Every value that was tried", _curves(found), printed=False)
    if found.indices is not None:
        yield html.paragraph(
            "All parameters varied at the same time, each over its range: the share of a result's"
            " variance that a parameter accounts for alone (first order) and with all that it does"
            f" together with others (total order). {METHOD}; {found.samples} samples;"
            f" {INTERVALS}, {RESAMPLES} resamples. A share slightly below 0 is one that is too"
            " small to differ from 0."
        )
        yield html.details("Shares of the variance", _indices(found.indices, people))


LABELS: dict[str, cells.Cell] = {
    "parameter": cells.text("parameter"),
    "observer": cells.observer,
}


def _summary(found: Sensitivity) -> str:
    columns: dict[str, cells.Cell] = {
        "parameter": LABELS["parameter"],
        "tried": cells.text("tried"),
        "observer": LABELS["observer"],
        "counts that change": lambda row: f"{row['differ_most']} of {row['n']}",
        f"least r with those {found.at_start}": cells.value("r_default_low"),
        "mean steps": cells.value("mean_observed"),
        "at least": cells.value("mean_observed_low"),
        "at most": cells.value("mean_observed_high"),
    }
    if found.source is not None:
        columns |= {
            "r": cells.value("r_human"),
            "r at least": cells.value("r_human_low"),
            "r at most": cells.value("r_human_high"),
        }
    return table(found.summary, columns)


def _curves(found: Sensitivity) -> str:
    def tried(row: cells.Row) -> str:
        here = row["value"]
        shown = f"{here:g}" if isinstance(here, (int, float)) else here
        return f"{shown}{f' ({found.start})' * row['default']}"

    columns: dict[str, cells.Cell] = {
        "parameter": LABELS["parameter"],
        "value": tried,
        "observer": LABELS["observer"],
        "mean steps": cells.value("mean_observed"),
        "counts that change": lambda row: f"{row['differ']} of {row['n']}",
        f"r with those {found.at_start}": cells.value("r_default", 3),
    }
    columns |= {} if found.source is None else {"r": cells.value("r_human", 3)}
    return table(found.curves[found.curves["experiment"] == POOLED], columns)


def _indices(indices: pd.DataFrame, people: str) -> str:
    columns: dict[str, cells.Cell] = {
        "result": lambda row: MEASURES[row["measure"]].format(people=people),
        "observer": LABELS["observer"],
        "parameter": LABELS["parameter"],
        "first order": cells.interval("first"),
        "total order": cells.interval("total"),
        "": cells.text("reason"),
    }
    return table(indices[indices["experiment"] == POOLED], columns)


def sensitivity_page(
    found: Sensitivity, plates: Sequence[Plate], pictures: Path, source: str, origin: dict[str, Any]
) -> str:
    """A page of this alone; `pictures` is the folder with the figures."""
    title = "What the parameters change"
    lead = f"Predictions under other parameters and readings, on {source}."
    body = [html.opening(title, lead)]
    if found.source is not None and found.source.worth:
        people = found.source.people.capitalize()
        body.append(BANNER.format(people=people, worth=found.source.worth))
    drawn = [html.picture(pictures / f"{p.name}.png", p.title, p.caption) for p in plates]
    body.append(html.section("figures", "Figures", drawn))
    body.append(html.section("tables", "Tables", sensitivity_parts(found)))
    about = html.preformatted(json.dumps(origin, indent=2, ensure_ascii=False))
    body.append(html.section("provenance", "Provenance", [about]))
    return html.page(title, body)


def write_page(
    found: Sensitivity, plates: Sequence[Plate], output: Path, source: str, origin: dict[str, Any]
) -> Path:
    """Write the page and everything behind it into a folder, whole; where the page is."""
    with filling(output, "sensitivity.html") as work:
        figures, tables = work / "figures", work / "tables"
        for plate in plates:
            save_plate(plate, figures)
        write_sensitivity(found, tables)
        write_file(work / "provenance.json", json_text(origin))
        page = sensitivity_page(found, plates, figures, source, origin)
        write_file(work / "sensitivity.html", page)
    return output / "sensitivity.html"
