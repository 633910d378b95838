"""A word that changes with anything that the results of the engine depend on."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent
LAYERS = ("support", "game", "planning", "inference", "observers")


@cache
def source_digest() -> str:
    """The digest of the sources of all layers up to the observers, constants included.

    What was compiled and the results of a sweep are kept under it.
    """
    digest = hashlib.sha256()
    for layer in LAYERS:
        for file in sorted(PACKAGE.joinpath(layer).rglob("*.py")):
            digest.update(file.relative_to(PACKAGE).as_posix().encode() + b"\0")
            digest.update(file.read_bytes())
    return digest.hexdigest()[:16]
