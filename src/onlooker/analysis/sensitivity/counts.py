"""Steps watched under many settings, from the tables of a sweep."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from onlooker.analysis.reported import POOLED
from onlooker.inference import Parameters
from onlooker.support.extras import needs_extra

with needs_extra("sweep", "a sensitivity analysis", "pyarrow"):
    import pyarrow.parquet as pq  # type: ignore[import-untyped]

LABELS = ["experiment", "level", "observer", "agent", "expertise"]


@dataclass(frozen=True)
class Counts:
    """Steps watched under many settings, as a sweep's tables have them."""

    settings: tuple[Parameters, ...]
    rows: pd.DataFrame  # LABELS of what was counted
    observed: NDArray[np.int32]  # (settings, rows)

    @classmethod
    def read(cls, folder: Path) -> Counts:
        """The counts in the folder of a sweep."""
        names = [field.name for field in fields(Parameters)]
        cells = pq.read_table(folder / "cells.parquet", columns=names).to_pylist()
        table = folder / "predictions.parquet"
        observed = pq.read_table(table, columns=["observed"])["observed"].to_numpy()
        observed = observed.reshape(len(cells), -1)
        first = next(pq.ParquetFile(table).iter_batches(observed.shape[1], columns=LABELS))
        rows = first.to_pandas().astype(str)[LABELS]
        return cls(tuple(Parameters(**cell) for cell in cells), rows, observed)

    @cached_property
    def places(self) -> dict[Parameters, int]:
        """Where each setting stands."""
        return {setting: place for place, setting in enumerate(self.settings)}

    @property
    def levels(self) -> pd.DataFrame:
        """The levels and NPCs of numbered experiments, for reading what people did."""
        numbered = self.rows[self.rows["experiment"].str.fullmatch("[0-9]+")]
        return numbered.astype({"experiment": int})

    def part(self, observer: str, experiment: str) -> NDArray[np.bool_]:
        """Which rows are an observer's in an experiment, or in all of them together."""
        mine = self.rows["observer"] == observer
        if experiment != POOLED:
            mine &= self.rows["experiment"] == experiment
        return mine.to_numpy()

    @property
    def scopes(self) -> list[tuple[str, str]]:
        """Observers and experiments, all experiments together last."""
        observers = list(dict.fromkeys(self.rows["observer"]))
        numbers = sorted(set(self.rows["experiment"]) - {""})
        return [(who, each) for who in observers for each in (*numbers, POOLED)]
