"""Our Rational Mentalizing beside the counts of the authors' own, where a file has them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from onlooker.analysis.data.human import KEY, PUBLISHED, HumanBehaviour
from onlooker.analysis.data.resampling import bootstrap_statistics, with_intervals
from onlooker.analysis.data.scopes import MEASURES, TRIAL, Scope, scopes
from onlooker.analysis.data.words import MODEL
from onlooker.analysis.tables.comparison import Comparison

OURS = "ours"


@dataclass(frozen=True)
class Published:
    """How the counts agree, and every count beside the authors'."""

    agreement: pd.DataFrame  # experiment × NPC or role: n, same, …
    counts: pd.DataFrame  # level × NPC: ours, published_model, people

    @property
    def differing(self) -> pd.DataFrame:
        """The counts that are not the same."""
        return self.counts[self.counts[OURS] != self.counts[PUBLISHED]]

    @property
    def whole(self) -> pd.DataFrame:
        """The agreement of each experiment and of all, over all NPCs."""
        return self.agreement[(self.agreement["npc"] == "") & (self.agreement["role"] == "")]

    def patterns(self) -> pd.DataFrame:
        """What counts that differ have in common: experiment × role × difference, most first."""
        gaps = self.differing.assign(difference=self.differing[OURS] - self.differing[PUBLISHED])
        keys = ["experiment", "expertise", "difference"]
        found = gaps.groupby(keys).size().rename("n").reset_index()
        return found.sort_values(["n", *keys], ascending=[False, True, True, True])


def published(
    comparison: Comparison, pairs: pd.DataFrame, human: HumanBehaviour
) -> Published | None:
    """The agreement with the authors' own model, count by count; None without its counts."""
    if human.published is None:
        return None
    mine = pairs[pairs["observer"] == MODEL]
    columns = {"model_observed": OURS, "human_observed": "people"}
    counts = mine.rename(columns=columns)[["data", *KEY, "expertise", OURS, "people"]]
    counts = counts.merge(human.published, on=KEY, validate="one_to_one")
    if counts.empty:
        return None
    rows = [
        _agreement(comparison, scope, scope.of(counts)) for scope in scopes(counts, MEASURES[0])
    ]
    return Published(pd.DataFrame(rows), counts.reset_index(drop=True))


def _agreement(comparison: Comparison, scope: Scope, rows: pd.DataFrame) -> dict[str, Any]:
    """How many counts are the same, and how both fit people."""
    gaps = rows[OURS] - rows[PUBLISHED]
    weights = comparison.resampler.weights(rows)
    again = comparison.resampler.again(rows, rows["people"])
    found: dict[str, Any] = {
        "data": comparison.data,
        **scope.columns(),
        "n": len(rows),
        "trials": len(rows.drop_duplicates(TRIAL)),
        "same": int((gaps == 0).sum()),
        "within_one": int((gaps.abs() <= 1).sum()),
        "largest": float(np.abs(gaps).max()),
        "mean_difference": float(gaps.mean()),  # ours minus theirs
    }
    for name in (OURS, PUBLISHED):
        values = with_intervals(
            bootstrap_statistics(rows[name], rows["people"], weights, again), "r", "ccc"
        )
        found |= {f"{key}_{name}": value for key, value in values.items()}
    return found
