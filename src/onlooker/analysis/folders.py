"""Writing a folder of results whole."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def filling(output: Path, page: str) -> Iterator[Path]:
    """A folder to write a page and what is behind it into; at the end all goes to `output`.

    What an earlier page of that name left there and this one does not have is removed. If the
    block fails, `output` stays as it was.
    """
    listed = output / f".{page}.files"
    output.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=output, prefix=".making-") as name:
        work = Path(name)
        yield work
        made = [path.relative_to(work) for path in sorted(work.rglob("*")) if path.is_file()]
        before = listed.read_text(encoding="utf-8").splitlines() if listed.exists() else []
        listed.write_text("".join(f"{file.as_posix()}\n" for file in made), encoding="utf-8")
        for file in made:
            place = output / file
            place.parent.mkdir(parents=True, exist_ok=True)
            os.replace(work / file, place)
        for file in {Path(line) for line in before} - set(made):
            (output / file).unlink(missing_ok=True)
            if file.parent.parts and not any((output / file.parent).iterdir()):
                (output / file.parent).rmdir()
