"""The details at the end of the report: readings, sensitivity, set-up and provenance."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from onlooker.analysis.data.words import number, records
from onlooker.analysis.report import html
from onlooker.experiments.variants import Variant

if TYPE_CHECKING:
    from onlooker.analysis.report.reproduction import Reproduction


def readings_parts(done: Reproduction) -> Iterator[str]:
    """What every option of the readings changes."""
    yield html.paragraph(
        "Where the paper leaves a step open, an option changes it. Each was run again: how many of"
        " an observer's counts differ from those above, and what r over all trials becomes."
    )
    lines = [
        [
            row["option"],
            Variant(row["observer"]).title,
            row["meaning"],
            f"{row['differ']} of {row['predictions']}",
            number(row["r_default"], 3),
            number(row["r_option"], 3),
        ]
        for row in records(done.readings)
    ]
    head = ["option", "observer", "what it changes", "counts that differ", "r", "r with it"]
    yield html.table(head, lines)


def sensitivity_parts(done: Reproduction, pictures: Path) -> Iterator[str]:
    """What the parameters change."""
    if done.sensitivity is None:
        yield html.paragraph(f"Left out: {done.without_sensitivity or 'it was not asked for'}.")
        return
    from onlooker.analysis.report.sensitivity_page import sensitivity_parts as parts_of

    for plate in done.sensitivity_plates:
        yield html.picture(pictures / f"{plate.name}.png", plate.title, plate.caption)
    yield from parts_of(done.sensitivity)


def setup_parts(done: Reproduction) -> Iterator[str]:
    """The stimuli and the parameters."""
    for head, *lines in (done.inventory, done.parameters):
        yield html.table(head, lines)


def provenance_parts(done: Reproduction) -> Iterator[str]:
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
