"""The compiled search as Python calls it, to be held against the plain one."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from onlooker.game import ACTIONS, Costs, State, Trial
from onlooker.inference.kernels.tree import Tree
from onlooker.inference.parameters import Parameters, Settings
from onlooker.inference.room import room_for
from onlooker.observers.kernels.findings import Search
from onlooker.observers.kernels.plans import Lookahead, lay_plans, search_cost
from onlooker.observers.kernels.search import (
    carry_out,
    expected_cost,
    set_holder_weights,
    start_search,
)
from onlooker.planning.compiling import Entry
from onlooker.planning.packing import pack
from onlooker.planning.world import EMPTY, World, lay_out
from onlooker.support.arrays import FloatArray, IntArray


def _search(world: World, tree: Tree, search: Search, packed: Any, weights: Any, main: Any) -> Any:
    tree.error = 0
    lay_out(world, packed, EMPTY)
    start_search(world, tree, search, world.cell_of[main[0]], main[1])
    costs = np.empty(len(weights))
    if tree.error:
        return costs, False
    for row in range(len(weights)):  # what is remembered of other weights makes no difference
        set_holder_weights(world, search, weights[row])
        costs[row] = expected_cost(world, search)
    return costs, carry_out(world, search)


def _plan(
    world: World, tree: Tree, search: Search, ahead: Lookahead, packed: Any, weights: Any, main: Any
) -> Any:
    tree.error = 0
    lay_out(world, packed, EMPTY)
    tree.cell_now, tree.amulets_now = world.cell_of[main[0]], main[1]
    lay_plans(world, tree, search, ahead)
    costs = np.empty(len(weights))
    for row in range(0 if tree.error else len(weights)):
        set_holder_weights(world, search, weights[row])
        costs[row] = search_cost(world, search, ahead)
    return costs


search, plan = Entry(_search).plain, Entry(_plan).plain  # to compile them takes longer


class Searched(NamedTuple):
    costs: list[float]  # for each row of weights
    done: bool  # the rest is of the last row
    route: list[str]
    asked: list[str]


def compiled_search(
    trial: Trial, costs: Costs, weights: FloatArray, main: State | None = None
) -> Searched:
    """What searches cost with rows of weights over the holders, and the last one carried out."""
    world, place = trial.map, place_of(trial, main or State(trial.main.at))
    rows = np.asarray(weights, float)
    packed = pack([trial])
    room = room_for(packed, settings_of(costs), False, Search, findings=1)
    expected, done = room.call(search, World, Tree, Search, packed, rows, place)
    found = room[Search]
    return Searched(
        expected.tolist(),
        bool(done),
        [str(ACTIONS[action]) for action in found.route[: found.actions]],
        [world.wizards[wizard].id for wizard in found.asked[: found.interactions]],
    )


def settings_of(costs: Costs) -> Settings:
    return Parameters(costs.move, costs.interact, costs.observe).settings


def planned_costs(
    trial: Trial, costs: Costs, weights: FloatArray, main: State | None = None
) -> tuple[list[float], bool]:
    """What the best plans cost with rows of weights, and whether there were too many plans."""
    place = place_of(trial, main or State(trial.main.at))
    rows = np.asarray(weights, float)
    packed = pack([trial])
    room = room_for(packed, settings_of(costs), False, Search, Lookahead, findings=1, plans=1)
    found = room.call(plan, World, Tree, Search, Lookahead, packed, rows, place)
    return found.tolist(), room[Lookahead].crowded


def place_of(trial: Trial, main: State) -> IntArray:
    """The main agent's square and its amulets."""
    world = trial.map
    amulets = sum(1 << world.colours.index(colour) for colour in main.amulets)
    square = main.cell[1] * world.width + main.cell[0]
    return np.array([square, amulets])
