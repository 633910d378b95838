"""What stands in every CSV below a folder, in short, and what changed between two such summaries.

`python tests/every_table.py FOLDER` prints the summary of a folder, such as one that `reproduce`
wrote; `python tests/every_table.py BEFORE AFTER`, each a folder or a stored summary, what changed.
"""

from __future__ import annotations

import hashlib
import json
import math
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

DIGITS = 7  # significant ones that a summary keeps
SAME = 1e-5  # how far numbers may be apart, relative to the larger: the last digits of fits differ

Summary = dict[str, dict[str, Any]]  # by file: its rows, and what its columns hold


def summary(folder: Path) -> Summary:
    """Every CSV below a folder: how many rows it has, and what its columns hold."""
    files = sorted(folder.rglob("*.csv"))
    return {file.relative_to(folder).as_posix(): _of_file(file) for file in files}


def _of_file(file: Path) -> dict[str, Any]:
    table = pd.read_csv(file, dtype=str, keep_default_na=False)
    return {"rows": len(table), **{str(name): _of_column(table[name]) for name in table}}


def _of_column(texts: pd.Series) -> list[Any] | str:
    """Of numbers: how many there are, their mean, and one that depends on which row has which.

    Of words: a digest.
    """
    filled = texts[texts != ""]
    numbers = pd.to_numeric(filled, errors="coerce")
    if len(filled) and numbers.isna().any():
        return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:8]
    turns = np.cos(filled.index.to_numpy(dtype=float))
    values = numbers.to_numpy(dtype=float)
    parts = (values.mean(), (values * turns).mean()) if len(values) else ()
    return [len(filled), *(float(f"{part:.{DIGITS}g}") for part in parts)]


def changes(before: Summary, after: Summary) -> Iterator[str]:
    """What changed, a line for each file that came, went or has another number of rows, and for
    each column that holds something else.
    """
    yield from (f"{name}: gone" for name in before.keys() - after.keys())
    yield from (f"{name}: new" for name in after.keys() - before.keys())
    for name in sorted(before.keys() & after.keys()):
        old, new = before[name], after[name]
        yield from (f"{name}, {column}: gone" for column in old.keys() - new.keys())
        yield from (f"{name}, {column}: new" for column in new.keys() - old.keys())
        for column in (each for each in old if each in new):
            if not _same(old[column], new[column]):
                yield f"{name}, {column}: {old[column]} -> {new[column]}"


def _same(old: Any, new: Any) -> bool:
    if not (isinstance(old, list) and isinstance(new, list) and len(old) == len(new)):
        return bool(old == new)
    size = max((abs(value) for value in (*old[1:], *new[1:])), default=0.0)
    near = (abs(a - b) <= SAME * size or math.isclose(a, b) for a, b in zip(old, new, strict=True))
    return old[0] == new[0] and all(near)


def written(found: Summary) -> str:
    """A summary as a file has it: a line for each CSV."""
    lines = (f"{json.dumps(name)}: {json.dumps(found[name])}" for name in found)
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _read(path: Path) -> Summary:
    found: Summary = summary(path) if path.is_dir() else json.loads(path.read_text("utf-8"))
    return found


if __name__ == "__main__":
    given = [_read(Path(word)) for word in sys.argv[1:]]
    if len(given) == 1:
        print(written(given[0]), end="")
    else:
        for line in changes(*given):
            print(line)
