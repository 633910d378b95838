"""Comparing models on single people: selection, families, attributions and cross-validation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
import pandas as pd

from onlooker.experiments.naming import in_order
from onlooker.fitting.dirichlet import TooLargeError
from onlooker.fitting.folders import Fits
from onlooker.fitting.group import MOST_K
from onlooker.fitting.plays import LATE
from onlooker.fitting.selection import Method, Selection, bms
from onlooker.support.problems import DataError, Problem

CRITERIA = {  # the column of the fits, and what it is multiplied by to be a log evidence
    "evidence": ("log_evidence", 1.0),
    "bic": ("bic", -0.5),
    "aic": ("aic", -0.5),
    "cv": ("cv_trial", 1.0),
}
UNITS = {  # what a lead is a difference of
    "evidence": "log evidence",
    "bic": "−BIC/2",
    "aic": "−AIC/2",
    "cv": "cross-validated log probability",
}
POOLED = "pooled"
DECIDED = 3.0  # a person whose best observer leads by less, in log evidence, is undecided
FAMILIES = {  # which observers of ours do what; the Naive Observer does neither
    "mentalizes": ("rational_mentalizing", "mentalizing_observer", "graded_mentalizing"),
    "weighs costs": ("rational_mentalizing", "rational_observer", "graded_mentalizing"),
}


@dataclass(frozen=True)
class IndividualComparison:
    """What single people's fits say about the observers."""

    data: str  # human or simulated
    criterion: str
    method: str  # that was used; several, where groups differ in size
    alpha0: float
    answers: Mapping[Any, str]  # by experiment: whom its people are best described by
    tables: Mapping[str, pd.DataFrame]  # people, selection, families, attributions, …
    notes: tuple[str, ...]
    priors: Mapping[str, str]  # of each observer

    @property
    def unit(self) -> str:
        """What the lead of an observer is a difference of."""
        return UNITS[self.criterion]

    def to_dict(self) -> dict[str, Any]:
        """As plain data; what is missing is None."""
        return {
            "data": self.data,
            "criterion": self.criterion,
            "method": self.method,
            "alpha0": self.alpha0,
            "answers": list(self.answers.values()),
            "priors": dict(self.priors),
            "notes": list(self.notes),
            **{
                name: frame.astype(object).where(frame.notna(), None).to_dict("records")
                for name, frame in self.tables.items()
            },
        }


def compare_people(
    fits: Fits, criterion: str = "evidence", alpha0: float = 1.0, method: Method = "exact"
) -> IndividualComparison:
    """Select among the observers of a fit, in each experiment and over all."""
    table = fits.tables["fits"]
    observers = list(dict.fromkeys(table["observer"]))
    if len(observers) < 2:
        only = observers[0] if observers else "none"
        reason = f"expected fits of at least two observers to choose from, not {only} alone"
        raise DataError([Problem("table fits", reason)])
    column, factor = CRITERIA[criterion]
    wide = table.pivot_table(
        index=["experiment", "participant"], columns="observer", values=column, sort=True
    )
    wide = wide.reindex(columns=observers) * factor
    if wide.isna().any(axis=None):
        who = wide.index[wide.isna().any(axis=1)][0][1]
        reason = f"participant {who} has no {column} for every observer"
        raise DataError([Problem("table fits", reason)])
    parts: dict[Any, pd.DataFrame] = dict(iter(wide.groupby(level=0)))
    if len(parts) > 1:
        parts[POOLED] = wide
    rows: dict[str, list[dict[str, Any]]] = {
        name: [] for name in ("people", "selection", "families", "attributions")
    }
    titles = {name: about["title"] for name, about in fits.about.get("models", {}).items()}
    notes: list[str] = [LATE] if fits.about.get("late") else []
    answers: dict[Any, str] = {}
    for part, evidence in parts.items():
        found, note = _selected(evidence.to_numpy(float), alpha0, method)
        notes += [f"{_named(part)}: {note}"] if note else []
        bics = table[table["experiment"] == part] if part != POOLED else table
        rows["selection"] += _selection(part, evidence, found, criterion, bics, observers)
        rows["families"] += _families(part, found, observers)
        people = list(_people(evidence))
        answers[part] = _answer(part, people, titles)
        if part != POOLED:
            rows["people"] += people
            rows["attributions"] += _attributions(evidence, found, observers)
    frames = {name: pd.DataFrame(each) for name, each in rows.items() if each}
    frames["cross_validation"] = cross_validation(fits, observers)
    for frame in frames.values():
        frame.insert(0, "data", fits.data)
    priors = dict(zip(table["observer"], table["prior"], strict=True)) if "prior" in table else {}
    used = ", ".join(dict.fromkeys(frames["selection"]["method"]))
    return IndividualComparison(
        fits.data, criterion, used, alpha0, answers, frames, tuple(notes), priors
    )


def _named(part: Any) -> str:
    return "All experiments" if part == POOLED else f"Experiment {part}"


def _people(evidence: pd.DataFrame) -> Iterator[dict[str, Any]]:
    """Who describes each person best, by how much, and whether that is enough to say so."""
    values = evidence.to_numpy(float)
    order = np.argsort(-values, axis=1, kind="stable")
    for (experiment, participant), mine, (best, following, *_) in zip(
        evidence.index, values, order, strict=True
    ):
        lead = float(mine[best] - mine[following])
        yield {
            "experiment": experiment,
            "participant": participant,
            "best": evidence.columns[best],
            "lead": lead,
            "next": evidence.columns[following],
            "undecided": lead < DECIDED,
        }


def _answer(part: Any, people: Sequence[Mapping[str, Any]], titles: Mapping[str, str]) -> str:
    """How many people each observer describes best, in a sentence."""
    counts = Counter(each["best"] for each in people if not each["undecided"])
    undecided = len(people) - counts.total()
    found = [
        f"{count} of {len(people)} {'is' if count == 1 else 'are'} best described by"
        f" {titles.get(name, name)}"
        if not place
        else f"{count} by {titles.get(name, name)}"
        for place, (name, count) in enumerate(counts.most_common())
    ]
    if undecided or not found:
        is_are = "is" if undecided == 1 else "are"
        of_all = "" if found else f" of {len(people)}"
        found.append(f"{undecided}{of_all} {is_are} undecided (a lead of less than {DECIDED:g})")
    return f"{_named(part)}: {', '.join(found)}"


def _selected(evidence: Any, alpha0: float, method: Method) -> tuple[Selection, str]:
    note = ""
    try:
        found = bms(evidence, alpha0, method)
    except TooLargeError:
        found = bms(evidence, alpha0, "sampling")
        note = "too many people for the exact sum, so frequencies are sampled"
    if found.method == "sampling":
        note += f"{'; ' if note else ''}Monte Carlo SE of the log evidence {found.error:.2g}"
    return found, note


def _selection(
    part: Any,
    evidence: pd.DataFrame,
    found: Selection,
    criterion: str,
    fits: pd.DataFrame,
    observers: Sequence[str],
) -> Iterator[dict[str, Any]]:
    best = evidence.to_numpy(float).argmax(axis=1)
    for index, name in enumerate(observers):
        yield {
            "experiment": part,
            "observer": name,
            "participants": len(evidence),
            "sum_log_evidence": float(evidence[name].sum()),
            "sum_bic": float(fits.loc[fits["observer"] == name, "bic"].sum()),
            "best_of": int((best == index).sum()),
            "alpha0": found.alpha0,
            "alpha": float(found.alpha[index]),
            "r": float(found.r[index]),
            "r_low": float(found.r_low[index]),
            "r_high": float(found.r_high[index]),
            "xp": float(found.xp[index]),
            "pxp": float(found.pxp[index]),
            "bor": found.bor,
            "method": found.method,
            "criterion": criterion,
        }


def _families(part: Any, found: Selection, observers: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Who mentalizes or not, and who weighs costs or not, where the observers are known."""
    if not set(observers) <= {"naive_observer", *chain(*FAMILIES.values())}:
        return
    for question, members in FAMILIES.items():
        yes = [index for index, name in enumerate(observers) if name in members]
        no = [index for index in range(len(observers)) if index not in yes]
        if not yes or not no:
            continue
        for answer, (r, xp) in found.families({"yes": yes, "no": no}).items():
            inside = yes if answer == "yes" else no
            yield {
                "experiment": part,
                "family": question,
                "member": answer,
                "observers": ", ".join(observers[index] for index in inside),
                "prior": len(inside) / len(observers),
                "r": r,
                "xp": xp,
            }


def _attributions(
    evidence: pd.DataFrame, found: Selection, observers: Sequence[str]
) -> Iterator[dict[str, Any]]:
    values = evidence.to_numpy(float)
    best = values.max(axis=1)
    for row, (experiment, participant) in enumerate(evidence.index):
        for index, name in enumerate(observers):
            yield {
                "experiment": experiment,
                "participant": participant,
                "observer": name,
                "log_evidence": values[row, index],
                "difference": values[row, index] - best[row],
                "z": float(found.attributions[row, index]),
            }


def cross_validation(fits: Fits, observers: Sequence[str]) -> pd.DataFrame:
    """How well left-out trials, and participants where groups were fitted, are predicted."""
    rows = list(_left_out(fits.tables["trials"], "trial", observers))
    if "group_people" in fits.tables:
        rows += _left_out(fits.tables["group_people"], "participant", observers)
    return pd.DataFrame(rows)


def _left_out(table: pd.DataFrame, unit: str, observers: Sequence[str]) -> Iterator[dict[str, Any]]:
    value = "cv" if unit == "trial" else "elpd"
    index = ["experiment", "participant"] + (["level"] if unit == "trial" else [])
    table = table.drop_duplicates([*index, "observer"])
    with_k = "k_hat" in table
    for part in [*in_order(table["experiment"]), POOLED]:
        here = table if part == POOLED else table[table["experiment"] == part]
        if part == POOLED and table["experiment"].nunique() < 2:
            continue
        wide = here.pivot(index=index, columns="observer", values=value)
        wide = wide[[name for name in observers if name in wide]]
        best = wide.sum().idxmax()
        for name in wide:
            behind = wide[name] - wide[best]
            yield {
                "experiment": part,
                "observer": name,
                "unit": unit,
                "n": len(wide),
                "elpd": float(wide[name].sum()),
                "se": _se(wide[name]),
                "difference": float(behind.sum()),
                "difference_se": _se(behind),
                "k_above_07": int((here.loc[here["observer"] == name, "k_hat"] > MOST_K).sum())
                if with_k
                else None,
                "by": "PSIS, people integrated out" if with_k else "grid",
            }


def _se(values: pd.Series) -> float:
    """The SE of a sum of values that vary over units."""
    return float(np.sqrt(len(values)) * values.std(ddof=1)) if len(values) > 1 else np.nan
