"""The same data has the same interval, whatever it is called."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from analysis.studies import OBSERVERS, SIMULATED, predictions, tables
from onlooker.analysis.data.human import summarize
from onlooker.analysis.data.predictions import read_predictions
from onlooker.analysis.data.resampling import PeopleDraws, Resampler
from onlooker.analysis.data.scopes import MEASURES, scopes
from onlooker.analysis.data.statistics import LEAST_MAPS, fit
from onlooker.analysis.tables.comparison import compare, predictions_frame
from onlooker.experiments.predictions import dump_predictions, predict
from onlooker.experiments.psych_ds import Dataset
from onlooker.experiments.stimuli import stimuli

INTERVALS = ["r", "r_low", "r_high", "ccc", "ccc_low", "ccc_high"]


@given(st.permutations(range(8)), st.integers(0, 9))
def test_the_order_of_rows_does_not_matter(order: list[int], seed: int) -> None:
    rows = pd.DataFrame({"experiment": 1, "level": [f"m{n // 2}" for n in range(8)]})
    draws = Resampler(seed, 20, least=2)
    shuffled = draws.weights(rows.iloc[order])
    np.testing.assert_array_equal(shuffled, draws.weights(rows)[:, order])


def test_scenarios_of_a_map_are_drawn_together() -> None:
    rows = pd.DataFrame({"experiment": 2, "level": [f"m{n // 2}_{n % 2}" for n in range(24)]})
    maps = {(2, f"m{n // 2}_1"): f"m{n // 2}_0" for n in range(24)}
    weights = Resampler(1, 50, maps).weights(rows)
    np.testing.assert_array_equal(weights[:, ::2], weights[:, 1::2])
    assert (weights.sum(axis=1) == 24).all()
    apart = Resampler(1, 50).weights(rows)
    assert (apart[:, ::2] != apart[:, 1::2]).any()
    # A mean over maps varies more than one over scenarios as if they were independent.
    values = np.repeat(np.random.default_rng(1).normal(size=12), 2)
    spreads = [(each @ values / 24).std() for each in (weights, apart)]
    assert spreads[0] > 1.2 * spreads[1]


def test_of_few_maps_there_is_no_interval() -> None:
    rows = pd.DataFrame({"experiment": 1, "level": [f"m{n}" for n in range(LEAST_MAPS - 1)]})
    weights = Resampler(1, 50).weights(rows)
    assert weights.shape == (0, LEAST_MAPS - 1)
    x = np.arange(LEAST_MAPS - 1.0)
    found = fit(x, x**2, rows["level"], weights)
    assert found.r > 0.9
    assert np.isnan([found.r_low, found.ccc_high, found.mean_difference_low]).all()
    assert found.reason == f"there is no interval of fewer than {LEAST_MAPS} maps"
    few = fit([1, 2, 3], [1, 2, 4], "abc", weights[:, :3])
    assert np.isnan(few.r)
    assert few.reason.startswith("r is not given of fewer than 4 points; ")


def test_people_are_drawn_too_where_they_are_given_one_by_one() -> None:
    rows = predictions((3,), levels=12)
    frame = predictions_frame(rows)
    human = summarize(Dataset(tables(rows, people=40), SIMULATED), frame)
    assert human.played is not None
    whole = human.means.set_index(["experiment", "level", "agent"])["observed"]
    draws = PeopleDraws(human.played, 1, 400)
    cells = human.means[["experiment", "level", "agent"]]
    means = draws.means(cells, "observed")
    assert means.shape == (400, len(cells))
    # Around the data's own means, as widely as people's means are known.
    np.testing.assert_allclose(means.mean(axis=0), whole, atol=0.35)
    errors = human.means["se_observed"]
    assert np.corrcoef(means.std(axis=0), errors)[0, 1] > 0.8
    np.testing.assert_array_equal(draws.means(cells[::-1], "observed"), means[:, ::-1])

    def ends(played: pd.DataFrame | None) -> pd.DataFrame:
        fits = compare(frame, replace(human, played=played), resamples=400, splits=20).fits
        fits = fits[(fits["measure"] == "observed") & (fits["observer"] == OBSERVERS[0])]
        return fits.set_index(["experiment", "npc"])

    both, maps = ends(human.played), ends(None)
    assert set(both["ci_method"]) == {"percentile bootstrap over maps and people"}
    np.testing.assert_array_equal(both["r"], maps["r"])
    wider = (both["r_high"] - both["r_low"]) > (maps["r_high"] - maps["r_low"])
    assert wider.all()
    # Of people who all do the same there is nothing to draw.
    alike = human.played.assign(
        observed=[whole[row.experiment, row.level, row.agent] for row in human.played.itertuples()]
    )
    np.testing.assert_allclose(ends(alike)["r_low"], maps["r_low"])


def test_predictions_know_the_map_of_their_trial(tmp_path: Path) -> None:
    trials = stimuli(2)[:4]
    rows = predict(trials, ["naive_observer"])
    assert [row.map for row in rows] == [None, trials[0].name, None, trials[2].name]
    file = tmp_path / "predictions.csv"
    file.write_text(dump_predictions(rows))
    assert read_predictions(file) == rows
    frame = predictions_frame(rows)
    assert frame["map"].tolist() == [trials[n].name for n in (0, 0, 2, 2)]


def test_one_experiment_and_all_of_them_are_the_same_data() -> None:
    rows = predictions((3,))
    frame = predictions_frame(rows)
    human = summarize(Dataset(tables(rows), SIMULATED), frame)
    fits = compare(frame, human, resamples=200, splits=50).fits
    fits = fits[(fits["measure"] == "observed") & (fits["npc"] == "")]
    alone, pooled = (fits[fits["experiment"] == which] for which in (3, "pooled"))
    np.testing.assert_array_equal(alone[INTERVALS], pooled[INTERVALS])


def test_an_npc_that_always_has_one_role_has_one_row() -> None:
    rows = pd.DataFrame(
        {
            "experiment": [4] * 4,
            "agent": ["agent2", "agent3"] * 2,
            "expertise": ["expert", "novice"] * 2,
        }
    )
    found = list(scopes(rows, MEASURES[0]))
    assert [(scope.npc, scope.role) for scope in found] == [
        (None, None),
        (None, "expert"),
        (None, "novice"),
        (None, None),
    ]
    swapped = rows.assign(expertise=["expert", "novice", "novice", "expert"])
    assert len(list(scopes(swapped, MEASURES[0]))) == 6
