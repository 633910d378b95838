"""The sensitivity analysis as a page, and as a part of the report."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from onlooker.analysis.data.scopes import POOLED
from onlooker.analysis.data.words import Source, number
from onlooker.analysis.figures.plate import Plate, save_plate
from onlooker.analysis.figures.sensitivity import short_name
from onlooker.analysis.report import html
from onlooker.analysis.tables.sensitivity.indices import INTERVALS, METHOD, RESAMPLES
from onlooker.analysis.tables.sensitivity.measures import Sensitivity, write_sensitivity
from onlooker.experiments.variants import Variant
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
        yield html.details("Shares of the variance", _indices(found, people))


def _summary(found: Sensitivity) -> str:
    with_people = found.source is not None
    head = ["parameter", "tried", "observer", "counts that change"]
    head.append(f"least r with those {found.at_start}")
    head += ["mean steps", "at least", "at most"]
    head += ["r", "at least", "at most"] if with_people else []
    names = {name: Variant(name).title for name in found.observers}
    lines = []
    for row in _records(found.summary):
        line = [short_name(row["parameter"]), row["tried"], names[row["observer"]]]
        line += [f"{row['differ_most']} of {row['n']}", number(row["r_default_low"])]
        keys = ["mean_observed", "mean_observed_low", "mean_observed_high"]
        keys += ["r_human", "r_human_low", "r_human_high"] if with_people else []
        lines.append(line + [number(row[key]) for key in keys])
    return html.table(head, lines, words=3)


def _curves(found: Sensitivity) -> str:
    with_people = found.source is not None
    head = [
        "parameter",
        "value",
        "observer",
        "mean steps",
        "counts that change",
        f"r with those {found.at_start}",
    ]
    head += ["r"] if with_people else []
    names = {name: Variant(name).title for name in found.observers}
    lines = []
    for row in _records(found.curves[found.curves["experiment"] == POOLED]):
        value = f"{row['value']:g}" if isinstance(row["value"], (int, float)) else row["value"]
        line = [short_name(row["parameter"])]
        line += [f"{value}{f' ({found.start})' * row['default']}", names[row["observer"]]]
        line += [number(row["mean_observed"]), f"{row['differ']} of {row['n']}"]
        line += [number(row["r_default"], 3)]
        lines.append(line + ([number(row["r_human"], 3)] if with_people else []))
    return html.table(head, lines, words=3)


def _indices(found: Sensitivity, people: str) -> str:
    assert found.indices is not None
    names = {name: Variant(name).title for name in found.observers}
    lines = []
    for row in _records(found.indices[found.indices["experiment"] == POOLED]):
        line = [MEASURES[row["measure"]].format(people=people), names[row["observer"]]]
        line.append(short_name(row["parameter"]))
        for what in ("first", "total"):
            ends = f"[{number(row[f'{what}_low'])}, {number(row[f'{what}_high'])}]"
            line.append(f"{number(row[what])} {ends}" if pd.notna(row[what]) else "")
        lines.append([*line, row["reason"]])
    head = ["result", "observer", "parameter", "first order", "total order", ""]
    return html.table(head, lines, words=3)


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


def _records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    return frame.to_dict("records")  # type: ignore[return-value]
