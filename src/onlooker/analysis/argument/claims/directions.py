"""Claims about who watches more, whom, and who less."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from onlooker.analysis.argument.behaviour import npc_gaps
from onlooker.analysis.argument.claims.agreement import fit_rows
from onlooker.analysis.argument.claims.claim import (
    ABLATIONS,
    BEHAVIOUR,
    DISCUSSION,
    FAILS,
    FULL,
    HOLDS,
    MISSES,
    OPEN,
    WHETHER,
    WHOM,
    Claim,
    side,
)
from onlooker.analysis.argument.claims.evidence import Evidence, needs_people
from onlooker.analysis.argument.writing import ranged, records
from onlooker.analysis.comparison import Comparison
from onlooker.analysis.resampling import resample
from onlooker.analysis.scopes import TRIAL, Scope
from onlooker.analysis.statistics import Interval, Pairs, interval
from onlooker.analysis.words import number
from onlooker.experiments.variants import Variant

MENTALIZING, RATIONAL, NAIVE = "mentalizing_observer", "rational_observer", "naive_observer"
DIRECTIONS = {  # the mean of what an observer does minus what people do
    FULL: (MISSES, "watches less than people", "less", -1),
    MENTALIZING: (ABLATIONS, "watches more than people (over-observes)", "more", 1),
    RATIONAL: (ABLATIONS, "watches less than people (under-observes)", "less", -1),
}
SKIPPED_MAPS = 3  # of Exp. 1, in the paper
WITH_ROLES = 4  # the experiment that has experts and novices


def gaps(found: Evidence) -> Iterator[Claim]:
    """Who watches more than people and who less, on average."""
    for observer, (about, words, paper, sign) in DIRECTIONS.items():
        scopes = [*map(Scope, found.people)] if observer == FULL else [Scope()]
        for scope, row in (
            (each, row) for each in scopes for row in fit_rows(found, each, observer)
        ):
            low, high = row["mean_difference_low"], row["mean_difference_high"]
            verdict, reason = side(sign, low, high)
            if verdict == FAILS:
                reason = "it watches less" if sign > 0 else "it watches more"
            where = f"Exp. {scope.experiment or row['experiments']}"
            claim = f"{found.titles[observer]} {words}, {where}"
            ours = ranged(row["mean_difference"], low, high, zero=True) + " steps"
            yield Claim(about, claim, DISCUSSION, paper, ours, verdict, reason)
    for missing in found.lacking:
        claim = f"{Variant(FULL).title} watches less than people, Exp. {missing}"
        yield Claim(MISSES, claim, DISCUSSION, "less", "", OPEN, needs_people([missing]))


def _mean_interval(comparison: Comparison, rows: pd.DataFrame, values: pd.Series) -> Interval:
    """The bootstrap interval of a mean over rows of trials."""
    weights = resample(rows, comparison.seed, comparison.resamples)
    return interval(Pairs.of(values, np.zeros(len(values)), weights).mean_difference())


def skips(found: Evidence) -> Iterator[Claim]:
    """The maps of Exp. 1 that the model does not watch and the Mentalizing Observer does."""
    claim = "Maps of Exp. 1 on which Rational Mentalizing skips watching and the Mentalizing"
    claim += " Observer watches"
    wide = _of_experiment(found.predictions, 1).pivot_table(
        index=TRIAL, columns="observer", values="observed", aggfunc="sum"
    )
    if wide.empty or not {FULL, MENTALIZING} <= set(wide):
        yield Claim(WHETHER, claim, BEHAVIOUR, str(SKIPPED_MAPS), "", OPEN, "needs their trials")
        return
    there = wide[(wide[FULL] == 0) & (wide[MENTALIZING] > 0)]
    verdict = HOLDS if len(there) == SKIPPED_MAPS else FAILS
    yield Claim(WHETHER, claim, BEHAVIOUR, str(SKIPPED_MAPS), str(len(there)), verdict)
    claim, place = "People watch less than the Mentalizing Observer on these maps", BEHAVIOUR
    mine = found.pairs[found.pairs["observer"] == MENTALIZING].set_index(TRIAL)
    mine = mine[mine.index.isin(there.index)].reset_index()
    if mine.empty:
        yield Claim(WHETHER, claim, place, "much less", "", OPEN, needs_people([1]))
        return
    gap = mine["human_observed"] - mine["model_observed"]
    ends = _mean_interval(found.comparison, mine, gap)
    verdict, reason = side(-1, ends.low, ends.high)
    words = (
        f"people watch {number(mine['human_observed'].mean(), 1, zero=True)} steps there on average"
    )
    ours = ranged(float(gap.mean()), ends.low, ends.high, zero=True) + " steps"
    reason = "; ".join(each for each in (words, reason) if each)
    yield Claim(WHETHER, claim, place, "much less", ours, verdict, reason)


def _of_experiment(frame: pd.DataFrame, experiment_number: int) -> pd.DataFrame:
    return frame[frame["experiment"] == experiment_number]


def defaults(found: Evidence) -> Iterator[Claim]:
    """That two ablations mostly watch the expert in Exp. 4, whatever the map."""
    rows = _of_experiment(found.predictions, WITH_ROLES)
    rows = rows.rename(columns={"observed": "model_observed"}).assign(human_observed=0.0)
    for observer in (RATIONAL, NAIVE):
        claim = f"mostly watches the expert, Exp. {WITH_ROLES}"
        if rows.empty:
            reason = f"needs trials of Exp. {WITH_ROLES}"
            text = f"{Variant(observer).title}: {claim}"
            yield Claim(WHOM, text, BEHAVIOUR, "mostly", "", OPEN, reason)
            continue
        for label in found.labels(observer):
            mine = npc_gaps(rows[rows["observer"] == label])
            gap = mine[mine["roles"]]["model_observed"]
            ends = _mean_interval(found.comparison, mine[mine["roles"]], gap)
            verdict, reason = side(1, ends.low, ends.high)
            ours = ranged(float(gap.mean()), ends.low, ends.high, zero=True) + " steps more"
            more, less = int((gap > 0).sum()), int((gap < 0).sum())
            words = f"the expert more in {more} of {len(gap)} trials, the novice in {less}"
            reason = "; ".join(each for each in (words, reason) if each)
            title = found.titles[label]
            yield Claim(WHOM, f"{title}: {claim}", BEHAVIOUR, "mostly", ours, verdict, reason)


def reversals(found: Evidence) -> Iterator[Claim]:
    """That people watch the expert more on some maps and the novice on others, as the model."""
    for whom, sign in (("expert", 1), ("novice", -1)):
        claim = f"People watch the {whom} more where Rational Mentalizing does, Exp. {WITH_ROLES}"
        table = found.reversal
        if not table.empty:
            table = table[(table["observer"] == FULL) & (table["prefers"] == whom)]
            table = _of_experiment(table, WITH_ROLES)
        place, paper = f"{BEHAVIOUR}; {DISCUSSION}", f"the {whom}"
        if table.empty:
            reason = needs_people([WITH_ROLES])
            if WITH_ROLES in found.people:
                reason = f"the model never watches the {whom} more on these trials"
            yield Claim(WHOM, claim, place, paper, "", OPEN, reason)
            continue
        [row] = records(table)
        verdict, reason = side(sign, row["low"], row["high"])
        ends = sorted((sign * row["low"], sign * row["high"]))
        ours = ranged(sign * row["people"], *ends, zero=True)
        words = f"{row['n']} trials"
        reason = "; ".join(each for each in (words, reason) if each)
        yield Claim(WHOM, claim, place, paper, f"{ours} steps more", verdict, reason)


def hedges(found: Evidence) -> Iterator[Claim]:
    """That people also watch the NPC that the model leaves out where it watches the other."""
    for number_ in (3, 4):
        claim = f"People also watch the NPC that the model leaves for the other, Exp. {number_}"
        rows = found.hedging[
            (found.hedging["experiment"] == number_)
            & (found.hedging["model_watches"] == "the other NPC")
        ]
        if rows.empty:
            reason = needs_people([number_])
            yield Claim(MISSES, claim, DISCUSSION, "a little", "", OPEN, reason)
            continue
        [row] = records(rows)
        verdict, reason = side(1, row["low"], row["high"])
        ours = ranged(row["people"], row["low"], row["high"], zero=True) + " steps"
        yield Claim(MISSES, claim, DISCUSSION, "a little", ours, verdict, reason)
