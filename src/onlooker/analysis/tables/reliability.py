"""How well people agree with people: split-half reliability over random splits.

The participants are split in two, each half's mean for each stimulus is taken, and the two rows of
means are correlated. A stimulus that nobody in a half has seen is left out of that split and
counted. The reliability is the Spearman–Brown correction of the mean r over the splits; the mean
of the corrected r, which is a little lower, is given beside it. Below 0 the correction means
nothing (it goes to −∞ as r goes to −1), so where the halves do not agree there is none.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from onlooker.analysis.data.human import NEEDS_PARTICIPANTS, HumanBehaviour
from onlooker.analysis.data.reported import REPORTED_SAMPLES
from onlooker.analysis.data.scopes import MEASURES, Measure, Scope, one_row_per_unit, scopes
from onlooker.analysis.data.statistics import seed_sequence
from onlooker.analysis.data.words import Source, number, records
from onlooker.support.arrays import BoolArray, FloatArray, pearson

SPLITS = 1000
LEAST_PARTICIPANTS = 2
LEAST_STIMULI = 3  # with two, r is 1 or −1 whatever people do
METHOD = "Spearman-Brown of the mean r over random splits"
DISAGREE = "halves of the people do not agree, as their mean r is below 0"


@dataclass(frozen=True, slots=True)
class SplitHalf:
    """What the splits came to; NaN where no split has a value."""

    mean_r: float
    reliability: float  # Spearman–Brown of the mean r; NaN where that is below 0
    mean_corrected: float  # mean of each split's Spearman–Brown
    splits: int
    splits_dropped: int  # no r: too few stimuli in common, or a half's means all the same
    stimuli_dropped: float  # per split, on average


def spearman_brown(r: float) -> float:
    """The reliability of the whole from the correlation of its halves; NaN where that is negative.

    >>> spearman_brown(0.5), spearman_brown(-0.46)
    (0.6666666666666666, nan)
    """
    return 2 * r / (1 + r) if r >= 0 else np.nan


def ceiling(reliability: float) -> float:
    """The highest r with the means that a model can be expected to have: the root of r_SB.

    >>> ceiling(0.81), ceiling(-0.2)
    (0.9, nan)
    """
    return float(np.sqrt(reliability)) if reliability >= 0 else np.nan


def random_halves(participants: int, splits: int, seeds: np.random.SeedSequence) -> BoolArray:
    """Who is in the first half, a row for each split; the second has one more if they are odd."""
    rng = np.random.default_rng(seeds)
    order = np.argsort(rng.random((splits, participants)), axis=1)
    return np.asarray(order < participants // 2)


def split_half(values: ArrayLike, halves: ArrayLike) -> SplitHalf:
    """The agreement of halves: values are participants × stimuli (NaN: not seen), halves are
    splits × participants (true: in the first half).
    """
    table, first = np.asarray(values, dtype=float), np.asarray(halves, dtype=bool)
    seen = ~np.isnan(table)
    ones, others = (_means(table, seen, half) for half in (first, ~first))
    common = ~(np.isnan(ones) | np.isnan(others))  # splits × stimuli
    r = pearson(ones, others, common)
    r[common.sum(axis=1) < LEAST_STIMULI] = np.nan
    there = r[~np.isnan(r)]
    dropped = float((~common).sum(axis=1).mean()) if len(common) else np.nan
    if not there.size:
        return SplitHalf(np.nan, np.nan, np.nan, len(r), len(r), dropped)
    mean = float(there.mean())
    corrected = there[there > -1]
    return SplitHalf(
        mean_r=mean,
        reliability=spearman_brown(mean),
        mean_corrected=float(np.mean(2 * corrected / (1 + corrected))) if mean >= 0 else np.nan,
        splits=len(r),
        splits_dropped=len(r) - there.size,
        stimuli_dropped=dropped,
    )


def reliability(
    played: pd.DataFrame,
    measure: str,
    stimulus: list[str],
    seeds: np.random.SeedSequence,
    splits: int = SPLITS,
) -> SplitHalf | None:
    """The reliability of a column of people's data; None if there are too few people to split.

    `stimulus` names the columns that tell the stimuli apart: level and agent to stack NPCs.
    """
    table = played.pivot_table(index="participant", columns=stimulus, values=measure)
    table = table.sort_index(axis=0).sort_index(axis=1)
    if len(table) < LEAST_PARTICIPANTS:
        return None
    return split_half(table.to_numpy(dtype=float), random_halves(len(table), splits, seeds))


def reliability_table(
    pairs: pd.DataFrame, human: HumanBehaviour, seed: int, splits: int
) -> pd.DataFrame:
    """How well people agree with people, for each measure and scope."""
    rows = []
    for measure in MEASURES:
        for scope in scopes(pairs, measure):
            values = _values(human, measure, scope, seed, splits)
            row = {"data": human.source.data, "measure": measure.name, **scope.columns(), **values}
            if human.source is Source.HUMAN:
                reported = None
                if measure.name == "observed" and scope.of_all_npcs and scope.experiment:
                    reported = REPORTED_SAMPLES.get(scope.experiment)
                row["paper_reliability"] = reported.reliability if reported else np.nan
                row["difference"] = row["reliability"] - row["paper_reliability"]
            rows.append(row)
    return pd.DataFrame(rows)


def _values(
    human: HumanBehaviour, measure: Measure, scope: Scope, seed: int, splits: int
) -> dict[str, Any]:
    names = ("mean_r", "reliability", "mean_corrected", "splits_dropped", "stimuli_dropped")
    values: dict[str, Any] = {"participants": np.nan, **dict.fromkeys(names, np.nan)}
    values |= {"splits": splits, "method": METHOD, "seed": seed, "needs": "", "reason": ""}
    if human.played is None:
        return values | {"needs": NEEDS_PARTICIPANTS}
    if scope.experiment is None:
        return values | {"reason": "experiments have different participants"}
    played = one_row_per_unit(scope.of(human.played), measure, "participant")
    values["participants"] = played["participant"].nunique()
    stimulus = ["level", "agent"] if measure.per_npc else ["level"]
    seeds = seed_sequence(seed, "splits", *sorted(set(played["participant"])))
    found = reliability(played, measure.name, stimulus, seeds, splits)
    if found is None:
        return values | {"needs": "at least 2 participants"}
    reason = DISAGREE if found.mean_r < 0 else ""
    if found.splits_dropped == splits:
        reason = "no split has two halves that vary"
    return values | asdict(found) | {"reason": reason}


def disagreeing(table: pd.DataFrame) -> Iterator[str]:
    """Notes on the experiments whose people's observation steps have no reliability."""
    for row in records(table[(table["measure"] == "observed") & (table["reason"] == DISAGREE)]):
        if not row["npc"] and not row["role"]:
            yield (
                f"Experiment {row['experiment']}: there is no r_SB, as {DISAGREE}"
                f" ({number(row['mean_r'])})"
            )


def _means(table: FloatArray, seen: BoolArray, half: BoolArray) -> FloatArray:
    """Each stimulus' mean over the members of each half; NaN where none has seen it."""
    members = half.astype(float)
    counts = members @ seen
    sums = members @ np.where(seen, table, 0.0)
    means = np.full(sums.shape, np.nan)
    np.divide(sums, counts, out=means, where=counts > 0)
    return means
