"""How many participants and trials a study needs to tell observers apart on individual data.

For each number of trials, people are made by each model and all models are fitted to them. Groups
of any size are then drawn from these people: of each, random-effects selection either gives the
right model a protected exceedance probability above a threshold, or not. Groups that are drawn from
one pool share people, so the interval of a share counts only as many as the pool has of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from onlooker.experiments.naming import by_experiment, seed_of
from onlooker.fitting.individual import NODES
from onlooker.fitting.models import Model, Run, fit_models, run_here
from onlooker.fitting.recovery import criteria, make_people, wilson
from onlooker.fitting.selection import bms
from onlooker.game import Trial
from onlooker.support.arrays import FloatArray

SURE = 0.95  # protected exceedance probability that counts as telling a model
DRAWS = 4_000  # of frequencies in the selection of a group
ENOUGH = 0.8  # share of groups in which a study is to succeed


def power(
    models: Sequence[Model],
    trials: Iterable[Trial],
    lengths: Sequence[int] = (5, 10, 20),
    sizes: Sequence[int] = (5, 6, 8, 10, 15, 20, 40, 80),
    pool: int = 100,
    groups: int = 200,
    seed: int = 1,
    nodes: int = NODES,
    run: Run = run_here,
    progress: Callable[[float, int], None] = lambda done, total: None,
) -> pd.DataFrame:
    """A row for each experiment, model, number of trials and of participants.

    `share` is that of `groups` groups in which the model that made them is found, `single` that of
    single people whose evidence is the highest for it. `pool` people are made by each model.
    """
    rows: list[dict[str, Any]] = []
    parts = by_experiment(list(trials))
    total, done = len(parts) * len(models) * len(lengths), 0
    for experiment, group in parts.items():
        for length in lengths:
            for right, model in enumerate(models):
                made = make_people(model, group, pool, length, seed)
                fitted = fit_models(made.plays, group, models, nodes, run=run)
                evidence = criteria(fitted)["evidence"]
                rng = np.random.default_rng([seed, seed_of(experiment), length, right])
                for size in sizes:
                    found = _found(evidence, right, size, groups, rng)
                    apart = min(groups, max(1, pool / size))
                    low, high = wilson(found / groups * apart, apart)
                    rows.append(
                        {
                            "data": "simulated",
                            "experiment": experiment,
                            "observer": model.observer.name,
                            "rule": model.rule,
                            "trials": length,
                            "participants": size,
                            "groups": groups,
                            "share": found / groups,
                            "low": low,
                            "high": high,
                            "single": float((evidence.argmax(axis=1) == right).mean()),
                        }
                    )
                done += 1
                progress(done, total)
    return pd.DataFrame(rows)


def _found(
    evidence: FloatArray, right: int, size: int, groups: int, rng: np.random.Generator
) -> int:
    """In how many groups of people the right model is found."""
    found = 0
    for _ in range(groups):
        people = rng.choice(len(evidence), size)
        selection = bms(evidence[people], method="sampling", draws=DRAWS)
        found += bool(selection.pxp[right] > SURE)
    return found


def enough(table: pd.DataFrame, share: float = ENOUGH) -> pd.DataFrame:
    """For each number of trials, the fewest participants with whom every model is found."""
    keys = ["experiment", "trials", "participants"]
    worst = table.groupby(keys, as_index=False)["share"].min()
    rows = []
    for number, length in worst[keys[:2]].drop_duplicates().itertuples(index=False):
        here = worst[(worst["experiment"] == number) & (worst["trials"] == length)]
        sizes = here.loc[here["share"] >= share, "participants"].tolist()
        rows.append(
            {
                "data": "simulated",
                "experiment": number,
                "trials": length,
                "participants": min(sizes) if sizes else None,
                "share": share,
            }
        )
    return pd.DataFrame(rows)
