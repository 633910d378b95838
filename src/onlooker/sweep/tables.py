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

from onlooker.experiments.provenance import file_hash, provenance
from onlooker.game import Trial
from onlooker.inference import Parameters
from onlooker.observers import ChoiceRule, Observer
from onlooker.support.files import json_text, replacing, write_file
from onlooker.sweep import sweep_extra
from onlooker.sweep.keys import Keys, engine_key, observer_word, plain_setting
from onlooker.sweep.parts import Extent, Parts
from onlooker.sweep.tasks import Counts, Found

with sweep_extra():
    import pyarrow as pa  # type: ignore[import-untyped]
    import pyarrow.parquet as pq  # type: ignore[import-untyped]

PREDICTIONS, SETTINGS, ABOUT = "predictions.parquet", "cells.parquet", "sweep.json"
GROUP = 200_000  # rows that are held in memory and written together
WORDS = pa.dictionary(pa.int32(), pa.string())
TYPES = {int: pa.int32(), float: pa.float64()}
LABELS = ("experiment", "level", "observer", "agent", "expertise")
NUMBERS = ("observed", "cost_observation", "moves", "interactions", "cost_execution", "cost_total")
SPREAD = "observed_sd"  # only where somebody has a soft rule


def schema(whole: bool = True, of: type[Parameters] = Parameters) -> Any:
    """The columns of predictions.parquet; numbers are whole unless somebody has a soft rule."""
    return pa.schema(
        [
            ("cell", pa.int32()),
            *((name, TYPES.get(each.kind, WORDS)) for name, each in of.declared().items()),
            *((name, WORDS) for name in LABELS),
            *((name, pa.int32() if whole else pa.float64()) for name in NUMBERS),
            *([] if whole else [(SPREAD, pa.float64())]),
        ]
    )


def write_tables(
    settings: Sequence[Parameters],
    trials: Sequence[Trial],
    observers: Sequence[Observer],
    rules: Sequence[ChoiceRule],
    keys: Keys,
    parts: Parts,
    folder: Path,
    about: dict[str, object],
) -> tuple[int, tuple[Path, ...]]:
    """Write the tables into a folder, unless they are there already; how many rows, and where."""
    layout = RowLayout.of(trials, observers, rules)
    rows = len(settings) * len(layout.trial)
    files = tuple(folder / name for name in (PREDICTIONS, SETTINGS, ABOUT))
    if _current(folder, keys):
        return rows, files
    columns_of = schema(layout.whole, type(settings[0]))
    _write(folder / PREDICTIONS, columns_of, layout.batches(settings, keys, parts))
    columns = _columns(settings, np.arange(len(settings)), 1)
    columns["key"] = pa.array(keys.settings, pa.string())
    table = pa.table(columns)
    _write(folder / SETTINGS, table.schema, iter([table]))
    about_all = {
        "sweep": keys.whole,
        "engine": engine_key(),
        "settings": len(settings),
        "trials": [
            {"experiment": _experiment(trial), "level": trial.label, "key": key}
            for trial, key in zip(trials, keys.trials, strict=True)
        ],
        "observers": {each.name: observer_word(each) for each in observers},
        "rules": {each.name: str(by) for each, by in zip(observers, rules, strict=True)},
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

    trial: Any
    observer: Any
    npc: Any
    most: int  # NPCs of a trial
    whole: bool  # all numbers are: nobody chooses by a soft rule
    labels: dict[str, Any]  # their columns

    @classmethod
    def of(
        cls, trials: Sequence[Trial], observers: Sequence[Observer], rules: Sequence[ChoiceRule]
    ) -> RowLayout:
        """The rows of trials and observers, in this order."""
        places = np.array(
            [
                (t, o, n)
                for t, trial in enumerate(trials)
                for o in range(len(observers))
                for n in range(len(trial.npcs))
            ]
        )
        words: dict[str, list[str]] = {name: [] for name in LABELS}
        for t, o, n in places:
            trial, npc = trials[t], trials[t].npcs[n]
            row = (_experiment(trial), trial.label, observers[o].name, npc.id, str(npc.expertise))
            for name, word in zip(LABELS, row, strict=True):
                words[name].append(word)
        labels = {name: pa.array(column).dictionary_encode() for name, column in words.items()}
        most = max(len(trial.npcs) for trial in trials)
        whole = all(rule is ChoiceRule.HARD for rule in rules)
        return cls(places[:, 0], places[:, 1], places[:, 2], most, whole, labels)

    def observed(self, keys: Keys, parts: Parts) -> Counts:
        """Steps watched, (settings, rows)."""
        wanted = Extent(keys.trials, keys.observers)
        found = (
            parts.counts(setting, wanted, self.most, self.whole).observed
            for setting in keys.settings
        )
        return np.stack([each[self.trial, self.observer, self.npc] for each in found])

    def batches(self, settings: Sequence[Parameters], keys: Keys, parts: Parts) -> Iterator[Any]:
        """The table, some settings at a time."""
        step = max(1, GROUP // len(self.trial))
        for begin in range(0, len(settings), step):
            some = np.arange(begin, min(begin + step, len(settings)))
            yield self.batch(settings, some, keys, parts)

    def batch(self, settings: Sequence[Parameters], some: Any, keys: Keys, parts: Parts) -> Any:
        """The rows of some settings, given by their places."""
        columns = _columns(settings, some, len(self.trial))
        for name, words in self.labels.items():
            codes = np.tile(words.indices.to_numpy(), len(some))
            columns[name] = pa.DictionaryArray.from_arrays(pa.array(codes), words.dictionary)
        wanted = Extent(keys.trials, keys.observers)
        found = [
            self._numbers(
                settings[place],
                parts.counts(keys.settings[place], wanted, self.most, self.whole),
            )
            for place in some
        ]
        columns_of = schema(self.whole, type(settings[0]))
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


def _experiment(trial: Trial) -> str:
    return "" if trial.experiment is None else str(trial.experiment)


def _write(path: Path, columns: Any, tables: Iterator[Any]) -> None:
    """Write a Parquet file whole or not at all, a part of it at a time."""
    with replacing(path) as file, pq.ParquetWriter(file, columns, compression="zstd") as writer:
        for table in tables:
            writer.write_table(table)
