"""People as the paper counts them beside our rules."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from onlooker.analysis.report.sections.people import counting_parts
from onlooker.analysis.tables.comparison import predictions_frame
from onlooker.analysis.tables.counting import counting
from onlooker.experiments.archive import import_archive
from onlooker.experiments.predictions import predict
from onlooker.experiments.psych_ds import Description, dataset_of

ABOUT = Description("a study", "made up")


@pytest.fixture(scope="module")
def found(own_archive: Path) -> pd.DataFrame:
    done = import_archive(own_archive, [2])
    frame = predictions_frame(predict(done.maps.trials, ["rational_mentalizing"]))
    return counting(dataset_of(done.records.tables(), ABOUT).tables, frame).set_index("what")


def test_both_ways_stand_side_by_side(found: pd.DataFrame, own_archive: Path) -> None:
    done = import_archive(own_archive, [2])
    summary = done.summary(2)
    kept = found.loc["kept"]
    assert kept["of"] == summary["people"] == 6
    assert kept["paper"] == 6 - summary["excluded_by_the_paper"]
    assert kept["ours"] == 6 - summary["excluded_by_our_rules"]
    assert found.loc["looks", "differ"] == summary["looks_that_differ"] > 0
    paper = {row["participant"] for row in done.records.participants if not row["logged_excluded"]}
    steps = [row["logged_steps"] for row in done.records.trials if row["participant"] in paper]
    assert found.loc["steps", "paper"] == pytest.approx(sum(steps) / len(steps))
    scores = [p["logged_score"] for p in done.records.participants if p["participant"] in paper]
    assert found.loc["score", "paper"] == pytest.approx(sum(scores) / len(scores))
    assert found.loc["r", "ours"] != found.loc["r", "paper"]


def test_what_is_the_same_is_not_shown(found: pd.DataFrame) -> None:
    table = found.reset_index()
    page = "".join(counting_parts(table))
    assert "people kept" in page
    same = table.assign(differ=0, paper=table["ours"])
    assert "The two never differ here." in "".join(counting_parts(same))
    assert list(counting_parts(table.iloc[:0])) == []


def test_other_data_has_one_way_only(own_archive: Path) -> None:
    done = import_archive(own_archive, [2])
    tables = dict(dataset_of(done.records.tables(), ABOUT).tables)
    tables["trials"] = tables["trials"].drop(columns="logged_steps")
    assert counting(tables, pd.DataFrame()).empty
