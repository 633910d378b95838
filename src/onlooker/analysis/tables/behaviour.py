"""What lies behind the fits: between observers, whom people watch, hedging, single trials."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from onlooker.analysis.data.human import KEY
from onlooker.analysis.data.resampling import (
    STATISTICS,
    bootstrap_statistics,
    paired_difference,
    with_intervals,
)
from onlooker.analysis.data.scopes import TRIAL, by_scope
from onlooker.analysis.data.statistics import Pairs
from onlooker.analysis.data.words import MODEL
from onlooker.analysis.tables.comparison import Comparison
from onlooker.experiments.tables import experiment_order


def contrasts(comparison: Comparison, pairs: pd.DataFrame) -> pd.DataFrame:
    """Each observer against each later one, in the same resamples: experiment × pair × statistic.

    An observer that does not predict all trials and NPCs is not compared.
    """

    def rows(part: pd.DataFrame) -> Iterator[dict[str, Any]]:
        wide = part.pivot(index=KEY, columns="observer", values="model_observed").reset_index()
        people = part.drop_duplicates(KEY)[[*KEY, "human_observed"]]
        both = wide.merge(people, on=KEY)
        weights = comparison.resampler.weights(both)
        again = comparison.resampler.again(both, both["human_observed"])
        observers = [name for name in dict.fromkeys(part["observer"]) if both[name].notna().all()]
        found = {
            name: bootstrap_statistics(both[name], both["human_observed"], weights, again)
            for name in observers
        }
        for one, other in combinations(observers, 2):
            for name in STATISTICS:
                label = {"observer": one, "than": other, "statistic": name}
                yield label | paired_difference(found[one][name], found[other][name])

    return by_scope(pairs, rows, data=comparison.data)


def hedging(comparison: Comparison, pairs: pd.DataFrame) -> pd.DataFrame:
    """How long people watch an NPC where the model does not watch it, and where it does.

    Where a trial has two NPCs, `model_watches` tells apart whether it watches the other one.
    """
    kinds = ["nobody", "the other NPC", "this NPC"]
    mine = pairs[pairs["observer"] == MODEL]
    total = mine.groupby(TRIAL)["model_observed"].transform("sum")
    watched = np.where(mine["model_observed"] > 0, 2, np.where(total > 0, 1, 0))
    mine = mine.assign(model_watches=watched).sort_values("model_watches", kind="stable")

    def rows(part: pd.DataFrame) -> Iterator[dict[str, Any]]:
        people, model = part["human_observed"], part["model_observed"]
        again = comparison.resampler.again(part, people) - model.to_numpy()
        difference, ends = comparison.resampler.mean(part, people - model, again)
        yield {
            "n": len(part),
            "people": float(people.mean()),
            "model": float(model.mean()),
            "difference": difference,
            "low": ends.low,
            "high": ends.high,
        }

    found = by_scope(mine, rows, "model_watches", data=comparison.data)
    return found.assign(model_watches=[kinds[each] for each in found["model_watches"]])


def npc_preference_agreement(comparison: Comparison, pairs: pd.DataFrame) -> pd.DataFrame:
    """The difference between the two NPCs of a trial, model against people, for each observer.

    The first of the two is the expert where roles differ, else the first by id. `agree` is the
    share of trials in which both watch the same NPC more, of those in which the observer prefers
    one. Empty where no trial has two NPCs.
    """

    def rows(part: pd.DataFrame) -> Iterator[dict[str, Any]]:
        weights = comparison.resampler.weights(part)
        x, y = part["model_observed"], part["human_observed"]
        again = gaps_again(comparison, part)
        prefers = x != 0
        same = np.sign(x[prefers]) == np.sign(y[prefers])
        yield (
            {"n": len(part)}
            | with_intervals(bootstrap_statistics(x, y, weights, again), "r", "ccc")
            | {"prefers": int(prefers.sum()), "agree": float(same.mean()) if len(same) else np.nan}
            | {"people_first": int((y > 0).sum()), "people_last": int((y < 0).sum())}
        )

    return by_scope(npc_gaps(pairs), rows, "observer", pooled=False, data=comparison.data)


def npc_gaps(pairs: pd.DataFrame) -> pd.DataFrame:
    """Steps watched of the first NPC minus those of the other: observer × trial with two NPCs.

    The expert is the first where the roles differ (`roles` says whether), else the first by id.
    """
    columns = ["model_observed", "human_observed"]
    ordered = pairs.sort_values(["observer", *TRIAL, "expertise", "agent"], kind="stable")
    groups = ordered.groupby(["observer", *TRIAL], sort=False)
    two = ordered[groups["agent"].transform("size") == 2].groupby(["observer", *TRIAL], sort=False)
    gaps = (two[columns].first() - two[columns].last()).assign(
        first=two["agent"].first(),
        last=two["agent"].last(),
        roles=two["expertise"].nunique() == 2,
    )
    order = {name: place for place, name in enumerate(dict.fromkeys(pairs["observer"]))}
    gaps = gaps.reset_index()
    gaps = gaps.assign(place=gaps["observer"].map(order)).sort_values(
        ["experiment", "place", "level"],
        kind="stable",
        ignore_index=True,
        key=experiment_order,
    )
    return gaps.drop(columns="place")


def gaps_again(comparison: Comparison, gaps: pd.DataFrame) -> ArrayLike:
    """People's differences between two NPCs, drawn again in each resample if they can be."""
    y = gaps["human_observed"]
    first, last = (
        comparison.resampler.again(gaps.assign(agent=gaps[name]), values)
        for name, values in (("first", y), ("last", 0 * y))
    )
    return first - last


def influence(comparison: Comparison, pairs: pd.DataFrame) -> pd.DataFrame:
    """The trial without which an observer's r changes most, within each experiment and pooled."""

    def rows(part: pd.DataFrame) -> Iterator[dict[str, Any]]:
        trials = part[TRIAL].apply(tuple, axis=1)
        every = list(dict.fromkeys(trials))
        if len(every) < 4:
            return
        kept = np.array([(trials != trial).to_numpy(dtype=float) for trial in every])
        x, y = part["model_observed"], part["human_observed"]
        whole, without = Pairs.of(x, y).pearson()[0], Pairs.of(x, y, kept).pearson()
        if np.isnan(whole) or np.isnan(without).all():
            return
        most = int(np.nanargmax(np.abs(without - whole)))
        number, level = every[most]
        yield {
            "r": float(whole),
            "trial": f"Exp. {number}, {level}",
            "r_without": float(without[most]),
            "r_least": float(np.nanmin(without)),
            "r_most": float(np.nanmax(without)),
        }

    return by_scope(pairs, rows, "observer", data=comparison.data)
