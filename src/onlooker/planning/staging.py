"""The budget of a trial, and a trial made ready to play."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from onlooker.game import (
    BudgetHint,
    BudgetRule,
    Costs,
    Holders,
    Stage,
    Trial,
    budget_hint,
    budget_of,
    check_trial,
)
from onlooker.game.budget import LeastCost
from onlooker.game.play import OnEmpty
from onlooker.planning.errors import no_way
from onlooker.planning.policies import npc_path, npc_paths, teaches
from onlooker.planning.tables import Tables


def least_cost(tables: Tables, trial: Trial, holders: Holders) -> float:
    """What the main agent's way costs if it knows the holders and they are these."""
    return tables.expert(trial.main.goal, holders)[trial.main.at, frozenset()]


def starting_points(trial: Trial, rule: BudgetRule, least_cost: LeastCost) -> int:
    """The points the player starts with; NoPathError if there is no way to its chest."""
    points = budget_of(trial, rule, least_cost)
    if points is None:
        raise no_way(trial.map, trial.main.at, trial.main.goal, holders=trial.holders)
    return points


def budget(tables: Tables, trial: Trial, rule: BudgetRule = "paper") -> int:
    """The points the player starts with, by the cost-to-go tables."""
    return starting_points(trial, rule, partial(least_cost, tables, trial))


def hint(tables: Tables, trial: Trial) -> BudgetHint:
    """What the paper's budget says about the holders whom the main agent needs."""
    return budget_hint(trial, partial(least_cost, tables, trial))


def as_played(trial: Trial, costs: Costs | None = None) -> Trial:
    """The trial with the actions of its teachers fixed.

    What a teacher does depends on parameters, which are a model's. People and models who play the
    same trial see the same: what a teacher does by the default parameters.
    """
    if not any(map(teaches, trial.npcs)):
        return trial
    tables, npcs = Tables(trial.map, costs), []
    for npc in trial.npcs:
        if teaches(npc):
            path = npc_path(tables, trial, npc)
            npc = replace(npc, actions=tuple(taken.action for taken in path))
        npcs.append(npc)
    return replace(trial, npcs=tuple(npcs))


def stage(
    trial: Trial,
    costs: Costs | None = None,
    on_empty: OnEmpty = "continue",
    budget: BudgetRule = "paper",
) -> Stage:
    """The trial made ready to play: what its NPCs will do, and its budget.

    >>> from onlooker.game import load_trial, replay, score
    >>> game = stage(load_trial("examples/early-turn.map"))
    >>> score(game, replay(game, ["observe agent2", "right"])).unspent
    91
    """
    tables = Tables(check_trial(trial).map, costs)
    trial = as_played(trial, costs)
    paths = npc_paths(tables, trial)
    scripts = tuple(tuple(taken.action for taken in path) for path in paths)
    points = starting_points(trial, budget, partial(least_cost, tables, trial))
    return Stage(trial, scripts, points, tables.costs, on_empty)
