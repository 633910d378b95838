"""Expert or novice: whether whom people watch more changes with the map, and as observers say."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from onlooker.analysis.data.human import HumanBehaviour
from onlooker.analysis.data.scopes import TRIAL, by_scope
from onlooker.analysis.tables.behaviour import gaps_again, npc_gaps
from onlooker.analysis.tables.comparison import Comparison

PREFERS = {"expert": 1, "novice": -1, "neither": 0}  # the sign of expert minus novice
SURE = 2.0  # standard errors from 0 at which people's preference in one trial counts as sure


def preferences(predictions: pd.DataFrame) -> pd.DataFrame:
    """In how many trials an observer watches one NPC more, or the other: experiment × observer.

    The first is the expert where the roles differ, else the first by id. It needs no people.
    """
    named = predictions.rename(columns={"observed": "model_observed"}).assign(human_observed=0.0)
    rows = [
        {
            "experiment": number,
            "observer": observer,
            "n": len(mine),
            "first": int((mine["model_observed"] > 0).sum()),
            "last": int((mine["model_observed"] < 0).sum()),
            "alike": int((mine["model_observed"] == 0).sum()),
        }
        for (number, observer), mine in npc_gaps(named).groupby(
            ["experiment", "observer"], sort=False
        )
    ]
    return pd.DataFrame(rows)


def reversal(comparison: Comparison, pairs: pd.DataFrame) -> pd.DataFrame:
    """People's expert minus novice, by whom an observer watches more: experiment × observer × whom.

    An observer that foresees the reversal has `people` above 0 where it prefers the expert and
    below 0 where it prefers the novice. Empty where no trial has an expert and a novice.
    """

    def rows(mine: pd.DataFrame) -> Iterator[dict[str, Any]]:
        for whom, sign in PREFERS.items():
            part = mine[np.sign(mine["model_observed"]) == sign]
            if part.empty:
                continue
            y = part["human_observed"]
            people, ends = comparison.resampler.mean(part, y, gaps_again(comparison, part))
            yield {
                "prefers": whom,
                "n": len(part),
                "people": people,
                "low": ends.low,
                "high": ends.high,
                "people_expert": int((y > 0).sum()),
                "people_novice": int((y < 0).sum()),
            }

    gaps = npc_gaps(pairs)
    return by_scope(gaps[gaps["roles"]], rows, "observer", pooled=False, data=comparison.data)


def reversal_trials(pairs: pd.DataFrame, human: HumanBehaviour) -> pd.DataFrame:
    """Expert minus novice in each trial that has both: people's, its standard error, observers'.

    The standard error, over the participants who are kept, needs data of each participant.
    """
    gaps = npc_gaps(pairs)
    gaps = gaps[gaps["roles"]]
    wide = gaps.pivot(index=TRIAL, columns="observer", values="model_observed")
    people = gaps.drop_duplicates(TRIAL).set_index(TRIAL)["human_observed"]
    table = wide.rename_axis(columns=None)
    table.insert(0, "people", people)
    table.insert(1, "people_se", _errors(human))
    return table.reset_index()


def sure(trials: pd.DataFrame) -> tuple[int, int]:
    """In how many trials people surely watch the expert more, and the novice."""
    far = trials["people"] / trials["people_se"]
    return int((far >= SURE).sum()), int((far <= -SURE).sum())


def _errors(human: HumanBehaviour) -> pd.Series:
    """The standard error of people's mean difference in each trial."""
    if human.played is None:
        return pd.Series(dtype=float)
    played = human.played
    signs = played["expertise"].map({"expert": 1, "novice": -1})
    each = (signs * played["observed"]).groupby([played[name] for name in (*TRIAL, "participant")])
    return each.sum().groupby(level=TRIAL).sem()
