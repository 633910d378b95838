"""Figures with maps: the game, the model, and examples of single trials."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from matplotlib.patches import Rectangle
from matplotlib.text import Text

from drawings import ALONE, ROOM, by_gid, texts
from onlooker.analysis.data.human import MEASURED, HumanBehaviour
from onlooker.analysis.data.words import Source
from onlooker.analysis.figures.callouts import GAP, assign, spread
from onlooker.analysis.figures.example_trials import choose_trials, sides, spreads
from onlooker.analysis.figures.game_figure import game_labels, game_plate
from onlooker.analysis.figures.maps import example_trial
from onlooker.analysis.figures.plate import MissingFigure, Plate
from onlooker.analysis.figures.qualitative import qualitative_plates
from onlooker.analysis.figures.schematic import PARTS, Moment, schematic_plate
from onlooker.analysis.tables.comparison import compare, predictions_frame
from onlooker.analysis.tables.results import Results
from onlooker.drawing.artists import CellText
from onlooker.experiments.layout import too_alike
from onlooker.experiments.predictions import predict
from onlooker.experiments.stimuli import stimuli
from onlooker.inference.parameters import Parameters
from onlooker.observers import (
    OBSERVERS,
    Engine,
    MentalizingObserver,
    RationalMentalizing,
    RationalObserver,
)

TRIALS = [*stimuli(1)[:5], *stimuli(4)[:6]]
FRAME = predictions_frame(predict(TRIALS, [RationalMentalizing(), RationalObserver()]))


def study_of(*, simulated: bool = False, errors: bool = True) -> Results:
    means = FRAME[FRAME["observer"] == "rational_mentalizing"]
    means = means[["experiment", "level", "agent", *MEASURED]].assign(n=20)
    means = means.assign(observed=means["observed"] + 0.25)
    means = means.assign(**{f"se_{name}": 0.5 if errors else np.nan for name in MEASURED})
    people = HumanBehaviour(means.reset_index(drop=True), Source.of(simulated=simulated))
    return Results(FRAME, people, compare(FRAME, people, resamples=50, splits=10))


@pytest.fixture(scope="module")
def study() -> Results:
    return study_of()


def drawn(plates: list[Plate | MissingFigure]) -> list[Plate]:
    assert all(isinstance(plate, Plate) for plate in plates)
    return [plate for plate in plates if isinstance(plate, Plate)]


def check_sizes(plate: Plate) -> None:
    for text in plate.figure.findobj(Text):
        if text.get_text() and not isinstance(text, CellText):
            assert text.get_fontsize() >= 7, text.get_text()


# -- examples --------------------------------------------------------------------------------------


def test_examples_are_contrasts_in_what_the_model_does(study) -> None:
    chosen = choose_trials(study, TRIALS)
    assert list(chosen["experiment"]) == [1, 1, 4, 4]
    assert list(chosen["shows"]) == ["skip", "short", "novice", "expert"]
    maps = {(trial.experiment, trial.label): trial.map for trial in TRIALS}
    for number, rows in chosen.groupby("experiment"):
        mine = [maps[number, level] for level in rows["level"]]
        assert not any(too_alike(a, b) for a, b in combinations(mine, 2))
    model = FRAME[FRAME["observer"] == "rational_mentalizing"]
    counts = model.groupby(["experiment", "level"])["observed"].sum()
    skip, short = (counts[1, level] for level in chosen["level"][:2])
    watched = counts.loc[1][counts.loc[1] > 0]
    assert skip == 0
    assert 0 < short <= watched.quantile(0.25)
    by_role = model.pivot_table(
        index=["experiment", "level"], columns="expertise", values="observed"
    )
    gaps = (by_role["expert"] - by_role["novice"]).loc[4]
    novice, expert = (gaps[level] for level in chosen["level"][2:])
    assert novice == gaps.min() < 0
    assert expert > 0


def test_what_people_did_plays_no_part_in_the_choice(study) -> None:
    means = study.human.means.assign(observed=study.human.means["observed"][::-1].to_numpy())
    other = Results(study.predictions, replace(study.human, means=means), study.comparison)
    pd.testing.assert_frame_equal(choose_trials(other, TRIALS), choose_trials(study, TRIALS))


def test_a_side_without_a_trial_is_filled_and_says_so() -> None:
    always = FRAME.assign(observed=FRAME["observed"] + 1)
    study = study_of()
    plates = drawn(qualitative_plates(Results(always, study.human, study.comparison), TRIALS))
    assert "“observers apart” is the trial where the observers lie farthest" in plates[0].caption
    assert "does not look at people" in plates[1].caption


def test_which_contrast_an_experiment_is_about() -> None:
    one, room = ALONE, ROOM
    assert [side.word for side in sides([one])] == ["skip", "short"]
    assert [side.word for side in sides([room])] == ["novice", "expert"]
    experts = replace(room, npcs=tuple(replace(npc, expertise="expert") for npc in room.npcs))
    assert [side.word for side in sides([experts])] == ["one NPC", "the other NPC"]


def test_the_spread_is_summed_over_npcs(study) -> None:
    level = TRIALS[-1].label
    rows = FRAME[FRAME["level"] == level].pivot_table(
        index="observer", columns="agent", values="observed"
    )
    found = spreads(study).set_index("level").loc[level, "spread"]
    assert found == pytest.approx(rows.std(ddof=0).sum())


def test_incomplete_trials_are_not_shown() -> None:
    study = study_of()
    means = study.human.means
    gone = choose_trials(study, TRIALS)["level"].iloc[0]
    means.loc[means["level"] == gone, "observed"] = np.nan
    fewer = Results(study.predictions, study.human, study.comparison)
    assert gone not in set(choose_trials(fewer, TRIALS)["level"])
    unmapped = choose_trials(study_of(), [t for t in TRIALS if t.label != gone])
    assert gone not in set(unmapped["level"])


def test_bars_are_as_high_as_people_and_observers_watched(study) -> None:
    one, four = drawn(qualitative_plates(study, TRIALS))
    assert (one.name, four.name) == ("examples-exp1", "examples-exp4")
    for plate in (one, four):
        for level, bars in plate.sources.items():
            heights = [
                artist.get_height()
                for ax in plate.figure.axes
                if ax.get_gid() == f"bars:{level}"
                for artist in ax.patches
                if isinstance(artist, Rectangle)
            ]
            assert heights == pytest.approx(list(bars["observed"]))
            people = bars[bars["who"] == "people"].set_index("agent")
            means = study.human.means.set_index(["level", "agent"]).loc[level]
            assert np.allclose(people["observed"], means["observed"])
            assert set(people["se"]) == {0.5}
            for observer in ("rational_mentalizing", "rational_observer"):
                mine = bars[bars["who"] == observer]
                wanted = FRAME[(FRAME["level"] == level) & (FRAME["observer"] == observer)]
                assert list(mine["observed"]) == list(wanted["observed"])
        check_sizes(plate)


def test_maps_show_the_paths_of_all_npcs(study) -> None:
    plate = drawn(qualitative_plates(study, TRIALS))[1]
    artists = by_gid(plate.figure)
    for level in plate.sources:
        trial = next(trial for trial in TRIALS if trial.label == level)
        for npc in trial.npcs:
            assert f"map:{level}/path:{npc.id}" in artists
        for wizard in trial.map.wizards:
            group = artists[f"map:{level}/wizard:{wizard.id}"]
            shown = [text.get_text() for text in group.findobj(Text) if text.get_visible()]
            assert wizard.id not in shown  # it would be too small to read


def test_missing_standard_errors_and_maps_are_told() -> None:
    study = study_of(errors=False)
    for plate in drawn(qualitative_plates(study, TRIALS)):
        assert any("standard errors need" in text for text in texts(plate.figure))
        assert "no error bars" in plate.caption
    left = qualitative_plates(study, [])
    assert all(isinstance(plate, MissingFigure) for plate in left)
    assert str(left[0]) == ("Examples from Experiment 1: needs the maps of its trials")


def test_examples_of_simulated_participants_say_so() -> None:
    for plate in drawn(qualitative_plates(study_of(simulated=True), TRIALS)):
        told = texts(plate.figure)
        assert "SIMULATED PARTICIPANTS" in told
        assert "simulated\nparticipants" in told
        assert "people" not in told
        assert "simulated participants" in plate.caption


# -- the game --------------------------------------------------------------------------------------


def test_everything_on_the_map_is_named() -> None:
    plate = game_plate()
    labels = plate.sources["labels"].set_index("kind")
    assert set(labels.index) == {
        *("main", "expert", "novice", "holder", "decoy", "barrier", "goal", "chest")
    }
    trial = example_trial(4, "m409_1")
    goal = next(chest.at for chest in trial.map.chests if chest.letter == trial.main.goal)
    assert tuple(labels.loc["goal", ["x", "y"]]) == goal
    holders = [w.at for w in trial.map.wizards if trial.holders[w.colour] == w.id]
    assert tuple(labels.loc["holder", ["x", "y"]]) in holders
    for kind in labels.index:
        assert f"callout:{kind}" in by_gid(plate.figure)
    check_sizes(plate)


def test_costs_are_those_of_the_parameters() -> None:
    parameters = Parameters(move=4, observe=2)
    costs = game_plate(parameters=parameters).sources["costs"]
    assert dict(zip(costs["choice"], costs["points"], strict=True)) == {
        "observe": 2,
        "move": 4,
        "ask": 5,
        "budget": Engine(example_trial(4, "m409_1"), parameters).budget,
    }


@pytest.mark.parametrize("trial", [ROOM, ALONE, *stimuli(1)[:1]])
def test_any_trial_can_be_explained(trial) -> None:
    plate = game_plate(trial)
    assert set(plate.sources["labels"]["kind"]) == {label.kind for label in game_labels(trial)}
    check_sizes(plate)


def test_labels_do_not_overlap() -> None:
    tops = spread([0.0, 0.0, 2.9], [1.0, 0.5, 1.0], 0.0, 3.0)
    assert tops == sorted(tops)
    assert tops[1] >= tops[0] + 1.0 + GAP - 1e-9
    assert tops[2] == pytest.approx(2.0)


def test_lines_to_labels_prefer_to_cross_nothing() -> None:
    callouts = {c.label.kind: c for c in assign(game_labels(ROOM), ROOM.map)}
    chest = callouts["goal"]
    assert chest.cell == (6, 0)
    assert chest.right


# -- the model -------------------------------------------------------------------------------------


def test_the_schematic_shows_a_real_decision() -> None:
    plate = schematic_plate()
    moment = Moment.of(example_trial(3, "m303_2"), 3)
    assert moment.agent == "agent3"
    table, costs = plate.sources["hypotheses"], plate.sources["costs"]
    assert table["p"].sum() == pytest.approx(1)
    assert (table["p"] * table["total"]).sum() == pytest.approx(moment.decision.q_obs[1])
    assert dict(zip(costs["choice"], costs["points"], strict=True)) == {
        "act": moment.decision.c_self,
        "agent2": pytest.approx(moment.decision.q_obs[0]),
        "agent3": pytest.approx(moment.decision.q_obs[1]),
    }
    assert costs.set_index("choice").loc["agent3", "chosen"]
    bars = next(ax for ax in plate.figure.axes if ax.get_gid() == "comparison").patches
    assert [bar.get_width() for bar in bars] == pytest.approx(list(costs["points"]))
    check_sizes(plate)


def test_hypotheses_that_differ_in_other_colours_are_one_row() -> None:
    found = 0
    for trial in stimuli(3):
        try:
            moment = Moment.of(trial, 0)
        except ValueError:
            continue
        table = moment.hypotheses()
        assert not table.duplicated(["goal", "holder"]).any()
        worth = (table["p"] * table["total"]).sum()
        assert worth == pytest.approx(moment.decision.q_obs[moment.npc])
        found += 1
        if found == 3:
            break
    assert found


def test_other_parameters_may_lead_to_an_earlier_decision() -> None:
    for parameters in (Parameters(beta=3.0), Parameters(observe=6), Parameters(prune=0.3)):
        plate = schematic_plate(parameters=parameters)
        assert plate.sources["hypotheses"]["p"].sum() == pytest.approx(1)


def test_a_decision_that_is_not_there_is_refused() -> None:
    with pytest.raises(ValueError, match="step must be from 0 to"):
        schematic_plate(step=99)
    with pytest.raises(ValueError, match="needs a decision with"):
        schematic_plate(replace(ROOM, npcs=()), 0)


def test_the_parts_are_those_that_the_observers_have() -> None:
    infers, weighs = PARTS.values()
    mentalizing = (RationalMentalizing, MentalizingObserver)
    rational = (RationalMentalizing, RationalObserver)
    assert list(infers) == [observer in mentalizing for observer in OBSERVERS.values()]
    assert list(weighs) == [observer in rational for observer in OBSERVERS.values()]


@pytest.mark.parametrize("draw", [game_plate, schematic_plate])
def test_an_example_that_is_not_of_the_reports_trials_says_so(draw) -> None:
    alone, own, other = draw(), draw(among=stimuli()), draw(among=TRIALS[:2])
    assert alone.caption == own.caption
    assert "comes with onlooker" not in own.caption + " ".join(texts(own.figure))
    assert "not among the trials that are analysed here" in other.caption
    assert "comes with onlooker" in " ".join(texts(other.figure))
    check_sizes(other)


def test_sources_are_tables() -> None:
    for plate in (game_plate(), schematic_plate()):
        assert all(
            isinstance(table, pd.DataFrame) and len(table) for table in plate.sources.values()
        )
