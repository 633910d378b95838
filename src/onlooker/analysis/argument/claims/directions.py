"""Claims about who watches more, and who less."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from onlooker.analysis.argument.claims.claim import DISCUSSION, FULL, OPEN, Claim, listed, side
from onlooker.analysis.argument.writing import experiment, ranged
from onlooker.analysis.comparison import Comparison
from onlooker.analysis.reported import EXPERIMENTS
from onlooker.analysis.resampling import resample
from onlooker.analysis.scopes import Scope
from onlooker.analysis.statistics import Pairs, interval

DIRECTIONS = {  # the mean of what an observer does minus what people do
    FULL: ("watches less than people", "less", -1),
    "mentalizing_observer": ("watches more than people (over-observes)", "more", 1),
    "rational_observer": ("watches less than people (under-observes)", "less", -1),
}


def gaps(comparison: Comparison, pairs: pd.DataFrame) -> Iterator[Claim]:
    numbers = sorted(set(pairs["experiment"]))
    for observer, (words, paper, sign) in DIRECTIONS.items():
        mine = pairs[pairs["observer"] == observer]
        if mine.empty:
            continue
        scopes = [*map(Scope, numbers)] if observer == FULL else [Scope()]
        for scope in scopes:
            rows = scope.of(mine)
            x, y = rows["model_observed"], rows["human_observed"]
            weights = resample(rows, comparison.seed, comparison.resamples)
            ends = interval(Pairs.of(x, y, weights).mean_difference())
            verdict, reason = side(sign, ends.low, ends.high)
            where = experiment(scope.columns()).replace("Pooled", f"Exp. {listed(numbers)}")
            ours = ranged(float((x - y).mean()), ends.low, ends.high) + " steps"
            title = comparison.titles()[observer]
            yield Claim(f"{title} {words}, {where}", DISCUSSION, paper, ours, verdict, reason)
    for missing in (n for n in EXPERIMENTS if n not in numbers):
        claim = f"{comparison.titles()[FULL]} watches less than people, Exp. {missing}"
        yield Claim(claim, DISCUSSION, "less", "", OPEN, f"needs people of Exp. {missing}")
