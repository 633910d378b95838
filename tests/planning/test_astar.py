from __future__ import annotations

from hypothesis import given

from onlooker.game import Costs, State, Trial
from onlooker.planning import Tables, expert_path, expert_plan, path_cost, walk_path
from strategies import trials

COSTS = Costs()


@given(trials())
def test_the_experts_plan_is_the_tables_path(trial: Trial) -> None:
    tables = Tables(trial.map)
    for npc in trial.npcs:
        start = State(npc.at)
        plan = expert_plan(trial.map, start, npc.goal, trial.holders, COSTS)
        assert plan == expert_path(tables, start, npc.goal, trial.holders)


@given(trials())
def test_a_walk_costs_what_its_table_says(trial: Trial) -> None:
    tables = Tables(trial.map)
    for mask in range(tables.states.masks):
        start = State(trial.main.at, tables.states.amulets(mask))
        for target in (*trial.map.chests, *trial.map.wizards):
            path = walk_path(trial.map, start, target, trial.holders, COSTS)
            cost = float("inf") if path is None else path_cost(path)
            assert cost == tables.walk(target)[mask, tables.states.cell(start.cell)]


def test_at_the_chest_there_is_nothing_to_walk() -> None:
    from onlooker.game import Chest, Map

    world = Map(2, 1, chests=(Chest("A", (0, 0)),))
    assert walk_path(world, State((0, 0)), world.chest("A"), {}, COSTS) == ()
