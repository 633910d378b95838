"""A trial made ready to play."""

from __future__ import annotations

from onlooker.game import BudgetRule, Costs, Stage, Trial, check_trial
from onlooker.game.play import OnEmpty
from onlooker.planning import budgets
from onlooker.planning.policies import npc_paths
from onlooker.planning.reference import Tables


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
    paths = npc_paths(tables, trial)
    scripts = tuple(tuple(taken.action for taken in path) for path in paths)
    points = budgets.budget(tables, trial, budget)
    return Stage(trial, scripts, points, tables.costs, on_empty)
