"""Our counts beside the authors' own model's."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pandas as pd
import pytest

from onlooker.analysis.data.human import KEY, HumanBehaviour, read_human
from onlooker.analysis.data.resampling import Resampler
from onlooker.analysis.data.words import Source
from onlooker.analysis.figures.published import published_plate
from onlooker.analysis.tables.comparison import paired, predictions_frame
from onlooker.analysis.tables.published import MODEL, OURS, published
from onlooker.drawing.route import cells_on, start_of
from onlooker.experiments.archive import read_archive
from onlooker.experiments.predictions import predict
from onlooker.observers import RationalMentalizing
from own_archive import MEANS, OTHER_COUNTS

COMPARISON: Any = SimpleNamespace(data="human", resampler=Resampler(1, 200, least=2))


def made_up() -> tuple[pd.DataFrame, HumanBehaviour]:
    """Six counts of ours: four as the authors', one off by one, one by three."""
    names = [*KEY, "model_observed", "human_observed", "published_model"]
    rows = [
        (1, "a", "agent2", 0, 1.0, 0),
        (1, "b", "agent2", 3, 2.0, 4),
        (1, "c", "agent2", 5, 4.0, 5),
        (2, "a", "agent2", 1, 0.5, 1),
        (2, "b", "agent2", 7, 5.0, 4),
        (2, "c", "agent2", 2, 3.0, 2),
    ]
    frame = pd.DataFrame(rows, columns=names)
    counts = frame[[*KEY, "published_model"]]
    pairs = frame.drop(columns="published_model").assign(
        data="human", observer=MODEL, expertise="expert"
    )
    return pairs, HumanBehaviour(pd.DataFrame(), Source.HUMAN, published=counts)


def test_counts_that_are_the_same() -> None:
    found = published(COMPARISON, *made_up())
    assert found is not None
    rows = found.agreement.set_index("experiment")
    assert rows.loc["pooled", ["n", "same", "within_one", "largest"]].tolist() == [6, 4, 5, 3]
    assert rows.loc["pooled", "mean_difference"] == pytest.approx((-1 + 3) / 6)
    assert rows.loc[[1, 2], "same"].tolist() == [2, 2]
    assert found.differing[["experiment", "level"]].to_numpy().tolist() == [[1, "b"], [2, "b"]]
    # By hand: 0, 3, 5 against 1, 2, 4 have r = 22 / √(38 · 14).
    assert rows.loc[1, f"r_{OURS}"] == pytest.approx(0.9538210)


def test_without_the_authors_counts_there_is_nothing() -> None:
    pairs, _ = made_up()
    assert published(COMPARISON, pairs, HumanBehaviour(pd.DataFrame(), Source.HUMAN)) is None


def test_the_counts_of_an_archive_and_where_they_are_drawn(own_archive: Path) -> None:
    trials = list(read_archive(own_archive, [1, 2]).trials)
    frame = predictions_frame(predict(trials, [RationalMentalizing()]))
    human = read_human(own_archive / MEANS, frame)
    found = published(COMPARISON, paired(frame, human), human)
    assert found is not None
    rows = found.agreement.set_index("experiment")
    assert rows.loc["pooled", ["n", "same"]].tolist() == [68, 66]
    plate = published_plate(found, trials)
    assert plate is not None
    differing = plate.sources["differing"]
    keys = zip(*(differing[name] for name in KEY), strict=True)
    assert set(keys) == {key for key in OTHER_COUNTS if key[0] < 3}
    by_level = {(trial.experiment, trial.label): trial for trial in trials}
    for row in found.differing.to_dict("records"):
        trial = by_level[row["experiment"], row["level"]]
        gid = f"map:exp{row['experiment']}:{trial.label}:{row['agent']}"
        [ax] = [ax for ax in plate.figure.axes if ax.get_gid() == gid]
        marks = {line.get_gid(): line.get_xydata()[0] for line in ax.lines if line.get_gid()}
        path = plate_path(trial, row["agent"])
        for name in (OURS, "published_model"):
            x, y = path[int(row[name])]
            assert marks[f"{name}:{row['agent']}"].tolist() == [x, y]


def plate_path(trial: Any, agent: str) -> list[tuple[int, int]]:
    from onlooker.analysis.figures.maps import reference_paths

    return cells_on(start_of(trial, agent), reference_paths(trial)[agent])
