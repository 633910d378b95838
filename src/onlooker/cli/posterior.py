"""`onlooker posterior`: what can be inferred from watching an NPC, as tables."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

from onlooker.cli.errors import planned
from onlooker.cli.inputs import folder_to_write, parameters_of
from onlooker.cli.options import Settings, TrialFile, output_to
from onlooker.support.files import write_file


def posterior(
    file: TrialFile,
    output: Annotated[Path, output_to("Where to write the tables.")],
    settings: Settings = None,
) -> None:
    """Write what can be inferred from watching each NPC alone, step by step, as CSV tables.

    goals.csv has P(goal | actions), holders.csv has P(holders | actions, goal) with a column for
    each colour's holder; step counts the actions seen.

    Examples:
        onlooker posterior examples/two-experts.map -o posterior
    """
    from onlooker.game import load_trial
    from onlooker.observers import tables

    folder_to_write(output)
    parameters = parameters_of(settings)
    trial = load_trial(file)
    with planned(file):
        found = tables.posterior(trial, parameters)
    colours = trial.map.colours
    goals = ([*row] for row in found.goals)
    holders = (
        [row.agent, row.step, row.action, row.goal, *(row.holders[c] for c in colours), row.p]
        for row in found.holders
    )
    head = ["agent", "step", "action", "goal"]
    texts = {
        "goals.csv": _csv([*head, "p"], goals),
        "holders.csv": _csv([*head, *(f"holder_{colour}" for colour in colours), "p"], holders),
    }
    for name, text in texts.items():
        write_file(output / name, text)
        print(output / name)


def _csv(head: list[str], rows: Iterable[list[object]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(head)
    for row in rows:
        *labels, p = row
        writer.writerow([*labels, "" if p != p else p])  # an impossible goal has no p
    return text.getvalue()
