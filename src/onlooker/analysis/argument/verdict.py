"""The paper's claims one by one: its value, ours, and whether they agree.

A value of the paper holds where it lies in our 95 % interval, a direction where our interval lies
on its side of 0; with 0 within the interval it is undecided. What the data at hand cannot decide
says what it would need.
"""

from __future__ import annotations

from dataclasses import asdict

import pandas as pd

from onlooker.analysis.argument.claims.agreement import concordance, correlations
from onlooker.analysis.argument.claims.claim import Claim
from onlooker.analysis.argument.claims.costs import slopes
from onlooker.analysis.argument.claims.directions import gaps
from onlooker.analysis.argument.claims.people import reliability, samples
from onlooker.analysis.comparison import Comparison


def verdicts(
    comparison: Comparison, pairs: pd.DataFrame, predictions: pd.DataFrame
) -> pd.DataFrame:
    """All claims that can be stated as numbers, a row each; none beside simulated data.

    `predictions` are of all trials, also of those that no people of the data at hand played.
    """
    if comparison.data == "simulated":
        return pd.DataFrame(columns=list(Claim.__dataclass_fields__))
    claims = [
        *concordance(comparison),
        *correlations(comparison),
        *gaps(comparison, pairs),
        *slopes(comparison, predictions),
        *reliability(comparison),
        *samples(comparison),
    ]
    return pd.DataFrame([asdict(claim) for claim in claims])
