"""The compiled search as Python calls it, to be held against the plain one."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from onlooker.game import ACTIONS, Costs, State, Trial
from onlooker.observers.kernels.findings import Search, new_search
from onlooker.observers.kernels.plans import Plans, lay_plans, new_plans, search_cost
from onlooker.observers.kernels.search import carry_out, expected_cost, set_out, share_out
from onlooker.planning.compiling import Entry, compiled
from onlooker.planning.packing import pack
from onlooker.planning.structures import borrow
from onlooker.planning.world import EMPTY, World, lay_out, new_world
from onlooker.support.arrays import FloatArray, IntArray


@compiled
def _searched(kept_world: World, kept: Search, weights: Any, main: Any) -> Any:
    world, search = borrow(kept_world), borrow(kept)
    set_out(world, search, world.cell_of[main[0]], main[1], main[2])
    costs = np.empty(len(weights))
    for row in range(len(weights)):  # what is remembered of other weights makes no difference
        share_out(world, search, weights[row])
        costs[row] = expected_cost(world, search)
    done = carry_out(world, search)
    return costs, done, kept.route[: kept.actions], kept.asked[: kept.interactions]


def _search(packed: Any, move: int, interact: int, weights: Any, main: Any) -> Any:
    world, search = new_world(packed, move, interact, 1), new_search(packed)
    lay_out(borrow(world), packed, EMPTY)
    return _searched(world, search, weights, main)


@compiled
def _planned(world: World, search: Search, plans: Plans, weights: Any, main: Any) -> Any:
    lay_plans(world, search, plans, world.cell_of[main[0]], main[1])
    costs = np.empty(len(weights))
    for row in range(len(weights)):
        share_out(world, search, weights[row])
        costs[row] = search_cost(world, search, plans)
    return costs


def _plan(packed: Any, move: int, interact: int, weights: Any, main: Any) -> Any:
    world, search = new_world(packed, move, interact, 1), new_search(packed)
    plans = new_plans(packed)
    lay_out(borrow(world), packed, EMPTY)
    costs = _planned(borrow(world), borrow(search), borrow(plans), weights, main)
    return costs, plans.crowded, world.wizards, search.rows


search, plan = Entry(_search), Entry(_plan)


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
    found = search(pack([trial]), costs.move, costs.interact, rows, place)
    return Searched(
        found[0].tolist(),
        bool(found[1]),
        [str(ACTIONS[action]) for action in found[2]],
        [world.wizards[wizard].id for wizard in found[3]],
    )


def planned_costs(
    trial: Trial, costs: Costs, weights: FloatArray, main: State | None = None
) -> tuple[list[float], bool]:
    """What the best plans cost with rows of weights, and whether there were too many plans."""
    place = place_of(trial, main or State(trial.main.at))
    rows = np.asarray(weights, float)
    found = plan(pack([trial]), costs.move, costs.interact, rows, place)
    return found[0].tolist(), bool(found[1])


def place_of(trial: Trial, main: State) -> IntArray:
    """The main agent's square, its amulets, and whom it has asked in vain."""
    world = trial.map
    amulets = sum(1 << world.colours.index(colour) for colour in main.amulets)
    vain = sum(
        1 << index
        for index, wizard in enumerate(world.wizards)
        if wizard.id in main.checked and wizard.colour not in main.amulets
    )
    square = main.cell[1] * world.width + main.cell[0]
    return np.array([square, amulets, vain])
