"""The paper's claims, as data, and the rules by which each is judged.

A claim is what the paper says, where, and a test, which finds our number in the tables or raises
`NeedsError`. What a verdict means depends on whose trials and people the data is of (`Standing`):

- on the paper's own trials and people sampling has no part in it: a value is the same, up to SAME,
  or it differs;
- of new people on the paper's trials a value is compatible if our interval holds it;
- on other trials, and of simulated participants, values are not judged.

A direction holds where our interval lies on its side, does not where it lies on the other, and is
undecided in between, whatever the data.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from onlooker.analysis.data.human import NEEDS_PARTICIPANTS
from onlooker.analysis.data.reported import (
    REPORTED,
    REPORTED_SAMPLES,
    Reported,
    ReportedSample,
)
from onlooker.analysis.data.scopes import POOLED, TRIAL, Scope
from onlooker.analysis.data.statistics import Pairs, interval
from onlooker.analysis.data.words import Source, number, ranged, records
from onlooker.analysis.tables.behaviour import npc_gaps
from onlooker.analysis.tables.comparison import Standing
from onlooker.analysis.tables.results import NeedsError, Results
from onlooker.analysis.tables.whether import HARDLY
from onlooker.experiments.inventory import PAPER_EXPERIMENTS
from onlooker.experiments.variants import Variant
from onlooker.game import ExperimentName
from onlooker.support.arrays import FloatArray

# What a claim is about, in the order of the argument.
SAMPLE, WHETHER, WHOM = "what people do", "whether and when", "whom"
ABLATIONS, MISSES, COSTS = "why the ablations fail", "what the model misses", "what that costs"
ABOUT = (SAMPLE, WHETHER, WHOM, ABLATIONS, MISSES, COSTS)

# Verdicts on values, on directions, and on neither.
SAME_VALUE, DIFFERS = "same", "differs"
COMPATIBLE, INCOMPATIBLE = "compatible", "not compatible"
HOLDS, FAILS, UNDECIDED = "holds", "does not hold", "undecided"
OPEN, UNJUDGED = "cannot be checked", "not judged"
VERDICTS = (
    SAME_VALUE, DIFFERS, COMPATIBLE, INCOMPATIBLE, HOLDS, FAILS, UNDECIDED, OPEN, UNJUDGED,
)  # fmt: skip

# Where the paper makes a claim.
RESULTS, DISCUSSION, PEOPLE = "Results", "Discussion", "Participants"
SLOPE_FIGURE, SLOPES_FIGURE = "Fig. 5", "Supplement, Fig. A15"
TOTAL_FIGURE = "Supplement, Fig. A14"

SAME = 0.02  # how far a value may be from the paper's to be called the same
ROUNDED = 0.005  # the paper gives two decimals
FOLLOWS = 0.5  # least r at which total steps are said to be followed; the paper gives no number
WELL = 0.8  # least r at which total cost is reproduced well; the paper gives no number
LEAST_HEDGE = 0.5  # steps: less than that is not "also watching"
A_LITTLE = 0.5  # share of the steps for the NPC that is watched: more than that is not "a little"
SKIPPED_MAPS = 3  # of Exp. 1, in the paper
WITH_ROLES = 4  # the experiment that has experts and novices

FULL, MENTALIZING = "rational_mentalizing", "mentalizing_observer"
RATIONAL, NAIVE = "rational_observer", "naive_observer"
ABLATED = (RATIONAL, MENTALIZING, NAIVE)
SLOPES = {  # the paper's sign; 0: positive, with an interval that includes 0
    "people": ("positive", 1),
    FULL: ("positive", 1),
    RATIONAL: ("positive, the interval includes 0", 0),
    MENTALIZING: ("negative", -1),
    NAIVE: ("negative", -1),
}
TITLES = {name: Variant(name).title for name in (FULL, *ABLATED)}


@dataclass(frozen=True)
class Judgement:
    """What became of a claim."""

    ours: str
    verdict: str
    reason: str = ""
    difference: float = np.nan  # ours minus the paper's
    authors: str = ""  # by the authors' own counts
    other: str = ""  # in the other reading of the observer


@dataclass(frozen=True)
class Claim:
    """What the paper says, where, and how it is tested."""

    about: str
    claim: str
    place: str
    paper: str
    test: Callable[[Results], Judgement]


def verdicts(found: Results) -> pd.DataFrame:
    """Every claim, a row each, with what became of it."""
    rows = []
    for claim in CLAIMS:
        try:
            judged = claim.test(found)
        except NeedsError as error:
            judged = Judgement("", OPEN, f"needs {error}")
        row = {"about": claim.about, "claim": claim.claim, "place": claim.place}
        rows.append(row | {"paper": claim.paper} | vars(judged))
    return pd.DataFrame(rows)


# -- how values and directions are judged ----------------------------------------------------------


def judge_value(
    standing: Standing, paper: float, ours: float, low: float = np.nan, high: float = np.nan
) -> tuple[str, str]:
    """The verdict on a value of the paper, and the reason.

    >>> judge_value(Standing.PAPER, 0.23, 0.59, 0.13, 0.88)
    ('differs', '')
    >>> judge_value(Standing.NEW_PEOPLE, 0.23, 0.59, 0.13, 0.88)
    ('compatible', '')
    """
    if standing is Standing.OTHER:
        return UNJUDGED, ""
    if np.isnan(ours):
        return OPEN, "there is no value"
    if standing is Standing.PAPER:
        close = abs(ours - paper) <= SAME + ROUNDED + 1e-9
        return (SAME_VALUE if close else DIFFERS), ""
    if np.isnan(low) or np.isnan(high):
        return OPEN, "there is no interval"
    inside = low - ROUNDED <= paper <= high + ROUNDED
    return (COMPATIBLE if inside else INCOMPATIBLE), ""


def judge_side(sign: int, low: float, high: float, zero: float = 0.0) -> tuple[str, str]:
    """Whether an interval lies above a value (sign 1) or below it (−1), and what to add.

    >>> judge_side(1, 0.2, 0.4), judge_side(-1, -0.1, 0.4)
    (('holds', ''), ('undecided', 'the interval includes 0'))
    """
    if np.isnan(low) or np.isnan(high):
        return OPEN, "there is no interval"
    if low <= zero <= high:
        return UNDECIDED, f"the interval includes {zero:g}"
    return (HOLDS, "") if (low > zero) == (sign > 0) else (FAILS, "the other direction")


def _directed(
    value: float,
    low: float,
    high: float,
    sign: int,
    unit: str = "",
    digits: int = 2,
    words: str = "",
) -> Judgement:
    """The judgement of a direction of a value with its interval."""
    verdict, reason = judge_side(sign, low, high)
    ours = ranged(value, low, high, digits, zero=bool(unit))
    return Judgement(f"{ours} {unit}".strip(), verdict, "; ".join(filter(None, (words, reason))))


def _interval_of(row: Mapping[str, Any], name: str) -> tuple[float, float, float]:
    return row[name], row[f"{name}_low"], row[f"{name}_high"]


# -- agreement with people -------------------------------------------------------------------------


def _reported(paper: Reported, found: Results) -> Judgement:
    """A value of r or CCC; where the paper gives a bound, whether ours keeps it."""
    row, name = found.fit(paper.scope, paper.observer), paper.statistic
    ours, low, high = row[name], row[f"{name}_low"], row[f"{name}_high"]
    standing = found.comparison.standing
    verdict, reason = judge_value(standing, paper.value, ours, low, high)
    if paper.at_most and standing is Standing.PAPER:
        verdict = HOLDS if ours <= paper.value + ROUNDED else FAILS
    elif paper.at_most and standing is Standing.NEW_PEOPLE:
        verdict, reason = judge_side(-1, low, high, paper.value)
    difference = np.nan if paper.at_most or verdict == UNJUDGED else ours - paper.value
    other = found.other_reading(paper.observer)
    beside = number(found.fit(paper.scope, other)[name]) if other else ""
    return Judgement(
        number(ours) if standing is Standing.PAPER else ranged(ours, low, high),
        verdict,
        row["reason"] or reason,
        difference,
        _authors(found, paper),
        beside,
    )


def _authors(found: Results, paper: Reported) -> str:
    """The same statistic of the authors' own counts, where the file has them."""
    if found.published is None or paper.observer != FULL:
        return ""
    rows = records(paper.scope.rows(found.published.agreement))
    return number(rows[0][f"{paper.statistic}_published_model"]) if rows else ""


def _apart(observer: str, found: Results) -> Judgement:
    """Whether an ablation's interval of CCC lies below the model's."""
    full, row = (found.fit(Scope(), name) for name in (FULL, observer))
    gap = full["ccc_low"] - row["ccc_high"]
    verdict = OPEN if pd.isna(gap) else HOLDS if gap > 0 else FAILS
    low, high = (ranged(r["ccc"], r["ccc_low"], r["ccc_high"]) for r in (row, full))
    return Judgement(f"{low} and {high}", verdict, "" if gap == gap else "there is no interval")


def _follows(experiment: ExperimentName, found: Results) -> Judgement:
    """Whether r of total steps is at least FOLLOWS."""
    row = found.fit(Scope(experiment), FULL, "total_steps")
    verdict, _ = judge_side(1, row["r_low"], row["r_high"], FOLLOWS)
    ours = "r " + ranged(row["r"], row["r_low"], row["r_high"])
    return Judgement(ours, verdict, f"taken as r from {number(FOLLOWS)} up")


def _fewer_steps(experiment: ExperimentName, found: Results) -> Judgement:
    row = found.fit(Scope(experiment), FULL, "total_steps")
    return _directed(*_interval_of(row, "mean_difference"), -1, "steps")


def _gap(observer: str, scope: Scope, sign: int, found: Results) -> Judgement:
    """Whether an observer watches more than people, or less."""
    row = found.fit(scope, observer)
    judged = _directed(*_interval_of(row, "mean_difference"), sign, "steps")
    if judged.verdict == FAILS:
        return Judgement(judged.ours, FAILS, "it watches less" if sign > 0 else "it watches more")
    return judged


# -- whether, and whom -----------------------------------------------------------------------------


def _skipped(found: Results) -> pd.Index:
    """The maps of Exp. 1 that the model does not watch and the Mentalizing Observer does."""
    rows = found.predictions[found.predictions["experiment"] == 1]
    wide = rows.pivot_table(index=TRIAL, columns="observer", values="observed", aggfunc="sum")
    if wide.empty or not {FULL, MENTALIZING} <= set(wide):
        raise NeedsError("trials of Exp. 1")
    return wide.index[(wide[FULL] == 0) & (wide[MENTALIZING] > 0)]


def _skips(found: Results) -> Judgement:
    ours = len(_skipped(found))
    if found.comparison.trials_of_paper:
        same = ours == SKIPPED_MAPS
        return Judgement(str(ours), SAME_VALUE if same else DIFFERS, "", ours - SKIPPED_MAPS)
    return Judgement(str(ours), UNJUDGED)


def _skipped_by_people(found: Results) -> Judgement:
    """Whether people hardly watch there; of so few maps there is no interval, so each counts."""
    found.need_people(1)
    there = _skipped(found)
    mine = found.pairs[found.pairs["observer"] == MENTALIZING].set_index(TRIAL)
    mine = mine[mine.index.isin(there)].reset_index()
    if mine.empty:
        raise NeedsError("maps that only one of them watches")
    watched = mine["human_observed"]
    mean, ends = found.comparison.resampler.mean(mine, watched)
    less = int((watched < HARDLY).sum())
    words = f"taken as less than {HARDLY:g} step, as on {less} of {len(watched)} maps"
    verdict = HOLDS if less == len(watched) else FAILS if not less else UNDECIDED
    if not np.isnan(ends.low):
        verdict, _ = judge_side(-1, ends.low, ends.high, HARDLY)
    return Judgement(f"{ranged(mean, ends.low, ends.high, zero=True)} steps", verdict, words)


def _prefers_expert(observer: str, found: Results) -> Judgement:
    """Whether an ablation mostly watches the expert, whatever the map."""
    rows = found.predictions[found.predictions["experiment"] == WITH_ROLES]
    if rows.empty:
        raise NeedsError(f"trials of Exp. {WITH_ROLES}")
    if observer not in set(rows["observer"]):
        raise NeedsError(f"predictions of {observer}")
    rows = rows.rename(columns={"observed": "model_observed"}).assign(human_observed=0.0)

    def judged(label: str) -> Judgement:
        gaps = npc_gaps(rows[rows["observer"] == label])
        gaps = gaps[gaps["roles"]]
        gap = gaps["model_observed"]
        more, less = int((gap > 0).sum()), int((gap < 0).sum())
        words = f"the expert more in {more} of {len(gap)} trials, the novice in {less}"
        mean, ends = found.comparison.resampler.mean(gaps, gap)
        return _directed(mean, ends.low, ends.high, 1, "steps more", words=words)

    mine, other = judged(observer), found.other_reading(observer)
    beside = f"{judged(other).ours}: {judged(other).verdict}" if other else ""
    return Judgement(mine.ours, mine.verdict, mine.reason, other=beside)


def _reverses(whom: str, sign: int, found: Results) -> Judgement:
    """Whether people watch whom the model watches more, between expert and novice."""
    found.need_people(WITH_ROLES)
    table = found.reversal
    if not table.empty:
        table = table[(table["observer"] == FULL) & (table["prefers"] == whom)]
        table = table[table["experiment"] == WITH_ROLES]
    if table.empty:
        raise NeedsError(f"trials on which the model watches the {whom} more")
    [row] = records(table)
    low, high = sorted((sign * row["low"], sign * row["high"]))
    return _directed(sign * row["people"], low, high, 1, "steps more", words=f"{row['n']} trials")


def _hedges(experiment: ExperimentName, found: Results) -> Judgement:
    """Whether people also watch the NPC that the model leaves: at least LEAST_HEDGE, but a little.

    Of a count that is never negative, "above 0" would be no test.
    """
    found.need_people(experiment)
    table = found.hedging[found.hedging["experiment"] == experiment]
    rows = {row["model_watches"]: row for row in records(table)}
    if not {"the other NPC", "this NPC"} <= set(rows):
        raise NeedsError("trials on which the model watches one NPC only")
    row, most = rows["the other NPC"], A_LITTLE * rows["this NPC"]["people"]
    low, high = row["low"], row["high"]
    words = f"taken as {number(LEAST_HEDGE, 1, zero=True)} to {number(most, 1, zero=True)} steps"
    words += f" (half of those for the NPC that it watches); {row['n']} NPCs"
    if "nobody" in rows:
        words += f"; where it watches nobody, {number(rows['nobody']['people'], 1, zero=True)}"
    ours = f"{ranged(row['people'], low, high, zero=True)} steps"
    if pd.isna(low):
        return Judgement(ours, OPEN, "there is no interval")
    inside, outside = low >= LEAST_HEDGE and high <= most, high < LEAST_HEDGE or low > most
    return Judgement(ours, HOLDS if inside else FAILS if outside else UNDECIDED, words)


# -- what it costs ---------------------------------------------------------------------------------


def _slope(who: str, experiment: ExperimentName, sign: int, found: Results) -> Judgement:
    """The sign of a slope; over all experiments it needs all of them."""
    numbers = set(found.predictions["experiment"])
    if experiment == POOLED and (missing := [n for n in PAPER_EXPERIMENTS if n not in numbers]):
        raise NeedsError(f"trials of Exp. {_listed(missing)}")
    row = found.slope(who, experiment)
    judged = _directed(row["slope"], row["low"], row["high"], sign or 1, digits=3)
    if sign == 0 and not pd.isna(row["low"]):
        between = row["low"] <= 0 <= row["high"]
        verdict = FAILS if not between else HOLDS if row["slope"] > 0 else UNDECIDED
        judged = Judgement(judged.ours, verdict, judged.reason if verdict == UNDECIDED else "")
    other = found.other_reading(who)
    beside = number(found.slope(other, experiment)["slope"], 3) if other else ""
    return Judgement(judged.ours, judged.verdict, judged.reason, other=beside)


def _nearest(found: Results) -> Judgement:
    """Whether the model's slope is nearer to people's than any ablation's, on the same trials.

    On the paper's own trials and people it is or it is not; elsewhere the interval decides.
    """
    found.need_people()
    found.slope("people", POOLED)  # which says what people's costs need
    trials = found.pairs.drop_duplicates([*TRIAL, "observer"])
    rows = {str(name): mine for name, mine in trials.groupby("observer", sort=False)}
    if missing := [name for name in (FULL, *ABLATED) if name not in rows]:
        raise NeedsError(f"predictions of {missing[0]}")
    people = _slopes_drawn(found, rows[FULL], "human")
    away = {
        name: np.abs(_slopes_drawn(found, rows[name], "model") - people)
        for name in (FULL, *ABLATED)
    }
    ahead: FloatArray = np.min([away[name] for name in ABLATED], axis=0) - away[FULL]
    nearest = min(away, key=lambda name: away[name][0])
    ours = f"{TITLES[nearest]} is {number(away[nearest][0], 3)} away"
    if found.comparison.standing is Standing.PAPER:
        return Judgement(ours, HOLDS if nearest == FULL else FAILS)
    ends = interval(ahead[1:])
    verdict, _ = judge_side(1, ends.low, ends.high)
    lead = ranged(ahead[0], ends.low, ends.high, 3)
    return Judgement(ours, verdict, f"the model is nearer than the nearest ablation by {lead}")


def _slopes_drawn(found: Results, rows: pd.DataFrame, side: str) -> FloatArray:
    """The slope of observation on execution cost of the data, then of each resample."""
    x = rows[f"{side}_cost_execution"]
    y = rows[f"{side}_cost_total"] - x
    weights = found.comparison.resampler.weights(rows)
    return np.concatenate([Pairs.of(x, y).slope(), Pairs.of(x, y, weights).slope()])


def _total_cost(experiment: ExperimentName, found: Results) -> Judgement:
    """Whether r of total cost is at least WELL for every observer."""
    rows = [found.fit(Scope(experiment), name, "cost_total") for name in (FULL, *ABLATED)]
    least = min(rows, key=lambda row: row["r"])
    verdict, _ = judge_side(1, least["r_low"], least["r_high"], WELL)
    ours = "least r " + ranged(least["r"], least["r_low"], least["r_high"])
    words = f"{TITLES[least['observer']]}; well is taken as r from {number(WELL)} up"
    return Judgement(ours, verdict, words)


def _diagnostic(observer: str, found: Results) -> Judgement:
    """Whether the model's lead over an ablation is larger in counts than in total costs."""
    if found.advantage.empty:
        raise NeedsError(NEEDS_PARTICIPANTS)
    found.need_people()
    table = found.advantage[found.advantage["experiment"] == POOLED]
    rows = {row["observer"]: row for row in records(table)}
    if observer not in rows:
        raise NeedsError(f"predictions of {observer}")
    row = rows[observer]
    judged = _directed(row["difference"], row["low"], row["high"], 1)
    other = found.other_reading(observer)
    beside = number(rows[other]["difference"]) if other in rows else ""
    ours = f"lead in r larger by {judged.ours}"
    return Judgement(ours, judged.verdict, judged.reason, other=beside)


# -- the sample ------------------------------------------------------------------------------------


def _reliability(experiment: ExperimentName, found: Results) -> Judgement:
    table = found.comparison.reliability
    rows = records(Scope(experiment).rows(table[table["measure"] == "observed"]))
    if not rows or rows[0]["needs"]:
        raise NeedsError(NEEDS_PARTICIPANTS)
    value, paper = rows[0]["reliability"], REPORTED_SAMPLES[experiment].reliability
    if np.isnan(value):
        return Judgement("", OPEN, rows[0]["reason"])
    if found.comparison.standing is not Standing.PAPER:
        return Judgement(number(value), UNJUDGED, "it depends on how many people there are")
    verdict, reason = judge_value(Standing.PAPER, paper, value)
    return Judgement(number(value), verdict, reason, value - paper)


def _fact(
    experiment: ExperimentName, name: str, paper: str, digits: int, found: Results
) -> Judgement:
    """A fact about the people who took part: the same if it is written the same."""
    rows = {row["experiment"]: row for row in records(found.comparison.sample)}
    row = rows.get(experiment, {})
    if pd.isna(row.get("began", np.nan)):
        raise NeedsError(NEEDS_PARTICIPANTS)
    value = row.get(name)
    ours = value if isinstance(value, str) else number(value, digits)
    if found.comparison.source is not Source.HUMAN:
        return Judgement(ours, UNJUDGED, f"these are {found.comparison.people}")
    if not ours:
        raise NeedsError(f"the participants' {'gender' if name == 'gender' else 'age'}")
    if found.comparison.standing is not Standing.PAPER:
        return Judgement(ours, UNJUDGED, "these are other people")
    return Judgement(ours, SAME_VALUE if ours == paper else DIFFERS)


def _facts(sample: ReportedSample) -> Iterator[Claim]:
    """How many took part and were left out, how old they were, and their gender."""
    values = (
        ("participants", "began", number(sample.participants, 0), 0),
        ("excluded by the quality filter", "excluded", number(sample.excluded, 0), 0),
        ("mean age", "age_mean", number(sample.age_mean, 1), 1),
        ("SD of age", "age_sd", number(sample.age_sd, 1), 1),
        ("gender", "gender", _genders(sample.gender), 0),
    )
    for words, name, paper, digits in values:
        test = partial(_fact, sample.experiment, name, paper, digits)
        yield Claim(SAMPLE, f"Exp. {sample.experiment}: {words}", PEOPLE, paper, test)


def _genders(counts: Mapping[str, int]) -> str:
    """As the table of the sample writes it.

    >>> _genders({"female": 23, "male": 34})
    'male 34, female 23'
    """
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return ", ".join(f"{gender} {count}" for gender, count in ordered)


def _listed(numbers: Sequence[Any]) -> str:
    return ", ".join(map(str, numbers))


# -- all of them -----------------------------------------------------------------------------------


def _of_values() -> Iterator[Claim]:
    """Every r and CCC that the paper reports."""
    for paper in REPORTED:
        title, scope = TITLES[paper.observer], paper.scope
        bound = "≤ " if paper.at_most else ""
        said = bound + ranged(paper.value, paper.low, paper.high)
        about = WHETHER if scope.of_all_npcs else WHOM
        about = about if paper.observer == FULL else ABLATIONS
        where = "all experiments" if scope.experiment is None else f"Exp. {scope.experiment}"
        where += "" if scope.of_all_npcs else f", {scope.who}"
        words = "CCC of observation steps" if paper.statistic == "ccc" else "r"
        yield Claim(about, f"{title}: {words}, {where}", RESULTS, said, partial(_reported, paper))


def _of_experiments() -> Iterator[Claim]:
    """What the paper says of each experiment."""
    full, role = TITLES[FULL], f"Exp. {WITH_ROLES}"
    for n in PAPER_EXPERIMENTS:
        text = f"{full} follows people's total steps over trials, Exp. {n}"
        yield Claim(WHETHER, text, DISCUSSION, "the pattern", partial(_follows, n))
        text = f"{full} takes fewer total steps than people, Exp. {n}"
        yield Claim(MISSES, text, DISCUSSION, "fewer", partial(_fewer_steps, n))
        text = f"{full} watches less than people, Exp. {n}"
        yield Claim(MISSES, text, DISCUSSION, "less", partial(_gap, FULL, Scope(n), -1))
        text = f"All observers reproduce total cost, Exp. {n}"
        yield Claim(COSTS, text, TOTAL_FIGURE, "well (no number)", partial(_total_cost, n))
        for who in ("people", FULL):
            text = f"Slope of observation on execution cost, {TITLES.get(who, who)}, Exp. {n}"
            yield Claim(COSTS, text, SLOPES_FIGURE, "positive", partial(_slope, who, n, 1))
        paper = number(REPORTED_SAMPLES[n].reliability)
        text = f"Split-half reliability r_SB, Exp. {n}"
        yield Claim(SAMPLE, text, PEOPLE, paper, partial(_reliability, n))
        yield from _facts(REPORTED_SAMPLES[n])
    for n in (3, 4):
        text = f"People also watch the NPC that the model leaves for the other, Exp. {n}"
        yield Claim(MISSES, text, DISCUSSION, "a little", partial(_hedges, n))
    for whom, sign in (("expert", 1), ("novice", -1)):
        text = f"People watch the {whom} more where {full} does, {role}"
        place = f"{RESULTS}; {DISCUSSION}"
        yield Claim(WHOM, text, place, f"the {whom}", partial(_reverses, whom, sign))
    for observer in (RATIONAL, NAIVE):
        text = f"{TITLES[observer]}: mostly watches the expert, {role}"
        yield Claim(WHOM, text, RESULTS, "mostly", partial(_prefers_expert, observer))


def _of_observers() -> Iterator[Claim]:
    """What the paper says of observers over all experiments."""
    for observer in ABLATED:
        title = TITLES[observer]
        text = f"{title}: its interval of CCC lies below the model's"
        yield Claim(ABLATIONS, text, RESULTS, "no overlap", partial(_apart, observer))
        text = f"Counts tell the model and {title} apart better than total cost"
        place = f"{DISCUSSION}; {TOTAL_FIGURE}"
        yield Claim(ABLATIONS, text, place, "more diagnostic", partial(_diagnostic, observer))
    for observer, words, paper, sign in (
        (MENTALIZING, "watches more than people (over-observes)", "more", 1),
        (RATIONAL, "watches less than people (under-observes)", "less", -1),
    ):
        text = f"{TITLES[observer]} {words}, all experiments"
        yield Claim(ABLATIONS, text, DISCUSSION, paper, partial(_gap, observer, Scope(), sign))
    for who, (paper, sign) in SLOPES.items():
        text = f"Slope of observation on execution cost, {TITLES.get(who, who)}, all experiments"
        about = COSTS if who in ("people", FULL) else ABLATIONS
        place = f"{RESULTS}; {SLOPE_FIGURE}"
        yield Claim(about, text, place, paper, partial(_slope, who, POOLED, sign))
    text = f"Of all observers' slopes, {TITLES[FULL]}'s is nearest to people's"
    yield Claim(COSTS, text, SLOPE_FIGURE, "nearest", _nearest)
    where = f"{TITLES[FULL]} skips watching and the Mentalizing Observer watches"
    text = f"Maps of Exp. 1 on which {where}"
    yield Claim(WHETHER, text, RESULTS, str(SKIPPED_MAPS), _skips)
    text = f"People hardly watch on the maps of Exp. 1 on which {where}"
    yield Claim(WHETHER, text, RESULTS, "almost not at all", _skipped_by_people)


CLAIMS: tuple[Claim, ...] = tuple(
    sorted(
        [*_of_values(), *_of_experiments(), *_of_observers()],
        key=lambda claim: ABOUT.index(claim.about),
    )
)
