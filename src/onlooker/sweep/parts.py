"""What has been computed, stored at once: a Parquet file for each task, found again by keys.

A file's name is the hash of its bytes. What was cut short or changed has another hash and is taken
for what it is: nothing.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from onlooker.support.files import write_file
from onlooker.sweep import sweep_extra
from onlooker.sweep.keys import Keys
from onlooker.sweep.tasks import Counts, Done, Found

with sweep_extra():
    import pyarrow as pa  # type: ignore[import-untyped]
    import pyarrow.parquet as pq  # type: ignore[import-untyped]

FOLDER = "parts"
DECODED = 16  # parts that are kept in memory while tables are made


@dataclass(frozen=True, slots=True)
class Extent:
    """The trials and observers that a part is of, by their keys."""

    trials: tuple[str, ...]
    observers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Gap:
    """What is still to be computed: these settings, for each of these trials and observers."""

    settings: tuple[int, ...]  # places in the sweep
    trials: tuple[int, ...]
    observers: tuple[int, ...]

    @property
    def size(self) -> int:
        """How often an observer is to be run on a trial."""
        return len(self.settings) * len(self.trials) * len(self.observers)


class Parts:
    """The parts in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / FOLDER
        self.damaged: list[Path] = []
        self.extents: dict[Path, Extent] = {}
        self.rows: dict[str, list[tuple[Path, int]]] = defaultdict(list)  # by the setting's key
        self._decoded = lru_cache(maxsize=DECODED)(_decode)
        for path in sorted(self.folder.glob("*.parquet")):
            self._find(path)

    def _find(self, path: Path) -> None:
        """Take note of what a file has, if it is whole."""
        content = path.read_bytes()
        if _digest(content) != path.stem:
            self.damaged.append(path)
            return
        table = pq.read_table(pa.BufferReader(content), columns=["setting"])
        extent = json.loads(table.schema.metadata[b"extent"])
        self._note(path, table["setting"].to_pylist(), Extent(*map(tuple, extent)))

    def _note(self, path: Path, settings: Iterable[str], extent: Extent) -> None:
        self.extents[path] = extent
        for row, setting in enumerate(settings):
            self.rows[setting].append((path, row))

    def write(self, settings: Sequence[str], extent: Extent, done: Done) -> None:
        """Keep what a task found: a row for each setting."""
        columns = {"setting": pa.array(settings, pa.string())}
        for name, values in done.found._asdict().items():
            if values is None:
                continue
            counts: Counts = values.reshape(len(settings), -1)
            flat = pa.array(counts.ravel())
            columns[name] = pa.FixedSizeListArray.from_arrays(flat, counts.shape[1])
        about = json.dumps([extent.trials, extent.observers])
        table = pa.table(columns).replace_schema_metadata({"extent": about})
        sink = pa.BufferOutputStream()
        pq.write_table(table, sink, compression="zstd")
        content = sink.getvalue().to_pybytes()
        path = self.folder / f"{_digest(content)}.parquet"
        write_file(path, content)
        self._note(path, settings, extent)

    def discard_damaged(self) -> None:
        """Remove the files that are not whole."""
        for path in self.damaged:
            path.unlink(missing_ok=True)

    def gaps(self, keys: Keys) -> list[Gap]:
        """What is not there yet of a sweep; settings that lack the same stand together."""
        lacking: dict[frozenset[Extent], list[int]] = defaultdict(list)
        for index, setting in enumerate(keys.settings):
            there = frozenset(self.extents[path] for path, _ in self.rows.get(setting, ()))
            lacking[there].append(index)
        found: list[Gap] = []
        for there, settings in lacking.items():
            of_trials: dict[tuple[int, ...], list[int]] = defaultdict(list)
            for trial, missing in _missing(keys, there):
                of_trials[missing].append(trial)
            found += [
                Gap(tuple(settings), tuple(trials), observers)
                for observers, trials in of_trials.items()
            ]
        return found

    def counts(self, setting: str, wanted: Extent, npcs: int, whole: bool) -> Found:
        """Steps watched (trials, observers, NPCs), moves and interactions under a setting.

        `whole` if all of them are whole numbers: nobody chooses by a soft rule.
        """
        shape = len(wanted.trials), len(wanted.observers)
        kind: Any = np.int32 if whole else np.float64
        observed: Counts = np.zeros((*shape, npcs), kind)
        moves, interactions = np.zeros(shape, kind), np.zeros(shape, kind)
        spread = np.full(observed.shape, np.nan)
        for path, row in self.rows[setting]:
            extent = self.extents[path]
            ours, theirs = _common(wanted, extent)
            part = self._decoded(path, len(extent.trials), len(extent.observers))
            width = min(npcs, part.observed.shape[-1])
            observed[..., :width][ours] = part.observed[row][..., :width][theirs]
            moves[ours] = part.moves[row][theirs]
            interactions[ours] = part.interactions[row][theirs]
            if part.observed_sd is not None:
                spread[..., :width][ours] = part.observed_sd[row][..., :width][theirs]
        return Found(observed, moves, interactions, None if whole else spread)


def _missing(keys: Keys, there: Iterable[Extent]) -> Iterator[tuple[int, tuple[int, ...]]]:
    """The trials that are not there for some observers, with those observers."""
    done = np.zeros((len(keys.trials), len(keys.observers)), bool)
    for extent in there:
        done |= np.outer(
            np.isin(keys.trials, extent.trials), np.isin(keys.observers, extent.observers)
        )
    for trial, row in enumerate(done):
        if not row.all():
            yield trial, tuple(np.flatnonzero(~row).tolist())


Places = tuple[np.ndarray[tuple[int, ...], np.dtype[np.intp]], ...]


@lru_cache(maxsize=256)
def _common(wanted: Extent, extent: Extent) -> tuple[Places, Places]:
    """Where the trials and observers that both have stand in either."""
    ours, theirs = [], []
    pairs = (wanted.trials, extent.trials), (wanted.observers, extent.observers)
    for keys, other in pairs:
        place = {key: index for index, key in enumerate(other)}
        both = [(index, place[key]) for index, key in enumerate(keys) if key in place]
        ours.append([index for index, _ in both])
        theirs.append([index for _, index in both])
    return np.ix_(*ours), np.ix_(*theirs)


def _decode(path: Path, trials: int, observers: int) -> Found:
    """What a part has, its settings along the first axis."""
    table = pq.read_table(path)
    found: dict[str, Any] = {"observed_sd": None}
    for name in set(Found._fields) & set(table.column_names):
        flat = table[name].combine_chunks().flatten().to_numpy()
        npcs = (-1,) if name.startswith("observed") else ()
        found[name] = flat.reshape(table.num_rows, trials, observers, *npcs)
    return Found(**found)


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:32]
