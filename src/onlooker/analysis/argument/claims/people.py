"""Claims about who took part, and how well they agree with each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd

from onlooker.analysis.argument.claims.claim import FAILS, HOLDS, OPEN, PEOPLE, Claim
from onlooker.analysis.argument.writing import records
from onlooker.analysis.comparison import Comparison
from onlooker.analysis.human import NEEDS_PARTICIPANTS
from onlooker.analysis.reported import REPORTED_SAMPLES
from onlooker.analysis.scopes import Scope
from onlooker.analysis.words import number


def reliability(comparison: Comparison) -> Iterator[Claim]:
    found = comparison.reliability[comparison.reliability["measure"] == "observed"]
    for number_, sample in REPORTED_SAMPLES.items():
        claim = f"Split-half reliability r_SB, Exp. {number_}"
        rows = records(Scope(number_).rows(found))
        paper = number(sample.reliability)
        value = rows[0]["reliability"] if rows else np.nan
        if np.isnan(value):
            yield Claim(claim, PEOPLE, paper, "", OPEN, f"needs {NEEDS_PARTICIPANTS}")
            continue
        close = abs(value - sample.reliability) <= 0.02
        reason = "within .02, as splits are random" if close else "more than .02 apart"
        yield Claim(claim, PEOPLE, paper, number(value), HOLDS if close else FAILS, reason)


def samples(comparison: Comparison) -> Iterator[Claim]:
    rows = {row["experiment"]: row for row in records(comparison.sample)}
    for number_, sample in REPORTED_SAMPLES.items():
        row: Mapping[str, Any] = rows.get(number_, {})
        values = (
            ("participants", "began", sample.participants, 0),
            ("excluded by the quality filter", "excluded", sample.excluded, 0),
            ("mean age", "age_mean", sample.age_mean, 1),
        )
        for words, name, paper, digits in values:
            claim, ours = f"Exp. {number_}: {words}", row.get(name, np.nan)
            if pd.isna(ours):
                reason = f"needs {NEEDS_PARTICIPANTS}"
                yield Claim(claim, PEOPLE, number(paper, digits), "", OPEN, reason)
                continue
            same = number(ours, digits) == number(paper, digits)
            verdict = HOLDS if same else FAILS
            yield Claim(claim, PEOPLE, number(paper, digits), number(ours, digits), verdict)
