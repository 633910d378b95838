"""Writing a folder of results whole."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def filling(output: Path) -> Iterator[Path]:
    """A folder to write into; at the end of the block its files go to `output` at once.

    If the block fails, `output` stays as it was.
    """
    output.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=output, prefix=".making-") as name:
        work = Path(name)
        yield work
        for path in sorted(work.rglob("*")):
            if path.is_file():
                place = output / path.relative_to(work)
                place.parent.mkdir(parents=True, exist_ok=True)
                os.replace(path, place)
