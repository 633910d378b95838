from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from math import inf, nan
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import matplotlib
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from matplotlib.artist import Artist
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.text import Text

from drawings import ROOM, by_gid, texts
from onlooker.drawing import explain_figure, save_figure
from onlooker.drawing.artists import CellText
from onlooker.drawing.explain.costs import spread
from onlooker.drawing.explain.frames import ENOUGH, SMALLEST, Frames, arrange
from onlooker.drawing.explain.story import Story
from onlooker.drawing.explain.trees import sight_trees
from onlooker.drawing.figure import figure_bytes
from onlooker.game import Map, Trial, load_trial, read_map_text
from onlooker.inference.errors import UnexplainedError
from onlooker.observers import (
    OBSERVERS,
    Decision,
    Engine,
    GradedMentalizing,
    IdealObserver,
    Observer,
    Parameters,
    Result,
    View,
    find_observer,
)
from onlooker.planning import NoPathError
from running import ROOT
from strategies import trials
from vectors import VECTORS

CASES = {vector.name: vector for vector in VECTORS if not vector.name.startswith("paper")}
LOOKED_AT = ["random_exp1_1", "random_exp4_2", "wide_4", "wide_6", "random_exp3_1"]
COLOURFUL = read_map_text("""
name: costs $5 or $6
map:
@..y.b.r...
.y..2b...r.
..Y.B....R.
########=##
########%##
########+##
.3.A......4

legend:
@ = main agent, goal A
2 = expert agent2, goal A
3 = novice agent3, goal A
4 = expert oldfriend, goal A
b = blue wizard
B = blue wizard, holder
r = red wizard
R = red wizard, holder
y = yellow wizard
Y = yellow wizard, holder
= = blue barrier
% = red barrier
+ = yellow barrier
""")


@cache
def run(name: str, observer: str = "rational_mentalizing") -> tuple[Engine, Result]:
    vector = CASES[name]
    engine = Engine(vector.trial, Parameters(**vector.params))
    return engine, OBSERVERS[observer]().run(engine)


@cache  # drawing takes most of the time; nobody changes what was drawn
def drawn(name: str, observer: str = "rational_mentalizing") -> Figure:
    figure = explain_figure(*run(name, observer))
    figure.draw_without_rendering()  # texts get their sizes
    return figure


@cache
def parts(name: str, observer: str = "rational_mentalizing") -> tuple[Result, dict[str, Artist]]:
    return run(name, observer)[1], by_gid(drawn(name, observer))


def heights(bars: Artist) -> list[float]:
    """How high the bars of a row are, from left to right."""
    return [float(np.ptp(path.vertices[:, 1])) for path in bars.get_paths()]


def numbers(values: Sequence[float | None]) -> list[float]:
    return [nan if value is None else value for value in values]


def kinds(artists: dict[str, Artist]) -> set[str]:
    return {gid.partition(":")[0] for gid in artists}


# -- the numbers -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", LOOKED_AT)
def test_the_lines_are_the_costs_of_the_trace(name: str) -> None:
    result, artists = parts(name)
    steps = list(range(len(result.trace)))
    np.testing.assert_array_equal(artists["c_self"].get_xdata(), steps)
    np.testing.assert_array_equal(artists["c_self"].get_ydata(), [d.c_self for d in result.trace])
    for index, npc in enumerate(CASES[name].trial.npcs):
        costs = numbers([decision.q_obs[index] for decision in result.trace])
        np.testing.assert_array_equal(artists[f"q_obs:{npc.id}"].get_ydata(), costs)


@pytest.mark.parametrize("name", LOOKED_AT)
def test_the_bars_are_the_beliefs_of_the_trace(name: str) -> None:
    result, artists = parts(name)
    trial = CASES[name].trial
    drawn = {gid for gid in artists if gid.startswith("belief:")}
    open_colours = trial.open_colours
    wizards = [w for w in trial.map.wizards if w.colour in open_colours]
    assert drawn == {f"belief:{w.colour}:{w.id}" for w in wizards}
    for wizard in wizards:
        bars = heights(artists[f"belief:{wizard.colour}:{wizard.id}"])
        assert bars == pytest.approx([d.belief[wizard.colour][wizard.id] for d in result.trace])
    for index, npc in enumerate(trial.npcs):
        for letter in trial.map.letters if len(trial.map.letters) > 1 else ():
            bars = heights(artists[f"goals:{npc.id}:{letter}"])
            assert bars == pytest.approx([d.goals[index][letter] for d in result.trace])


def test_pale_bars_are_those_of_wizards_that_are_no_candidates() -> None:
    engine, _ = run("random_exp4_2")
    result, artists = parts("random_exp4_2")
    for wizard in engine.trial.map.wizards_of["blue"]:
        fills = artists[f"belief:blue:{wizard.id}"].get_facecolor()
        pale = [tuple(fill) != tuple(fills[0]) for fill in fills]  # at first all are candidates
        kept = [wizard.id in engine.candidates(d.belief)["blue"] for d in result.trace]
        assert pale == [not candidate for candidate in kept]


def test_the_threshold_is_marked_on_every_row_of_belief() -> None:
    assert run("random_exp2_5")[0].parameters.converge == 0.9
    mark = parts("random_exp2_5")[1]["converge:belief:blue:w1"]
    assert {y for segment in mark.get_segments() for _, y in segment} == {0.9}


def test_the_choices_are_marked() -> None:
    result, artists = parts("random_exp4_2")
    steps = range(len(result.trace))
    assert all(f"choice:{step}" in artists for step in steps)
    for gid, choice in (("c_self", "act"), ("q_obs:agent2", "agent2"), ("q_obs:agent3", "agent3")):
        chosen = [step for step in steps if result.trace[step].choice == choice]
        np.testing.assert_array_equal(artists[f"chosen:{gid}"].get_xdata(), chosen)
    letters = [texts(artists[f"choice:{step}"]) for step in (0, 2, len(steps) - 1)]
    assert letters == [["E", "2"], ["N", "3"], ["M"]]
    assert [gid for gid in artists if gid.startswith("act:")] == [f"act:{len(steps) - 1}"]


def test_the_particles_are_those_behind_the_costs() -> None:
    engine, _ = run("random_exp4_2")
    result, artists = parts("random_exp4_2")
    for step in (0, len(result.trace) - 1):
        for index, npc in enumerate(engine.trial.npcs):
            particles = result.trace[step].particles[index]
            places = artists[f"particles:{step}:{npc.id}"].get_offsets()
            assert {tuple(place) for place in places} == {(p.steps, p.residual) for p in particles}
            mean = artists[f"mean:{step}:{npc.id}"].get_xydata()[0]
            cost = engine.parameters.observe * mean[0] + mean[1]
            assert cost == pytest.approx(result.trace[step].q_obs[index])


# -- the maps ----------------------------------------------------------------------------------


def test_a_frame_shows_what_had_been_seen() -> None:
    engine, result = run("random_exp1_4")
    story = Story(engine, result)
    assert story.paths(0) == {}
    assert story.paths(2) == {"agent2": engine.paths[0][:2]}
    assert story.states(2) == {"agent2": engine.paths[0][1].state}
    last = story.paths(story.last)
    assert [step.action for step in last["main"]] == list(result.route)
    assert last["main"][-1].state.arrived


def test_the_first_and_the_last_step_are_among_the_frames() -> None:
    engine, result = run("random_exp4_2")
    frames = Frames(Story(engine, result), 11.4).steps
    assert len(frames) == 6
    assert frames[0] == 0
    assert frames[-1] == len(result.trace) - 1
    _, artists = parts("random_exp4_2")
    shown = sorted(int(gid[6:]) for gid in artists if gid.startswith("frame:") and "/" not in gid)
    assert shown == frames
    assert all(f"badge:{step}" in artists for step in frames)
    assert f"frame:{frames[-1]}/path:main:line" in artists
    assert not [gid for gid in artists if gid.startswith("frame:0/path")]


def test_frames_are_the_steps_at_which_most_changes() -> None:
    engine, result = run("random_exp4_2")
    story = Story(engine, result)
    assert story.shown(1) == [story.last]
    assert story.shown(2) == [0, story.last]
    assert story.shown(99) == list(range(len(result.trace)))
    engine, result = run("random_exp3_1")
    quiet = [Decision("agent2")] * 6  # it asks nobody, and nothing else changes
    still = Story(engine, replace(result, trace=(*quiet, Decision("act"))))
    assert still.shown(3) == [0, 3, 6]
    turning = [
        decision._replace(belief={"blue": {"w2": 0.9 if step >= 5 else 0.2}})
        for step, decision in enumerate(quiet)
    ]
    turned = Story(engine, replace(result, trace=(*turning, Decision("act"))))
    assert turned.shown(4) == [0, 2, 5, 6]


@pytest.mark.parametrize("sides", [(5, 5), (11, 12), (13, 12), (30, 30), (60, 20)])
def test_maps_are_as_large_as_there_is_room_for(sides: tuple[int, int]) -> None:
    map = Map(*sides)
    for count in range(1, 7):
        grid = arrange(map, count, 11.4)
        assert grid.columns * grid.rows >= count
        assert grid.breadth <= 11.4 + 1e-9
        assert grid.length <= 7.0 + 1e-9
        others = [arrange(map, more, 11.4).cell for more in range(count, 7)]
        assert grid.cell >= min(ENOUGH, *others)


def test_of_a_large_map_there_are_few_frames() -> None:
    rows = "\n".join("." * 30 for _ in range(28))
    text = f"map:\n@........b....b{'.' * 13}=A\n.2{'.' * 28}\n{rows}\n\nlegend:\n@ = main agent, goal A\n2 = expert agent2, goal A\nb = blue wizard\n= = blue barrier\n"
    trial = read_map_text(text.replace("b....b", "b....h") + "h = blue wizard, holder\n")
    engine = Engine(trial)
    frames = Frames(Story(engine, OBSERVERS["naive_observer"]().run(engine)), 11.4)
    assert len(frames.steps) == 1
    assert frames.grid.cell < SMALLEST


# -- every observer, and anything a user's own may do ------------------------------------------


WHAT_IS_SHOWN = {
    "rational_mentalizing": {"belief", "goals", "c_self", "q_obs", "particles"},
    "mentalizing_observer": {"belief", "goals", "distance", "epsilon"},
    "rational_observer": {"c_self", "q_obs"},
    "naive_observer": set(),
}


@pytest.mark.parametrize(("observer", "expected"), WHAT_IS_SHOWN.items())
def test_what_an_observer_does_not_compute_is_left_out(observer: str, expected: set[str]) -> None:
    _, artists = parts("random_exp3_6", observer)
    everything = set().union(*WHAT_IS_SHOWN.values())
    assert kinds(artists) & everything == expected
    assert {"choice", "frame", "title"} <= kinds(artists)


def test_the_distances_are_those_of_the_trace() -> None:
    result, artists = parts("random_exp4_1", "mentalizing_observer")
    for index, npc in enumerate(CASES["random_exp4_1"].trial.npcs):
        distances = numbers([decision.distances[index] for decision in result.trace])
        np.testing.assert_array_equal(artists[f"distance:{npc.id}"].get_ydata(), distances)
    assert set(artists["epsilon"].get_ydata()) == {0.1}


@pytest.mark.parametrize(
    ("observer", "trial"),
    [
        ("rational_mentalizing", COLOURFUL),
        ("mentalizing_observer", COLOURFUL),
        ("rational_observer", ROOM),
        ("naive_observer", ROOM),
    ],
    ids=lambda value: value.label if isinstance(value, Trial) else value,
)
def test_three_colours_and_three_npcs_are_drawn(observer: str, trial: Trial) -> None:
    engine = Engine(trial)
    explain_figure(engine, OBSERVERS[observer]().run(engine)).canvas.draw()


# Each observer on two of the cases, so that each case is drawn.
@pytest.mark.parametrize(
    ("name", "observer"),
    [
        (name, list(OBSERVERS)[index % len(OBSERVERS)])
        for index, name in enumerate(name for name in CASES if name[-1] in "16")
    ],
)
def test_nothing_is_written_off_the_page(name: str, observer: str) -> None:
    figure = drawn(name, observer)
    page = figure.bbox
    written = [text for ax in figure.axes for text in ax.texts]
    for text in [*figure.texts, *written, *figure.findobj(CellText)]:
        box = text.get_window_extent()
        assert page.x0 <= box.x0, text
        assert box.x1 <= page.x1, text
        assert page.y0 <= box.y0, text
        assert box.y1 <= page.y1, text


@settings(max_examples=3, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(trials())
def test_any_trial_can_be_explained(trial: Trial) -> None:
    engine = Engine(trial)
    for observer in OBSERVERS.values():
        try:
            result = observer().run(engine)
        except (UnexplainedError, NoPathError):
            continue
        artists = by_gid(explain_figure(engine, result))
        assert f"choice:{len(result.trace) - 1}" in artists


class Own(Observer):
    """A user's observer, whose decisions are what a test says."""

    name = "package.module:Own"
    title = "My own"

    def __init__(self, *decisions: Decision) -> None:
        self.decisions = decisions

    def decide(self, engine: Engine, view: View, choices: Sequence[str]) -> Decision:
        return self.decisions[len(choices)]

    def candidates(self, engine: Engine, view: View) -> Any:
        return engine.all_wizards(engine.trial.needed)


def own(*decisions: Decision) -> Figure:
    engine = Engine(CASES["random_exp4_2"].trial)
    figure = explain_figure(engine, Own(*decisions).run(engine))
    figure.draw_without_rendering()
    return figure


def test_infinite_costs_and_gaps_do_no_harm() -> None:
    figure = own(
        Decision("agent2", c_self=inf, q_obs=(50.0, inf)),
        Decision("agent2"),
        Decision("agent3", c_self=inf, q_obs=(None, 40.0), belief={"blue": {"w1": 1.0}}),
        Decision("act", c_self=60.0, q_obs=(None, inf), distances=(0.5, None)),
    )
    artists = by_gid(figure)
    np.testing.assert_array_equal(artists["c_self"].get_ydata(), [inf, nan, inf, 60])
    np.testing.assert_array_equal(artists["q_obs:agent2"].get_ydata(), [50, nan, nan, nan])
    np.testing.assert_array_equal(artists["q_obs:agent3"].get_ydata(), [inf, nan, 40, inf])
    assert heights(artists["belief:blue:w1"]) == [1.0]
    assert texts(figure).count("∞") == 4


def test_costs_that_are_all_infinite_do_no_harm() -> None:
    assert "c_self" in by_gid(own(Decision("act", c_self=inf, q_obs=(inf, None))))


def test_an_unknown_observer_goes_by_its_name() -> None:
    assert texts(by_gid(own(Decision("act")))["title"]) == ["package.module:Own"]


def test_a_result_without_a_trace_is_refused() -> None:
    engine, result = run("random_exp1_1")
    with pytest.raises(ValueError, match="the result has no trace to explain"):
        explain_figure(engine, replace(result, trace=()))


def test_another_trials_route_is_refused() -> None:
    engine, result = run("random_exp1_1")
    with pytest.raises(ValueError, match="the result's route"):
        explain_figure(engine, replace(result, route=result.route * 9))


# -- the words ---------------------------------------------------------------------------------


def words(name: str, observer: str = "rational_mentalizing") -> dict[str, str]:
    _, artists = parts(name, observer)
    return {gid: artist.get_text() for gid, artist in artists.items() if isinstance(artist, Text)}


def test_the_outcome_is_told_in_a_sentence() -> None:
    told = words("random_exp4_2")
    assert told["title"] == "Rational Mentalizing"
    assert told["outcome"] == (
        "watches agent2 for 4 steps and agent3 for 6 steps, then acts: 75 points, of a budget of 80"
    )
    assert told["bill"] == "10 observations, 20 moves, 1 interaction"
    assert words("random_exp3_1")["outcome"].startswith("acts immediately: ")
    assert (
        "points, 111 more than a budget of 55"
        in words("random_exp3_6", "naive_observer")["outcome"]
    )


def test_the_trial_is_named_letter_for_letter() -> None:
    engine = Engine(COLOURFUL)
    figure = explain_figure(engine, OBSERVERS["naive_observer"]().run(engine))
    assert texts(by_gid(figure)["trial"]) == ["on “costs $5 or $6”"]
    assert "trial" not in words("random_exp1_1")


@pytest.mark.parametrize(
    ("name", "observer", "reason"),
    [
        ("random_exp4_2", "rational_mentalizing", "watching no longer pays: 65 ≤ 66.4"),
        ("random_exp3_1", "rational_mentalizing", "watching does not pay: "),
        ("random_exp3_1", "rational_observer", "as decided at the start: act"),
        ("wide_1", "mentalizing_observer", "belief settled: act"),
    ],
)
def test_why_it_acts_is_said(name: str, observer: str, reason: str) -> None:
    told = words(name, observer)
    (said,) = [text for gid, text in told.items() if gid.startswith("reason:")]
    assert said.startswith(reason)


def test_why_it_acts_when_there_is_nothing_to_learn_or_nobody_left() -> None:
    engine, result = run("random_exp1_1")
    gone = Decision("act", c_self=40.0, q_obs=(None,), distances=(None,))
    story = Story(engine, replace(result, trace=(gone,)))
    assert story.why_act == story.why_stop == "nobody left to watch: act"
    odd = Decision("act", c_self=40.0, q_obs=(30.0,))
    story = Story(engine, replace(result, trace=(odd,)))
    assert story.why_act == "act, though watching looks cheaper"
    near = Decision("act", distances=(0.05,))
    assert (
        Story(engine, replace(result, trace=(near,))).why_stop
        == "nobody could change its mind: act"
    )
    certain = Engine(replace(ROOM, main=replace(ROOM.main, goal="B")))
    story = Story(certain, OBSERVERS["rational_mentalizing"]().run(certain))
    assert story.why_act == story.why_stop == "nothing to find out: act"


def test_what_was_just_seen_is_told() -> None:
    engine, result = run("random_exp4_2")
    story = Story(engine, result)
    sights = [story.sight(step) for step in range(len(result.trace))]
    assert sights[0] == ""
    assert "agent3 asked w2" in sights
    assert "agent2 went down" in sights
    assert not story.before(0)


def test_names_of_lines_keep_apart() -> None:
    moved = spread([5.0, 5.0, 5.1, 9.0], 1.0)
    assert moved[3] == 9.0
    assert np.diff(moved[:3]) == pytest.approx([1.0, 1.0])
    assert np.mean(moved[:3]) == pytest.approx(np.mean([5.0, 5.0, 5.1]))
    assert spread([], 1.0) == []


# -- the file ----------------------------------------------------------------------------------


def test_the_same_run_gives_the_same_bytes() -> None:
    one, two = (explain_figure(*run("random_exp1_4")) for _ in range(2))
    for suffix in (".svg", ".pdf"):  # the next but one compares .png
        assert figure_bytes(one, suffix) == figure_bytes(two, suffix)


def test_an_svg_can_be_addressed_and_its_letters_are_drawn(tmp_path: Path) -> None:
    save_figure(explain_figure(*run("random_exp4_6")), tmp_path / "figure.svg")
    tree = ElementTree.parse(tmp_path / "figure.svg")
    ids = [element.get("id") for element in tree.iter() if element.get("id")]
    assert {"c_self", "q_obs:agent3", "belief:blue:w1", "goals:agent2:A", "frame:0"} <= set(ids)
    assert not list(tree.iter("{http://www.w3.org/2000/svg}text"))


def test_the_users_settings_neither_count_nor_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("onlooker.drawing.figure.DPI", 50)
    engine, result = run("random_exp1_4")
    save_figure(explain_figure(engine, result), tmp_path / "plain.png")
    with matplotlib.rc_context({"axes.grid": True, "lines.linewidth": 9, "font.size": 30}):
        before = dict(matplotlib.rcParams)
        figure = explain_figure(engine, result)
        assert dict(matplotlib.rcParams) == before
    save_figure(figure, tmp_path / "other.png")
    assert (tmp_path / "plain.png").read_bytes() == (tmp_path / "other.png").read_bytes()


def test_lines_tell_agents_apart_without_colour() -> None:
    _, artists = parts("wide_6")
    lines = [artists[gid] for gid in ("c_self", "q_obs:agent2", "q_obs:agent3", "q_obs:agent4")]
    assert all(isinstance(line, Line2D) for line in lines)
    looks = {(line.get_marker(), str(line._unscaled_dash_pattern)) for line in lines}
    assert len(looks) == 4


# -- beyond the paper ------------------------------------------------------------------------------


def test_a_graded_observer_has_the_tree_of_what_could_be_seen() -> None:
    engine = Engine(load_trial(ROOT / "examples" / "two-experts.map"))
    figure = explain_figure(engine, GradedMentalizing().run(engine))
    found = by_gid(figure)
    decision = GradedMentalizing().decide(engine, engine.opening)
    story = Story(engine, GradedMentalizing().run(engine))
    for index, (npc, tree) in enumerate(sight_trees(story).items()):
        assert tree.sight.acting == pytest.approx(decision.c_self)
        assert decision.q_obs is not None
        assert tree.sight.on == pytest.approx(decision.q_obs[index])
        stops = [twig for twig in tree.all() if twig.stop]
        assert sum(twig.sight.p for twig in stops) == pytest.approx(1.0)  # every way has one
        assert f"tree:{npc}" in found
        drawn = found[f"stops:{npc}"]
        assert isinstance(drawn, Line2D)
        assert list(drawn.get_xdata()) == [twig.depth for twig in stops]


def test_only_who_looks_ahead_has_a_tree() -> None:
    engine = Engine(load_trial(ROOT / "examples" / "two-experts.map"))
    for name in (*OBSERVERS, "ideal_observer"):
        assert not sight_trees(Story(engine, find_observer(name).run(engine)))


def test_the_ideal_observer_has_its_expected_costs() -> None:
    engine = Engine(load_trial(ROOT / "examples" / "two-experts.map"))
    result = IdealObserver().run(engine)
    found = by_gid(explain_figure(engine, result))
    acting = found["ideal_act"]
    assert isinstance(acting, Line2D)
    assert list(acting.get_ydata()) == [decision.act for decision in result.trace]
    watching = found["ideal_watch:agent3"]
    assert isinstance(watching, Line2D)
    assert watching.get_ydata()[0] == result.expected_cost
