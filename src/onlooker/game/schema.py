"""The published JSON Schema of the trial document, for editors and for other programs."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any, cast


def trial_schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of the trial document.

    It says how a document is built; `read_document` also checks that its parts fit together.

    >>> trial_schema()["title"]
    'Trial'
    """
    text = files("onlooker.game").joinpath("trial.schema.json").read_text(encoding="utf-8")
    return cast(dict[str, Any], json.loads(text))
