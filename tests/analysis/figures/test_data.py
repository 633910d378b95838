"""Figures of people against observers: the numbers that are drawn and the words beside them."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from matplotlib.collections import PathCollection
from matplotlib.figure import Figure
from matplotlib.text import Text

from analysis.studies import OBSERVERS, ROWS, SIMULATED, STUDY
from drawings import by_gid, texts, texts_that_meet
from onlooker.analysis.data.human import HumanBehaviour, summarize
from onlooker.analysis.data.words import Source
from onlooker.analysis.figures.agreement import (
    COST_OBSERVATION,
    COST_TOTAL,
    OBSERVED,
    fit_plates,
    scatter_plate,
)
from onlooker.analysis.figures.canvas import FARTHEST, moved_apart
from onlooker.analysis.figures.everything import draw_plates
from onlooker.analysis.figures.plate import MissingFigure, Plate, save_plate
from onlooker.analysis.figures.style import number, ranged
from onlooker.analysis.figures.tradeoff import tradeoff_by_experiment_plate, tradeoff_plate
from onlooker.analysis.tables.comparison import compare, paired, predictions_frame
from onlooker.analysis.tables.results import Results
from onlooker.drawing.artists import CellText
from onlooker.experiments.psych_ds import Dataset, Description
from onlooker.experiments.variants import Variant

QUICK = {"resamples": 200, "splits": 20}
REAL = Description("a study", "made up for a test", simulated=False)
PLATES = [
    lambda study: [scatter_plate(study)],
    lambda study: fit_plates(study, OBSERVED),
    lambda study: fit_plates(study, COST_OBSERVATION),
    lambda study: fit_plates(study, COST_TOTAL),
    lambda study: [tradeoff_plate(study)],
    lambda study: [tradeoff_by_experiment_plate(study)],
]


def study_of(rows, description: Description = SIMULATED) -> Results:
    frame = predictions_frame(rows)
    people = summarize(Dataset(STUDY, description), frame)
    return Results(frame, people, compare(frame, people, **QUICK))


@cache
def with_observers(count: int) -> Results:
    """A study in which so many observers predict the same."""
    names = ["rational_mentalizing", "naive_observer", "naive_observer (meeting=any)", "mine"]
    names = [*names, "rational_observer", "a_long_name_of_my_own", "yet another"][:count]
    first = [row for row in ROWS if row.observer == OBSERVERS[0]]
    variants = map(Variant.read, names)
    return study_of(
        [
            replace(row, observer=variant.observer, parameters=variant.parameters)
            for variant in variants
            for row in first
        ]
    )


@pytest.fixture(scope="module")
def simulated() -> Results:
    return study_of(ROWS)


@pytest.fixture(scope="module")
def human() -> Results:
    return study_of(ROWS, REAL)


@pytest.fixture(scope="module")
def scatter(human) -> Plate:
    plate = scatter_plate(human)
    assert isinstance(plate, Plate)
    return plate


@pytest.fixture(scope="module")
def only_means() -> Results:
    """What a table of means tells: steps watched of each NPC, and nothing else."""
    frame = predictions_frame(ROWS)
    full = summarize(Dataset(STUDY, REAL), frame).means
    known = ["experiment", "level", "agent", "n", "observed"]
    people = HumanBehaviour(full[known].reindex(columns=full.columns), Source.HUMAN)
    return Results(frame, people, compare(frame, people, **QUICK))


@pytest.fixture(scope="module")
def everything(only_means) -> list[Plate | MissingFigure]:
    """All figures of a study of which there are means alone."""
    return list(draw_plates(only_means))


def words(figure: Figure) -> str:
    return "\n".join(texts(figure)).replace("\n", " ")


def places(plate: Plate, gid: str) -> np.ndarray:
    found = by_gid(plate.figure)[gid]
    assert isinstance(found, PathCollection)
    return np.asarray(found.get_offsets())


def check_places(drawn: np.ndarray, rows: pd.DataFrame) -> None:
    """Each row is drawn as high as people's value, and aside of the model's by half a step at most."""
    wanted = rows.to_numpy(dtype=float)
    assert np.allclose(drawn[:, 1], wanted[:, 1])
    assert np.abs(drawn[:, 0] - wanted[:, 0]).max() < 0.5


def check_layout(figure: Figure) -> None:
    """Nothing is written too small, over other texts, nor over the edge of the page."""
    assert not texts_that_meet(figure)
    page = figure.bbox
    ticks = {
        label
        for ax in figure.axes
        for axis in (ax.xaxis, ax.yaxis)
        for tick in [*axis.majorTicks, *axis.minorTicks]
        for label in (tick.label1, tick.label2)
    }
    for text in figure.findobj(Text):
        if not text.get_text() or isinstance(text, CellText):
            continue
        assert text.get_fontsize() >= 7, text.get_text()
        if text in ticks:  # those beyond the scale's ends are not drawn
            continue
        box = text.get_window_extent()
        assert box.x0 >= page.x0 - 1, text.get_text()
        assert box.x1 <= page.x1 + 1, text.get_text()
        assert box.y0 >= page.y0 - 1, text.get_text()
        assert box.y1 <= page.y1 + 1, text.get_text()


# -- numbers ---------------------------------------------------------------------------------------


def test_the_scatter_shows_each_pair_in_its_experiments_series(human, scatter) -> None:
    plate = scatter
    pairs = paired(human.predictions, human.human)
    for observer in OBSERVERS:
        mine = pairs[pairs["observer"] == observer]
        for experiment, rows in mine.groupby("experiment"):
            drawn = places(plate, f"panel:{observer}:experiment:{experiment}")
            check_places(drawn, rows[["model_observed", "human_observed"]])
        source = plate.sources[observer]
        assert np.allclose(source["people"], mine["human_observed"])
        assert set(source["data"]) == {"human"}


def test_the_scatter_tells_the_statistics_of_its_points(human, scatter) -> None:
    plate = scatter
    fits = human.comparison.fits.set_index(["measure", "experiment", "npc", "role", "observer"])
    for observer in OBSERVERS:
        row = fits.loc[("observed", "pooled", "", "", observer)]
        assert f"r = {ranged(row['r'], row['r_low'], row['r_high'])}" in words(plate.figure)
        assert f"CCC = {ranged(row['ccc'], row['ccc_low'], row['ccc_high'])}" in words(plate.figure)


def test_both_axes_of_an_agreement_panel_have_one_scale(scatter) -> None:
    plate = scatter
    plate.figure.draw_without_rendering()  # panels take their shape when they are drawn
    for ax in plate.figure.axes:
        if (ax.get_gid() or "").startswith("panel:"):
            (left, right), (low, high) = ax.get_xlim(), ax.get_ylim()
            box = ax.get_window_extent()
            assert box.width / (right - left) == pytest.approx(box.height / (high - low))
            identity = by_gid(plate.figure)[f"{ax.get_gid()}:identity"]
            x, y = identity.get_data()
            assert list(x) == list(y)


def test_points_that_would_hide_each_other_are_moved_apart() -> None:
    points = pd.DataFrame({"model": [2] * 5 + [7], "people": [1.0, 1.0, 1.0, 1.05, 3.0, 1.0]})
    places = moved_apart(points, 0.2).to_numpy()
    assert places[5] == 7
    assert places[4] == 2
    crowd = [complex(x, y) for x, y in zip(places[:4], points["people"][:4], strict=True)]
    assert min(abs(a - b) for a, b in combinations(crowd, 2)) > 0.17
    many = pd.DataFrame({"model": [2] * 60, "people": [1.0] * 60})
    assert (moved_apart(many, 0.2) - 2).abs().max() <= FARTHEST


@pytest.mark.parametrize("count", [5, 7])
def test_a_place_without_an_observer_compares_all_of_them(count) -> None:
    study = with_observers(count)
    fits = study.comparison.fits.set_index(["measure", "experiment", "npc", "role", "observer"])
    slopes = study.comparison.slopes.set_index(["experiment", "who"])
    agreement, tradeoff = scatter_plate(study), tradeoff_plate(study)
    assert isinstance(agreement, Plate)
    for row, observer in enumerate(study.observers):
        fit = fits.loc[("observed", "pooled", "", "", observer)]
        for place, name in enumerate(("ccc", "r")):
            mark = by_gid(agreement.figure)[f"summary:{row}:{place}"]
            assert list(mark.get_xdata()) == [fit[name]]
        mark = by_gid(tradeoff.figure)[f"summary:{row + 1}:0"]  # people come first
        assert list(mark.get_xdata()) == [slopes.loc[("pooled", observer), "slope"]]


def test_grids_have_a_row_for_each_npc_or_expertise(human) -> None:
    plates = fit_plates(human, COST_OBSERVATION)
    panels = [panel for plate in plates for panel in plate.sources]
    assert panels == ["exp1", "exp3-agent2", "exp3-agent3", "exp4-expert", "exp4-novice"]
    assert [len(plate.sources) for plate in plates] == [3, 2]  # no experiment is torn apart
    novice = plates[1].sources["exp4-novice"]
    assert set(novice["expertise"]) == {"novice"}
    for observer in OBSERVERS:
        mine = novice[novice["observer"] == observer]
        drawn = places(plates[1], f"panel:exp4-novice:{observer}:experiment:4")
        check_places(drawn, mine[["model", "people"]])


def test_grids_tell_all_statistics(human) -> None:
    plate = fit_plates(human, COST_TOTAL)[0]
    assert list(plate.sources) == ["exp1", "exp3", "exp4"]
    fits = human.comparison.fits.set_index(["measure", "experiment", "npc", "role", "observer"])
    for observer in OBSERVERS:
        row = fits.loc[("cost_total", 3, "", "", observer)]
        told = f"RMSE {number(row['rmse'])}, MAE {number(row['mae'])}"
        assert told in words(plate.figure)


def test_a_total_is_counted_once_for_each_trial(human) -> None:
    source = fit_plates(human, COST_TOTAL)[0].sources["exp3"]
    assert not source.duplicated(["observer", "level"]).any()
    assert len(source) == 10 * len(OBSERVERS)


def test_a_constant_prediction_has_no_r_and_the_reason_is_told() -> None:
    flat = [replace(row, observed=2) if row.observer == "mine" else row for row in ROWS]
    study = study_of(flat)
    for plate in fit_plates(study, OBSERVED):
        assert "r undefined" in words(plate.figure)
        assert "the predictions are all 2" in words(plate.figure)
        check_layout(plate.figure)


def test_an_observer_without_predictions_for_an_experiment_is_said_to_have_none() -> None:
    fewer = [row for row in ROWS if row.observer != "mine" or row.experiment != 4]
    study = study_of(fewer)
    for plates in (fit_plates(study, COST_OBSERVATION), [tradeoff_by_experiment_plate(study)]):
        assert any("no predictions" in words(plate.figure) for plate in plates)


def test_the_tradeoff_shows_costs_lines_and_slopes(human) -> None:
    plate = tradeoff_plate(human)
    assert isinstance(plate, Plate)
    observer = OBSERVERS[1]
    pairs = human.pairs[human.pairs["observer"] == observer]
    trials = pairs.drop_duplicates(["experiment", "level"])
    for series, side in (("people", "human"), ("model", "model")):
        drawn = places(plate, f"panel:{observer}:{series}")
        execution = trials[f"{side}_cost_execution"]
        wanted = np.column_stack([execution, trials[f"{side}_cost_total"] - execution])
        assert np.allclose(sorted(drawn.tolist()), sorted(wanted.tolist()))
        who = "human" if series == "people" else observer
        bands = human.comparison.bands
        line = bands[(bands["experiment"] == "pooled") & (bands["who"] == who)]
        artist = by_gid(plate.figure)[f"panel:{observer}:{series}:line"]
        assert np.allclose(artist.get_xydata(), line[["x", "y"]])
        source = plate.sources[observer]
        mine = source[(source["series"] == series) & (source["what"] == "line")]
        assert np.allclose(mine[["low", "high"]], line[["low", "high"]])
    slopes = human.comparison.slopes.set_index(["experiment", "who"])
    row = slopes.loc[("pooled", "human")]
    assert f"people: {ranged(row['slope'], row['low'], row['high'], 3)}" in words(plate.figure)


def test_the_tradeoff_by_experiment_has_a_panel_for_each(human) -> None:
    plate = tradeoff_by_experiment_plate(human)
    assert isinstance(plate, Plate)
    assert list(plate.sources) == [f"exp{e}-{o}" for e in (1, 3, 4) for o in OBSERVERS]
    for experiment in (1, 3, 4):
        trials = plate.sources[f"exp{experiment}-mine"]
        assert (trials["what"] == "trial").sum() == 20  # 10 of people, 10 of the observer


# -- what the data is, and what it lacks -----------------------------------------------------------


@pytest.mark.parametrize("draw", PLATES)
def test_figures_of_simulated_participants_say_so(simulated, draw) -> None:
    for plate in draw(simulated):
        told = words(plate.figure)
        assert "SIMULATED PARTICIPANTS" in told
        assert "simulated participants" in told
        assert "people" not in told
        assert plate.caption.startswith("Simulated participants, not people.")
        for source in plate.sources.values():
            assert set(source["data"]) == {"simulated"}
        check_layout(plate.figure)


@pytest.mark.parametrize("draw", PLATES)
def test_figures_of_people_speak_of_people(human, draw) -> None:
    for plate in draw(human):
        told = words(plate.figure)
        assert "people" in told
        assert "simulated" not in told.lower() + plate.caption.lower()
        check_layout(plate.figure)


def test_what_means_alone_cannot_show_is_left_out_with_a_reason(everything) -> None:
    left = {plate.name: str(plate) for plate in everything if isinstance(plate, MissingFigure)}
    costs = [words for name, words in left.items() if name in ("cost-observation", "cost-total")]
    assert len(costs) == 2
    assert all("data of each participant" in words for words in costs)
    assert {plate.name for plate in everything if isinstance(plate, Plate)} >= {
        "pooled-observed",
        "observed-1",
        "observed-2",
        "tradeoff",
        "tradeoff-by-experiment",
    }


@pytest.mark.parametrize("draw", [tradeoff_plate, tradeoff_by_experiment_plate])
def test_the_tradeoff_of_means_alone_is_the_observers_half(only_means, draw) -> None:
    plate = draw(only_means)
    assert "Only the observers are drawn" in plate.caption
    assert all(set(source["series"]) == {"model"} for source in plate.sources.values())
    assert not [text for text in texts(plate.figure) if "people" in text]
    check_layout(plate.figure)


def test_a_comparison_of_other_data_is_refused(simulated, human) -> None:
    with pytest.raises(ValueError, match="must be of the same people"):
        Results(human.predictions, human.human, simulated.comparison)


def test_words_for_simulated_participants() -> None:
    assert (
        Source.SIMULATED.caption("A caption.") == "Simulated participants, not people. A caption."
    )
    assert (Source.HUMAN.people, Source.HUMAN.stamp) == ("people", "")


# -- any number of observers -----------------------------------------------------------------------


@pytest.mark.parametrize("count", [1, 7])
def test_any_number_of_observers(count) -> None:
    study = with_observers(count)
    assert len(study.observers) == count
    # Steps and total costs have the layout of observation costs, which have longer names.
    for plate in (plate for draw in (*PLATES[:1], PLATES[2], *PLATES[4:]) for plate in draw(study)):
        check_layout(plate.figure)
        assert all(name.short in words(plate.figure) for name in study.observers.values())


# -- files -----------------------------------------------------------------------------------------


def test_a_plate_is_written_with_the_numbers_of_each_panel(scatter, tmp_path: Path) -> None:
    plate = scatter
    written = save_plate(plate, tmp_path)
    assert sorted(path.name for path in written) == [
        "pooled-observed-mine.csv",
        "pooled-observed-rational-mentalizing.csv",
        "pooled-observed.png",
        "pooled-observed.svg",
    ]
    table = pd.read_csv(tmp_path / "pooled-observed-mine.csv")
    assert np.allclose(table["people"], plate.sources["mine"]["people"])


def test_the_same_data_gives_the_same_files(human, tmp_path: Path) -> None:
    for folder in ("one", "two"):
        plate = tradeoff_plate(human)
        assert isinstance(plate, Plate)
        save_plate(plate, tmp_path / folder)
    for path in (tmp_path / "one").iterdir():
        assert path.read_bytes() == (tmp_path / "two" / path.name).read_bytes(), path.name


def test_everything_in_one_go(everything) -> None:
    names = [plate.name for plate in everything]
    assert names[:4] == ["game", "model", "pooled-observed", "tradeoff"]
    assert len(set(names)) == len(names)
    lacking = [plate.name for plate in everything if isinstance(plate, MissingFigure)]
    assert "cost-total" in lacking
    assert "pooled-observed" not in lacking
