"""Who is left out of the analysis, and why: the paper's quality filter."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

COLUMNS = ("participant", "experiment", "score", "cut", "reason")
INCOMPLETE = "did not complete all trials"
OUTLIER = "score below the cut"


@dataclass(frozen=True, slots=True)
class Cut:
    """The score below which a participant is an outlier."""

    q1: float
    q3: float

    @property
    def score(self) -> float:
        """A score strictly below this one is out."""
        return self.q1 - 1.5 * (self.q3 - self.q1)


@dataclass(frozen=True, slots=True)
class Exclusion:
    """Who is kept, and the table of those who are not."""

    kept: pd.DataFrame  # rows of the participants' table
    table: pd.DataFrame  # COLUMNS


def outlier_cut(scores: ArrayLike) -> Cut:
    """The quartiles of some scores, by linear interpolation, and the cut they make.

    >>> outlier_cut([1, 10, 11, 12, 12, 13, 14, 15, 16, 40]).score
    6.0
    """
    values = np.asarray(scores, dtype=float)
    if not values.size:
        raise ValueError("scores must be at least one number, not none")
    q1, q3 = np.percentile(values, [25, 75], method="linear")
    return Cut(float(q1), float(q3))


def exclude(participants: pd.DataFrame, trials: pd.DataFrame) -> Exclusion:
    """Leave out who did not complete, and whose unspent points are too few for the experiment.

    A score is the sum of unspent points over the trials that are not tutorials. A
    participant who completed but has fewer trials than others, as some were left out, gets the sum
    that as many would come to. The cut comes from those who completed, within each experiment.
    """
    counted = trials[~trials["tutorial"]].groupby("participant")["unspent"]
    scores, sizes = counted.sum().astype(float), counted.size()
    rows: list[dict[str, Any]] = []
    for number, people in participants.groupby("experiment", sort=True):
        done = people.loc[people["completed"], "participant"]
        scores[list(done)] *= sizes[list(done)].max() / sizes[list(done)]
        cut = outlier_cut(scores[list(done)]).score if len(done) else np.nan
        for name, completed in zip(people["participant"], people["completed"], strict=True):
            score = float(scores.get(name, np.nan))
            if not completed or score < cut:
                reason = OUTLIER if completed else INCOMPLETE
                values = (name, number, score, cut, reason)
                rows.append(dict(zip(COLUMNS, values, strict=True)))
    table = pd.DataFrame(rows, columns=list(COLUMNS))
    kept = participants[~participants["participant"].isin(table["participant"])]
    return Exclusion(kept, table)


def sample_table(participants: pd.DataFrame, exclusions: pd.DataFrame) -> pd.DataFrame:
    """Who took part in each experiment; age and gender are of those who completed it."""
    rows = []
    for number, people in participants.groupby("experiment", sort=True):
        done = people[people["completed"]]
        outliers = (exclusions["experiment"] == number) & (exclusions["reason"] == OUTLIER)
        excluded = int(outliers.sum())
        ages = done["age"].dropna().astype(float) if "age" in done else pd.Series(dtype=float)
        rows.append(
            {
                "experiment": number,
                "began": len(people),
                "completed": len(done),
                "excluded": excluded,
                "kept": len(done) - excluded,
                "age_known": len(ages),
                "age_mean": ages.mean() if len(ages) else np.nan,
                "age_sd": ages.std(ddof=1) if len(ages) > 1 else np.nan,
                "gender": _genders(done),
            }
        )
    return pd.DataFrame(rows)


def _genders(people: pd.DataFrame) -> str:
    """How many of each gender, the most frequent first; letter case does not matter."""
    if "gender" not in people:
        return ""
    counts = people["gender"].dropna().str.strip().str.casefold().value_counts()
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return ", ".join(f"{gender} {count}" for gender, count in ordered)
