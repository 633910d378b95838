"""The fast tables and the plain ones, held to the same tests."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, product
from math import inf

import pytest
from hypothesis import given

from onlooker.game import (
    ACTIONS,
    Chest,
    Costs,
    Effect,
    MainAgent,
    Map,
    State,
    Step,
    Trial,
    Wizard,
    effect,
    needed,
    read_map_text,
    step,
)
from onlooker.planning import Tables
from planning.compiled_costs import CompiledTables
from strategies import trials

Make = Callable[..., Tables]


def plain(trial: Trial, costs: Costs | None = None) -> Tables:
    return Tables(trial.map, costs)


both = pytest.mark.parametrize("make", [plain, CompiledTables])


def all_holders(world: Map) -> list[dict[str, str]]:
    ids = ([wizard.id for wizard in world.wizards_of[colour]] for colour in world.colours)
    return [dict(zip(world.colours, chosen, strict=True)) for chosen in product(*ids)]


DETOUR = read_map_text(
    """
map:
@b.=A
...##
.r...

legend:
@ = main agent, goal A
b = blue wizard
r = blue wizard, holder
= = blue barrier
"""
)
MAP = DETOUR.map
NONE, BLUE = frozenset[str](), frozenset({"blue"})


@both
def test_the_holder_decides_the_cost(make: Make) -> None:
    tables = make(DETOUR)
    near = tables.expert("A", {"blue": "w1"})[(0, 0), NONE]
    far = tables.expert("A", {"blue": "w2"})[(0, 0), NONE]
    assert near == 5 + 4 * 3  # ask, then straight through the wizard
    assert far == 2 * 3 + 5 + 4 * 3  # down, right, ask, up and on


@both
def test_costs_scale(make: Make) -> None:
    tables = make(DETOUR, Costs(move=2, interact=7))
    assert tables.expert("A", {"blue": "w1"})[(0, 0), NONE] == 7 + 4 * 2


@both
def test_a_walk_asks_nobody_but_its_target(make: Make) -> None:
    tables = make(DETOUR)
    assert tables.walk(MAP.wizard("w1"))[(0, 0), NONE] == 5
    assert tables.walk(MAP.wizard("w2"))[(0, 0), NONE] == 3 + 3 + 5
    assert tables.walk(MAP.chest("A"))[(0, 0), NONE] == inf
    assert tables.walk(MAP.chest("A"))[(0, 0), BLUE] == 4 * 3


@both
def test_no_way_is_infinite(make: Make) -> None:
    walled = Map(
        5,
        1,
        walls=frozenset({(1, 0), (3, 0)}),
        wizards=(Wizard("w1", (2, 0), "blue"),),
        chests=(Chest("A", (4, 0)),),
    )
    tables = make(Trial(walled, {"blue": "w1"}, MainAgent((0, 0), "A")))
    assert tables.expert("A", {"blue": "w1"}) == {((4, 0), NONE): 0, ((4, 0), BLUE): 0}
    assert tables.walk(walled.wizard("w1")) == {}
    assert tables.walk(walled.wizard("w1"))[(0, 0), NONE] == inf


@both
def test_a_held_amulet_leaves_nobody_to_ask(make: Make) -> None:
    assert {amulets for _, amulets in make(DETOUR).walk(MAP.wizard("w1"))} == {NONE}


@given(trials())
def test_fast_and_plain_agree_everywhere(trial: Trial) -> None:
    world = trial.map
    fast, slow = CompiledTables(trial), Tables(world)
    for target in (*world.chests, *world.wizards):
        assert fast.walk(target) == slow.walk(target)
    for goal, holders in product(world.letters, all_holders(world)):
        assert fast.expert(goal, holders) == slow.expert(goal, holders)


@given(trials())
def test_compiled_and_plain_need_the_same_amulets(trial: Trial) -> None:
    world = trial.map
    bit = {colour: 1 << index for index, colour in enumerate(world.colours)}
    starts = [*(npc.at for npc in trial.npcs), trial.main.at]
    for start, found in zip(starts, CompiledTables(trial).needs.tolist(), strict=True):
        plainly = [needed(world, start, letter) for letter in world.letters]
        assert found == [-1 if c is None else sum(map(bit.__getitem__, c)) for c in plainly]


@given(trials())
def test_a_cost_to_go_is_the_best_action_and_what_follows(trial: Trial) -> None:
    tables = Tables(trial.map)
    goal, colours = trial.main.goal, trial.map.colours
    table = tables.expert(goal, trial.holders)
    assert all(points >= 0 for points in table.values())
    sets = [frozenset(some) for n in range(len(colours) + 1) for some in combinations(colours, n)]
    for amulets, cell in product(sets, trial.map.cells()):
        here = table[cell, amulets]
        if effect(trial.map, cell, amulets) is not Effect.MOVE:
            assert here == inf
            continue
        if cell == trial.map.chest(goal).at:
            assert here == 0
            continue
        state = State(cell, amulets)
        results = [
            step(trial.map, state, action, goal, trial.holders, tables.costs) for action in ACTIONS
        ]
        ahead = [
            result.event.cost + table[result.state.cell, result.state.amulets]
            for result in results
            if isinstance(result, Step)
        ]
        assert here == min(ahead, default=inf)


@given(trials())
def test_mirroring_a_map_changes_no_cost_to_go(trial: Trial) -> None:
    world = trial.map
    flip = world.width - 1
    mirrored = Map(
        world.width,
        world.height,
        frozenset((flip - x, y) for x, y in world.walls),
        tuple(type(b)((flip - b.at[0], b.at[1]), b.colour) for b in world.barriers),
        tuple(Wizard(w.id, (flip - w.at[0], w.at[1]), w.colour) for w in world.wizards),
        tuple(Chest(c.letter, (flip - c.at[0], c.at[1])) for c in world.chests),
    )
    for goal in world.letters:
        here = Tables(world).expert(goal, trial.holders)
        there = Tables(mirrored).expert(goal, trial.holders)
        assert here == {((flip - x, y), held): cost for ((x, y), held), cost in there.items()}
