"""How predictions depend on the parameters: designs, indices, curves, figures and the page."""

from __future__ import annotations

from dataclasses import asdict, replace
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from scipy.stats import qmc

from drawings import texts_that_meet
from onlooker.analysis.data.human import HumanBehaviour, read_means
from onlooker.analysis.data.words import Source
from onlooker.analysis.figures.plate import Plate
from onlooker.analysis.figures.sensitivity import sensitivity_plates
from onlooker.analysis.report.sensitivity_page import write_page
from onlooker.analysis.tables.comparison import predictions_frame
from onlooker.analysis.tables.sensitivity.design import (
    NAMES,
    SOFT_SPANS,
    SOFT_VALUES,
    SPANS,
    VALUES,
    one_at_a_time,
    sobol_design,
)
from onlooker.analysis.tables.sensitivity.indices import sobol_indices
from onlooker.analysis.tables.sensitivity.measures import Sensitivity, sensitivity
from onlooker.cli.sensitivity import sweeping
from onlooker.experiments.predictions import predict
from onlooker.experiments.stimuli import stimuli
from onlooker.inference import Parameters
from onlooker.inference.parameters import SOFT
from onlooker.observers import OBSERVERS, GradedMentalizing
from onlooker.sweep.backends import Local

TRIALS = [*stimuli(1)[:3], *stimuli(3)[:1], *stimuli(4)[:2]]
FOUR = [observer() for observer in OBSERVERS.values()]
BASE = Parameters()


@cache
def plain(setting: Parameters = BASE) -> pd.DataFrame:
    return predictions_frame(predict(TRIALS, FOUR, setting))


@pytest.fixture(scope="module")
def means(tmp_path_factory: pytest.TempPathFactory) -> HumanBehaviour:
    """People who watch for about as long as Rational Mentalizing, in two experiments."""
    rows = plain()[plain()["observer"] == "rational_mentalizing"]
    rows = rows[rows["experiment"] < 4]
    table = rows[["experiment", "level", "agent"]].assign(
        human_mean_observed=rows["observed"] + np.arange(len(rows)) % 3, n_participants=20
    )
    file = tmp_path_factory.mktemp("means") / "means.csv"
    table.to_csv(file, index=False)
    return read_means(file, plain())


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory, means: HumanBehaviour) -> Sensitivity:
    run = sweeping(TRIALS, FOUR, tmp_path_factory.mktemp("sweep"), Local(1))
    return sensitivity(run, BASE, means, samples=4, seed=1)


@pytest.fixture(scope="module")
def plates(found: Sensitivity) -> list[Plate]:
    """Those of simulated participants, which have more text."""
    return list(sensitivity_plates(replace(found, source=Source.SIMULATED)))


def with_measures(found: Sensitivity, *names: str) -> Sensitivity:
    """With the curves of some measures alone, over all experiments together."""
    pooled = found.curves[found.curves["experiment"] == "pooled"]
    others = {"mean_observed", "share_differ", "r_human"} - {*names}
    return replace(found, curves=pooled.assign(**dict.fromkeys(others, np.nan)))


# -- the estimators --------------------------------------------------------------------------------


def ishigami(x: np.ndarray) -> np.ndarray:
    """A function whose indices are known; x has a row for each point, from 0 to 1."""
    x = 2 * np.pi * x - np.pi
    return np.sin(x[:, 0]) + 7 * np.sin(x[:, 1]) ** 2 + 0.1 * x[:, 2] ** 4 * np.sin(x[:, 0])


def test_indices_of_a_function_whose_indices_are_known() -> None:
    points = qmc.Sobol(6, seed=np.random.default_rng(1)).random(4096)
    a, b = points[:, :3], points[:, 3:]
    mixed = []
    for index in range(3):
        both = a.copy()
        both[:, index] = b[:, index]
        mixed.append(ishigami(both))
    f_a, f_b, f_ab = ishigami(a), ishigami(b), np.array(mixed)
    found = sobol_indices(f_a, f_b, f_ab)
    for each, first, total in zip(
        found, (0.3139, 0.4424, 0.0), (0.5576, 0.4424, 0.2437), strict=True
    ):
        assert each.first == pytest.approx(first, abs=0.015)
        assert each.total == pytest.approx(total, abs=0.015)
        assert each.first_low <= first <= each.first_high
        assert each.total_low <= total <= each.total_high
    theirs = stats.sobol_indices(
        func={"f_A": f_a[None], "f_B": f_b[None], "f_AB": f_ab[:, None]}, n=4096
    )
    assert [each.first for each in found] == pytest.approx(theirs.first_order.ravel(), abs=1e-9)
    assert [each.total for each in found] == pytest.approx(theirs.total_order.ravel(), abs=1e-9)


def test_what_does_not_vary_has_no_indices_and_what_has_no_part_in_it_has_0() -> None:
    flat = sobol_indices([3.0] * 8, [3.0] * 8, [[3.0] * 8])
    assert np.isnan([flat[0].first, flat[0].total, flat[0].total_low]).all()
    rng = np.random.default_rng(1)
    a, b = rng.random((2, 64))
    alone, idle = sobol_indices(a, b, [b, a])
    assert (idle.first, idle.total, idle.total_low, idle.total_high) == (0, 0, 0, 0)
    assert alone.total > 0.8


# -- the designs -----------------------------------------------------------------------------------


def test_every_parameter_is_varied_by_itself_and_with_all_others() -> None:
    # What matters only where there are teachers, or where it is not told who is what, is left out too.
    assert set(NAMES) == set(SPANS) == set(asdict(BASE)) - {*SOFT, "kinds", "care"}
    assert set(SOFT_VALUES) == set(SOFT_SPANS) == set(SOFT)
    base = Parameters(beta=0.33, order="fixed")
    points = one_at_a_time(base)
    for name in NAMES:
        mine = [point for point in points if point.parameter == name]
        assert sum(point.setting == base for point in mine) == 1
        assert {point.value for point in mine} == {*VALUES[name], asdict(base)[name]}
        for point in mine:
            assert replace(point.setting, **{name: asdict(base)[name]}) == base


def test_the_mixed_settings_are_a_with_one_value_of_b() -> None:
    design = sobol_design(8, seed=3)
    assert len(design.settings) == 8 * (len(NAMES) + 2)
    for name, row in zip(SPANS, design.mixed, strict=True):
        for a, b, both in zip(design.a, design.b, row, strict=True):
            assert both == replace(a, **{name: asdict(b)[name]})
    assert design == sobol_design(8, seed=3) != sobol_design(8, seed=4)
    with pytest.raises(ValueError, match="power of two"):
        sobol_design(12, seed=1)


# -- the measures ----------------------------------------------------------------------------------


def test_at_the_defaults_the_curves_are_the_plain_predictions(
    found: Sensitivity, means: HumanBehaviour
) -> None:
    own = found.curves[found.curves["default"]]
    assert len(own) == len(NAMES) * 4 * 4  # observers, and three experiments and all together
    assert (own["differ"] == 0).all()
    people = means.means.set_index(["experiment", "level", "agent"])["observed"]
    for (observer, experiment), rows in own.groupby(["observer", "experiment"]):
        mine = plain()[plain()["observer"] == observer]
        if experiment != "pooled":
            mine = mine[mine["experiment"] == int(experiment)]
        assert rows["n"].unique().tolist() == [len(mine)]
        assert rows["mean_observed"].to_numpy() == pytest.approx(mine["observed"].mean())
        if mine["observed"].nunique() > 1:
            assert rows["r_default"].to_numpy() == pytest.approx(1)
        both = mine.set_index(["experiment", "level", "agent"])["observed"].to_frame()
        both = both.join(people.rename("people"), how="inner")
        assert rows["n_human"].unique().tolist() == [len(both)]
        if len(both) > 1 and both["observed"].nunique() > 1:
            expected = pytest.approx(both.corr().iloc[0, 1], nan_ok=True)
            assert rows["r_human"].to_numpy() == expected


@pytest.mark.parametrize(
    ("name", "value"), [("beta", 0.1), ("observe", 4), ("exploration", "expected"), ("move", 1)]
)
def test_away_from_them_they_are_those_of_the_setting(
    found: Sensitivity, name: str, value: float | str
) -> None:
    changed = plain(replace(BASE, **{name: value}))  # type: ignore[arg-type]
    rows = found.curves[(found.curves["parameter"] == name) & (found.curves["value"] == value)]
    for row in rows[rows["experiment"] == "pooled"].to_dict("records"):
        mine = changed[changed["observer"] == row["observer"]]["observed"].to_numpy()
        before = plain()[plain()["observer"] == row["observer"]]["observed"].to_numpy()
        assert row["mean_observed"] == pytest.approx(mine.mean())
        assert row["differ"] == (mine != before).sum()
        assert row["share_differ"] == pytest.approx((mine != before).mean())


def test_the_summary_has_the_ends_of_the_curves(found: Sensitivity) -> None:
    assert len(found.summary) == len(NAMES) * 4
    row = found.summary.set_index(["parameter", "observer"]).loc[("beta", "rational_mentalizing")]
    curve = found.curves.query(
        "parameter == 'beta' and observer == 'rational_mentalizing' and experiment == 'pooled'"
    )
    assert row["differ_most"] == curve["differ"].max()
    assert row["r_human_low"] == curve["r_human"].min()
    assert row["tried"] == "0.05 to 5"
    assert found.where == "Experiments 1, 3"


def test_indices_of_what_a_parameter_has_no_part_in_are_0(found: Sensitivity) -> None:
    assert found.indices is not None
    naive = found.indices.query(
        "measure == 'mean_observed' and observer == 'naive_observer' and experiment == 'pooled'"
    ).set_index("parameter")
    for name in NAMES:
        # Costs can change the way that an NPC goes, and with it what there is to see.
        if name not in ("meeting", "move", "interact"):
            assert naive.loc[name, "total"] == 0 or naive.loc[name, "reason"]
    assert set(found.indices["measure"]) == {"mean_observed", "share_differ", "r_human"}
    told = found.indices[found.indices["reason"] == ""]
    assert told[["first", "total"]].notna().all().all()


# -- figures and page ------------------------------------------------------------------------------


def test_every_figure_has_its_numbers_and_no_texts_on_top_of_each_other(
    found: Sensitivity, plates: list[Plate]
) -> None:
    names = ("steps", "changes", "fit", "by-experiment", "indices")
    assert [plate.name for plate in plates] == [f"sensitivity-{name}" for name in names]
    for plate in plates:
        assert plate.caption.endswith(".")
        assert all(len(source) for source in plate.sources.values())
        people = plate.name in ("sensitivity-fit", "sensitivity-indices")
        assert ("Simulated participants" in plate.caption) == people
        assert not texts_that_meet(plate.figure), plate.name
    real = list(sensitivity_plates(with_measures(found, "r_human")))
    assert [plate.name for plate in real] == ["sensitivity-fit", "sensitivity-indices"]
    assert not [plate for plate in real if "Simulated participants" in plate.caption]


def test_log_axes_say_so_and_have_ticks_between_their_numbers(plates: list[Plate]) -> None:
    seen = 0
    for plate in plates:
        for ax in plate.figure.axes:
            if ax.get_xscale() == "log":
                assert len(ax.xaxis.get_minorticklocs()) > 5
                name = ax.get_xlabel()
                assert "log" in name or not name
                seen += bool(name)
    assert seen == 8  # β and ε on three plates of curves, and below the columns of the last


def test_the_page_has_everything_in_it(
    found: Sensitivity, plates: list[Plate], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("onlooker.drawing.figure.DPI", 40)  # nobody looks at the dots
    told = {"command": "test"}
    page = write_page(found, plates, tmp_path, "trials of a&b<i>", told).read_text()
    assert "all others at their defaults." in page
    assert "(default)" in page
    assert "trials of a&amp;b&lt;i&gt;." in page
    assert page.count("<img") == 5
    assert "http://" not in page.replace("http://www.w3.org", "")
    assert "<script" not in page
    assert "Rational Mentalizing" in page
    assert "Saltelli et al. 2010" in page
    for name in ("curves", "summary", "indices"):
        assert len(pd.read_csv(tmp_path / "tables" / f"sensitivity-{name}.csv"))
    assert (tmp_path / "figures" / "sensitivity-fit-beta.csv").is_file()
    assert not list(tmp_path.glob(".making-*"))


def test_what_was_set_is_not_called_the_default(found: Sensitivity, tmp_path: Path) -> None:
    changed = replace(found, base=Parameters(beta=2, observe=3))
    steps = next(sensitivity_plates(changed))
    assert "the base (the defaults with observe=3, beta=2)" in steps.caption
    other = write_page(changed, [steps], tmp_path, "some trials", {}).read_text()
    assert "all others at the base (the defaults with observe=3, beta=2)." in other
    assert "(base)" in other
    assert "(default)" not in other
    assert "at their defaults" not in other
    assert "at the defaults" not in other


def test_without_people_nothing_is_said_of_a_fit(found: Sensitivity, tmp_path: Path) -> None:
    without = replace(with_measures(found, "mean_observed"), source=None, indices=None)
    plates = list(sensitivity_plates(without))
    assert [plate.name for plate in plates] == ["sensitivity-steps"]
    page = write_page(without, plates[:1], tmp_path, "a few trials", {}).read_text()
    assert "means of" not in page


# -- beyond the paper ------------------------------------------------------------------------------


def test_what_only_soft_rules_use_is_varied_for_them(tmp_path: Path) -> None:
    soft = ["temperature", "curiosity", "skip", "caution"]
    run = sweeping(TRIALS[:2], [GradedMentalizing()], tmp_path, Local(1))
    found = sensitivity(run, BASE, samples=2, seed=1, more=soft)
    assert found.names == [*NAMES, *soft]
    curves = found.curves[found.curves["experiment"] == "pooled"]
    means = curves[curves["parameter"] == "skip"].set_index("value")["mean_observed"]
    assert means[0.5] == pytest.approx(0.5 * means[0.0])
    curious = curves[curves["parameter"] == "curiosity"]["mean_observed"]
    assert curious.is_monotonic_increasing
    assert found.indices is not None
    assert set(found.indices["parameter"]) == set(found.names)
    for plate in sensitivity_plates(found):
        assert not texts_that_meet(plate.figure)
