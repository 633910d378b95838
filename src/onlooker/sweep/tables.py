"""The tables of a sweep: predictions.parquet, cells.parquet and sweep.json.

The rows stand in the order of the settings, trials, observers and NPCs, wherever and whenever
they were computed, so two runs of the same sweep write the same bytes.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from onlooker.experiments.predictions import LABELS, NUMBERS, SPREAD
from onlooker.experiments.provenance import file_hash, provenance
from onlooker.game import ExperimentName
from onlooker.inference import Parameters
from onlooker.observers import ChoiceRule
from onlooker.observers.registry import observer_word
from onlooker.support.files import json_text, replacing, write_file
from onlooker.sweep import sweep_extra
from onlooker.sweep.design import Sweep
from onlooker.sweep.keys import Keys, engine_key, plain_setting
from onlooker.sweep.parts import Extent, Parts
from onlooker.sweep.tasks import Counts, Found

with sweep_extra():
    import pyarrow as pa  # type: ignore[import-untyped]
    import pyarrow.parquet as pq  # type: ignore[import-untyped]

PREDICTIONS, SETTINGS, ABOUT = "predictions.parquet", "cells.parquet", "sweep.json"
GROUP = 200_000  # rows that are held in memory and written together
WORDS = pa.dictionary(pa.int32(), pa.string())
TYPES = {int: pa.int32(), float: pa.float64()}


def write_tables(
    sweep: Sweep, parts: Parts, folder: Path, about: dict[str, object]
) -> tuple[int, tuple[Path, ...]]:
    """Write the tables into a folder, unless they are there already; how many rows, and where."""
    layout, settings, keys = RowLayout.of(sweep), sweep.settings, sweep.keys
    rows = len(settings) * len(layout.trial)
    files = tuple(folder / name for name in (PREDICTIONS, SETTINGS, ABOUT))
    if _current(folder, keys):
        return rows, files
    _write(folder / PREDICTIONS, layout.schema, layout.batches(parts))
    columns = _columns(settings, np.arange(len(settings)), 1)
    columns["key"] = pa.array(keys.settings, pa.string())
    table = pa.table(columns)
    _write(folder / SETTINGS, table.schema, iter([table]))
    about_all = {
        "sweep": keys.whole,
        "engine": engine_key(),
        "settings": len(settings),
        "trials": [
            {"experiment": _experiment(trial.experiment), "level": trial.label, "key": key}
            for trial, key in zip(sweep.trials, keys.trials, strict=True)
        ],
        "observers": {each.name: observer_word(each) for each in sweep.observers},
        "rules": {
            each.name: str(by) for each, by in zip(sweep.observers, sweep.rules, strict=True)
        },
        "rows": rows,
        "outputs": {name: file_hash(folder / name) for name in (PREDICTIONS, SETTINGS)},
        **provenance([], about),
    }
    write_file(folder / ABOUT, json_text(about_all))
    return rows, files


def _current(folder: Path, keys: Keys) -> bool:
    """Whether the tables of this very sweep are there, whole."""
    try:
        about = json.loads((folder / ABOUT).read_text(encoding="utf-8"))
        same = {name: file_hash(folder / name) for name in (PREDICTIONS, SETTINGS)}
        return bool(about["sweep"] == keys.whole and about["outputs"] == same)
    except (OSError, ValueError, KeyError, TypeError):
        return False


@dataclass(frozen=True)
class RowLayout:
    """The rows of one setting: the places of the trial, the observer and the NPC of each."""

    sweep: Sweep
    trial: Any
    observer: Any
    npc: Any
    labels: dict[str, Any]  # their columns

    @classmethod
    def of(cls, sweep: Sweep) -> RowLayout:
        """The rows of a sweep's trials and observers, in this order."""
        places = np.array(
            [
                (t, o, n)
                for t, trial in enumerate(sweep.trials)
                for o in range(len(sweep.observers))
                for n in range(len(trial.npcs))
            ]
        )
        words = zip(*((_experiment(name), *more) for name, *more in sweep.labels()), strict=True)
        labels = {
            name: pa.array(column).dictionary_encode()
            for name, column in zip(LABELS, words, strict=True)
        }
        return cls(sweep, places[:, 0], places[:, 1], places[:, 2], labels)

    @property
    def whole(self) -> bool:
        """Whether all numbers are whole: nobody chooses by a soft rule."""
        return all(rule is ChoiceRule.HARD for rule in self.sweep.rules)

    @property
    def schema(self) -> Any:
        """The columns of predictions.parquet."""
        declared = self.sweep.settings[0].declared()
        return pa.schema(
            [
                ("cell", pa.int32()),
                *((name, TYPES.get(each.kind, WORDS)) for name, each in declared.items()),
                *((name, WORDS) for name in LABELS),
                *((name, pa.int32() if self.whole else pa.float64()) for name in NUMBERS),
                *([] if self.whole else [(SPREAD, pa.float64())]),
            ]
        )

    def observed(self, parts: Parts) -> Counts:
        """Steps watched, (settings, rows)."""
        every = range(len(self.sweep.settings))
        found = (self._found(parts, place).observed for place in every)
        return np.stack([each[self.trial, self.observer, self.npc] for each in found])

    def _found(self, parts: Parts, place: int) -> Found:
        """What was found under a setting, given by its place."""
        keys = self.sweep.keys
        most = max(len(trial.npcs) for trial in self.sweep.trials)
        wanted = Extent(keys.trials, keys.observers)
        return parts.counts(keys.settings[place], wanted, most, self.whole)

    def batches(self, parts: Parts) -> Iterator[Any]:
        """The table, some settings at a time."""
        step, settings = max(1, GROUP // len(self.trial)), self.sweep.settings
        for begin in range(0, len(settings), step):
            yield self._batch(parts, np.arange(begin, min(begin + step, len(settings))))

    def _batch(self, parts: Parts, some: Any) -> Any:
        """The rows of some settings, given by their places."""
        settings, columns_of = self.sweep.settings, self.schema
        columns = _columns(settings, some, len(self.trial))
        for name, words in self.labels.items():
            codes = np.tile(words.indices.to_numpy(), len(some))
            columns[name] = pa.DictionaryArray.from_arrays(pa.array(codes), words.dictionary)
        found = [self._numbers(settings[place], self._found(parts, place)) for place in some]
        for index, name in enumerate(NUMBERS):
            numbers = np.concatenate([each[index] for each in found])
            columns[name] = pa.array(numbers, columns_of.field(name).type)
        if not self.whole:
            spreads = np.concatenate([each[-1] for each in found])
            columns[SPREAD] = pa.array(spreads, pa.float64(), from_pandas=True)  # NaN is null
        return pa.table(columns, schema=columns_of)

    def _numbers(self, setting: Parameters, found: Found) -> tuple[Any, ...]:
        """The columns of NUMBERS under one setting, and SPREAD."""
        observed, moves, interactions, spread = found
        costs = setting.costs
        execution = costs.move * moves + costs.interact * interactions
        total = execution + costs.observe * observed.sum(axis=-1)
        of_trial = self.trial, self.observer
        watched = observed[(*of_trial, self.npc)]
        whole = [each[of_trial] for each in (moves, interactions, execution, total)]
        spreads = None if spread is None else spread[(*of_trial, self.npc)]
        return watched, costs.observe * watched, *whole, spreads


def _columns(settings: Sequence[Parameters], places: Any, each: int) -> dict[str, Any]:
    """The place and the values of settings, repeated."""
    columns = {"cell": pa.array(np.repeat(places, each), pa.int32())}
    plain = [plain_setting(settings[place]) for place in places]
    for name, declared in settings[0].declared().items():
        values = [setting[name] for setting in plain]
        if declared.words:
            codes = np.repeat([declared.words.index(value) for value in values], each)
            columns[name] = pa.DictionaryArray.from_arrays(
                pa.array(codes, pa.int32()), declared.words
            )
        else:
            columns[name] = pa.array(np.repeat(values, each), TYPES[declared.kind])
    return columns


def _experiment(name: ExperimentName | None) -> str:
    return "" if name is None else str(name)


def _write(path: Path, columns: Any, tables: Iterator[Any]) -> None:
    """Write a Parquet file whole or not at all, a part of it at a time."""
    with replacing(path) as file, pq.ParquetWriter(file, columns, compression="zstd") as writer:
        for table in tables:
            writer.write_table(table)
