"""The paper's claims one by one: its value, ours, and whether they agree.

A value of the paper holds where it lies in our 95 % interval, a direction where our interval lies
on its side of 0; with 0 within the interval it is undecided. What the data at hand cannot decide
says what it would need.
"""

from __future__ import annotations

from dataclasses import asdict

import pandas as pd

from onlooker.analysis.argument.claims import agreement, costs, directions, people
from onlooker.analysis.argument.claims.claim import ABOUT, Claim
from onlooker.analysis.argument.claims.evidence import Evidence

GROUPS = (
    agreement.concordance,
    agreement.correlations,
    agreement.total_steps,
    directions.skips,
    directions.defaults,
    directions.reversals,
    agreement.apart,
    directions.gaps,
    directions.hedges,
    costs.slopes,
    costs.slopes_within,
    costs.closest,
    costs.totals,
    people.reliability,
    people.samples,
)


def verdicts(found: Evidence) -> pd.DataFrame:
    """All claims that can be stated as numbers, a row each; none beside simulated data."""
    if found.comparison.data == "simulated":
        return pd.DataFrame(columns=list(Claim.__dataclass_fields__))
    claims = [claim for group in GROUPS for claim in group(found)]
    claims.sort(key=lambda claim: ABOUT.index(claim.about))
    return pd.DataFrame([asdict(claim) for claim in claims])
