"""Writing the trial document, a trial as JSON, and its published JSON Schema."""

from __future__ import annotations

import json
from dataclasses import fields
from importlib.resources import files
from typing import Any, cast

from onlooker.game.grid import Barrier, Wizard, reading_order
from onlooker.game.trial import MainAgent, Npc, Trial

OPTIONAL = ("name", "experiment", "scenario", "tutorial")  # fields that a document need not have


def to_document(trial: Trial) -> dict[str, Any]:
    """The document of a trial, everything in its order."""
    map = trial.map
    document: dict[str, Any] = {
        key: value for key in OPTIONAL if (value := getattr(trial, key)) not in (None, False)
    }
    return document | {
        "width": map.width,
        "height": map.height,
        "walls": [list(cell) for cell in sorted(map.walls, key=reading_order)],
        "barriers": [_part(barrier) for barrier in map.barriers],
        "wizards": [_part(wizard) for wizard in map.wizards],
        "chests": {chest.letter: list(chest.at) for chest in map.chests},
        "holders": {colour: trial.holders[colour] for colour in sorted(trial.holders)},
        "main": _part(trial.main),
        "npcs": [_part(npc) for npc in trial.npcs],
        "reveals_outcomes": trial.reveals_outcomes,
    }


def _part(thing: Barrier | Wizard | MainAgent | Npc) -> dict[str, Any]:
    """What a thing or agent has, without what is not given."""
    values = ((field.name, getattr(thing, field.name)) for field in fields(thing))
    return {name: _plain(value) for name, value in values if value is not None}


def _plain(value: Any) -> Any:
    """Cells and actions as lists, words without their meaning."""
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    return str(value) if isinstance(value, str) else value


def dump_document(trial: Trial) -> str:
    """The document as JSON text, a line for each part."""
    lines = []
    for key, value in to_document(trial).items():
        if key in ("barriers", "wizards", "npcs") and value:
            items = ",\n    ".join(_json(item) for item in value)
            lines.append(f"  {_json(key)}: [\n    {items}\n  ]")
        else:
            lines.append(f"  {_json(key)}: {_json(value)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def trial_schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of the trial document.

    It says how a document is built; `read_document` also checks that its parts fit together.

    >>> trial_schema()["title"]
    'Trial'
    """
    text = files("onlooker.game").joinpath("trial.schema.json").read_text(encoding="utf-8")
    return cast(dict[str, Any], json.loads(text))
