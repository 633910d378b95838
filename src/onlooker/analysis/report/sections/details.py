"""The details at the end of the report: readings, sensitivity, set-up and provenance."""

from __future__ import annotations

import json
from collections.abc import Iterator

from onlooker.analysis.report import cells, html
from onlooker.analysis.report.findings import Reproduction
from onlooker.analysis.report.pictures import interface_parts, sheet_parts
from onlooker.analysis.report.writing import table
from onlooker.inference import Parameters

PARAMETER_COLUMNS = ["parameter", "symbol", "name", "value", "unit"]


def readings(done: Reproduction) -> Iterator[str]:
    """What every option of the readings changes."""
    yield html.paragraph(
        "Where the paper leaves a step open, an option changes it. Each was run again: how many of"
        " an observer's counts differ from those above, and what r over all trials becomes."
    )
    columns: dict[str, cells.Cell] = {
        "option": cells.text("option"),
        "observer": cells.observer,
        "what it changes": cells.text("meaning"),
        "counts that differ": lambda row: f"{row['differ']} of {row['predictions']}",
        "r": cells.value("r_default", 3),
        "r with it": cells.value("r_option", 3),
    }
    yield table(done.readings, columns)


def sensitivity(done: Reproduction) -> Iterator[str]:
    """What the parameters change."""
    if done.sensitivity is None:
        yield html.paragraph(f"Left out: {done.without_sensitivity or 'it was not asked for'}.")
        return
    from onlooker.analysis.report.sensitivity_page import sensitivity_parts

    yield from sensitivity_parts(done.sensitivity)


def game(_: Reproduction) -> Iterator[str]:
    """What stands above the figures of the game and the model."""
    yield html.paragraph("What participants play, and how the full model decides.")


def figures(done: Reproduction) -> Iterator[str]:
    """All figures of the page, and those that are left out."""
    yield html.figure_list()
    yield from (html.paragraph(words) for words in done.left_out)
    yield html.paragraph(
        "Each figure is beside this page as SVG and PNG, with the numbers behind every panel as"
        " CSV."
    )


def interface(_: Reproduction) -> Iterator[str]:
    """The pictures of the interface."""
    return interface_parts()


def setup(done: Reproduction) -> Iterator[str]:
    """The stimuli and the parameters."""
    for head, *lines in (done.inventory, parameters_rows(done.results.parameters)):
        yield html.table(head, lines)
    yield from sheet_parts(done.sheets)


def parameters_rows(parameters: Parameters) -> list[list[str]]:
    """The head of the table, then a row for each parameter.

    >>> head, first, *_ = parameters_rows(Parameters())
    >>> dict(zip(head, first, strict=True))["value"]
    '3'
    """
    rows = [PARAMETER_COLUMNS]
    for name, declared in parameters.declared().items():
        value = getattr(parameters, name)
        written = f"{value:g}" if isinstance(value, (int, float)) else str(value)
        rows.append([declared.meaning, declared.symbol, name, written, declared.unit])
    return rows


def provenance(done: Reproduction) -> Iterator[str]:
    """From what the report was made, and how."""
    origin = done.provenance
    inputs = origin["inputs"]
    yield html.facts(
        [
            ("onlooker", str(origin["onlooker"])),
            (
                "git",
                (origin["git_sha"] or "not a checkout") + " (changed)" * bool(origin["git_dirty"]),
            ),
            ("seed", str(origin["seed"])),
            ("configuration", f"sha256 {origin['config_sha256']}"),
            ("Python", origin["python"]),
            ("packages", ", ".join(f"{k} {v}" for k, v in origin["packages"].items())),
            ("inputs", f"{len(inputs)} files, listed in provenance.json" if inputs else "bundled"),
            ("made", origin["created"]),
        ]
    )
    yield html.preformatted(json.dumps(origin["config"], indent=2, ensure_ascii=False))
