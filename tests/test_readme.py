"""What the README and its companions say is so."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import numpy as np
import pytest

from onlooker.analysis.data.human import read_human
from onlooker.analysis.tables.comparison import compare, predictions_frame
from onlooker.experiments.archive import read_archive
from onlooker.experiments.predictions import predict
from onlooker.inference import Parameters
from onlooker.observers import OBSERVERS
from onlooker.version import __version__
from own_archive import MEANS
from running import ROOT

PAPER_DATA = ROOT.parent / "shared" / "paper-data"
ROW = re.compile(
    r"^\| ((?:Rational|Mentalizing|Naive)[^|]+) \| ([^|]+) \| ([^|]+) \|$", re.MULTILINE
)


def test_the_version_is_the_same_everywhere() -> None:
    assert f"\nversion: {__version__}\n" in (ROOT / "CITATION.cff").read_text()
    assert f"\n## {__version__} (" in (ROOT / "CHANGELOG.md").read_text()


@pytest.mark.skipif(not PAPER_DATA.is_dir(), reason="the authors' data is not here")
def test_the_headline_table_is_what_comes_out() -> None:
    shown = {title: cells for title, *cells in ROW.findall((ROOT / "README.md").read_text())}
    assert len(shown) == 5
    titles = {observer.title: name for name, observer in OBSERVERS.items()}
    for title, cells in shown.items():
        name, _, reading = title.partition(", ")
        settings = Parameters(meeting="any") if reading else Parameters()
        for experiment, cell in enumerate(cells, start=1):
            said = cell.strip("* ").partition(" ")[0].strip("*").replace("−", "-")
            r = fit(PAPER_DATA, experiment, titles[name], settings)
            assert float(said) == pytest.approx(r, abs=0.005)


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
