"""What the README and its companions say is so."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import numpy as np
import pytest

from onlooker.analysis.data.human import read_human
from onlooker.analysis.data.reported import find_reported
from onlooker.analysis.data.scopes import Scope
from onlooker.analysis.data.words import number
from onlooker.analysis.tables.comparison import compare, predictions_frame
from onlooker.analysis.tables.readings import predict_both_readings
from onlooker.experiments.archive import read_archive
from onlooker.experiments.predictions import predict
from onlooker.experiments.variants import Variant
from onlooker.inference import Parameters
from onlooker.observers import OBSERVERS
from onlooker.version import __version__
from own_archive import MEANS
from running import ROOT

PAPER_DATA = ROOT.parent / "shared" / "paper-data"
ROW = re.compile(r"^\| ((?:Rational|Graded|Mentalizing|Naive)[^|]+) \| (.+) \|$", re.MULTILINE)
CELL = re.compile(r"\**(–|[−.\d]+)\**(?: \(([−.\d]+)\))?")
SCOPES = (  # of the columns
    *(Scope(1), Scope(2), Scope(3, npc="agent2"), Scope(3, npc="agent3")),
    *(Scope(4, role="expert"), Scope(4, role="novice")),
)
ANY_MEETING = Variant("naive_observer", (("meeting", "any"),))


def test_the_version_is_the_same_everywhere() -> None:
    assert f"\nversion: {__version__}\n" in (ROOT / "CITATION.cff").read_text()
    assert f"\n## {__version__} (" in (ROOT / "CHANGELOG.md").read_text()


@pytest.mark.skipif(not PAPER_DATA.is_dir(), reason="the authors' data is not here")
def test_the_headline_table_is_what_comes_out() -> None:
    readme = (ROOT / "README.md").read_text()
    shown = {title: cells.split(" | ") for title, cells in ROW.findall(readme)}
    rows = predict_both_readings(read_archive(PAPER_DATA).trials, Parameters())
    frame = predictions_frame(rows)
    results = compare(frame, read_human(PAPER_DATA / "human_means.csv", frame), resamples=20)
    fits = results.fits[results.fits["measure"] == "observed"]
    assert len(shown) == len(results.variants)
    for label, variant in results.variants.items():
        title = f"{Variant(variant.observer).title}{', any meeting' * (variant == ANY_MEETING)}"
        mine = fits[fits["observer"] == label]
        for scope, cell in zip(SCOPES, shown[title], strict=True):
            match = CELL.fullmatch(cell)
            assert match, (title, cell)
            [r] = scope.rows(mine)["r"]
            paper = find_reported("r", scope, variant.observer)
            assert match[1] == (number(r) or "–"), (title, scope)
            assert match[2] is None or (paper and match[2] == number(paper.value)), (title, scope)
    errors = Scope().rows(fits).set_index("observer")["rmse"]
    assert f"its error is {errors['graded_mentalizing']:.2f}\nsteps" in readme
    assert f"that of Rational Mentalizing {errors['rational_mentalizing']:.2f}." in readme


def test_such_a_table_is_what_the_comparison_says(own_archive: Path) -> None:
    rows = predict(read_archive(own_archive, [1]).trials, [each() for each in OBSERVERS.values()])
    frame = predictions_frame(rows)
    fits = compare(frame, read_human(own_archive / MEANS, frame), resamples=20).fits
    said = fits[(fits["measure"] == "observed") & (fits["experiment"] == 1)].set_index("observer")
    for name in OBSERVERS:
        assert said.loc[name, "r"] == pytest.approx(fit(own_archive, 1, name, Parameters()))


def fit(archive: Path, experiment: int, observer: str, settings: Parameters) -> float:
    """r of an observer's steps with the people's means."""
    trials = read_archive(archive, [experiment]).trials
    rows = predict(trials, [OBSERVERS[observer]()], settings)
    observed = {(row.level, row.agent): row.observed for row in rows}
    with (archive / MEANS).open() as file:
        people = [row for row in csv.DictReader(file) if row["experiment"] == str(experiment)]
    ours = [observed[row["level"], row["agent"]] for row in people]
    return float(np.corrcoef(ours, [float(row["human_mean_observed"]) for row in people])[0, 1])
