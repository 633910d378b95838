"""The claims beside a made-up study in which people do a little more than the full model does."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import cycle
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from analysis.studies import predictions, tables
from onlooker.analysis.claims import (
    CLAIMS,
    COMPATIBLE,
    DIFFERS,
    FAILS,
    FULL,
    HOLDS,
    INCOMPATIBLE,
    NAIVE,
    OPEN,
    SAME_VALUE,
    UNDECIDED,
    UNJUDGED,
    Judgement,
    judge_side,
    judge_value,
    verdicts,
)
from onlooker.analysis.data.human import read_human, summarize
from onlooker.analysis.report.sections.verdicts import tally, verdict_parts
from onlooker.analysis.tables.comparison import Standing, compare, predictions_frame
from onlooker.analysis.tables.readings import predict_both_readings
from onlooker.analysis.tables.results import Results
from onlooker.experiments.archive import read_archive
from onlooker.experiments.psych_ds import Dataset, Description
from onlooker.experiments.variants import Variant
from onlooker.inference import Parameters
from own_archive import MEANS, OTHER_COUNTS

TITLE = "Rational Mentalizing"
PEOPLE = Description("a study", "made up for a test", simulated=False)
PAPER, NEW, OTHER = Standing.PAPER, Standing.NEW_PEOPLE, Standing.OTHER


@pytest.mark.parametrize(
    ("standing", "ours", "low", "high", "expected"),
    [
        (PAPER, 0.92, np.nan, np.nan, SAME_VALUE),
        (PAPER, 0.88, 0.5, 0.95, SAME_VALUE),
        (PAPER, 0.87, 0.5, 0.95, DIFFERS),  # a wide interval does not help
        (PAPER, 0.925, 0.924, 0.926, SAME_VALUE),  # the paper rounds
        (PAPER, np.nan, np.nan, np.nan, OPEN),
        (NEW, 0.5, 0.2, 0.904, COMPATIBLE),
        (NEW, 0.5, 0.2, 0.89, INCOMPATIBLE),
        (NEW, 0.9, np.nan, np.nan, OPEN),
        (OTHER, 0.9, 0.8, 1.0, UNJUDGED),
    ],
)
def test_a_value(standing: Standing, ours: float, low: float, high: float, expected: str) -> None:
    assert judge_value(standing, 0.9, ours, low, high)[0] == expected


@pytest.mark.parametrize(
    ("sign", "low", "high", "expected"),
    [
        (1, 0.1, 0.2, HOLDS),
        (1, -0.1, 0.2, UNDECIDED),
        (1, -0.2, -0.1, FAILS),
        (-1, -0.2, -0.1, HOLDS),
        (-1, np.nan, np.nan, OPEN),
    ],
)
def test_a_direction(sign: int, low: float, high: float, expected: str) -> None:
    assert judge_side(sign, low, high)[0] == expected
    assert judge_side(sign, low + 1, high + 1, zero=1)[0] == expected


def test_every_claim_is_there_once() -> None:
    assert len({claim.claim for claim in CLAIMS}) == len(CLAIMS) == 98


# -- a made-up study -------------------------------------------------------------------------------


@cache
def made_up(experiments: tuple[int, ...], *, demographics: bool = True, **changes: Any) -> Results:
    """Predictions of four experiments; people of some. The other observer is the Rational one."""
    rows = [
        replace(row, observer="rational_observer") if row.observer == "mine" else row
        for row in predictions((1, 2, 3, 4), levels=60)
    ]
    played = tables(predictions(experiments, levels=60), trials=10)
    if not demographics:
        played["participants"] = played["participants"].drop(columns=["age", "gender"])
    frame = predictions_frame(rows)
    known = frame[frame["experiment"].isin(experiments)]
    people = summarize(Dataset(played, replace(PEOPLE, **changes)), known)
    comparison = compare(frame, people, resamples=300, splits=20)
    return Results(frame, people, comparison)


def judged(found: Results, opening: str) -> Judgement:
    """What becomes of the one claim that begins so."""
    [claim] = [claim for claim in CLAIMS if claim.claim.startswith(opening)]
    return claim.test(found)


@pytest.fixture(scope="module")
def all_four() -> pd.DataFrame:
    return verdicts(made_up((1, 2, 3, 4))).set_index("claim")


def test_people_of_all_experiments_leave_little_unchecked(all_four: pd.DataFrame) -> None:
    unchecked = all_four[all_four["verdict"] == OPEN]
    missing = "Mentalizing Observer|Naive Observer|[Aa]ll observers|NPC that the model leaves"
    assert unchecked.index.str.contains(missing).all()


def test_on_other_trials_no_value_is_judged(all_four: pd.DataFrame) -> None:
    assert not all_four["verdict"].isin([SAME_VALUE, DIFFERS, COMPATIBLE, INCOMPATIBLE]).any()
    assert all_four.loc[f"{TITLE}: r, Exp. 1", "verdict"] == UNJUDGED
    assert all_four.loc["Exp. 1: gender", "verdict"] == UNJUDGED
    # Ages 20 to 31: mean 25.5, SD √13. A third is female; letter case and spaces do not matter.
    assert all_four.loc["Exp. 1: mean age", "ours"] == "25.5"
    assert all_four.loc["Exp. 1: SD of age", "ours"] == "3.6"
    assert all_four.loc["Exp. 1: gender", ["paper", "ours"]].tolist() == [
        "male 34, female 23",
        "male 8, female 4",
    ]


@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_total_steps(all_four: pd.DataFrame, number: int) -> None:
    row = all_four.loc[f"{TITLE} follows people's total steps over trials, Exp. {number}"]
    assert row["verdict"] == HOLDS  # the made-up people add a few steps at random
    assert row["reason"] == "taken as r from .50 up"
    fewer = f"{TITLE} takes fewer total steps than people, Exp. {number}"
    assert all_four.loc[fewer, "verdict"] == HOLDS


def test_intervals_that_do_not_overlap(all_four: pd.DataFrame) -> None:
    row = all_four.loc["Rational Observer: its interval of CCC lies below the model's"]
    assert (row["paper"], row["verdict"]) == ("no overlap", HOLDS)


def test_the_preference_reverses(all_four: pd.DataFrame) -> None:
    for whom in ("expert", "novice"):
        row = all_four.loc[f"People watch the {whom} more where {TITLE} does, Exp. 4"]
        assert row["verdict"] == HOLDS
        assert "trials" in row["reason"]


def test_counts_tell_apart_what_costs_do_not(all_four: pd.DataFrame) -> None:
    row = all_four.loc["Counts tell the model and Rational Observer apart better than total cost"]
    assert row["verdict"] != OPEN
    assert row["ours"].startswith("lead in r larger by ")


def test_what_is_missing_is_said() -> None:
    found = verdicts(made_up((1, 3), demographics=False))
    rows = found.set_index("claim")
    reasons = rows.loc[rows["verdict"] == OPEN, "reason"]
    assert reasons["Exp. 1: gender"] == "needs the participants' gender"
    assert reasons["Exp. 1: SD of age"] == "needs the participants' age"
    assert reasons["Exp. 2: participants"] == "needs data of each participant (a Psych-DS folder)"
    needs = "needs people of Exp. 4"
    assert reasons[f"{TITLE} takes fewer total steps than people, Exp. 4"] == needs
    assert reasons[f"People watch the novice more where {TITLE} does, Exp. 4"] == needs
    pooled = reasons[f"{TITLE}: CCC of observation steps, all experiments"]
    assert pooled == "needs people of Exp. 2, 4"


def test_simulated_participants_are_judged_by_directions_alone() -> None:
    found = made_up((1,), simulated=True)
    assert found.comparison.standing is OTHER
    rows = verdicts(found)
    assert {HOLDS, UNJUDGED} <= set(rows["verdict"])
    page = "".join(verdict_parts(rows, found.comparison.standing))
    assert page.count("its values are not judged") == 1
    # Ours never stands beside a value of the paper that is not judged.
    unjudged = rows[rows["verdict"] == UNJUDGED]
    assert unjudged["difference"].isna().all()
    shown = page[page.index("claims that are not judged") :]
    assert "r, Exp. 1" in shown
    assert "ours" not in shown
    reasons = rows.set_index("claim")["reason"]
    assert reasons["Exp. 1: gender"] == "these are simulated participants"


@pytest.mark.parametrize(
    ("slope", "low", "high", "expected"),
    [
        (0.03, -0.01, 0.07, HOLDS),
        (-0.03, -0.07, 0.01, UNDECIDED),
        (0.03, 0.01, 0.07, FAILS),
        (-0.03, -0.07, -0.01, FAILS),
    ],
)
def test_a_slope_whose_interval_includes_0(
    slope: float, low: float, high: float, expected: str
) -> None:
    found = made_up((1, 2, 3, 4))
    slopes = found.comparison.slopes.assign(slope=slope, low=low, high=high)
    changed = replace(found, comparison=replace(found.comparison, slopes=slopes))
    claim = "Slope of observation on execution cost, Rational Observer, all experiments"
    assert judged(changed, claim).verdict == expected


def test_the_nearest_slope_is_of_the_trials_that_people_played() -> None:
    found = made_up((1, 2, 3, 4))
    names = {"mentalizing_observer": 0.1, "naive_observer": 3.0}
    more = [
        found.predictions[found.predictions["observer"] == FULL].assign(
            observer=name,
            variant=Variant(name),
            cost_execution=lambda rows, by=by: rows["moves"] * by,
        )
        for name, by in names.items()
    ]
    frame = pd.concat([found.predictions, *more], ignore_index=True)
    claim = f"Of all observers' slopes, {TITLE}'s is nearest to people's"
    answers = []
    for everything in (frame, frame[frame["level"].isin(set(found.human.means["level"]))]):
        changed = replace(found, predictions=everything)
        answers.append(judged(changed, claim))
    assert answers[0].ours == answers[1].ours
    assert "[" in answers[0].reason  # on other people there is an interval


def hedging(*rows: tuple[str, float, float, float]) -> pd.DataFrame:
    names = ["model_watches", "people", "low", "high"]
    return pd.DataFrame(rows, columns=names).assign(experiment=3, n=20)


@pytest.mark.parametrize(
    ("people", "low", "high", "expected"),
    [
        (1.0, 0.7, 1.4, HOLDS),
        (0.2, 0.1, 0.4, FAILS),  # above 0, but less than half a step
        (0.5, 0.3, 0.8, UNDECIDED),
        (3.0, 2.5, 3.5, FAILS),  # more than a little: the watched NPC has 4
        (0.6, np.nan, np.nan, OPEN),
    ],
)
def test_hedging_can_fail(people: float, low: float, high: float, expected: str) -> None:
    rows = hedging(("the other NPC", people, low, high), ("this NPC", 4.0, 3.5, 4.5))
    found = replace(made_up((3,)))
    vars(found)["hedging"] = rows  # instead of what it would compute
    claim = "People also watch the NPC that the model leaves for the other, Exp. 3"
    assert judged(found, claim).verdict == expected


# -- on trials that have the paper's names ---------------------------------------------------------


@pytest.fixture(scope="module")
def archived(own_archive: Path) -> Results:
    trials = list(read_archive(own_archive).trials)
    frame = predictions_frame(predict_both_readings(trials, Parameters()))
    human = read_human(own_archive / MEANS, frame)
    comparison = compare(frame, human, resamples=200)
    return Results(frame, human, comparison)


@pytest.mark.parametrize(
    ("imported", "fewer", "counts", "expected"),
    [
        (True, 0, False, PAPER),  # an archive without the authors' counts
        (True, 0, True, PAPER),
        (True, 1, True, NEW),  # a part of the people: sampling plays a part
        (False, 0, False, NEW),  # a study of as many people
        (False, 0, True, NEW),
    ],
)
def test_whose_people_they_are(
    archived: Results,
    imported: bool,
    fewer: int,
    counts: bool,
    expected: Standing,
) -> None:
    kept = {1: 53, 2: 94, 3: 78, 4: 73}
    people = pd.DataFrame(
        {"experiment": [number for number, n in kept.items() for _ in range(n - fewer)]}
    )
    human = replace(
        archived.human,
        participants=people,
        imported=imported,
        published=archived.human.published if counts else None,
    )
    model = archived.predictions[archived.predictions["observer"] == FULL]
    assert compare(model, human, resamples=2, splits=2).standing is expected


def test_on_the_papers_trials_and_people_a_value_is_the_same_or_differs(archived: Results) -> None:
    assert archived.published is not None
    assert archived.published.patterns()["n"].sum() == len(OTHER_COUNTS)
    assert archived.comparison.standing is PAPER
    rows = verdicts(archived).set_index("claim")
    values = rows[rows.index.str.contains(": r, ")]
    assert len(values) == 24
    flat = values["reason"].str.contains("the predictions are all 0")  # it watches no novice
    assert flat.sum() == 1
    values = values[~flat]
    assert set(values["verdict"]) == {SAME_VALUE, DIFFERS}
    fits = archived.comparison.fits.set_index(["measure", "experiment", "npc", "role", "observer"])
    for number, paper in ((1, 0.94), (2, 0.91)):
        ours = fits.loc[("observed", number, "", "", FULL), "r"]
        row = values.loc[f"{TITLE}: r, Exp. {number}"]
        assert row["difference"] == pytest.approx(ours - paper)
        assert row["verdict"] == (SAME_VALUE if abs(ours - paper) <= 0.025 else DIFFERS)
        assert "[" not in row["ours"]
    # The authors' own counts stand beside the model's, by NPC too.
    assert values.loc[values.index.str.startswith(TITLE), "authors"].str.match(r"\.\d\d").all()
    # The Naive Observer is judged once; its other reading stands beside it.
    naive = values[values.index.str.startswith(Variant(NAIVE).title)]
    assert len(naive) == 5
    assert (naive["other"] != "").all()
    page = "".join(verdict_parts(rows.reset_index(), PAPER))
    assert "called the same up to ±.02" in page
    assert "other reading" in page
    assert "authors&#x27; counts" in page


def test_new_people_on_the_papers_trials_are_compatible_or_not(archived: Results) -> None:
    new = replace(archived, comparison=replace(archived.comparison, standing=NEW))
    rows = verdicts(new).set_index("claim")
    values = rows[rows.index.str.contains(": r, ")]
    values = values[~values["reason"].str.contains("the predictions are all 0")]
    assert set(values["verdict"]) <= {COMPATIBLE, INCOMPATIBLE}
    assert values["ours"].str.contains("[", regex=False).all()


@pytest.mark.parametrize(
    ("standing", "ccc", "low", "high", "expected"),
    [
        (PAPER, 0.2, 0.05, 0.6, HOLDS),
        (PAPER, 0.3, 0.05, 0.6, FAILS),
        (NEW, 0.1, 0.05, 0.2, HOLDS),
        (NEW, 0.3, 0.05, 0.6, UNDECIDED),  # the bound is within the interval
        (NEW, 0.5, 0.3, 0.6, FAILS),
        (OTHER, 0.5, 0.3, 0.6, UNJUDGED),
    ],
)
def test_a_bound_is_judged_by_the_interval_but_on_the_papers_people(
    archived: Results,
    standing: Standing,
    ccc: float,
    low: float,
    high: float,
    expected: str,
) -> None:
    values = {"ccc": ccc, "ccc_low": low, "ccc_high": high}
    fits = archived.comparison.fits.assign(**values)
    comparison = replace(archived.comparison, fits=fits, standing=standing)
    claim = "Mentalizing Observer: CCC of observation steps, all experiments"
    assert judged(replace(archived, comparison=comparison), claim).verdict == expected


@pytest.mark.parametrize(
    ("steps", "expected"),
    [((0.2, 0.9, 0.5), HOLDS), ((0.2, 1.9, 0.5), UNDECIDED), ((6.3, 8.5, 5.3), FAILS)],
)
def test_people_hardly_watch_where_the_model_skips(
    archived: Results, steps: tuple[float, ...], expected: str
) -> None:
    mine = archived.pairs[archived.pairs["experiment"] == 1]
    wide = mine.pivot(index="level", columns="observer", values="model_observed")
    there = wide.index[(wide[FULL] == 0) & (wide["mentalizing_observer"] > 0)]
    assert len(there)
    assert 3 <= len(there) < 10, len(there)
    on = dict(zip(there, cycle(steps)))
    people = archived.pairs["level"].map(on).fillna(archived.pairs["human_observed"])
    changed = replace(archived)
    vars(changed)["pairs"] = archived.pairs.assign(human_observed=people)
    assert judged(changed, "People hardly watch on the maps").verdict == expected


def test_how_many_is_said_in_good_english() -> None:
    rows = pd.DataFrame({"verdict": [HOLDS, UNDECIDED, DIFFERS, DIFFERS, OPEN]})
    assert tally(rows) == (
        "Of 5 claims of the paper: 2 values differ, 1 direction holds, 1 direction is undecided,"
        " 1 cannot be checked."
    )
