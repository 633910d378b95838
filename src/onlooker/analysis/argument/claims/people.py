"""Claims about who took part, and how well they agree with each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd

from onlooker.analysis.argument.claims.claim import FAILS, HOLDS, OPEN, PEOPLE, SAMPLE, Claim
from onlooker.analysis.argument.claims.evidence import Evidence
from onlooker.analysis.argument.writing import records
from onlooker.analysis.human import NEEDS_PARTICIPANTS
from onlooker.analysis.reported import REPORTED_SAMPLES, ReportedSample
from onlooker.analysis.scopes import Scope
from onlooker.analysis.words import number


def reliability(found: Evidence) -> Iterator[Claim]:
    """The split-half reliability of each experiment."""
    table = found.comparison.reliability
    for number_, sample in REPORTED_SAMPLES.items():
        claim = f"Split-half reliability r_SB, Exp. {number_}"
        rows = records(Scope(number_).rows(table[table["measure"] == "observed"]))
        paper = number(sample.reliability)
        value = rows[0]["reliability"] if rows else np.nan
        if np.isnan(value):
            yield Claim(SAMPLE, claim, PEOPLE, paper, "", OPEN, f"needs {NEEDS_PARTICIPANTS}")
            continue
        close = abs(value - sample.reliability) <= 0.02
        reason = "within .02, as splits are random" if close else "more than .02 apart"
        verdict = HOLDS if close else FAILS
        yield Claim(SAMPLE, claim, PEOPLE, paper, number(value), verdict, reason)


def samples(found: Evidence) -> Iterator[Claim]:
    """How many took part and were left out, how old they were, and their gender."""
    rows = {row["experiment"]: row for row in records(found.comparison.sample)}
    for number_, sample in REPORTED_SAMPLES.items():
        row: Mapping[str, Any] = rows.get(number_, {})
        known = not pd.isna(row.get("began", np.nan))
        for words, paper, ours in _facts(row, sample):
            claim = f"Exp. {number_}: {words}"
            if not ours:
                what = f"the participants' {words.split()[-1]}" if known else NEEDS_PARTICIPANTS
                reason = f"needs {what}"
                yield Claim(SAMPLE, claim, PEOPLE, paper, "", OPEN, reason)
                continue
            verdict = HOLDS if ours == paper else FAILS
            yield Claim(SAMPLE, claim, PEOPLE, paper, ours, verdict)


def _facts(row: Mapping[str, Any], sample: ReportedSample) -> Iterator[tuple[str, str, str]]:
    """A fact in words, the paper's value and ours; ours is empty where it is not known."""
    values = (
        ("participants", "began", sample.participants, 0),
        ("excluded by the quality filter", "excluded", sample.excluded, 0),
        ("mean age", "age_mean", sample.age_mean, 1),
        ("SD of age", "age_sd", sample.age_sd, 1),
    )
    for words, name, paper, digits in values:
        yield words, number(paper, digits), number(row.get(name, np.nan), digits)
    ours = row.get("gender", "")
    yield "gender", _genders(sample.gender), "" if pd.isna(ours) else ours


def _genders(counts: Mapping[str, int]) -> str:
    """As the table of the sample writes it.

    >>> _genders({"female": 23, "male": 34})
    'male 34, female 23'
    """
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return ", ".join(f"{gender} {count}" for gender, count in ordered)
