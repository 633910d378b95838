from __future__ import annotations

from collections import defaultdict
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drawings import PATHS, ROOM
from onlooker.drawing.route import (
    asks_on,
    cells_on,
    check_agents,
    corners,
    lanes,
    legs,
    start_of,
)
from onlooker.game import ACTIONS, Cell


@st.composite
def walks(draw: st.DrawFn) -> list[Cell]:
    """A walk in a small place, so that it often comes back to the same edges."""
    cells = [(1, 1)]
    for action in draw(st.lists(st.sampled_from(ACTIONS), max_size=20)):
        x, y = action.from_cell(cells[-1])
        if 0 <= x <= 2 and 0 <= y <= 2:
            cells.append((x, y))
    return cells


def test_a_path_leads_over_the_cells_moved_to() -> None:
    assert cells_on(start_of(ROOM, "agent2"), PATHS["agent2"]) == [
        *[(6, 2), (6, 1), (5, 1), (4, 1), (3, 1)],
        *[(3, 2), (3, 3)],  # asking moved it nowhere
    ]


def test_asks_tell_where_and_when() -> None:
    asks = asks_on("agent2", PATHS["agent2"])
    assert [(ask.cell, ask.wizard, ask.gave, ask.moves) for ask in asks] == [
        ((3, 1), "w1", True, 4),
        ((3, 3), "rincewind", True, 6),
    ]


def test_a_path_with_its_edges_to_itself_keeps_to_the_middle() -> None:
    assert lanes({"agent2": legs([(0, 0), (1, 0), (1, 1)])}) == {"agent2": [0.0]}


@given(walks())
def test_legs_together_are_the_path_and_repeat_no_edge(cells: list[Cell]) -> None:
    found = legs(cells)
    assert [*found[0], *(cell for leg in found[1:] for cell in leg[1:])] == cells
    for leg in found:
        edges = list(pairwise(leg))
        assert len(set(edges)) == len(edges)


@given(st.lists(walks(), min_size=1, max_size=3))
def test_no_two_passes_over_an_edge_cover_each_other(routes: list[list[Cell]]) -> None:
    parts = {f"agent{i}": legs(cells) for i, cells in enumerate(routes)}
    shifts: dict[frozenset[Cell], list[float]] = defaultdict(list)
    for agent, distances in lanes(parts).items():
        for leg, distance in zip(parts[agent], distances, strict=True):
            for edge in pairwise(leg):
                assert distance < 0.5
                shifts[frozenset(edge)].append(distance if edge[0] < edge[1] else -distance)
    for passes in shifts.values():
        for one, other in combinations(passes, 2):
            assert abs(one - other) > 0.005


@given(walks(), st.sampled_from([0.0, 0.1, 0.3]))
def test_a_line_stays_within_its_cells(cells: list[Cell], distance: float) -> None:
    for leg in legs(cells):
        for (x, y), points in zip(leg, corners(leg, distance), strict=True):
            for px, py in points:
                assert abs(px - x) <= distance + 1e-9
                assert abs(py - y) <= distance + 1e-9


def test_agents_that_are_not_there_are_named() -> None:
    with pytest.raises(ValueError, match=r"paths: no agent 'agent9'.*main, agent2, agent3"):
        check_agents(ROOM, "paths", {"agent9": ()})
