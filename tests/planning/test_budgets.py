"""Budgets: the paper's names the holder, the map's does not."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given

from onlooker.game import Trial, budget_for, possible_holders, read_map_text
from onlooker.observers import Engine
from onlooker.planning import (
    NoPathError,
    Tables,
    budget,
    hint,
    least_cost,
    main_path,
    path_cost,
    stage,
)
from strategies import trials

# By way of w1 the chest costs 23 points, by w2 53 and by w3 17.
THREE = """\
map:
h.@......b
##.b######
A=..######

legend:
@ = main agent, goal A
b = blue wizard
h = blue wizard, holder
= = blue barrier
"""


def three(holder: str) -> Trial:
    found = read_map_text(THREE)
    return replace(found, holders={"blue": holder})


@pytest.mark.parametrize(("cost", "points"), [(0, 20), (1, 25), (5, 25), (47, 70), (50, 70)])
def test_the_buffer_and_the_rounding(cost: int, points: int) -> None:
    assert budget_for(cost) == points


def test_the_papers_budget_depends_on_the_holder_and_the_maps_does_not() -> None:
    found = {holder: three(holder) for holder in ("w1", "w2", "w3")}
    tables = {holder: Tables(trial.map) for holder, trial in found.items()}
    costs = {h: path_cost(main_path(tables[h], trial)) for h, trial in found.items()}
    assert costs == {"w1": 23, "w2": 53, "w3": 17}
    paper = {h: budget(tables[h], trial) for h, trial in found.items()}
    assert paper == {"w1": 45, "w2": 75, "w3": 40}
    assert {budget(tables[h], trial, "map") for h, trial in found.items()} == {75}
    assert {stage(trial, budget="map").budget for trial in found.values()} == {75}
    assert {Engine(trial, budget_rule="map").stage.budget for trial in found.values()} == {75}
    assert {hint(tables[h], trial) for h, trial in found.items()} == {"everything"}


def test_holders_of_the_same_budget_are_not_told_apart() -> None:
    text = THREE.replace("@......b", "@.b#####").replace("##.b##", "##.###")
    two = read_map_text(text)
    assert hint(Tables(two.map), two) == "nothing"
    far = read_map_text(text.replace("A=..######", "A=.......b"))
    assert hint(Tables(far.map), far) == "something"
    assert hint(Tables(far.map), replace(far, holders={"blue": "w3"})) == "everything"


def test_a_single_wizard_has_nothing_to_hide() -> None:
    trial = read_map_text(
        "map:\nh@=A\n\nlegend:\n@ = main agent, goal A\nh = blue wizard, holder\n= = blue barrier\n"
    )
    assert hint(Tables(trial.map), trial) == "nothing"


@given(trials())
def test_budgets_on_random_maps(trial: Trial) -> None:
    tables = Tables(trial.map)
    every = [replace(trial, holders=holders) for holders in possible_holders(trial.map)]
    paper = [budget(tables, one) for one in every]
    assert {budget(tables, one, "map") for one in every} == {max(paper)}
    assert budget(tables, trial) == budget_for(path_cost(main_path(tables, trial)))
    if len(set(paper)) == 1:
        assert hint(tables, trial) == "nothing"


@given(trials())
def test_the_compiled_budgets_on_random_maps(trial: Trial) -> None:
    trial, tables = replace(trial, npcs=()), Tables(trial.map)
    engine = Engine(trial)
    for holders in possible_holders(trial.map):
        assert engine.least_cost(holders) == least_cost(tables, trial, holders)
    assert engine.budget == budget(tables, trial)
    assert Engine(trial, budget_rule="map").budget == budget(tables, trial, "map")


@pytest.mark.parametrize("rule", ["paper", "map"])
def test_no_way_to_the_chest_has_no_budget(rule: str) -> None:
    trial = three("w1")
    walled = replace(trial.map, walls=trial.map.walls | {(2, 2)})
    with pytest.raises(NoPathError, match="to chest A"):
        budget(Tables(walled), replace(trial, map=walled), rule)  # type: ignore[arg-type]
