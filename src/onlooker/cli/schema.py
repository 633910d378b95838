"""`onlooker schema`: the JSON Schema of the trial document."""

from __future__ import annotations

import json

import typer

from onlooker.game.document_writer import trial_schema


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(schema)


def schema() -> None:
    """Print the JSON Schema of the trial document."""
    print(json.dumps(trial_schema(), indent=2, ensure_ascii=False))
