from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from onlooker.experiments.layout import (
    NEAR,
    base_maps,
    layout_distance,
    layout_distances,
    too_alike,
)
from onlooker.game import (
    Barrier,
    Cell,
    Chest,
    Expertise,
    MainAgent,
    Map,
    Npc,
    Trial,
    Wizard,
    read_map_text,
)
from strategies import trials
from vectors import VECTORS


def turned(map: Map, quarter_turns: int, mirror: bool) -> Map:
    """The map turned to the right, cell by cell, and mirrored."""

    def move(cell: Cell) -> Cell:
        (x, y), wide, high = cell, map.width, map.height
        for _ in range(quarter_turns):
            x, y = high - 1 - y, x
            high, wide = wide, high
        return (wide - 1 - x if mirror else x), y

    sides = map.width, map.height
    return Map(
        *(sides[::-1] if quarter_turns % 2 else sides),
        frozenset(move(cell) for cell in map.walls),
        tuple(Barrier(move(b.at), b.colour) for b in map.barriers),
        tuple(Wizard(w.id, move(w.at), w.colour) for w in map.wizards),
        tuple(Chest(c.letter, move(c.at)) for c in map.chests),
    )


ways = st.tuples(st.integers(0, 3), st.booleans())


@given(trials(), ways)
def test_a_layout_is_the_same_whichever_way_it_is_turned(
    trial: Trial, way: tuple[int, bool]
) -> None:
    other = turned(trial.map, *way)
    assert layout_distance(trial.map, other) == 0
    assert too_alike(trial.map, other)


@given(trials(), trials(), ways)
def test_the_distance_is_symmetric_and_does_not_depend_on_how_maps_are_turned(
    one: Trial, other: Trial, way: tuple[int, bool]
) -> None:
    distance = layout_distance(one.map, other.map)
    assert 0 <= distance <= 1
    assert layout_distance(other.map, one.map) == distance
    assert layout_distance(turned(one.map, *way), other.map) == distance


@given(trials(), st.data())
def test_each_cell_that_is_changed_adds_at_most_its_share(
    trial: Trial, data: st.DataObject
) -> None:
    cells = [cell for cell in trial.map.cells() if trial.map.thing(cell) is None]
    changed = data.draw(st.sets(st.sampled_from(cells)))
    other = replace(trial.map, walls=trial.map.walls ^ changed)
    share = len(changed) / (trial.map.width * trial.map.height)
    assert layout_distance(trial.map, other) <= share


def test_the_matrix_holds_the_distances_of_all_pairs() -> None:
    maps = [vector.trial.map for vector in VECTORS]
    matrix = layout_distances(maps)
    assert (matrix == matrix.T).all()
    assert (np.diag(matrix) == 0).all()
    for i, j in list(combinations(range(len(maps)), 2))[::17]:
        assert matrix[i, j] == layout_distance(maps[i], maps[j])


PLAIN = Map(
    4,
    3,
    frozenset({(0, 0)}),
    (Barrier((1, 0), "blue"),),
    (Wizard("w1", (2, 0), "blue"), Wizard("w2", (3, 2), "red")),
    (Chest("A", (3, 0)), Chest("B", (0, 2))),
)


@pytest.mark.parametrize(
    ("change", "cells"),
    [
        ({"chests": (Chest("B", (3, 0)), Chest("A", (0, 2)))}, 0),
        ({"wizards": (Wizard("merlin", (2, 0), "blue"), Wizard("w1", (3, 2), "red"))}, 0),
        ({"wizards": (Wizard("w1", (2, 0), "red"), Wizard("w2", (3, 2), "red"))}, 1),
        ({"barriers": (Barrier((1, 0), "red"),)}, 1),
        ({"barriers": ()}, 1),
        ({"walls": frozenset({(0, 1)})}, 2),
        ({"chests": (Chest("A", (3, 0)),)}, 1),
    ],
)
def test_what_counts_as_content(change: dict[str, object], cells: int) -> None:
    assert layout_distance(PLAIN, replace(PLAIN, **change)) == cells / 12


def test_grids_of_different_sizes_are_as_far_apart_as_can_be() -> None:
    assert layout_distance(Map(4, 3), Map(4, 4)) == 1
    assert layout_distance(Map(6, 2), Map(4, 3)) == 1
    assert layout_distance(Map(4, 3), Map(3, 4)) == 0


def test_near_is_where_maps_count_as_alike() -> None:
    floor = Map(10, 10)
    few, more = (Map(10, 10, frozenset((x, 4) for x in range(n))) for n in (10, 10))
    assert layout_distance(floor, few) == NEAR
    assert too_alike(floor, few)
    assert not too_alike(floor, replace(more, walls=more.walls | {(0, 0)}))


ROOM = read_map_text("""
experiment: 2
map:
@..h.=A
.#.....
..b..#2
3....-B

legend:
@ = main agent, goal A
2 = expert agent2, goal B
3 = novice agent3, goal A
h = blue wizard, holder
b = blue wizard
= = blue barrier
- = blue barrier
""")


def test_the_scenarios_of_a_base_map_differ_in_what_npcs_want_and_know() -> None:
    one, two = ROOM.npcs
    same = replace(ROOM, npcs=(replace(one, goal="A"), replace(two, expertise=Expertise.EXPERT)))
    others = [
        replace(ROOM, experiment=3),
        replace(ROOM, main=MainAgent(ROOM.main.at, "B")),
        replace(ROOM, holders={"blue": "w2"}),
        replace(ROOM, npcs=(Npc("agent2", (1, 0), "B", Expertise.EXPERT), two)),
        replace(ROOM, map=replace(ROOM.map, walls=frozenset())),
    ]
    assert base_maps([ROOM, *others, same]) == [[ROOM, same], *([other] for other in others)]
