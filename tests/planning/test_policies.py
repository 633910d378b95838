from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import assume, given

from maps import STUCK
from onlooker.game import (
    Expertise,
    Interaction,
    Move,
    State,
    Trial,
    read_map_text,
    step,
)
from onlooker.observers import Engine, Parameters
from onlooker.planning import (
    NoPathError,
    Steps,
    Tables,
    budget,
    expert_path,
    novice_path,
    npc_path,
    npc_paths,
    path_cost,
    stage,
)
from strategies import trials
from vectors import VECTORS, Vector

every_vector = pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector.name)


def written(paths: Iterable[Steps]) -> list[list[list[object]]]:
    """The paths as the vectors write them: direction, wizard met, whether it gave the amulet."""
    return [
        [
            [str(taken.action), taken.event.wizard, taken.event.gave]
            if isinstance(taken.event, Interaction)
            else [str(taken.action), None, False]
            for taken in path
        ]
        for path in paths
    ]


@every_vector
def test_vectors(vector: Vector) -> None:
    tables = Tables(vector.trial.map, vector.costs)
    assert budget(tables, vector.trial) == vector.expect["budget"]
    assert written(npc_paths(tables, vector.trial)) == vector.expect["paths"]


@every_vector
def test_the_compiled_engine_on_vectors(vector: Vector) -> None:
    engine = Engine(vector.trial, Parameters(**vector.params))
    assert engine.budget == vector.expect["budget"]
    assert written(engine.paths) == vector.expect["paths"]


@given(trials())
def test_an_experts_path_costs_what_its_table_says(trial: Trial) -> None:
    tables = Tables(trial.map)
    for npc in trial.npcs:
        path = expert_path(tables, State(npc.at), npc.goal, trial.holders)
        table = tables.expert(npc.goal, trial.holders)
        assert path_cost(path) == table[npc.at, frozenset()]
        assert path[-1].state.arrived


@given(trials())
def test_a_novice_asks_only_for_what_it_lacks_and_nobody_twice(trial: Trial) -> None:
    tables = Tables(trial.map)
    npc = trial.npcs[0]
    try:
        path = novice_path(tables, State(npc.at), npc.goal, trial.holders)
    except NoPathError:
        assume(False)
    asked = [taken.event.wizard for taken in path if isinstance(taken.event, Interaction)]
    assert len(asked) == len(set(asked))
    best = path_cost(expert_path(tables, State(npc.at), npc.goal, trial.holders))
    assert path_cost(path) >= best
    state = State(npc.at)
    for taken in path:
        result = step(trial.map, state, taken.action, npc.goal, trial.holders, tables.costs)
        assert result == taken
        state = taken.state
    assert state.arrived


def test_ties_go_up_down_left_right() -> None:
    trial = read_map_text(
        """
map:
..A
...
@..

legend:
@ = main agent, goal A
"""
    )
    path = expert_path(Tables(trial.map), State((0, 2)), "A", {})
    assert [str(taken.action) for taken in path] == ["up", "up", "right", "right"]


def test_a_novice_that_gets_stuck_is_named() -> None:
    trial = read_map_text(STUCK)
    stuck = (
        r"agent2 \(novice\): it cannot get from \(1, 0\) to the blue wizards left: .* in the way"
    )
    with pytest.raises(NoPathError, match=stuck):
        npc_path(Tables(trial.map), trial, trial.npcs[0])


def test_fixed_actions_are_what_is_seen() -> None:
    trial = read_map_text(
        """
map:
2..A
@...

legend:
@ = main agent, goal A
2 = expert agent2, goal A

actions:
agent2: right down
"""
    )
    game = stage(trial)
    assert [[str(action) for action in script] for script in game.scripts] == [["right", "down"]]


def test_expert_and_novice_differ_where_the_nearest_wizard_is_a_decoy() -> None:
    trial = read_map_text(
        """
map:
b2..h
.@.=#
###A#

legend:
@ = main agent, goal A
2 = novice agent2, goal A
b = blue wizard
h = blue wizard, holder
= = blue barrier
"""
    )
    tables = Tables(trial.map)
    novice = npc_path(tables, trial, trial.npcs[0])
    assert trial.npcs[0].expertise is Expertise.NOVICE
    asked = [taken.event.wizard for taken in novice if isinstance(taken.event, Interaction)]
    assert asked == ["w1", "w2"]
    expert = expert_path(tables, State((1, 0)), "A", trial.holders)
    assert path_cost(novice) == path_cost(expert) + 5
    assert sum(isinstance(taken.event, Move) for taken in expert) == 4


def test_no_way_to_the_chest() -> None:
    trial = read_map_text("map:\n@.A\n\nlegend:\n@ = main agent, goal A\n")
    blocked = type(trial.map)(3, 1, frozenset({(1, 0)}), chests=trial.map.chests)
    with pytest.raises(NoPathError, match=r"no way from \(0, 0\) to chest A: walls are"):
        expert_path(Tables(blocked), State((0, 0)), "A", {})
    with pytest.raises(NoPathError, match=r"no way from \(0, 0\) to chest A: walls are"):
        novice_path(Tables(blocked), State((0, 0)), "A", {})
