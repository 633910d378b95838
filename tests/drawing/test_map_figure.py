from __future__ import annotations

from dataclasses import replace

import matplotlib
import numpy as np
import pytest
from hypothesis import given, settings
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text

from drawings import ALONE, PATHS, ROOM, by_gid, texts
from onlooker.drawing import draw_map, map_figure
from onlooker.drawing.artists import CellPatch, CellText, points_per_cell
from onlooker.game import State, Trial
from strategies import trials
from vectors import VECTORS


def names(figure: Figure, kind: str) -> set[str]:
    """What there is of a kind on the map: the parts of the gids after the colon."""
    pairs = (gid.partition(":") for gid in by_gid(figure))
    return {rest for first, _, rest in pairs if first == kind}


def drawn(trial: Trial, **how: object) -> Figure:
    figure = Figure(figsize=(5, 5))
    draw_map(figure.subplots(), trial, **how)
    return figure


def test_chests_and_agents_have_letters_and_colours_have_signs() -> None:
    artists = by_gid(drawn(ROOM))
    assert texts(artists["wizard:w1"]) == ["w1"]
    assert texts(artists["wizard:rincewind"]) == ["rincewind"]
    signs = artists["barrier:5,0:sign"], artists["barrier:5,3:sign"]
    assert [texts(sign) for sign in signs] == [[], []]
    blue, red = (sign.parts[-1].get_path().vertices for sign in signs)
    assert blue.shape != red.shape  # a disc and a triangle
    assert texts(artists["chest:A"]) == ["A"]
    assert texts(artists["agent:main"]) == ["M"]
    assert texts(artists["agent:agent2"]) == ["E", "2"]
    assert texts(artists["agent:agent3"]) == ["N", "3"]
    assert {"walls", "floor", "goal:A"} <= artists.keys()
    assert "goal:B" not in artists


@settings(max_examples=20)
@given(trials())
def test_any_trial_can_be_drawn(trial: Trial) -> None:
    figure = map_figure(trial, holders=True)
    assert names(figure, "wizard") == {wizard.id for wizard in trial.map.wizards}
    assert names(figure, "holder") == set(trial.holders.values())
    assert names(figure, "chest") == set(trial.map.letters)
    assert names(figure, "agent") == {"main", *(npc.id for npc in trial.npcs)}
    assert {f"{b.at[0]},{b.at[1]}" for b in trial.map.barriers} <= names(figure, "barrier")


@pytest.mark.parametrize("figure", [drawn(ROOM), map_figure(ROOM)], ids=["map", "figure"])
def test_holders_are_not_told_unless_asked_for(figure: Figure) -> None:
    assert not [gid for gid in by_gid(figure) if "holder" in gid]


def test_holders_are_marked_when_asked_for() -> None:
    figure = map_figure(ROOM, holders=True)
    assert names(figure, "holder") == {"w1", "rincewind"}
    assert "holder of the amulet" in texts(figure)


def test_a_map_looks_the_same_whoever_the_holders_are() -> None:
    other = replace(ROOM, holders={"blue": "w2", "red": "rincewind"})
    for paths in (None, PATHS):
        assert pixels(map_figure(ROOM, paths=paths)) == pixels(map_figure(other, paths=paths))


def pixels(figure: Figure) -> bytes:
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    return bytes(canvas.buffer_rgba())


def test_a_path_runs_through_the_middle_of_its_cells() -> None:
    line = by_gid(drawn(ROOM, paths={"agent2": PATHS["agent2"][:4]}))["path:agent2:line"]
    assert isinstance(line, CellPatch)
    points = line.get_path().vertices
    np.testing.assert_allclose(points[:-1], [(6, 2), (6, 1), (5, 1), (4, 1)])
    assert tuple(points[-1]) == pytest.approx(
        (3, 1), abs=0.2
    )  # the arrowhead goes on to the middle


def test_paths_on_the_same_edges_lie_side_by_side() -> None:
    artists = by_gid(drawn(ROOM, paths=PATHS))
    lines = [artists[f"path:{agent}:line"] for agent in PATHS]
    first, second = ({tuple(p) for p in line.get_path().vertices.round(6)} for line in lines)
    assert not first & second


def test_interactions_are_marked_beside_the_wizard() -> None:
    artists = by_gid(drawn(ROOM, paths={"agent2": PATHS["agent2"]}))
    asks = sorted(gid for gid in artists if gid.startswith("ask:"))
    assert asks == ["ask:1:agent2:w1", "ask:2:agent2:rincewind"]
    (mark,) = artists[asks[0]].findobj(Text)
    assert mark.get_position() == pytest.approx((3, 0.54), abs=0.2)  # between (3, 1) and (3, 0)


def test_outcomes_are_marked_only_with_the_holders() -> None:
    hidden, told = drawn(ROOM, paths=PATHS), drawn(ROOM, paths=PATHS, holders=True)
    asks = [gid for gid in by_gid(hidden) if gid.startswith("ask:")]
    assert len(asks) == 4
    assert {text for gid in asks for text in texts(by_gid(hidden)[gid])} == {"?"}
    assert not {text for gid in asks for text in texts(by_gid(told)[gid])}
    legend = texts(map_figure(ROOM, paths=PATHS, holders=True))
    assert {"asks, gets the amulet", "asks a decoy"} <= set(legend)


def test_a_path_without_moves_is_only_a_mark() -> None:
    figure = map_figure(ROOM, paths={"agent2": ()})
    assert "path:agent2:line" not in by_gid(figure)
    pixels(figure)


def test_states_say_where_agents_are() -> None:
    def place(figure: Figure, agent: str) -> tuple[float, float]:
        return by_gid(figure)[f"agent:{agent}"].findobj(Text)[0].get_position()

    figure = drawn(ROOM, states={"agent2": State((5, 1)), "agent3": State((6, 3))})
    assert place(figure, "main") == (0, 0)
    assert place(figure, "agent2") == pytest.approx((5, 1), abs=0.1)
    assert place(figure, "agent3") == pytest.approx((6.3, 3.3), abs=0.1)  # aside, to show the chest


def test_agents_on_one_cell_do_not_cover_each_other() -> None:
    figure = drawn(ROOM, states={npc.id: State(ROOM.main.at) for npc in ROOM.npcs})
    tokens = [by_gid(figure)[f"agent:{agent}"] for agent in ("main", "agent2", "agent3")]
    places = [token.findobj(Text)[0].get_position() for token in tokens]
    assert len(set(places)) == 3


def test_the_legend_holds_only_what_occurs() -> None:
    words = set(texts(map_figure(ALONE)))
    assert {"main agent, goal A", "goal of the main agent"} <= words
    assert not [word for word in words if "wizard" in word or "barrier" in word or "wall" in word]
    assert "path of agent2" in texts(map_figure(ROOM, paths=PATHS))
    assert "path of agent2" not in texts(map_figure(ROOM))
    assert not [gid for gid in by_gid(map_figure(ROOM, legend=False)) if "legend" in gid]


def test_coordinates_stand_beside_their_cells() -> None:
    labels = by_gid(map_figure(ROOM))["coordinates"].findobj(Text)
    across = {t.get_text(): t.get_position()[0] for t in labels if t.get_position()[1] < -0.5}
    down = {t.get_text(): t.get_position()[1] for t in labels if t.get_position()[0] < -0.5}
    assert across == {str(x): x for x in range(7)}
    assert down == {str(y): y for y in range(4)}


def test_several_maps_in_a_figure_keep_their_names_apart() -> None:
    figure = Figure()
    for number, ax in enumerate(figure.subplots(1, 2)):
        ax.set_gid(f"map{number}")
        draw_map(ax, ROOM, holders=True, paths=PATHS, title="again")
    assert {"map0/wizard:w1", "map1/wizard:w1", "map1/path:agent2:line"} <= by_gid(figure).keys()


def test_the_title_is_the_name_letter_for_letter() -> None:
    figure = map_figure(replace(ROOM, name="costs $5 or $6, x_1"))
    assert texts(by_gid(figure)["title"]) == ["costs $5 or $6, x_1"]
    pixels(figure)
    assert "title" not in by_gid(map_figure(ALONE))


@pytest.mark.parametrize("inches", [1.5, 6.0])
def test_sizes_follow_the_cells(inches: float) -> None:
    figure = Figure(figsize=(inches, inches))
    ax = figure.add_axes((0, 0, 1, 1))
    draw_map(ax, ROOM)
    pixels(figure)
    letter = by_gid(figure)["chest:A"].findobj(CellText)[0]
    assert letter.get_fontsize() == pytest.approx(0.42 * points_per_cell(ax))
    assert points_per_cell(ax) == pytest.approx(inches * 72 / 7.1)


@pytest.mark.parametrize("vector", VECTORS[::6], ids=lambda vector: vector.name)
def test_worked_cases_are_drawn_within_the_page(vector: object) -> None:
    figure = map_figure(vector.trial, holders=True)
    pixels(figure)
    page = figure.bbox
    for text in figure.findobj(CellText):
        box = text.get_window_extent()
        assert page.x0 <= box.x0
        assert box.x1 <= page.x1
        assert page.y0 <= box.y0
        assert box.y1 <= page.y1


def test_drawing_leaves_matplotlib_as_it_was() -> None:
    before = dict(matplotlib.rcParams)
    map_figure(ROOM, paths=PATHS)
    assert dict(matplotlib.rcParams) == before


def test_unknown_agents_are_refused() -> None:
    with pytest.raises(ValueError, match="states: no agent 'agent9'"):
        drawn(ROOM, states={"agent9": State((0, 0))})
